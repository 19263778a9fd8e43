/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings by attributes of images of at most two levels, by all threads.
 *
 * The components of the higher level (of the lower one for a closing) are found as those of labels
 * are, by union-find over runs (engine/label/cpu/runs.c).  What is around each of them is the other
 * level, so by the definition (attributes.c)
 *
 *   area     a component stays if it has so many pixels
 *   volume   … if its pixels times the difference of the levels are so much
 *   height   all stay: no pixel is higher
 *
 * and the others get the other level.  An image of one level stays as it is.
 *
 * Other images are found out at their third level, most of them in the first row.  Of one that has
 * it at the end each pixel was read and compared: 0.1 ns.
 *
 * The image is read once, for its bits, and the result is written from the bits.  Beside that there
 * are an eighth of a byte a pixel, 4 bytes a run, and 8 to 12 a component.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/attributes/attribute.h"
#include "engine/core/image.h"
#include "engine/label/cpu/runs.h"
#include "two-levels.h"

/* Below this width words of bits are mostly empty. */
#define LEAST_WIDTH 16

#define SHARE_OF_RUNS  0.55
#define SHARE_OF_AREAS 0.2
#define SHARE_OF_WRITE (1 - WF_SHARE_OF_LEVELS - SHARE_OF_RUNS - SHARE_OF_AREAS)

/* Pixels of a nibble of bits. */
#define NIBBLE 4

#define MOST_BYTES (NIBBLE * sizeof (float))

/**
 * Levels:
 * @n: levels found: 1 or 2, or more
 * @low, @high: of them, zeros being +0
 * @pixels: for each nibble its pixels, as the result has them
 * @least: pixels of a component that stays
 */
typedef struct
{
  const WfAttributeTask *task;
  WfRuns                 runs;
  WfForeground           foreground;
  int                    n;
  double                 low;
  double                 high;
  guint64               *areas;
  guint64                least;
  char                   pixels[16][MOST_BYTES];
} Levels;

static void
levels_clear (Levels *levels)
{
  wf_runs_clear (&levels->runs);
  g_free (levels->areas);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Levels, levels_clear)


/*  The steps of each type  */

/* The first pixel that has another level than @level, or @n. */
#define DEFINE_STEPS(type, Pixel) \
static gint64 \
find_other_##type (gconstpointer row, \
                   gint64        n, \
                   double        level) \
{ \
  const Pixel *pixels = row; \
  const Pixel  one    = (Pixel) level; \
  gint64       x      = 0; \
\
  for (; x + WF_BITS_A_WORD <= n; x += WF_BITS_A_WORD) \
    { \
      guint other = 0; \
\
      for (gint64 i = x; i < x + WF_BITS_A_WORD; i++) \
        other |= pixels[i] != one; \
      if (other) \
        break; \
    } \
  while (x < n && pixels[x] == one) \
    x++; \
  return x; \
} \
\
/* Whether all pixels have one of the levels. */ \
static gboolean \
has_two_##type (gconstpointer row, \
                gint64        n, \
                double        low, \
                double        high) \
{ \
  const Pixel *pixels = row; \
  const Pixel  one    = (Pixel) low; \
  const Pixel  two    = (Pixel) high; \
  guint        others = 0; \
\
  for (gint64 x = 0; x < n; x++) \
    others |= (guint) (pixels[x] != one) & (guint) (pixels[x] != two); \
  return others == 0; \
} \
\
static double \
level_##type (gconstpointer row, \
              gint64        x) \
{ \
  return ((const Pixel *) row)[x] + 0.0; \
} \
\
static void \
set_##type (gpointer row, \
            gint64   x, \
            double   level) \
{ \
  ((Pixel *) row)[x] = (Pixel) level; \
} \
\
static void \
write_##type (gpointer      row, \
              gint64        n, \
              const guint64 *bits, \
              const Levels *levels) \
{ \
  Pixel *pixels = row; \
  gint64 x      = 0; \
\
  for (; x + WF_BITS_A_WORD <= n; x += WF_BITS_A_WORD) \
    for (gint64 i = 0; i < WF_BITS_A_WORD; i += NIBBLE) \
      memcpy (pixels + x + i, levels->pixels[bits[x / WF_BITS_A_WORD] >> i & 15], \
              NIBBLE * sizeof (Pixel)); \
  for (; x < n; x++) \
    memcpy (pixels + x, levels->pixels[bits[x / WF_BITS_A_WORD] >> x % WF_BITS_A_WORD & 1], \
            sizeof (Pixel)); \
}

DEFINE_STEPS (u8, guint8)
DEFINE_STEPS (u16, guint16)
DEFINE_STEPS (f32, float)

typedef struct
{
  gint64   (* find_other) (gconstpointer row, gint64 n, double level);
  gboolean (* has_two)    (gconstpointer row, gint64 n, double low, double high);
  double   (* level)      (gconstpointer row, gint64 x);
  void     (* set)        (gpointer row, gint64 x, double level);
  void     (* write)      (gpointer row, gint64 n, const guint64 *bits, const Levels *levels);
} Steps;

