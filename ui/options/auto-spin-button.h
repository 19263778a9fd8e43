/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_AUTO_SPIN_BUTTON (wf_auto_spin_button_get_type ())
G_DECLARE_FINAL_TYPE (WfAutoSpinButton, wf_auto_spin_button,
                      WF, AUTO_SPIN_BUTTON, GtkSpinButton)

GtkWidget * wf_auto_spin_button_new (int maximum,
                                     int step);

G_END_DECLS
