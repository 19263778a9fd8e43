/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed procedure's own options, and what they mean for the relief and the flood:
 * the same for the procedure and its preview.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "plugins/common/input/foreground.h"
#include "marker-source.h"
#include "options.h"

/* Nothing that is merged up to a value has one above it. */
#define HIGHEST_VALUE 1e15

static const WfChoice inputs[] =
{
  { "levels",   WF_INPUT_LEVELS,   N_("The levels as they are") },
  { "gradient", WF_INPUT_GRADIENT, N_("Gradient: basins are even areas") },
  { "objects",  WF_INPUT_OBJECTS,  N_("Distances: objects that touch are divided") },
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
    N_("What is flooded: the levels, their gradient, or the distances of the pixels of "
       "objects to the background, upside down"),
    "levels|gradient|objects", 0, 0, WF_INPUT_LEVELS, inputs },
  { "valleys", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, valleys),
    N_("_Valleys"),
    N_("Whether dark or bright regions are the basins; not for objects"),
    "dark|bright", 0, 0, WF_VALLEYS_DARK, valleys },
  { "objects", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, objects),
    N_("_Objects"),
    N_("Where objects are divided: what they are"),
    "light|dark", 0, 0, WF_OBJECTS_LIGHT, objects },
  { "threshold", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, threshold),
    N_("T_hreshold"),
    N_("Where objects are divided: the level between them and the background"),
    NULL, 0, G_MAXDOUBLE, 0.5, NULL, .meaning = WF_OPTION_LEVEL },
  { "automatic-threshold", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfBasinOptions, automatic_threshold),
    N_("_Automatic threshold"),
    N_("Find the threshold that divides the levels best (Otsu)"),
    NULL, 0, 1, TRUE, NULL },
  { "split-tolerance", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, split_tolerance),
    N_("_Necks"),
    N_("Where objects are divided: a part whose middle is no more than this many pixels "
       "further inside than the neck to the next part is not one of its own"),
    NULL, 0, 1e6, 1, NULL, .meaning = WF_OPTION_LENGTH },
  { "markers", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, markers),
    N_("_Markers"),
    N_("Where the basins are flooded from; with markers tolerances do not count"),
    "minima|layer|path|guides", 0, 0, WF_MARKERS_MINIMA, markers },
  { "merge-value", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, merge_value),
    N_("Mer_ge up to"),
    N_("Basins up to this value of what they are merged by are merged, or basins until this "
       "number is left; a depth is a fraction of the range from black to white, a volume "
       "such a fraction times pixels, and where objects are divided both are in pixels; "
       "0: none"),
    NULL, 0, HIGHEST_VALUE, 0, NULL },
  OUTPUT ("lines-layer", lines_layer, N_("Layer with the l_ines"),
          N_("Make a transparent layer with the lines between the basins"), TRUE),
  { "line-opacity", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, line_opacity),
    N_("Line opacit_y"),
    N_("Opacity of the layer with the lines, in per cent"),
    NULL, 0, 100, 100, NULL },
  OUTPUT ("basins-layer", basins_layer, N_("Layer _with the basins"),
          N_("Make a layer in which every basin has a colour of its own"), TRUE),
  OUTPUT ("mean-layer", mean_layer, N_("Layer with m_ean colours"),
          N_("Make a layer in which every basin has the mean colour of its pixels"), FALSE),
  OUTPUT ("label-image", label_image, N_("_Number image"),
          N_("Make an image in 32-bit floating point in which every pixel holds the number of "
             "its basin, 0 on lines and outside of objects"), FALSE),
  OUTPUT ("lines-path", lines_path, N_("Path o_f the lines"),
          N_("Make a path that follows the boundaries between the basins"), FALSE),
  OUTPUT ("select-basins", select_basins, N_("_Select basins"),
          N_("Select all of the basins that the selection touches; the whole layer is flooded "
             "then, not only what is selected"), FALSE),
};

const WfOptionGroup wf_basin_options_group =
{
  "plug-in-wavefront-watershed", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfBasinOptions)
};


/**
 * wf_basin_options_get_relief:
 * @own: the procedure's own options
 * @options: the engine's
 * @levels: what the relief will be made of, for a threshold that is to be found
 * @relief: (out): what is to be flooded
 * @fraction: (out): where objects are flooded, the threshold as a fraction of the range from
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
 * @options: the engine's, as the arguments are
 * @flood: (out): the engine's for the relief, which is made already; markers have no
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
