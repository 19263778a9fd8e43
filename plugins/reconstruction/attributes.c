/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The openings and closings by attributes: by area, height and volume.  They are procedures like
 * those by reconstruction: one operation, from the layer to a new one.
 *
 * A pixel can be joined with any other one, so that the engine needs the whole image in memory.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "attributes.h"
#include "by-reconstruction-preview.h"
#include "filter.h"
#include "notes.h"
#include "proposer.h"

#define STRUCTURES N_("_Opening and Closing")

#define FILTER(variable, its_layer_name) \
  static const WfFilter variable = { .frame = N_("Parts to Keep"), .layer_name = its_layer_name };

FILTER (area_opening, N_("Area opening of %s"))
FILTER (area_closing, N_("Area closing of %s"))
FILTER (height_opening, N_("Height opening of %s"))
FILTER (height_closing, N_("Height closing of %s"))
FILTER (volume_opening, N_("Volume opening of %s"))
FILTER (volume_closing, N_("Volume closing of %s"))


static const char *
find_whole (WfJob *run)
{
  const WfOptionGroup *group = wf_operation_get_options (run->procedure->operation);

  return g_dgettext (GETTEXT_PACKAGE, group->title);
}

#define PROCEDURE(variable, name_of_operation, label, which, first, text) \
  const WfProcedure wf_##variable##_procedure = \
  { \
    .name          = "plug-in-wavefront-" name_of_operation, \
    .menu_label    = label, \
    .submenu       = STRUCTURES, \
    .menu_place    = 4, \
    .operation     = which, \
    .help          = text, \
    .notes         = wf_attribute_notes, \
    .data          = &variable, \
    .add_values    = wf_filter_add_values, \
    .proposer      = first, \
    .fill_dialog   = wf_filter_fill_dialog, \
    .preview       = &wf_filter_preview, \
    .find_whole    = find_whole, \
    .count_further = wf_filter_count_further, \
    .folder        = &wf_folder_of_layers, \
    .run           = wf_filter_run, \
  };

PROCEDURE (area_opening, "area-opening", N_("_Area Opening..."), WF_OPERATION_AREA_OPENING,
           &wf_area_proposer,
           N_("Makes a new layer without the light parts of fewer pixels than an area: they get "
              "the level at which they are part of a larger one. All others keep their exact "
              "shape, also long and thin ones."))

PROCEDURE (area_closing, "area-closing", N_("Area C_losing..."), WF_OPERATION_AREA_CLOSING,
           &wf_area_proposer,
           N_("Makes a new layer without the dark parts of fewer pixels than an area: they get "
              "the level at which they are part of a larger one. All others keep their exact "
              "shape, also long and thin ones."))

PROCEDURE (height_opening, "height-opening", N_("_Height Opening..."),
           WF_OPERATION_HEIGHT_OPENING, NULL,
           N_("Makes a new layer without the light peaks that are lower than a height, measured "
              "from the pass to a higher peak. All others stay as they are, unlike after "
              "h-maxima."))

PROCEDURE (height_closing, "height-closing", N_("Height Clos_ing..."),
           WF_OPERATION_HEIGHT_CLOSING, NULL,
           N_("Makes a new layer without the dark minima that are shallower than a height, "
              "measured to the pass to a deeper minimum. All others stay as they are, unlike "
              "after h-minima."))

PROCEDURE (volume_opening, "volume-opening", N_("_Volume Opening..."),
           WF_OPERATION_VOLUME_OPENING, &wf_volume_proposer,
           N_("Makes a new layer without the light parts of a smaller volume, which is the sum of "
              "what their pixels exceed the level around them by: parts that are small, faint, or "
              "both."))

PROCEDURE (volume_closing, "volume-closing", N_("Volume Closin_g..."),
           WF_OPERATION_VOLUME_CLOSING, &wf_volume_proposer,
           N_("Makes a new layer without the dark parts of a smaller volume, which is the sum of "
              "what the level around them exceeds their pixels by: parts that are small, faint, or "
              "both."))
