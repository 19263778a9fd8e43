/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help for geodesic distances, and their costs. */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"

const Command command_geodesic =
{
  .operation         = WF_OPERATION_GEODESIC_DISTANCE,
  .other_option      = "costs",
  .other_placeholder = "FILE",
  .other_blurb       = N_("Measure ways by what it costs to cross their pixels: the levels of "
                          "FILE, of 8 or 16 bits"),
  .invert_blurb      = N_("Ways lead through pixels that are not above the threshold"),
  .notes             = N_("OUT has 32-bit floats: for each pixel of the mask, the length of the "
                          "shortest way inside the mask from a pixel that is marked in MARKERS. "
                          "Outside, and where no way leads to, the distance is infinite. With "
                          "--costs a step costs its length times the mean of the costs of its two "
                          "pixels. The default metric counts 1 for a step to a neighbor that "
                          "shares a side, √2 for a diagonal one, and √3 in a stack, to within "
                          "0.006 percent."),
  .examples          = "  wavefront geodesic-distance cells.png seeds.png --threshold 100"
                       " -o distances.tif\n"
                       "  wavefront geodesic-distance cells.png seeds.png --costs gradient.png"
                       " -o costs.tif\n",
};
