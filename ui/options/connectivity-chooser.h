/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_CONNECTIVITY_CHOOSER (wf_connectivity_chooser_get_type ())
G_DECLARE_FINAL_TYPE (WfConnectivityChooser, wf_connectivity_chooser,
                      WF, CONNECTIVITY_CHOOSER, GtkBox)

GtkWidget  * wf_connectivity_chooser_new              (void);
const char * wf_connectivity_chooser_get_connectivity (WfConnectivityChooser *chooser);
void         wf_connectivity_chooser_set_connectivity (WfConnectivityChooser *chooser,
                                                       const char            *connectivity);
void         wf_connectivity_chooser_set_automatic    (WfConnectivityChooser *chooser,
                                                       const char            *meaning);
void         wf_connectivity_chooser_set_stack        (WfConnectivityChooser *chooser,
                                                       gboolean               stack);

G_END_DECLS
