/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Includes WF_BODY, a file that the including one names, for each type of pixel and
 * both directions.  The body is given
 *
 *   WF_PIXEL          the type
 *   WF_NAME(name)     the name of a function for this type and direction
 *   WF_ABOVE(a, b)    whether a is further than b in the direction of growth
 *   WF_LOWEST         where growth starts: nothing is below it
 *   WF_HIGHEST        where it ends
 *   WF_RANK(level)    a guint32 in the order of growth
 */

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_dilate_u8
#define WF_ABOVE(a, b) ((a) > (b))
#define WF_LOWEST      0
#define WF_HIGHEST     G_MAXUINT8
#define WF_RANK(level) (level)
#include WF_BODY
#include "types-end.inc.h"

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_erode_u8
#define WF_ABOVE(a, b) ((a) < (b))
#define WF_LOWEST      G_MAXUINT8
#define WF_HIGHEST     0
#define WF_RANK(level) (G_MAXUINT8 - (level))
#include WF_BODY
#include "types-end.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_dilate_u16
#define WF_ABOVE(a, b) ((a) > (b))
#define WF_LOWEST      0
#define WF_HIGHEST     G_MAXUINT16
#define WF_RANK(level) (level)
#include WF_BODY
#include "types-end.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_erode_u16
#define WF_ABOVE(a, b) ((a) < (b))
#define WF_LOWEST      G_MAXUINT16
#define WF_HIGHEST     0
#define WF_RANK(level) (G_MAXUINT16 - (level))
#include WF_BODY
#include "types-end.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_dilate_f32
#define WF_ABOVE(a, b) ((a) > (b))
#define WF_LOWEST      (-INFINITY)
#define WF_HIGHEST     INFINITY
#define WF_RANK(level) wf_ordered_bits (level)
#include WF_BODY
#include "types-end.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_erode_f32
#define WF_ABOVE(a, b) ((a) < (b))
#define WF_LOWEST      INFINITY
#define WF_HIGHEST     (-INFINITY)
#define WF_RANK(level) (~wf_ordered_bits (level))
#include WF_BODY
#include "types-end.inc.h"
