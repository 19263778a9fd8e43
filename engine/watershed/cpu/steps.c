/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the watershed that depend on the types of the image and of L2: for each
 * type of pixel, with L2 in bytes (narrow) and in 32 bits (wide).
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/simd.h"
#include "flood.h"


static const WfArrowTable *
arrow_table (void)
{
  static const WfArrowTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_arrows);

  return tables[wf_simd_level ()];
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
  const gboolean         stack = nb->n == 6 || nb->n == 26;
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
