/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of arrows.h for the three types of pixel, with narrow and with wide L2,
 * and their table, WF_ARROW_TABLE.
 */

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

#define STEPS(type) \
  { \
    { start_##type##_narrow, find_ring_##type##_narrow, point_##type##_narrow }, \
    { start_##type##_wide, find_ring_##type##_wide, point_##type##_wide } \
  }

const WfArrowTable WF_ARROW_TABLE = { STEPS (u8), STEPS (u16), STEPS (f32) };
