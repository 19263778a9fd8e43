/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "measuring.h"

G_BEGIN_DECLS

/**
 * WfDistanceScale:
 * @black: the distance that becomes black
 * @factor: levels per unit of distance
 * @white: the highest level
 * @whole: whether levels are integers up to @white; otherwise they are not limited
 * @clip: whether they are always limited to the range from black to white
 *
 * The conversion of distances to levels.
 */
typedef struct
{
  double   black;
  double   factor;
  double   white;
  gboolean whole;
  gboolean clip;
} WfDistanceScale;

void wf_distances_find_range    (const WfImage         *distances,
                                 double                *minimum,
                                 double                *maximum);
void wf_distance_scale_init     (WfDistanceScale       *scale,
                                 double                 minimum,
                                 double                 maximum,
                                 double                 clipped,
                                 WfDistancesOutput      output,
                                 WfType                 type);
void wf_distances_get_levels    (const WfImage         *distances,
                                 gint64                 row,
                                 const WfDistanceScale *scale,
                                 float                 *levels);
void wf_distances_mark_contours (const WfImage         *distances,
                                 gint64                 row,
                                 double                 step,
                                 guint8                *marks);

void wf_nearest_copy_row        (const WfImage         *nearest,
                                 gint64                 row,
                                 const guint8          *pixels,
                                 gsize                  size,
                                 guint8                *copy);

G_END_DECLS