#define STEPS_OF(type) { find_other_##type, has_two_##type, level_##type, set_##type, write_##type }

static const Steps *
steps_of (const Levels *levels)
{
  static const Steps steps[] = { STEPS_OF (u8), STEPS_OF (u16), STEPS_OF (f32) };
  const WfType       type    = levels->task->type;

  return &steps[type == WF_TYPE_U8 ? 0 : type == WF_TYPE_U16 ? 1 : 2];
}


/*  Levels  */

/* Finds two levels, by the first row that has another one than the first pixel. */
static void
find_levels (Levels *levels)
{
  const WfAttributeTask *task   = levels->task;
  const Steps           *steps  = steps_of (levels);
  const gint64           n_rows = task->shape.height * task->shape.depth;
  const gint64           width  = task->shape.width;
  const double           first  = steps->level (wf_image_row (task->image, 0), 0);

  levels->n   = 1;
  levels->low = levels->high = first;
  for (gint64 row = 0; row < n_rows; row++)
    {
      gconstpointer pixels = wf_image_row (task->image, row);
      const gint64  x      = steps->find_other (pixels, width, first);
      double        other;

      if (x == width)
        continue;
      other        = steps->level (pixels, x);
      levels->low  = MIN (first, other);
      levels->high = MAX (first, other);
      levels->n    = steps->has_two (pixels, width, levels->low, levels->high) ? 2 : 3;
      return;
    }
}

static void
fill_pixels (Levels *levels)
{
  const double low  = levels->task->closing ? levels->high : levels->low;
  const double high = levels->task->closing ? levels->low : levels->high;

  for (int nibble = 0; nibble < 16; nibble++)
    for (int i = 0; i < NIBBLE; i++)
      steps_of (levels)->set (levels->pixels[nibble], i, nibble >> i & 1 ? high : low);
}

/* As the union-find over pixels has it: of sums, which are exact. */
static gboolean
volume_stays (const Levels *levels,
              guint64       area)
{
  return fabs ((double) area * CLAMP (levels->high, -G_MAXFLOAT, G_MAXFLOAT)
               - (double) area * CLAMP (levels->low, -G_MAXFLOAT, G_MAXFLOAT))
         >= levels->task->least;
}

/* The fewest pixels that make a volume stay, or more than there are. */
static guint64
find_least (const Levels *levels)
{
  const WfAttributeTask *task = levels->task;
  const guint64          n    = wf_shape_n_pixels (&task->shape);
  guint64                from = 0;
  guint64                to   = n + 1;

  if (wf_attribute_of (task->operation) == WF_ATTRIBUTE_AREA)
    return (guint64) CLAMP (ceil (task->least), 1.0, (double) n + 1);
  while (from < to)
    {
      const guint64 middle = from + (to - from) / 2;

      if (volume_stays (levels, middle))
        to = middle;
      else
        from = middle + 1;
    }
  return from;
}


/*  Rows  */

/* One of the foreground, those of the level whose components may get the other one. */
static gboolean
find_bits (gpointer data,
           WfRow    part)
{
  Levels               *levels = data;
  const WfAttributeTask *task  = levels->task;
  const WfLabelSteps    *steps = levels->runs.steps;
  const gint64           width = task->shape.width;
  guint64               *bits  = wf_runs_row (&levels->runs, part.number);
  gconstpointer          row   = wf_image_row (task->image, part.number);

  if (__atomic_load_n (&levels->n, __ATOMIC_RELAXED) > 2)
    return TRUE;
  if (! steps_of (levels)->has_two (row, width, levels->low, levels->high))
    {
      __atomic_store_n (&levels->n, 3, __ATOMIC_RELAXED);
      return TRUE;
    }
  (task->type == WF_TYPE_U8    ? steps->bits_of_u8
   : task->type == WF_TYPE_U16 ? steps->bits_of_u16 : steps->bits_of_f32)
    (row, width, &levels->foreground, bits);
  if (task->closing)
    {
      for (gint64 i = 0; i < levels->runs.n_words; i++)
        bits[i] = ~bits[i];
      if (width % WF_BITS_A_WORD)
        bits[levels->runs.n_words - 1] &= ((guint64) 1 << width % WF_BITS_A_WORD) - 1;
    }
  wf_runs_count_row (&levels->runs, part.number);
  return TRUE;
}

static gboolean
add_band (gpointer data,
          WfRow    part)
{
  const Levels *levels = data;
  const WfBand *band   = &levels->runs.bands[part.number];

  for (gint64 row = band->row0; row < band->row1; row++)
    wf_runs_add_row (&levels->runs, row, levels->areas);
  return TRUE;
}

static gboolean
write_row (gpointer data,
           WfRow    part)
{
  const Levels *levels = data;
  gpointer      row    = wf_image_row (levels->task->out, part.number);

  wf_runs_drop_row (&levels->runs, part.number, levels->areas, levels->least);
  steps_of (levels)->write (row, levels->task->shape.width,
                            wf_runs_row (&levels->runs, part.number), levels);
  return TRUE;
}

