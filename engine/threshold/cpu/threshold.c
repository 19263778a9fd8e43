/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds on the CPU; ../threshold.c has the definitions.
 *
 * Threads take strips of rows.  For each column there are the sums over the part of the window
 * above and below a pixel: of integers one row enters and one leaves them for the next row, and a
 * running sum of the columns goes along the row.  Of floats all sums are made anew, many columns at
 * a time: first the columns, then for each distance along x the columns at that distance.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/cpu/cpu.h"
#include "engine/filters/cpu/filters.h"
#include "engine/filters/gaussian.h"
#include "threshold.h"

/* Rows of a strip; it begins with the rows of a window. */
#define STRIP 64

#define SHARE_OF_GAUSSIAN 0.9

/**
 * Pass:
 * @smooth: with gaussian: what the image is compared with
 * @scale: its levels are so many times those of the image
 * @target: packed
 */
typedef struct
{
  const WfThresholdTask *task;
  WfImage                smooth;
  double                 scale;
  WfImage               *target;
  gint64                 strips;    /* of a slice */
} Pass;

/* The part of a window that lies in the image, along one axis. */
typedef struct
{
  gint64 first;
  gint64 end;
} Span;


static inline Span
span_at (gint64 at,
         gint64 radius,
         gint64 length)
{
  return (Span) { MAX (at - radius, 0), MIN (at + radius + 1, length) };
}

/* @squares: n Q − S² */
static inline gboolean
is_above (const WfThresholdTask *task,
          double                 level,
          double                 sum,
          double                 squares,
          double                 n)
{
  const double mean = sum / n;
  double       threshold;

  if (task->method == WF_LOCAL_MEAN)
    return level > mean - task->offset;
  threshold = mean * (1 + task->k * (sqrt (squares) / n / task->range - 1)) - task->offset;
  return level > threshold;
}

static inline guint8
mark (const WfThresholdTask *task,
      gboolean               above)
{
  return above == task->below ? 0 : 255;
}


/*  Windows of integers  */

/* @sums: of each column, that of its pixels and that of their squares */
#define ADD_ROW(name, Type) \
  static void \
  name (const Type *pixels, \
        gint64      width, \
        gboolean    leaves, \
        guint64    *sums) \
  { \
    guint64 *squares = sums + width; \
\
    for (gint64 x = 0; x < width; x++) \
      { \
        const guint64 level = pixels[x]; \
\
        sums[x]    += leaves ? -level : level; \
        squares[x] += leaves ? -(level * level) : level * level; \
      } \
  }

ADD_ROW (add_row_u8, guint8)
ADD_ROW (add_row_u16, guint16)

static void
add_rows (const WfImage *image,
          const Span    *slices,
          gint64         y,
          gboolean       leave,
          guint64       *sums)
{
  for (gint64 z = slices->first; z < slices->end; z++)
    {
      gconstpointer pixels = wf_image_row (image, z * image->height + y);

      if (image->type == WF_TYPE_U8)
        add_row_u8 (pixels, image->width, leave, sums);
      else
        add_row_u16 (pixels, image->width, leave, sums);
    }
}

/* n Q − S², rounded once. */
static inline double
find_squares (guint64 n,
              guint64 sum,
              guint64 squares)
{
  return (double) ((unsigned __int128) n * squares - (unsigned __int128) sum * sum);
}

static inline guint64
level_at (gconstpointer pixels,
          WfType        type,
          gint64        x)
{
  return type == WF_TYPE_U8 ? ((const guint8 *) pixels)[x] : ((const guint16 *) pixels)[x];
}

/* @rows: of the window in each column */
static void
mark_whole_row (const Pass    *pass,
                gint64         row,
                guint64        rows,
                const guint64 *sums)
{
  const WfThresholdTask *task    = pass->task;
  const WfImage         *image   = task->image;
  const gint64           width   = image->width;
  const gint64           radius  = task->radius;
  const guint64         *squares = sums + width;
  gconstpointer          pixels  = wf_image_row (image, row);
  guint8                *marks   = wf_image_row (pass->target, row);
  guint64                sum     = 0;
  guint64                square  = 0;

  for (gint64 x = 0; x < MIN (radius, width); x++)
    {
      sum    += sums[x];
      square += squares[x];
    }
  for (gint64 x = 0; x < width; x++)
    {
      const Span    columns = span_at (x, radius, width);
      const guint64 n       = rows * (guint64) (columns.end - columns.first);

      if (x + radius < width)
        {
          sum    += sums[x + radius];
          square += squares[x + radius];
        }
      if (x > radius)
        {
          sum    -= sums[x - radius - 1];
          square -= squares[x - radius - 1];
        }
      marks[x] = mark (task, is_above (task, (double) level_at (pixels, image->type, x),
                                       (double) sum, find_squares (n, sum, square), (double) n));
    }
}

