/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Options that the procedures of distances share: rows of their tables. */

#pragma once

#include <glib/gi18n-lib.h>

#include "measuring.h"
#include "plugins/common/procedure/argument-note.h"

/* No distance is longer than this, in any unit. */
#define WF_DISTANCES_LONGEST 1e9

#define WF_DISTANCES_AUTOMATIC_OPTION \
  { "automatic-threshold", WF_OPTION_BOOLEAN, \
    G_STRUCT_OFFSET (WfDistanceMapOptions, automatic_threshold), \
    N_("_Automatic threshold"), \
    N_("Find the threshold that divides the levels best (Otsu)"), \
    NULL, 0, 1, FALSE, NULL }

#define WF_DISTANCES_LENGTH_OPTIONS \
  { "maximum", WF_OPTION_REAL, G_STRUCT_OFFSET (WfDistanceMapOptions, maximum), \
    N_("Ma_ximum"), \
    N_("The distance that, like all larger distances, becomes white, in the unit of the " \
       "distances"), \
    NULL, 0, WF_DISTANCES_LONGEST, 100, NULL, .meaning = WF_OPTION_LENGTH }, \
  { "step", WF_OPTION_REAL, G_STRUCT_OFFSET (WfDistanceMapOptions, step), \
    N_("Ste_p"), \
    N_("The distance between two contour lines, in the unit of the distances"), \
    NULL, 0, WF_DISTANCES_LONGEST, 10, NULL, .meaning = WF_OPTION_LENGTH },

extern const WfOptionGroup  wf_distance_map_options_group;
extern const WfArgumentNote wf_distance_map_notes[];
