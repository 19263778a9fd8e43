/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed procedure's own options, and their meaning for relief and flooding:
 * the same for the procedure and its preview.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "marker-source.h"
#include "options.h"
#include "plugins/common/input/foreground.h"

/* Above every value of a measure. */
#define HIGHEST_VALUE 1e15

static const WfChoice inputs[] =
{
  { "levels",   WF_INPUT_LEVELS,   N_("The levels as they are") },
  { "gradient", WF_INPUT_GRADIENT, N_("Gradient: basins are homogeneous regions") },
  { "objects",  WF_INPUT_OBJECTS,  N_("Distances: touching objects are divided") },
  { NULL,       0,                 NULL }
};

static const WfChoice valleys[] =
{
  { "dark",   WF_VALLEYS_DARK,   N_("Dark") },
  { "bright", WF_VALLEYS_BRIGHT, N_("Bright") },
  { NULL,     0,              NULL }
};

static const WfChoice objects[] =
{
  { "light", WF_OBJECTS_LIGHT, N_("Lighter than the threshold") },
  { "dark",  WF_OBJECTS_DARK,  N_("Not lighter than the threshold") },
  { NULL,    0,             NULL }
};

static const WfChoice markers[] =
{
  { "minima", WF_MARKERS_MINIMA, N_("Minima, by their depth") },
  { "layer",  WF_MARKERS_LAYER,  N_("The colours of another layer") },
  { "path",   WF_MARKERS_PATH,   N_("The points of a path") },
  { "guides", WF_MARKERS_GUIDES, N_("The crossings of guides") },
  { NULL,     0,                 NULL }
};

#define OUTPUT(name, field, label, blurb, initially) \
  { name, WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfBasinOptions, field), label, blurb, \
    NULL, 0, 1, initially, NULL }

static const WfOption own_options[] =
{
  { "input", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, input),
    N_("Fl_ood"),
    N_("The image to flood: the levels, their gradient, or the inverted distances of object "
       "pixels to the background"),
    "levels|gradient|objects", 0, 0, WF_INPUT_LEVELS, inputs },
  { "valleys", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, valleys),
    N_("_Valleys"),
    N_("Whether dark or bright regions are the basins; not for objects"),
    "dark|bright", 0, 0, WF_VALLEYS_DARK, valleys },
  { "objects", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, objects),
    N_("_Objects"),
    N_("For distances: which pixels are objects"),
    "light|dark", 0, 0, WF_OBJECTS_LIGHT, objects },
  { "threshold", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, threshold),
    N_("T_hreshold"),
    N_("For distances: the level between objects and background"),
    NULL, 0, G_MAXDOUBLE, 0.5, NULL, .meaning = WF_OPTION_LEVEL },
  { "automatic-threshold", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfBasinOptions, automatic_threshold),
    N_("_Automatic threshold"),
    N_("Find the threshold that divides the levels best (Otsu)"),
    NULL, 0, 1, TRUE, NULL },
  { "split-tolerance", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, split_tolerance),
    N_("_Necks"),
    N_("For distances: two parts are one object if the distance to the background in the centre "
       "of either is at most this many pixels larger than in the neck between them"),
    NULL, 0, 1e6, 1, NULL, .meaning = WF_OPTION_LENGTH },
  { "markers", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, markers),
    N_("_Markers"),
    N_("The sources of the flooding; tolerances are ignored with markers"),
    "minima|layer|path|guides", 0, 0, WF_MARKERS_MINIMA, markers },
  { "merge-value", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, merge_value),
    N_("Mer_ge up to"),
    N_("Merge basins up to this value of the measure, or until this number is left; a depth is "
       "a fraction of the range from black to white, a volume is such a fraction times pixels, "
       "and for distances both are in pixels; 0: no merging"),
    NULL, 0, HIGHEST_VALUE, 0, NULL },
  OUTPUT ("lines-layer", lines_layer, N_("Layer with the l_ines"),
          N_("Make a transparent layer with the lines between the basins"), TRUE),
  { "line-opacity", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, line_opacity),
    N_("Line opacit_y"),
    N_("Opacity of the layer with the lines, in per cent"),
    NULL, 0, 100, 100, NULL },
  OUTPUT ("basins-layer", basins_layer, N_("Layer _with the basins"),
          N_("Make a layer in which every basin has a distinct colour"), TRUE),
  OUTPUT ("mean-layer", mean_layer, N_("Layer with m_ean colours"),
          N_("Make a layer in which every basin has the mean colour of its pixels"), FALSE),
  OUTPUT ("label-image", label_image, N_("_Number image"),
          N_("Make an image in 32-bit floating point in which every pixel has the number of its "
             "basin, 0 on lines and outside objects"), FALSE),
  OUTPUT ("lines-path", lines_path, N_("Path o_f the lines"),
          N_("Make a path that follows the boundaries between the basins"), FALSE),
  OUTPUT ("select-basins", select_basins, N_("_Select basins"),
          N_("Select all basins that the selection touches; the whole layer is then flooded, "
             "not only the selection"), FALSE),
};

const WfOptionGroup wf_basin_options_group =
{
  "plug-in-wavefront-watershed", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfBasinOptions)
};


/**
 * wf_basin_options_get_relief:
 * @own: the procedure's own options
 * @options: the engine's options
 * @levels: the levels from which the relief will be made, for an automatic threshold
 * @relief: (out): the options of the relief
 * @fraction: (out): if objects are flooded, the threshold as a fraction of the range from
 *   black to white
 * @error: as wf_foreground_find_threshold() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_basin_options_get_relief (const WfBasinOptions      *own,
                             const WfWatershedOptions  *options,
                             const WfImage             *levels,
                             WfReliefOptions           *relief,
                             double                    *fraction,
                             GError                   **error)
{
  *relief = (WfReliefOptions) {
    .input     = (WfWatershedInput) own->input,
    .smoothing = options->smoothing,
    .gradient  = options->gradient,
    .bright    = own->valleys == WF_VALLEYS_BRIGHT,
    .threshold = own->threshold,
    .dark      = own->objects == WF_OBJECTS_DARK,
  };
  return own->input != WF_INPUT_OBJECTS ||
         wf_foreground_find_threshold (levels, own->automatic_threshold, &relief->threshold,
                                       fraction, error);
}

/**
 * wf_basin_options_get_flood:
 * @own: the procedure's own options
 * @options: the engine's options, as the arguments are
 * @flood: (out): the engine's options for the finished relief; with markers, without
 *   tolerance
 */
void
wf_basin_options_get_flood (const WfBasinOptions      *own,
                            const WfWatershedOptions  *options,
                            WfWatershedOptions        *flood)
{
  *flood = *options;
  flood->smoothing = 0;
  flood->gradient  = 0;
  if (own->markers != WF_MARKERS_MINIMA)
    flood->tolerance = 0;
  else if (own->input == WF_INPUT_OBJECTS)
    flood->tolerance = own->split_tolerance;
}
