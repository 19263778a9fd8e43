/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L1, the level at which each pixel is flooded: reconstruction by erosion of the image
 * from the markers, or, for extended minima, from the image raised by the tolerance.
 *
 * The extended minima E are the regional minima of the latter, g (Soille 2003, 6.3.5).  L1, the
 * reconstruction from E, is the image f in E and g elsewhere, and L2 is that of g, so both need no
 * second reconstruction:
 *
 *   L1 ≤ g   From every pixel a path on which g never rises leads to a minimum of g, and f ≤ g.
 *   g ≤ L1   outside E.  Suppose L1(p) < g(p): then f ≤ L1(p) on a path from a pixel of a minimum M
 *            of g to p.  g spreads along it, so g(p) ≤ max (g(M), L1(p)), which is g(M).  So f is
 *            below g(M) all along the path, and with it g nowhere above g(M): the path never leaves
 *            the minimum M, and p lies in E.
 *   L2       of p outside E.  A neighbour in a minimum M has g(M) < g(p), or p would belong to M,
 *            so it is lower in g as in L1; other neighbours have the same levels in both.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "flood.h"

/**
 * LevelSteps:
 * @raise: result = image + tolerance, at most the type's largest value
 * @start: result = image at markers, the type's largest value elsewhere
 * @restore: result = image where L2 is unreached
 *
 * For the pixels from @start up to but without @end.
 */
typedef struct
{
  void (* raise) (const WfFlood *flood, gint64 start, gint64 end, gpointer result);
  void (* start) (const WfFlood *flood, const guint32 *markers, gint64 start, gint64 end,
                  gpointer result);
  void (* restore) (const WfFlood *flood, gint64 start, gint64 end, gpointer result);
} LevelSteps;


/* Integer levels differ by whole numbers, so only the whole part of a tolerance counts.
 * Sums are clamped to the type's largest value.
 */
#define WHOLE(tolerance, most)              ((guint32) MIN (floor (tolerance), (most)))
#define RAISE_WHOLE(value, tolerance, most) (MIN ((value) + (tolerance), (guint32) (most)))
#define REAL(tolerance, most)               (tolerance)
#define RAISE_REAL(value, tolerance, most)  ((float) ((double) (value) + (tolerance)))

#define DEFINE_LEVEL_STEPS(name, Pixel, Step, most, STEP, RAISE) \
static void \
raise_##name (const WfFlood *flood, \
              gint64         start, \
              gint64         end, \
              gpointer       result) \
{ \
  const Pixel *image     = flood->image; \
  Pixel       *levels    = result; \
  const Step   tolerance = STEP (flood->task->tolerance, most); \
\
  for (gint64 p = start; p < end; p++) \
    levels[p] = (Pixel) RAISE (image[p], tolerance, most); \
} \
\
static void \
start_##name (const WfFlood *flood, \
              const guint32 *markers, \
              gint64         start, \
              gint64         end, \
              gpointer       result) \
{ \
  const Pixel *image  = flood->image; \
  Pixel       *levels = result; \
\
  for (gint64 p = start; p < end; p++) \
    { \
      const Pixel level = image[p]; \
\
      levels[p] = markers[p] ? level : most; \
    } \
} \
\
static void \
restore_##name (const WfFlood *flood, \
                gint64         start, \
                gint64         end, \
                gpointer       result) \
{ \
  const Pixel   *image  = flood->image; \
  const guint8  *narrow = flood->plateau; \
  const guint32 *wide   = flood->plateau; \
  Pixel         *levels = result; \
\
  if (flood->wide) \
    for (gint64 p = start; p < end; p++) \
      levels[p] = wide[p] == WF_UNREACHED_WIDE ? image[p] : levels[p]; \
  else \
    for (gint64 p = start; p < end; p++) \
      levels[p] = narrow[p] == WF_UNREACHED_NARROW ? image[p] : levels[p]; \
}

