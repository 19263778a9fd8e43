/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 in one tile, compiled for each instruction set: for the three types of pixel, with narrow
 * and with wide L2.
 */

#include "config.h"

#include <string.h>

#include "arrows.h"
#include "plateau-tiles.h"
#include "engine/cpu/vector.h"

#define N_PIXELS (WF_SIDE * WF_SIDE)

/* The rows or the columns of a tile that may change others. */
typedef struct
{
  guint64 rows;
  guint64 columns;
} Dirty;

#define WF_L2          guint8
#define WF_BITS        8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_NAME(name)  name##_narrow
#include "plateau-sweep.inc.h"

#define WF_L2          guint32
#define WF_BITS        32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_NAME(name)  name##_wide
#include "plateau-sweep.inc.h"

#define WF_PIXEL       guint8
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_OF_L2(name) name##_narrow
#define WF_NAME(name)  name##_u8_narrow
#include "plateau-tiles.inc.h"

#define WF_PIXEL       guint16
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_OF_L2(name) name##_narrow
#define WF_NAME(name)  name##_u16_narrow
#include "plateau-tiles.inc.h"

#define WF_PIXEL       float
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_OUTSIDE     WF_OUTSIDE_NARROW
#define WF_OF_L2(name) name##_narrow
#define WF_NAME(name)  name##_f32_narrow
#include "plateau-tiles.inc.h"

#define WF_PIXEL       guint8
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_OF_L2(name) name##_wide
#define WF_NAME(name)  name##_u8_wide
#include "plateau-tiles.inc.h"

#define WF_PIXEL       guint16
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_OF_L2(name) name##_wide
#define WF_NAME(name)  name##_u16_wide
#include "plateau-tiles.inc.h"

#define WF_PIXEL       float
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_OUTSIDE     WF_OUTSIDE_WIDE
#define WF_OF_L2(name) name##_wide
#define WF_NAME(name)  name##_f32_wide
#include "plateau-tiles.inc.h"

const WfPlateauTable WF_SIMD_TABLE (wf_plateaux) =
{
  .of_u8  = { visit_u8_narrow, visit_u8_wide },
  .of_u16 = { visit_u16_narrow, visit_u16_wide },
  .of_f32 = { visit_f32_narrow, visit_f32_wide },
};
