/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_UNIT_BOX (wf_unit_box_get_type ())
G_DECLARE_FINAL_TYPE (WfUnitBox, wf_unit_box, WF, UNIT_BOX, GtkBox)

GtkWidget * wf_unit_box_new      (GtkWidget  *number,
                                  const char *unit);
void        wf_unit_box_set_unit (WfUnitBox  *box,
                                  const char *unit);

G_END_DECLS
