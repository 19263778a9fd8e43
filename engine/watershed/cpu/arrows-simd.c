/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of arrows.h, compiled for each instruction set: for the three types of
 * pixel, with narrow and with wide L2.
 */

#include "config.h"

#include <string.h>

#include "arrows.h"

/* Pixels that are worked on together, neighbour after neighbour. */
#define CHUNK 128

#define WF_PIXEL       guint8
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_NAME(name)  name##_u8_narrow
#include "arrows.inc.h"

#define WF_PIXEL       guint16
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_NAME(name)  name##_u16_narrow
#include "arrows.inc.h"

#define WF_PIXEL       float
#define WF_L2          guint8
#define WF_UNREACHED   WF_UNREACHED_NARROW
#define WF_NAME(name)  name##_f32_narrow
#include "arrows.inc.h"

#define WF_PIXEL       guint8
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_NAME(name)  name##_u8_wide
#include "arrows.inc.h"

#define WF_PIXEL       guint16
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_NAME(name)  name##_u16_wide
#include "arrows.inc.h"

#define WF_PIXEL       float
#define WF_L2          guint32
#define WF_UNREACHED   WF_UNREACHED_WIDE
#define WF_NAME(name)  name##_f32_wide
#include "arrows.inc.h"

#define STEPS(suffix) \
  { .start = start_##suffix, .find_ring = find_ring_##suffix, .point = point_##suffix }

const WfArrowTable WF_SIMD_TABLE (wf_arrows) =
{
  .of_u8  = { STEPS (u8_narrow),  STEPS (u8_wide) },
  .of_u16 = { STEPS (u16_narrow), STEPS (u16_wide) },
  .of_f32 = { STEPS (f32_narrow), STEPS (f32_wide) },
};
