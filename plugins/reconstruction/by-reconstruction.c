/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters by reconstruction: the executable registers the reconstruction itself, one procedure
 * for each of the operations built on it, those of attributes.c, label-tools.c and windows.c, and
 * the threshold.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "attributes.h"
#include "by-reconstruction-preview.h"
#include "command.h"
#include "filter.h"
#include "label-tools.h"
#include "notes.h"
#include "proposer.h"
#include "reconstruct.h"
#include "threshold.h"
#include "windows.h"

#define EXTREMA    N_("_Extrema")
#define STRUCTURES N_("_Opening and Closing")

static const WfOption dome_options[] =
{
  { "filtered", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfResidueOptions, filtered),
    N_("_Filtered layer"),
    N_("Make a layer in which the maxima are cut off"),
    NULL, 0, 1, TRUE, NULL },
  { "dome", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfResidueOptions, residue),
    N_("Layer with the _domes"),
    N_("Make a layer with the parts that are cut off"),
    NULL, 0, 1, FALSE, NULL },
};

static const WfOption basin_options[] =
{
  { "filtered", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfResidueOptions, filtered),
    N_("_Filtered layer"),
    N_("Make a layer in which the minima are filled"),
    NULL, 0, 1, TRUE, NULL },
  { "basin", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfResidueOptions, residue),
    N_("Layer with the _basins"),
    N_("Make a layer with the parts that are filled"),
    NULL, 0, 1, FALSE, NULL },
};

static const WfOptionGroup dome_group =
{
  "h-maxima", NULL, NULL, dome_options, G_N_ELEMENTS (dome_options), sizeof (WfResidueOptions)
};

static const WfOptionGroup basin_group =
{
  "h-minima", NULL, NULL, basin_options, G_N_ELEMENTS (basin_options), sizeof (WfResidueOptions)
};

#define FILTER(variable, frame, layer_name, residue_name, residue_value) \
  static const WfFilter variable = \
  { \
    frame, layer_name, residue_name, residue_value \
  };

FILTER (fill_holes, N_("Neighborhood"),
        N_("%s with holes filled"), NULL, NULL)
FILTER (clear_border, N_("Neighborhood"),
        N_("%s with border cleared"), NULL, NULL)
FILTER (h_maxima, N_("Maxima"),
        N_("H-maxima of %s"), N_("Domes of %s"), "dome-layer")
FILTER (h_minima, N_("Minima"),
        N_("H-minima of %s"), N_("Filled basins of %s"), "basin-layer")
FILTER (regional_maxima, N_("Maxima"),
        N_("Regional maxima of %s"), NULL, NULL)
FILTER (regional_minima, N_("Minima"),
        N_("Regional minima of %s"), NULL, NULL)
FILTER (extended_maxima, N_("Maxima"),
        N_("Extended maxima of %s"), NULL, NULL)
FILTER (extended_minima, N_("Minima"),
        N_("Extended minima of %s"), NULL, NULL)
FILTER (opening, N_("Structuring Element"),
        N_("Opening by reconstruction of %s"), NULL, NULL)
FILTER (closing, N_("Structuring Element"),
        N_("Closing by reconstruction of %s"), NULL, NULL)
FILTER (white_top_hat, N_("Structuring Element"),
        N_("White top-hat by reconstruction of %s"), NULL, NULL)
FILTER (black_top_hat, N_("Structuring Element"),
        N_("Black top-hat by reconstruction of %s"), NULL, NULL)

/* The name on the left is that of the operation in the command. */
#define PROCEDURE(variable, name_of_operation, label, menu, which, own_options, option_notes, \
                  values, first, text) \
  static const WfProcedure variable##_procedure = \
  { \
    .name             = "plug-in-wavefront-" name_of_operation, \
    .menu_label       = label, \
    .submenu          = menu, \
    .menu_place       = 4, \
    .operation        = which, \
    .help             = text, \
    .notes            = option_notes, \
    .own              = own_options, \
    .data             = &variable, \
    .offer_algorithms = TRUE, \
    .add_values       = values, \
    .proposer         = first, \
    .fill_dialog      = wf_filter_fill_dialog, \
    .preview          = &wf_filter_preview, \
    .count_further    = wf_filter_count_further, \
    .folder           = &wf_folder_of_layers, \
    .write_command    = wf_filter_write_command, \
    .run              = wf_filter_run, \
  };

PROCEDURE (fill_holes, "fill-holes", N_("_Fill Holes..."), NULL,
           WF_OPERATION_FILL_HOLES, NULL, NULL, wf_filter_add_values, NULL,
           N_("Makes a new layer in which dark parts enclosed by lighter ones are raised to the "
              "level of the lowest path to the edge: in a binary image the holes of white "
              "objects become white.  Holes that touch the layer's edge are not filled."))

PROCEDURE (clear_border, "clear-border", N_("_Clear Border..."), NULL,
           WF_OPERATION_CLEAR_BORDER, NULL, NULL, wf_filter_add_values, NULL,
           N_("Makes a new layer without the light parts that touch the layer's edge, so that "
              "only complete objects are counted and measured: an object keeps its height above "
              "its surroundings if no path at its level leads to the edge."))

