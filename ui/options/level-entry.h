/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "level-fraction.h"

G_BEGIN_DECLS

#define WF_TYPE_LEVEL_ENTRY (wf_level_entry_get_type ())
G_DECLARE_FINAL_TYPE (WfLevelEntry, wf_level_entry, WF, LEVEL_ENTRY, GtkBox)

GtkWidget * wf_level_entry_new        (WfType        type);
void        wf_level_entry_set_linear (WfLevelEntry *entry,
                                       gboolean      linear);
void        wf_level_entry_set_lowest (WfLevelEntry *entry,
                                       double        lowest);

const char * wf_level_get_compound_unit
                                    (WfOptionMeaning  meaning,
                                     gboolean         linear);
char *       wf_level_describe      (double          fraction,
                                     WfType          type);
const char * wf_level_get_unit      (gboolean        linear);
char *       wf_level_describe_unit (double          fraction,
                                     WfType          type,
                                     gboolean        linear);

G_END_DECLS
