/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "measuring.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfDistancesShown:
 * @distances: the map
 * @minimum: the least finite distance
 * @maximum: the largest finite distance
 * @white: the distance that becomes white in clipped output
 * @step: between two contour lines
 * @nearest: for each pixel the nearest pixel, if the output needs them
 * @layer_name: of a layer of levels, with %s for the old one, translated
 *
 * A distance map, and the parameters of its output.
 */
typedef struct
{
  const WfImage *distances;
  double         minimum;
  double         maximum;
  double         white;
  double         step;
  const WfImage *nearest;
  const char    *layer_name;
} WfDistancesShown;

gboolean wf_distances_make_result (WfJob                   *run,
                                   const WfDistancesShown  *shown,
                                   WfDistancesOutput        output,
                                   GError                 **error);

G_END_DECLS