/* Where all components stay: only −0 changes. */
static gboolean
copy_row (gpointer data,
          WfRow    part)
{
  const Levels          *levels = data;
  const WfAttributeTask *task   = levels->task;
  gconstpointer          from   = wf_image_row (task->image, part.number);
  gpointer               to     = wf_image_row (task->out, part.number);

  if (task->type == WF_TYPE_F32)
    for (gint64 x = 0; x < task->shape.width; x++)
      ((float *) to)[x] = ((const float *) from)[x] + 0.0f;
  else
    memmove (to, from, task->shape.width * wf_type_size (task->type));
  return TRUE;
}


/*  All  */

static gboolean
copy (Levels  *levels,
      WfRun   *run,
      double   share,
      GError **error)
{
  const WfShape *shape = &levels->task->shape;
  const WfRows   rows  = { .n = shape->height * shape->depth, .amount = shape->width };

  wf_run_commit (run);
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, copy_row, levels, error);
}

/* Finds the bits of all rows, and whether there are no more levels. */
static gboolean
find_all_bits (Levels  *levels,
               WfRun   *run,
               GError **error)
{
  const WfAttributeTask *task = levels->task;
  const WfRows           rows = { .n      = task->shape.height * task->shape.depth,
                                  .amount = task->shape.width };

  levels->foreground = (WfForeground) { .real = (float) levels->low };
  if (task->type != WF_TYPE_F32)
    levels->foreground.whole = (gint64) levels->low;
  return wf_runs_init (&levels->runs, &task->shape, task->connectivity, run, error) &&
         wf_run_rows (run, &rows, find_bits, levels, error);
}

static gboolean
open_runs (Levels  *levels,
           WfRun   *run,
           GError **error)
{
  const WfAttributeTask *task  = levels->task;
  const gint64           n     = wf_shape_n_pixels (&task->shape);
  WfRuns                *runs  = &levels->runs;
  WfRows                 bands = { .chunk = 1 };
  WfRows                 rows  = { .n      = task->shape.height * task->shape.depth,
                                   .amount = task->shape.width };
  guint32                n_components;

  wf_run_begin (run, SHARE_OF_RUNS, 3 * n);
  if (! wf_runs_connect (runs, run, &n_components, error) ||
      ! (levels->areas = wf_run_allocate (run, MAX (wf_runs_count_parts (runs), 1),
                                          sizeof *levels->areas, error)))
    return FALSE;
  memset (levels->areas, 0, wf_runs_count_parts (runs) * sizeof *levels->areas);
  bands.n      = runs->n_bands;
  bands.amount = runs->rows_a_band * task->shape.width;
  wf_run_begin (run, SHARE_OF_AREAS, n);
  if (! wf_run_rows (run, &bands, add_band, levels, error))
    return FALSE;
  wf_runs_join_areas (runs, levels->areas);

  levels->least = find_least (levels);
  fill_pixels (levels);
  wf_run_commit (run);
  wf_run_begin (run, SHARE_OF_WRITE, n);
  return wf_run_rows (run, &rows, write_row, levels, error);
}

/* Whether it can be done so at all: runs are counted by 32 bits. */
static gboolean
suits (const WfAttributeTask *task)
{
  const gint64 n_rows = task->shape.height * task->shape.depth;

  return task->shape.width >= LEAST_WIDTH &&
         n_rows * ((task->shape.width + 1) / 2) < G_MAXUINT32;
}

/* @opened: result: whether it is done; if not, nothing was written, and WF_SHARE_OF_LEVELS of the
 * run is over
 */
gboolean
wf_cpu_open_two_levels (const WfAttributeTask  *task,
                        WfRun                  *run,
                        gboolean               *opened,
                        GError                **error)
{
  g_auto (Levels) levels = { .task = task };
  const gboolean  height = wf_attribute_of (task->operation) == WF_ATTRIBUTE_HEIGHT;

  *opened = FALSE;
  wf_run_begin (run, WF_SHARE_OF_LEVELS, wf_shape_n_pixels (&task->shape));
  if (! suits (task))
    return TRUE;
  find_levels (&levels);
  if (levels.n == 2 && ! find_all_bits (&levels, run, error))
    return FALSE;
  if (levels.n > 2)
    return TRUE;
  *opened = TRUE;
  if (levels.n == 1 || height)
    return copy (&levels, run, 1 - WF_SHARE_OF_LEVELS, error);
  return open_runs (&levels, run, error);
}

guint64
wf_cpu_open_two_levels_memory (const WfAttributeTask *task,
                               guint                  n_threads)
{
  const gint64 n_rows = task->shape.height * task->shape.depth;

  return suits (task) ? wf_runs_most_memory (&task->shape, n_threads)
                        + n_rows * ((task->shape.width + 1) / 2) * sizeof (guint64) : 0;
}
