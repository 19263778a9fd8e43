/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixelwise steps of the operations by reconstruction: markers lowered by a height or by
 * one value of the type, differences, flags.
 *
 * The next higher value of an f32 is found from its bits: one more for a positive number,
 * one less for a negative one; both zeros count as 0.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "pixels.h"

/* Pixels whose results are buffered before they are written. */
#define BUFFERED 256


/* Integer levels differ by whole numbers, so only the whole part of a height counts.  It is
 * clamped to the type's range.
 */
#define MOVE_WHOLE(type, most, suffix) \
static void \
move_##suffix (gconstpointer levels, \
               gint64        n, \
               double        height, \
               gboolean      raise, \
               gpointer      target) \
{ \
  const type *restrict from  = levels; \
  type *restrict       to    = target; \
  const type           whole = (type) floor (MIN (height, most)); \
\
  if (raise) \
    for (gint64 x = 0; x < n; x++) \
      to[x] = from[x] > (type) (most - whole) ? most : from[x] + whole; \
  else \
    for (gint64 x = 0; x < n; x++) \
      to[x] = from[x] > whole ? from[x] - whole : 0; \
}

MOVE_WHOLE (guint8, G_MAXUINT8, u8)
MOVE_WHOLE (guint16, G_MAXUINT16, u16)

static void
move_f32 (gconstpointer levels,
          gint64        n,
          double        height,
          gboolean      raise,
          gpointer      target)
{
  const float *restrict from = levels;
  float *restrict       to   = target;
  const double          by   = raise ? height : -height;

  for (gint64 x = 0; x < n; x++)
    to[x] = (float) ((double) from[x] + by);
}

static inline guint32
bits_of (float level)
{
  guint32 bits;

  memcpy (&bits, &level, sizeof bits);
  return bits;
}

static inline float
level_of (guint32 bits)
{
  float level;

  memcpy (&level, &bits, sizeof level);
  return level;
}

#define SIGN 0x80000000u

static inline float
next_higher (float level)
{
  const guint32 bits  = bits_of (level);
  const guint32 above = level == 0.0f ? 1 : bits & SIGN ? bits - 1 : bits + 1;

  return level_of (level == INFINITY ? bits : above);
}

static inline float
next_lower (float level)
{
  const guint32 bits  = bits_of (level);
  const guint32 below = level == 0.0f ? SIGN | 1 : bits & SIGN ? bits + 1 : bits - 1;

  return level_of (level == -INFINITY ? bits : below);
}

#define WF_PIXEL        guint8
#define WF_NAME(name)   name##_u8
#define WF_LEAST        0
#define WF_GREATEST     G_MAXUINT8
#define WF_LOWER(v)     ((v) - ((v) > 0))
#define WF_HIGHER(v)    ((v) + ((v) < G_MAXUINT8))
#include "pixels.inc.h"

#define WF_PIXEL        guint16
#define WF_NAME(name)   name##_u16
#define WF_LEAST        0
#define WF_GREATEST     G_MAXUINT16
#define WF_LOWER(v)     ((v) - ((v) > 0))
#define WF_HIGHER(v)    ((v) + ((v) < G_MAXUINT16))
#include "pixels.inc.h"

#define WF_PIXEL        float
#define WF_NAME(name)   name##_f32
#define WF_LEAST        (-INFINITY)
#define WF_GREATEST     INFINITY
#define WF_LOWER(v)     next_lower (v)
#define WF_HIGHER(v)    next_higher (v)
#include "pixels.inc.h"

const WfPixelSteps *
wf_pixel_steps (WfType type)
{
  return type == WF_TYPE_U8 ? &steps_u8 : type == WF_TYPE_U16 ? &steps_u16 : &steps_f32;
}

#define FIND_MARKED(type) \
  for (gint64 i = 0; i < n; i++) \
    marked[i] = ((const type *) markers->data)[start + i] != 0

/* Sets flags for the marked pixels among @n of a row of @markers: u8, u16, u32 or f32. */
void
wf_find_marked (const WfImage *markers,
                gint64         x,
                gint64         row,
                gint64         n,
                guint8        *marked)
{
  const gint64 start = wf_image_row_offset (markers, row) + x;

  switch (markers->type)
    {
    case WF_TYPE_U8:
      FIND_MARKED (guint8);
      break;
    case WF_TYPE_U16:
      FIND_MARKED (guint16);
      break;
    case WF_TYPE_U32:
      FIND_MARKED (guint32);
      break;
    default:
      FIND_MARKED (float);
      break;
    }
}

/* Sets the target to 255 where @marks is not 0, else to 0; it may be @marks itself. */
void
wf_tell_marks (const guint8 *marks,
               gint64        n,
               guint8       *target)
{
  for (gint64 start = 0; start < n; start += BUFFERED)
    {
      const gint64 m = MIN (BUFFERED, n - start);
      guint8       told[BUFFERED];

      for (gint64 i = 0; i < m; i++)
        told[i] = marks[start + i] ? 255 : 0;
      memcpy (target + start, told, m);
    }
}
