/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_LEVEL_ENTRY (wf_level_entry_get_type ())
G_DECLARE_FINAL_TYPE (WfLevelEntry, wf_level_entry, WF, LEVEL_ENTRY, GtkBox)

GtkWidget * wf_level_entry_new     (WfType type);

gboolean    wf_level_is_fraction   (const WfOption *option);
double      wf_level_maximum       (WfType type);
double      wf_level_from_fraction (double fraction,
                                    WfType type);
char *      wf_level_describe      (double fraction,
                                    WfType type);

G_END_DECLS
