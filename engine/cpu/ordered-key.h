/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levels as unsigned integers in the same order.  u8 and u16 are their own keys.  The key
 * of an f32 is its bits with the sign bit flipped, or all bits flipped if it is negative.
 */

#pragma once

#include <string.h>

#include "wavefront.h"

#define WF_KEY_SIGN 0x80000000u

/* −0 comes just before +0; for priorities, where that makes no difference. */
static inline guint32
wf_ordered_bits (float level)
{
  guint32 bits;

  memcpy (&bits, &level, sizeof bits);
  return bits & WF_KEY_SIGN ? ~bits : bits | WF_KEY_SIGN;
}

/* Equal levels have equal keys: −0 has the key of +0. */
static inline guint32
wf_float_key (float level)
{
  return wf_ordered_bits (level == 0 ? 0 : level);
}

/* The key of pixel @x of a row. */
static inline guint32
wf_level_key (gconstpointer row,
              gint64        x,
              WfType        type)
{
  return type == WF_TYPE_U8  ? ((const guint8 *) row)[x]
       : type == WF_TYPE_U16 ? ((const guint16 *) row)[x]
                             : wf_float_key (((const float *) row)[x]);
}

static inline double
wf_key_level (guint32 key,
              WfType  type)
{
  float level;

  if (type != WF_TYPE_F32)
    return key;
  key = key & WF_KEY_SIGN ? key ^ WF_KEY_SIGN : ~key;
  memcpy (&level, &key, sizeof level);
  return level;
}
