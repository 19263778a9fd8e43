/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_NUMBER_ENTRY (wf_number_entry_get_type ())
G_DECLARE_FINAL_TYPE (WfNumberEntry, wf_number_entry, WF, NUMBER_ENTRY, GtkEntry)

GtkWidget * wf_number_entry_new       (void);
void        wf_number_entry_set_value (WfNumberEntry *entry,
                                       double         value);
double      wf_number_entry_get_value (WfNumberEntry *entry);

char *      wf_number_format          (double         value);
gboolean    wf_number_parse           (const char    *text,
                                       double        *value);

G_END_DECLS
