/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The curve of sRGB, from levels to linear light and back, where white is 1.  It is continued
 * beyond white, and below black by its mirror image.
 *
 * The nearest level of u8 and u16 is found by tables: one has the light of each level, another the
 * light halfway between two levels, and a third, for equal parts of the range of light, the level
 * to begin the search at.
 */

#include "config.h"

#include <math.h>

#include "encoding.h"


double
wf_encoding_decode (double level)
{
  const double positive = fabs (level);

  return copysign (positive <= 0.04045 ? positive / 12.92
                                       : pow ((positive + 0.055) / 1.055, 2.4), level);
}

double
wf_encoding_encode (double light)
{
  const double positive = fabs (light);

  return copysign (positive <= 0.0031308 ? positive * 12.92
                                         : 1.055 * pow (positive, 1 / 2.4) - 0.055, light);
}

static WfEncodingTable *
make_table (guint highest)
{
  WfEncodingTable *table = g_new (WfEncodingTable, 1);
  guint            level = 0;

  table->highest = highest;
  table->decoded = g_new (double, highest + 1);
  table->limits  = g_new (double, highest + 1);
  table->starts  = g_new (guint16, WF_ENCODING_PARTS + 1);
  for (guint i = 0; i <= highest; i++)
    {
      table->decoded[i] = wf_encoding_decode ((double) i / highest);
      table->limits[i]  = i < highest ? wf_encoding_decode ((i + 0.5) / highest) : INFINITY;
    }
  for (guint i = 0; i <= WF_ENCODING_PARTS; i++)
    {
      while ((double) i / WF_ENCODING_PARTS >= table->limits[level])
        level++;
      table->starts[i] = (guint16) level;
    }
  return table;
}

/* @made: the table for @highest, once it is made */
static const WfEncodingTable *
get_table (gsize *made,
           guint  highest)
{
  if (g_once_init_enter (made))
    g_once_init_leave (made, (gsize) make_table (highest));
  return (const WfEncodingTable *) *made;
}

/**
 * wf_encoding_get_table:
 * @type: u8 or u16
 *
 * Returns: (transfer none): its levels; they stay as long as the process
 */
const WfEncodingTable *
wf_encoding_get_table (WfType type)
{
  static gsize made[2] = { 0 };

  return type == WF_TYPE_U8 ? get_table (&made[0], G_MAXUINT8) : get_table (&made[1], G_MAXUINT16);
}

/**
 * wf_color_encode:
 * @light: linear light, of a color or a component; 1 is white
 *
 * Encodes light by the curve of sRGB, which is continued beyond white, and below black by its
 * mirror image.
 *
 * Returns: the level
 */
double
wf_color_encode (double light)
{
  return wf_encoding_encode (light);
}
