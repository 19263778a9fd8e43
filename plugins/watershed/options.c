/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed procedure's own options, and their meaning for relief and flooding:
 * the same for the procedure and its preview.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "options.h"
#include "plugins/common/input/foreground.h"
#include "ui/options/level-fraction.h"

/* Above every value of a measure. */
#define HIGHEST_VALUE 1e15

static const WfChoice inputs[] =
{
  { "levels",   WF_INPUT_LEVELS,   N_("Brightness") },
  { "gradient", WF_INPUT_GRADIENT, N_("Edges") },
  { "objects",  WF_INPUT_OBJECTS,  N_("Touching objects") },
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

static const WfChoice backgrounds[] =
{
  { "none",   WF_BACKGROUND_NONE,   N_("None: all pixels are divided") },
  { "dark",   WF_BACKGROUND_DARK,   N_("Not lighter than the threshold") },
  { "bright", WF_BACKGROUND_BRIGHT, N_("Lighter than the threshold") },
  { NULL,     0,                    NULL }
};

static const WfChoice markers[] =
{
  { "minima", WF_MARKERS_MINIMA, N_("Minima, by their depth") },
  { "layer",  WF_MARKERS_LAYER,  N_("The colors of another layer") },
  { "path",   WF_MARKERS_PATH,   N_("The points of a path") },
  { "guides", WF_MARKERS_GUIDES, N_("The crossings of guides") },
  { "strokes", WF_MARKERS_STROKES, N_("Strokes drawn in the preview") },
  { NULL,     0,                 NULL }
};

#define OUTPUT(name, field, label, blurb, initially) \
  { name, WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfBasinOptions, field), label, blurb, \
    NULL, 0, 1, initially, NULL }

static const WfOption own_options[] =
{
  { "input", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, input),
    N_("_Input"),
    N_("What divides the image: its brightness (the levels), its edges (the gradient of the "
       "levels), or the shape of touching objects (the inverted distances of their pixels to the "
       "background)"),
    "levels|gradient|objects", 0, 0, WF_INPUT_LEVELS, inputs },
  { "valleys", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, valleys),
    N_("_Objects are"),
    N_("Whether dark or bright regions are the basins; not for touching objects"),
    "dark|bright", 0, 0, WF_VALLEYS_DARK, valleys },
  { "objects", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, objects),
    N_("_Objects are"),
    N_("For touching objects: which pixels are objects"),
    "light|dark", 0, 0, WF_OBJECTS_LIGHT, objects },
  { "background", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, background),
    N_("Bac_kground"),
    N_("For brightness and edges: which pixels are no object, and are not flooded"),
    "none|dark|bright", 0, 0, WF_BACKGROUND_NONE, backgrounds },
  { "threshold", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, threshold),
    N_("T_hreshold"),
    N_("The level between objects and background, for touching objects or where there is a "
       "background"),
    NULL, 0, G_MAXDOUBLE, 0.5, NULL, .meaning = WF_OPTION_LEVEL },
  { "automatic-threshold", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfBasinOptions, automatic_threshold),
    N_("_Automatic threshold"),
    N_("Find the threshold that divides the levels best (Otsu)"),
    NULL, 0, 1, TRUE, NULL },
  { "split-tolerance", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, split_tolerance),
    N_("_Ignore necks shallower than"),
    N_("For touching objects: two parts are one object if the distance to the background in the "
       "center of either is at most this many pixels larger than in the neck between them"),
    NULL, 0, 1e6, 1, NULL, .meaning = WF_OPTION_LENGTH },
  { "markers", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBasinOptions, markers),
    N_("_Markers"),
    N_("The sources of the flooding; tolerances are ignored with markers"),
    "minima|layer|path|guides|strokes", 0, 0, WF_MARKERS_MINIMA, markers },
  { "merge-value", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, merge_value),
    N_("Mer_ge up to"),
    N_("Merge basins up to this value of the measure, or until this number is left; a depth is "
       "a fraction of the range from black to white, an area is in pixels, a volume is such a "
       "fraction times pixels, and with touching objects a depth is in pixels, too; 0: no "
       "merging"),
    NULL, 0, HIGHEST_VALUE, 0, NULL },
  OUTPUT ("lines-layer", lines_layer, N_("Layer with the watershe_d lines"),
          N_("Make a transparent layer with the lines between the basins"), TRUE),
  { "line-opacity", WF_OPTION_REAL, G_STRUCT_OFFSET (WfBasinOptions, line_opacity),
    N_("Line opacit_y"),
    N_("Opacity of the layer with the lines, in per cent"),
    NULL, 0, 100, 100, NULL },
  OUTPUT ("basins-layer", basins_layer, N_("Layer _with the basins"),
          N_("Make a layer in which every basin has a distinct color"), TRUE),
  OUTPUT ("mean-layer", mean_layer, N_("Layer with m_ean colors"),
          N_("Make a layer in which every basin has the mean color of its pixels"), FALSE),
  OUTPUT ("numbers-layer", numbers_layer, N_("Layer with _numbers"),
          N_("Make a transparent layer with the number of each basin, as the table has it, inside "
             "the basin; the preview shows the numbers where they can be read"), FALSE),
  OUTPUT ("label-image", label_image, N_("_Number image (16-bit)"),
          N_("Make an image, named after this one, in which every pixel has the number of its "
             "basin, 0 on lines and outside objects; up to 65535 basins they are 16-bit "
             "integers, shown from dark to bright, which PNG and TIFF keep, otherwise 32-bit "
             "floating-point numbers"), FALSE),
  OUTPUT ("lines-path", lines_path, N_("Path o_f the lines"),
          N_("Make a path that follows the boundaries between the basins"), FALSE),
  OUTPUT ("outline-paths", outline_paths, N_("Paths of the o_utlines"),
          N_("Make a path for each basin, named by its number, along the edges of its pixels; up "
             "to 2000 of them"), FALSE),
  OUTPUT ("select-basins", select_basins, N_("_Select basins"),
          N_("Select all basins that the selection touches; the whole layer is then flooded, "
             "not only the selection"), FALSE),
};

