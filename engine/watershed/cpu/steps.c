/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the watershed that look at levels, for each type of pixel, with L2 in
 * bytes and in 32 bits.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/simd.h"
#include "steepest.h"

#define SIDE_IN_IMAGE 256

static const WfArrowTable *
arrow_table (void)
{
  static const WfArrowTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_arrows);

  return tables[wf_simd_level ()];
}

/* A plateau that winds through many tiles comes back to each again and again, so tiles
 * are as large as the threads allow, and one thread needs none.  0: what the pipeline
 * thinks best.
 */
#define TILES_A_THREAD 8

static gint64
wf_plateau_side (const WfFlood *flood)
{
  const WfShape *shape   = &flood->task->shape;
  const guint    threads = flood->run->n_threads;

  if (flood->run->tile_size > 0 || (threads > 1 && shape->depth > 1))
    return 0;
  if (threads == 1)
    return MAX (shape->width, MAX (shape->height, shape->depth));
  return MAX (SIDE_IN_IMAGE, sqrt ((double) shape->width * shape->height
                                   / (TILES_A_THREAD * threads)));
}

/* Pixels of a row that are looked at together for lines. */
#define STRETCH 256

/* How many pixels from @x on make one stretch; the row's ends are their own. */
static inline gint64
stretch_length (gint64 x,
                gint64 width)
{
  return x == 0 || x == width - 1 ? 1 : MIN (width - 1 - x, STRETCH);
}

/* A function of its own, for two neighbours in one round would leave it without vectors. */
static G_GNUC_NO_INLINE void
add_differences (const guint32 *restrict here,
                 const guint32 *restrict beside,
                 gint64                  n,
                 guint32 *restrict       differences)
{
  for (gint64 i = 0; i < n; i++)
    differences[i] |= here[i] ^ beside[i];
}

/* Not 0 where a neighbour may belong to another basin. */
static void
find_differences (const WfFlood *flood,
                  const WfBox   *image,
                  WfPoint        point,
                  gint64         p,
                  gint64         n,
                  guint32       *differences)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const gboolean         stack = wf_is_stack_connectivity (nb->n);
  const guint32         *here  = flood->basins + p;

  if (! wf_point_is_inner (point, image, stack))
    {
      memset (differences, 0xff, n * sizeof *differences);
      return;
    }
  memset (differences, 0, n * sizeof *differences);
  for (int i = 0; i < nb->n; i++)
    add_differences (here, here + nb->step[i], n, differences);
}

#define WF_PIXEL       guint8
#define WF_MAXIMUM     G_MAXUINT8
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_STEPS()     (&arrow_table ()->of_u8[0])
#define WF_NAME(name)  name##_u8_narrow
#include "steps.inc.h"

#define WF_PIXEL       guint16
#define WF_MAXIMUM     G_MAXUINT16
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_STEPS()     (&arrow_table ()->of_u16[0])
#define WF_NAME(name)  name##_u16_narrow
#include "steps.inc.h"

#define WF_PIXEL       float
#define WF_MAXIMUM     INFINITY
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_STEPS()     (&arrow_table ()->of_f32[0])
#define WF_NAME(name)  name##_f32_narrow
#include "steps.inc.h"

#define WF_PIXEL       guint8
#define WF_MAXIMUM     G_MAXUINT8
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_STEPS()     (&arrow_table ()->of_u8[1])
#define WF_NAME(name)  name##_u8_wide
#include "steps.inc.h"

#define WF_PIXEL       guint16
#define WF_MAXIMUM     G_MAXUINT16
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_STEPS()     (&arrow_table ()->of_u16[1])
#define WF_NAME(name)  name##_u16_wide
#include "steps.inc.h"

#define WF_PIXEL       float
#define WF_MAXIMUM     INFINITY
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_STEPS()     (&arrow_table ()->of_f32[1])
#define WF_NAME(name)  name##_f32_wide
#include "steps.inc.h"

const WfFloodSteps *
wf_flood_steps (const WfFlood *flood)
{
  switch (flood->task->type)
    {
    case WF_TYPE_U8:
      return flood->wide ? &flood_steps_u8_wide : &flood_steps_u8_narrow;
    case WF_TYPE_U16:
      return flood->wide ? &flood_steps_u16_wide : &flood_steps_u16_narrow;
    default:
      return flood->wide ? &flood_steps_f32_wide : &flood_steps_f32_narrow;
    }
}


/*  L1: markers of reconstructions by erosion  */

/* Levels of integers lie a whole number apart, so only the whole part of a
 * tolerance counts; a sum above the type's largest value is above every level.
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
}

DEFINE_LEVEL_STEPS (u8, guint8, guint32, G_MAXUINT8, WHOLE, RAISE_WHOLE)
DEFINE_LEVEL_STEPS (u16, guint16, guint32, G_MAXUINT16, WHOLE, RAISE_WHOLE)
DEFINE_LEVEL_STEPS (f32, float, double, INFINITY, REAL, RAISE_REAL)

const WfLevelSteps *
wf_level_steps (const WfFlood *flood)
{
  static const WfLevelSteps of_u8  = { raise_u8, start_u8 };
  static const WfLevelSteps of_u16 = { raise_u16, start_u16 };
  static const WfLevelSteps of_f32 = { raise_f32, start_f32 };

  return flood->task->type == WF_TYPE_U8  ? &of_u8
       : flood->task->type == WF_TYPE_U16 ? &of_u16 : &of_f32;
}