PROCEDURE (h_maxima, "h-maxima", N_("H-Ma_xima..."), EXTREMA,
           WF_OPERATION_H_MAXIMA, &dome_group, wf_height_notes, wf_filter_add_dome_values, NULL,
           N_("Makes a new layer in which light peaks are lowered by a height, and peaks that "
              "are not higher are removed; optionally also a layer with the domes, which are "
              "the removed parts."))

PROCEDURE (h_minima, "h-minima", N_("H-Mi_nima..."), EXTREMA,
           WF_OPERATION_H_MINIMA, &basin_group, wf_height_notes, wf_filter_add_basin_values, NULL,
           N_("Makes a new layer in which dark minima are filled by a height, and minima that "
              "are not deeper are removed; optionally also a layer with the basins, which are "
              "the filled parts."))

PROCEDURE (regional_maxima, "regional-maxima", N_("Regional _Maxima..."), EXTREMA,
           WF_OPERATION_REGIONAL_MAXIMA, NULL, NULL, wf_filter_add_values, NULL,
           N_("Makes a new layer in which connected pixels of equal level without a higher "
              "neighbor are white, and all others black."))

PROCEDURE (regional_minima, "regional-minima", N_("_Regional Minima..."), EXTREMA,
           WF_OPERATION_REGIONAL_MINIMA, NULL, NULL, wf_filter_add_values, NULL,
           N_("Makes a new layer in which connected pixels of equal level without a lower "
              "neighbor are white, and all others black."))

PROCEDURE (extended_maxima, "extended-maxima", N_("_Extended Maxima..."), EXTREMA,
           WF_OPERATION_EXTENDED_MAXIMA, NULL, wf_height_notes, wf_filter_add_values, NULL,
           N_("Makes a new layer in which the peaks higher than a given height are white, and "
              "all other pixels black: the regional maxima of the h-maxima."))

PROCEDURE (extended_minima, "extended-minima", N_("Ex_tended Minima..."), EXTREMA,
           WF_OPERATION_EXTENDED_MINIMA, NULL, wf_height_notes, wf_filter_add_values, NULL,
           N_("Makes a new layer in which the minima deeper than a given depth are white, and "
              "all other pixels black: the regional minima of the h-minima."))

PROCEDURE (opening, "opening-by-reconstruction", N_("Opening by _Reconstruction..."), STRUCTURES,
           WF_OPERATION_OPENING_BY_RECONSTRUCTION, NULL, NULL, wf_filter_add_values,
           &wf_opening_proposer,
           N_("Makes a new layer without the light parts that are too small for the structuring "
              "element; all others keep their exact shape, unlike after an ordinary opening."))

PROCEDURE (closing, "closing-by-reconstruction", N_("Closing b_y Reconstruction..."), STRUCTURES,
           WF_OPERATION_CLOSING_BY_RECONSTRUCTION, NULL, NULL, wf_filter_add_values,
           &wf_opening_proposer,
           N_("Makes a new layer without the dark parts that are too small for the structuring "
              "element; all others keep their exact shape, unlike after an ordinary closing."))

PROCEDURE (white_top_hat, "white-top-hat-by-reconstruction",
           N_("_White Top-Hat by Reconstruction..."), STRUCTURES,
           WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, NULL, NULL, wf_filter_add_values,
           &wf_top_hat_proposer,
           N_("Makes a new layer with the light parts that are too small for the structuring "
              "element, on black: small light objects, even under uneven illumination."))

PROCEDURE (black_top_hat, "black-top-hat-by-reconstruction",
           N_("_Black Top-Hat by Reconstruction..."), STRUCTURES,
           WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, NULL, NULL, wf_filter_add_values,
           &wf_top_hat_proposer,
           N_("Makes a new layer with the dark parts that are too small for the structuring "
              "element, light on black: small dark objects, even under uneven illumination."))

WF_PLUG_IN_MAIN (&wf_reconstruct_procedure,
                 &fill_holes_procedure,
                 &clear_border_procedure,
                 &h_maxima_procedure,
                 &h_minima_procedure,
                 &regional_maxima_procedure,
                 &regional_minima_procedure,
                 &extended_maxima_procedure,
                 &extended_minima_procedure,
                 &opening_procedure,
                 &closing_procedure,
                 &white_top_hat_procedure,
                 &black_top_hat_procedure,
                 &wf_area_opening_procedure,
                 &wf_area_closing_procedure,
                 &wf_height_opening_procedure,
                 &wf_height_closing_procedure,
                 &wf_volume_opening_procedure,
                 &wf_volume_closing_procedure,
                 &wf_erosion_procedure,
                 &wf_dilation_procedure,
                 &wf_opening_procedure,
                 &wf_closing_procedure,
                 &wf_white_top_hat_procedure,
                 &wf_black_top_hat_procedure,
                 &wf_gradient_procedure,
                 &wf_median_procedure,
                 &wf_threshold_procedure,
                 &wf_remove_small_procedure,
                 &wf_keep_largest_procedure,
                 &wf_expand_labels_procedure,
                 &wf_relabel_procedure)
