/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters that look at the pixels within a radius: erosion, dilation, opening, closing,
 * top-hats, the gradient and the median.  They are procedures like those by reconstruction: one
 * operation, from the layer to a new one.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "by-reconstruction-preview.h"
#include "filter.h"
#include "proposer.h"
#include "windows.h"

#define STRUCTURES N_("_Opening and Closing")

#define FILTER(variable, its_frame, its_layer_name) \
  static const WfFilter variable = { .frame = its_frame, .layer_name = its_layer_name };

FILTER (erosion, N_("Structuring Element"), N_("Erosion of %s"))
FILTER (dilation, N_("Structuring Element"), N_("Dilation of %s"))
FILTER (opening, N_("Structuring Element"), N_("Opening of %s"))
FILTER (closing, N_("Structuring Element"), N_("Closing of %s"))
FILTER (white_top_hat, N_("Structuring Element"), N_("White top-hat of %s"))
FILTER (black_top_hat, N_("Structuring Element"), N_("Black top-hat of %s"))
FILTER (gradient, N_("Structuring Element"), N_("Gradient of %s"))
FILTER (median, N_("Window"), N_("Median of %s"))

#define PROCEDURE(variable, name_of_operation, label, menu, which, first, text) \
  const WfProcedure wf_##variable##_procedure = \
  { \
    .name          = "plug-in-wavefront-" name_of_operation, \
    .menu_label    = label, \
    .submenu       = menu, \
    .menu_place    = 4, \
    .operation     = which, \
    .help          = text, \
    .data          = &variable, \
    .add_values    = wf_filter_add_values, \
    .proposer      = first, \
    .fill_dialog   = wf_filter_fill_dialog, \
    .preview       = &wf_filter_preview, \
    .count_further = wf_filter_count_further, \
    .folder        = &wf_folder_of_layers, \
    .run           = wf_filter_run, \
  };

PROCEDURE (erosion, "erosion", N_("_Erosion..."), STRUCTURES, WF_OPERATION_EROSION, NULL,
           N_("Makes a new layer in which each pixel has the lowest level under a structuring "
              "element around it: light parts become smaller, dark parts larger."))

PROCEDURE (dilation, "dilation", N_("_Dilation..."), STRUCTURES, WF_OPERATION_DILATION, NULL,
           N_("Makes a new layer in which each pixel has the highest level under a structuring "
              "element around it: light parts become larger, dark parts smaller."))

PROCEDURE (opening, "opening", N_("_Opening..."), STRUCTURES, WF_OPERATION_OPENING,
           &wf_opening_proposer,
           N_("Makes a new layer without the light parts that are too small for the structuring "
              "element; others lose their corners and narrow places: an erosion, then a dilation."))

PROCEDURE (closing, "closing", N_("_Closing..."), STRUCTURES, WF_OPERATION_CLOSING,
           &wf_opening_proposer,
           N_("Makes a new layer without the dark parts that are too small for the structuring "
              "element; others lose their corners and narrow places: a dilation, then an erosion."))

PROCEDURE (white_top_hat, "white-top-hat", N_("White _Top-Hat..."), STRUCTURES,
           WF_OPERATION_WHITE_TOP_HAT, &wf_top_hat_proposer,
           N_("Makes a new layer with what an opening takes away, on black: the light parts that "
              "are too small for the structuring element, even under uneven illumination, and the "
              "corners of others."))

PROCEDURE (black_top_hat, "black-top-hat", N_("Blac_k Top-Hat..."), STRUCTURES,
           WF_OPERATION_BLACK_TOP_HAT, &wf_top_hat_proposer,
           N_("Makes a new layer with what a closing takes away, light on black: the dark parts "
              "that are too small for the structuring element, even under uneven illumination, and "
              "the corners of others."))

PROCEDURE (gradient, "gradient", N_("Gradie_nt..."), STRUCTURES, WF_OPERATION_GRADIENT, NULL,
           N_("Makes a new layer in which each pixel has the highest minus the lowest level under "
              "a structuring element around it: edges are light, even parts black."))

PROCEDURE (median, "median", N_("_Median..."), NULL, WF_OPERATION_MEDIAN, NULL,
           N_("Makes a new layer in which each pixel has the median of the levels in a square "
              "around it: noise and specks vanish, edges stay where they are."))
