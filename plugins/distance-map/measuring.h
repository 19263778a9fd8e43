/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef enum
{
  WF_DISTANCES_NORMALIZED,
  WF_DISTANCES_RAW,
  WF_DISTANCES_CLIPPED,
  WF_DISTANCES_IMAGE,
  WF_DISTANCES_CONTOURS,
  WF_DISTANCES_NEAREST
} WfDistancesOutput;

typedef enum
{
  WF_DISTANCES_INSIDE,
  WF_DISTANCES_OUTSIDE,
  WF_DISTANCES_EVERYWHERE
} WfDistancesSide;

typedef enum
{
  WF_DISTANCES_BY_SPACING,
  WF_DISTANCES_BY_RESOLUTION
} WfDistancesUnit;

/**
 * WfDistanceMapOptions:
 * @automatic_threshold: whether to compute the threshold
 * @side: a #WfDistancesSide
 * @unit: a #WfDistancesUnit
 * @output: a #WfDistancesOutput
 * @maximum: the distance that becomes white in clipped output
 * @step: between two contour lines
 * @pixel: no option: the side of a pixel in the unit, for distances that are counted in pixels
 *
 * The own options of the procedures of distances.
 */
typedef struct
{
  gsize    size;
  gboolean automatic_threshold;
  int      side;
  int      unit;
  int      output;
  double   maximum;
  double   step;
  double   pixel;
} WfDistanceMapOptions;

gboolean wf_distance_map_check   (const WfDistanceMapOptions  *own,
                                  GError                     **error);
gboolean wf_distance_map_measure (WfContext                   *context,
                                  WfImage                     *image,
                                  const WfImage               *mask,
                                  const WfDistanceMapOptions  *own,
                                  const WfDistanceOptions     *options,
                                  WfImage                     *distances,
                                  WfImage                     *nearest,
                                  double                      *fraction,
                                  GError                     **error);

G_END_DECLS
