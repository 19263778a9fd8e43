/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levels that are encoded as in sRGB, and linear light. */

#pragma once

#include "engine/wavefront.h"

/* Parts of the range of light. */
#define WF_ENCODING_PARTS 65536

/**
 * WfEncodingTable:
 * @highest: level
 * @decoded: the light of each level
 * @limits: the light from which on the next level is nearer
 * @starts: the level of the least light of each part of the range
 *
 * The levels of a type of whole numbers.
 */
typedef struct
{
  guint    highest;
  double  *decoded;
  double  *limits;
  guint16 *starts;
} WfEncodingTable;

double                  wf_encoding_decode    (double level);
double                  wf_encoding_encode    (double light);
const WfEncodingTable * wf_encoding_get_table (WfType type);

/* The level that is nearest to @light, which is not negative. */
static inline guint
wf_encoding_find_level (const WfEncodingTable *table,
                        double                 light)
{
  guint level = table->starts[(guint) (MIN (light, 1) * WF_ENCODING_PARTS)];

  while (light >= table->limits[level])
    level++;
  return level;
}