static gboolean
mark_whole_strip (gpointer data,
                  WfRow    strip)
{
  const Pass    *pass   = data;
  const WfImage *image  = pass->task->image;
  const gint64   radius = pass->task->radius;
  const gint64   z      = strip.number / pass->strips;
  const gint64   first  = strip.number % pass->strips * STRIP;
  const gint64   end    = MIN (first + STRIP, image->height);
  const Span     slices = span_at (z, radius, image->depth);
  guint64       *sums   = strip.scratch;
  Span           rows   = span_at (first, radius, image->height);

  memset (sums, 0, 2 * image->width * sizeof *sums);
  for (gint64 y = rows.first; y < rows.end; y++)
    add_rows (image, &slices, y, FALSE, sums);
  for (gint64 y = first; y < end; y++)
    {
      if (y > first && y + radius < image->height)
        add_rows (image, &slices, y + radius, FALSE, sums);
      if (y > first && y > radius)
        add_rows (image, &slices, y - radius - 1, TRUE, sums);
      rows = span_at (y, radius, image->height);
      mark_whole_row (pass, z * image->height + y,
                      (guint64) ((rows.end - rows.first) * (slices.end - slices.first)), sums);
    }
  return TRUE;
}


/*  Windows of floats  */

/* Adds @n values and their squares, or their sums and those of their squares, to others. */
static void
add_columns (const double *values,
             const double *more,
             gint64        n,
             double       *sums,
             double       *squares)
{
  for (gint64 x = 0; x < n; x++)
    {
      sums[x]    += values[x];
      squares[x] += more[x];
    }
}

static void
add_real_row (const float *pixels,
              gint64       width,
              double      *sums,
              double      *squares)
{
  for (gint64 x = 0; x < width; x++)
    {
      const double level = CLAMP (pixels[x], -FLT_MAX, FLT_MAX);

      sums[x]    += level;
      squares[x] += level * level;
    }
}

static void
mark_real_row (const Pass   *pass,
               gint64        row,
               gint64        rows,
               const double *sums,
               const double *squares)
{
  const WfThresholdTask *task   = pass->task;
  const gint64           width  = task->image->width;
  const float           *pixels = wf_image_row (task->image, row);
  guint8                *marks  = wf_image_row (pass->target, row);

  for (gint64 x = 0; x < width; x++)
    {
      const Span   columns    = span_at (x, task->radius, width);
      const double n          = (double) (rows * (columns.end - columns.first));
      const double difference = n * squares[x] - sums[x] * sums[x];

      marks[x] = mark (task, is_above (task, pixels[x], sums[x], MAX (difference, 0), n));
    }
}

static gboolean
mark_real_strip (gpointer data,
                 WfRow    strip)
{
  const Pass    *pass   = data;
  const WfImage *image  = pass->task->image;
  const gint64   width  = image->width;
  const gint64   radius = pass->task->radius;
  const gint64   reach  = MIN (radius, width - 1);
  const gint64   z      = strip.number / pass->strips;
  const gint64   first  = strip.number % pass->strips * STRIP;
  const gint64   end    = MIN (first + STRIP, image->height);
  const Span     slices = span_at (z, radius, image->depth);
  double        *column = strip.scratch;
  double        *total  = column + 2 * width;

  for (gint64 y = first; y < end; y++)
    {
      const Span rows = span_at (y, radius, image->height);

      memset (column, 0, 4 * width * sizeof *column);
      for (gint64 k = slices.first; k < slices.end; k++)
        for (gint64 j = rows.first; j < rows.end; j++)
          add_real_row (wf_image_row (image, k * image->height + j), width, column,
                        column + width);
      for (gint64 d = -reach; d <= reach; d++)
        {
          const gint64 to   = MAX (-d, 0);
          const gint64 from = to + d;

          add_columns (column + from, column + width + from, width - ABS (d), total + to,
                       total + width + to);
        }
      mark_real_row (pass, z * image->height + y,
                     (rows.end - rows.first) * (slices.end - slices.first), total, total + width);
    }
  return TRUE;
}


