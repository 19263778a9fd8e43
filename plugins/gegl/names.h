/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The names of GEGL's operations: those of the engine's operations behind the prefix, but for
 * these.  Nothing of GEGL or GIMP is needed here.
 */

#pragma once

#define WF_GEGL_PREFIX "wavefront:"

#define WF_GEGL_DISTANCE_MAP          "distance-map"
#define WF_GEGL_WATERSHED_LINES       "watershed-lines"
#define WF_GEGL_WATERSHED_LINES_TITLE N_("Watershed Lines")
#define WF_GEGL_WATERSHED_MEANS       "watershed-means"
#define WF_GEGL_WATERSHED_MEANS_TITLE N_("Watershed in Mean Colors")