DEFINE_LEVEL_STEPS (u8, guint8, guint32, G_MAXUINT8, WHOLE, RAISE_WHOLE)
DEFINE_LEVEL_STEPS (u16, guint16, guint32, G_MAXUINT16, WHOLE, RAISE_WHOLE)
DEFINE_LEVEL_STEPS (f32, float, double, INFINITY, REAL, RAISE_REAL)

static const LevelSteps *
level_steps (WfType type)
{
  static const LevelSteps of_u8  = { .raise   = raise_u8,
                                     .start   = start_u8,
                                     .restore = restore_u8 };
  static const LevelSteps of_u16 = { .raise   = raise_u16,
                                     .start   = start_u16,
                                     .restore = restore_u16 };
  static const LevelSteps of_f32 = { .raise   = raise_f32,
                                     .start   = start_f32,
                                     .restore = restore_f32 };

  return type == WF_TYPE_U8 ? &of_u8 : type == WF_TYPE_U16 ? &of_u16 : &of_f32;
}

typedef struct
{
  const WfFlood    *flood;
  const LevelSteps *steps;
  const guint32    *markers;    /* or NULL: the image is raised */
  gpointer          levels;
} Levels;

static gboolean
start_row (gpointer data,
           WfRow    row)
{
  const Levels  *levels = data;
  const WfFlood *flood  = levels->flood;
  const gint64   width  = flood->task->shape.width;
  const gint64   start  = row.number * width;

  if (! levels->markers)
    {
      levels->steps->raise (flood, start, start + width, levels->levels);
      return TRUE;
    }
  levels->steps->start (flood, levels->markers, start, start + width, levels->levels);
  if (flood->basins)
    memcpy (flood->basins + start, levels->markers + start, width * sizeof (guint32));
  return TRUE;
}

/* The marker of the reconstruction, from @markers or, if %NULL, the raised image.  The
 * markers are also the first pixels of the basins, if there are any.
 */
gboolean
wf_flood_start_levels (const WfFlood  *flood,
                       const guint32  *markers,
                       gpointer        levels,
                       GError        **error)
{
  const WfRows rows  = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  Levels       start = { .flood = flood, .steps = level_steps (flood->task->type),
                         .markers = markers, .levels = levels };

  wf_run_begin (flood->run, 0, rows.n * rows.amount);
  return wf_run_rows (flood->run, &rows, start_row, &start, error);
}

/* Reconstructs @levels in place. */
gboolean
wf_flood_reconstruct_levels (const WfFlood  *flood,
                             gpointer        levels,
                             double          share,
                             GError        **error)
{
  const WfShape     *shape  = &flood->task->shape;
  WfImage            image  = *flood->task->image;
  WfReconstructTask  task   = {
    .shape        = *shape,
    .type         = flood->task->type,
    .by           = WF_BY_EROSION,
    .connectivity = flood->task->connectivity,
    .mask         = flood->task->image,
    .marker       = &image,
    .out          = &image,
  };

  return wf_image_init (&image, task.type, shape->width, shape->height, shape->depth,
                        levels, error) &&
         wf_cpu_reconstruct (&task, flood->run, share, error);
}

static gboolean
restore_row (gpointer data,
             WfRow    row)
{
  const Levels *levels = data;
  const gint64  width  = levels->flood->task->shape.width;
  const gint64  start  = row.number * width;

  levels->steps->restore (levels->flood, start, start + width, levels->levels);
  return TRUE;
}

/* Makes L1 of @levels, the image reconstructed from itself raised by the tolerance, whose L2 is
 * known: the image in the minima.
 */
gboolean
wf_flood_restore_minima (const WfFlood  *flood,
                         gpointer        levels,
                         GError        **error)
{
  const WfRows rows    = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  Levels       restore = { .flood = flood, .steps = level_steps (flood->task->type),
                           .levels = levels };

  wf_run_begin (flood->run, 0, rows.n * rows.amount);
  return wf_run_rows (flood->run, &rows, restore_row, &restore, error);
}