/*  One threshold, and one of a smooth image  */

#define MARK_ROW(name, Type) \
  static void \
  name (const Type            *pixels, \
        const WfThresholdTask *task, \
        gint64                 width, \
        guint8                *marks) \
  { \
    const gboolean any       = isnan (task->threshold); \
    const double   threshold = task->threshold; \
\
    for (gint64 x = 0; x < width; x++) \
      marks[x] = mark (task, any ? pixels[x] != 0 : pixels[x] > threshold); \
  }

MARK_ROW (mark_row_u8, guint8)
MARK_ROW (mark_row_u16, guint16)
MARK_ROW (mark_row_f32, float)

static gboolean
mark_row (gpointer data,
          WfRow    row)
{
  const Pass            *pass   = data;
  const WfThresholdTask *task   = pass->task;
  const gint64           width  = task->image->width;
  gconstpointer          pixels = wf_image_row (task->image, row.number);
  guint8                *marks  = wf_image_row (pass->target, row.number);

  switch (task->type)
    {
    case WF_TYPE_U8:
      mark_row_u8 (pixels, task, width, marks);
      break;
    case WF_TYPE_U16:
      mark_row_u16 (pixels, task, width, marks);
      break;
    default:
      mark_row_f32 (pixels, task, width, marks);
      break;
    }
  return TRUE;
}

#define COMPARE_ROW(name, Type, Smooth) \
  static void \
  name (const Type   *pixels, \
        const Smooth *smooth, \
        const Pass   *pass, \
        guint8       *marks) \
  { \
    const WfThresholdTask *task = pass->task; \
\
    for (gint64 x = 0; x < task->image->width; x++) \
      marks[x] = mark (task, pixels[x] > smooth[x] / pass->scale - task->offset); \
  }

COMPARE_ROW (compare_row_u8, guint8, guint16)
COMPARE_ROW (compare_row_u16, guint16, guint16)
COMPARE_ROW (compare_row_f32, float, float)

static gboolean
compare_row (gpointer data,
             WfRow    row)
{
  const Pass    *pass   = data;
  gconstpointer  pixels = wf_image_row (pass->task->image, row.number);
  gconstpointer  smooth = wf_image_row (&pass->smooth, row.number);
  guint8        *marks  = wf_image_row (pass->target, row.number);

  switch (pass->task->type)
    {
    case WF_TYPE_U8:
      compare_row_u8 (pixels, smooth, pass, marks);
      break;
    case WF_TYPE_U16:
      compare_row_u16 (pixels, smooth, pass, marks);
      break;
    default:
      compare_row_f32 (pixels, smooth, pass, marks);
      break;
    }
  return TRUE;
}

/* @wide: u16 of the size of a u8 image: its levels times 256 */
static void
widen (const WfImage *image,
       WfImage       *wide)
{
  const gint64 n_rows = image->height * image->depth;

  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint8 *levels = wf_image_row (image, row);
      guint16      *target = wf_image_row (wide, row);

      for (gint64 x = 0; x < image->width; x++)
        target[x] = (guint16) (levels[x] << 8);
    }
}

static WfRows
rows_of (const WfImage *image)
{
  return (WfRows) { .n = image->height * image->depth, .amount = image->width };
}

static gboolean
compare (Pass    *pass,
         WfRun   *run,
         GError **error)
{
  const WfImage       *image       = pass->task->image;
  const gboolean       narrow      = image->type == WF_TYPE_U8;
  const WfType         type        = narrow ? WF_TYPE_U16 : image->type;
  const WfImage        model       = wf_image_without_pixels (type, &pass->task->shape);
  const WfRows         rows        = rows_of (image);
  g_autofree gpointer  memory      = NULL;
  g_autofree gpointer  wide_memory = NULL;
  WfImage              wide;

  if (! wf_image_allocate_like (&model, &pass->smooth, &memory, error) ||
      (narrow && ! wf_image_allocate_like (&model, &wide, &wide_memory, error)))
    return FALSE;
  pass->scale = narrow ? 256 : 1;
  if (narrow)
    widen (image, &wide);
  if (! wf_cpu_gaussian (narrow ? &wide : image, pass->task->gaussian, &pass->smooth, run,
                         SHARE_OF_GAUSSIAN, error))
    return FALSE;
  wf_run_begin (run, 1 - SHARE_OF_GAUSSIAN, rows.n * rows.amount);
  return wf_run_rows (run, &rows, compare_row, pass, error);
}


