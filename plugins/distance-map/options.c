/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The own options of the distance map. */

#include "config.h"

#include "options.h"

static const WfChoice sides[] =
{
  { "inside",  WF_DISTANCES_INSIDE,  N_("Inside: of lighter pixels") },
  { "outside", WF_DISTANCES_OUTSIDE, N_("Outside: of other pixels") },
  { NULL,      0,            NULL }
};

static const WfChoice units[] =
{
  { "spacing", WF_DISTANCES_BY_SPACING, N_("Pixels, or the unit of the spacing") },
  { "image",   WF_DISTANCES_BY_RESOLUTION,   N_("The image's unit, by its resolution") },
  { NULL,      0,            NULL }
};

static const WfChoice outputs[] =
{
  { "normalized", WF_DISTANCES_NORMALIZED, N_("Levels: the largest distance becomes white") },
  { "raw",        WF_DISTANCES_RAW,        N_("Levels: the distances themselves") },
  { "clipped",    WF_DISTANCES_CLIPPED,    N_("Levels: a given maximum becomes white") },
  { "image",      WF_DISTANCES_IMAGE,      N_("Distances in a new image (32-bit)") },
  { "contours",   WF_DISTANCES_CONTOURS,   N_("Contour lines") },
  { "nearest",    WF_DISTANCES_NEAREST,    N_("Colors of the nearest pixels") },
  { NULL,         0,                       NULL }
};

static const WfOption own_options[] =
{
  WF_DISTANCES_AUTOMATIC_OPTION,
  { "side", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, side),
    N_("S_ide"),
    N_("Which pixels have distances: those lighter than the threshold, to the nearest other "
       "pixel, or the others, to the nearest lighter pixel"),
    "inside|outside", 0, 0, WF_DISTANCES_INSIDE, sides },
  { "unit", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, unit),
    N_("_Unit"),
    N_("The unit of the distances: pixels, which may have a spacing, or the unit of the image, "
       "by its resolution"),
    "spacing|image", 0, 0, WF_DISTANCES_BY_SPACING, units },
  { "output", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, output),
    N_("_Result"),
    N_("The kind of result.  Levels make a new layer in the image's precision; if normalized, the "
       "smallest distance is black"),
    "normalized|raw|clipped|image|contours|nearest", 0, 0, WF_DISTANCES_NORMALIZED, outputs },
  WF_DISTANCES_LENGTH_OPTIONS
};

const WfOptionGroup wf_distance_map_options_group =
{
  "plug-in-wavefront-distance-map", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfDistanceMapOptions)
};

const WfArgumentNote wf_distance_map_notes[] =
{
  { "threshold", 0.5, N_("Lighter pixels are the foreground") },
  { "signed", 0, N_("Give the pixels of the other side the negative of their distance "
                    "to this side") },
  { "border-background", 0, N_("Count everything outside the layer, or outside the "
                               "selection, as background") },
  { NULL, 0, NULL }
};
