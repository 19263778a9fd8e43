/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops over rows for the three types of pixel and both directions, and their
 * table, WF_ROW_TABLE.
 */

#define LESS(a, b)    ((a) < (b))
#define GREATER(a, b) ((a) > (b))

#define WF_PIXEL        guint8
#define WF_NAME(name)   name##_least_u8
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      G_MAXUINT8
#include "rows.inc.h"

#define WF_PIXEL        guint8
#define WF_NAME(name)   name##_greatest_u8
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      0
#include "rows.inc.h"

#define WF_PIXEL        guint16
#define WF_NAME(name)   name##_least_u16
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      G_MAXUINT16
#include "rows.inc.h"

#define WF_PIXEL        guint16
#define WF_NAME(name)   name##_greatest_u16
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      0
#include "rows.inc.h"

#define WF_PIXEL        float
#define WF_NAME(name)   name##_least_f32
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      INFINITY
#include "rows.inc.h"

#define WF_PIXEL        float
#define WF_NAME(name)   name##_greatest_f32
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      (-INFINITY)
#include "rows.inc.h"

#define STEPS(name) \
  { slide_##name, window_##name, disc_##name, extremum_##name, spread_##name }

const WfRowTable WF_ROW_TABLE =
{
  { STEPS (least_u8),  STEPS (greatest_u8) },
  { STEPS (least_u16), STEPS (greatest_u16) },
  { STEPS (least_f32), STEPS (greatest_f32) },
};