/*  The variant  */

static gsize
scratch_size (const WfThresholdTask *task)
{
  return task->image->width * (task->type == WF_TYPE_F32 ? 4 * sizeof (double)
                                                        : 2 * sizeof (guint64));
}

/* Marks @task's image, which holds no NaN, in @target, u8, packed, which has its size and does not
 * overlap it.
 */
gboolean
wf_cpu_threshold (const WfThresholdTask  *task,
                  WfImage                *target,
                  WfRun                  *run,
                  GError                **error)
{
  const WfImage *image  = task->image;
  const gint64   strips = (image->height + STRIP - 1) / STRIP;
  Pass           pass   = { .task = task, .target = target, .strips = strips };
  const WfRows   rows   = rows_of (image);
  const WfRows   parts  = { .n = strips * image->depth, .chunk = 1,
                            .amount = MIN (STRIP, image->height) * image->width,
                            .scratch_size = scratch_size (task) };

  if (task->method == WF_LOCAL_GAUSSIAN)
    return compare (&pass, run, error);
  if (task->method == WF_LOCAL_NONE)
    {
      wf_run_begin (run, 1.0, rows.n * rows.amount);
      return wf_run_rows (run, &rows, mark_row, &pass, error);
    }
  wf_run_begin (run, 1.0, parts.n * parts.amount);
  return wf_run_rows (run, &parts, task->type == WF_TYPE_F32 ? mark_real_strip : mark_whole_strip,
                      &pass, error);
}

static gboolean
run_threshold (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  const WfThresholdTask *task   = data;
  const WfImage          model  = wf_image_without_pixels (WF_TYPE_U8, &task->shape);
  g_autofree gpointer    memory = NULL;
  WfImage                result = *task->out;

  if (run->partial_outputs && ! wf_image_overlaps (task->out, task->image))
    return wf_cpu_threshold (task, &result, run, error);
  if (! wf_image_allocate_like (&model, &result, &memory, error) ||
      ! wf_cpu_threshold (task, &result, run, error))
    return FALSE;

  wf_run_commit (run);
  wf_image_unpack (task->out, memory, run);
  return TRUE;
}

/* Bytes that wf_cpu_threshold() takes, where @n_threads may work. */
guint64
wf_cpu_threshold_memory (const WfThresholdTask *task,
                         guint                  n_threads)
{
  const guint64 n     = (guint64) wf_image_n_pixels (task->image);
  const WfType  type  = task->type == WF_TYPE_F32 ? WF_TYPE_F32 : WF_TYPE_U16;
  const WfImage model = wf_image_without_pixels (type, &task->shape);

  if (task->method == WF_LOCAL_GAUSSIAN)
    return n * wf_type_size (type) * (task->type == WF_TYPE_U8 ? 2 : 1)
           + wf_cpu_gaussian_memory (&model, task->gaussian, n_threads);
  return scratch_size (task) * n_threads;
}

/* How many rows, of a stack slices, beside a pixel its threshold depends on. */
gint64
wf_cpu_threshold_margin (const WfThresholdTask *task)
{
  switch (task->method)
    {
    case WF_LOCAL_NONE:
      return 0;
    case WF_LOCAL_GAUSSIAN:
      return task->gaussian->radius;
    default:
      return task->radius;
    }
}

static guint64
threshold_memory (gconstpointer data,
                  guint         n_threads)
{
  const WfThresholdTask *task = data;

  return (guint64) wf_image_n_pixels (task->image) + wf_cpu_threshold_memory (task, n_threads);
}

const WfVariant wf_cpu_threshold_variants[] =
{
  { .algorithm = "sums", .memory = threshold_memory, .run = run_threshold },
  { .algorithm = NULL }
};
