/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows for the three types of pixel, and their table, WF_ARROW_TABLE. */

#define CHUNK 128

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_u8
#include "arrows.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_u16
#include "arrows.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_f32
#include "arrows.inc.h"

const WfArrowSteps WF_ARROW_TABLE = { point_row_u8, point_row_u16, point_row_f32 };
