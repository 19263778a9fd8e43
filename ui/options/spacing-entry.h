/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_SPACING_ENTRY (wf_spacing_entry_get_type ())
G_DECLARE_FINAL_TYPE (WfSpacingEntry, wf_spacing_entry, WF, SPACING_ENTRY, GtkBox)

GtkWidget  * wf_spacing_entry_new         (void);
const char * wf_spacing_entry_get_spacing (WfSpacingEntry *entry);
void         wf_spacing_entry_set_spacing (WfSpacingEntry *entry,
                                           const char     *spacing);

G_END_DECLS