const WfOptionGroup wf_basin_options_group =
{
  "plug-in-wavefront-watershed", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfBasinOptions)
};

const WfArgumentNote wf_basin_options_notes[] =
{
  { "threshold", 0.5, NULL },
  { "background", 0, NULL, .is_last = TRUE },
  { "compactness", 0, N_("With markers: what a pixel of distance from a marker counts as beside "
                         "the levels, or beside the distances of touching objects; the higher, the "
                         "more compact the basins; without watershed lines of their own; 0: "
                         "distance does not count") },
  { "gradient", 0, N_("How wide edges are: the radius of the square of their gradient, in "
                      "pixels; 0 means 1") },
  { "smoothing", 0, N_("Smooth the levels first, by a Gaussian of this standard deviation in "
                       "pixels; 0: no smoothing") },
  { NULL, 0, NULL }
};


/**
 * wf_basin_options_get_relief:
 * @own: the procedure's own options
 * @options: the engine's options
 * @levels: the levels from which the relief will be made, for an automatic threshold
 * @mask: (nullable): u8, 0 where nothing is selected
 * @relief: (out): the options of the relief
 * @fraction: (out): if objects are found by a threshold, this as a fraction of the range from
 *   black to white
 * @error: as wf_foreground_find_threshold() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_basin_options_get_relief (const WfBasinOptions      *own,
                             const WfWatershedOptions  *options,
                             const WfImage             *levels,
                             const WfImage             *mask,
                             WfReliefOptions           *relief,
                             double                    *fraction,
                             GError                   **error)
{
  wf_option_group_init (wf_relief_get_options (), relief);
  relief->input      = own->input;
  relief->smoothing  = options->smoothing;
  relief->gradient   = options->gradient;
  relief->threshold  = own->threshold;
  relief->background = own->background;
  relief->invert     = own->input == WF_INPUT_OBJECTS ? own->objects == WF_OBJECTS_DARK
                                                      : own->valleys == WF_VALLEYS_BRIGHT;
  return ! wf_basin_options_find_objects (own) ||
         wf_foreground_find_threshold (levels, mask, own->automatic_threshold,
                                       &relief->threshold, fraction, error);
}

/**
 * wf_basin_options_find_objects:
 * @own: the procedure's own options
 *
 * Returns: whether only objects are flooded, which a threshold finds
 */
gboolean
wf_basin_options_find_objects (const WfBasinOptions *own)
{
  return own->input == WF_INPUT_OBJECTS || own->background != WF_BACKGROUND_NONE;
}

/**
 * wf_basin_options_get_mask:
 * @own: the procedure's own options
 * @mask: (nullable): of the selection
 * @flooded: objects, as wf_masked_relief_make() makes them
 *
 * Returns: (nullable): the mask inside which wf_flooding_flood() floods: without a background the
 *   selection, with one what is no background
 */
const WfImage *
wf_basin_options_get_mask (const WfBasinOptions *own,
                           const WfImage        *mask,
                           const WfImage        *flooded)
{
  return own->input != WF_INPUT_OBJECTS && own->background != WF_BACKGROUND_NONE ? flooded : mask;
}

/**
 * wf_basin_options_get_unit:
 * @own: the procedure's own options
 * @type: of the levels
 *
 * Returns: the type of an image whose range from black to white is the unit of depths: that of the
 *   levels, even where they are flooded as floats; %WF_TYPE_F32 for distances
 */
WfType
wf_basin_options_get_unit (const WfBasinOptions *own,
                           WfType                type)
{
  return own->input == WF_INPUT_OBJECTS ? WF_TYPE_F32 : type;
}

/**
 * wf_basin_options_get_flood:
 * @own: the procedure's own options
 * @options: the engine's options, as the arguments are
 * @type: of the levels
 * @flood: (out): the engine's options for the finished relief; with markers, without
 *   tolerance
 */
void
wf_basin_options_get_flood (const WfBasinOptions      *own,
                            const WfWatershedOptions  *options,
                            WfType                     type,
                            WfWatershedOptions        *flood)
{
  *flood = *options;
  flood->smoothing = 0;
  flood->gradient  = 0;
  if (own->markers != WF_MARKERS_MINIMA)
    flood->tolerance = 0;
  else if (own->input == WF_INPUT_OBJECTS)
    flood->tolerance = own->split_tolerance;
  if (own->input == WF_INPUT_OBJECTS)   /* distances, whose unit is a pixel */
    flood->compactness /= wf_level_maximum (type);
}
