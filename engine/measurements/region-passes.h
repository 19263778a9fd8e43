/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures of regions that need further passes: medians and inscribed circles. */

#pragma once

#include "region-scan.h"

/**
 * WfRegionCircle:
 * @square: of the distance from its center to the nearest pixel that is not the region's
 * @x: column of its center
 * @y: row of its center
 *
 * The pixel of a region that lies deepest in it.
 */
typedef struct
{
  double square;
  gint64 x;
  gint64 y;
} WfRegionCircle;

guint64  wf_region_medians_memory (const WfImage      *image);
gboolean wf_region_medians        (WfRegionScan       *scan,
                                   double              share,
                                   double             *medians,
                                   GError            **error);
guint64  wf_region_circles_memory (const WfImage      *labels);
gboolean wf_region_circles        (WfRegionScan       *scan,
                                   const double       *pixel_size,
                                   double              share,
                                   WfRegionCircle     *circles,
                                   GError            **error);
