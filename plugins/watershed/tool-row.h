/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget * wf_tool_row_new          (void);
GtkWidget * wf_tool_row_add_box      (GtkWidget  *row);
GtkWidget * wf_tool_row_add_tool     (GtkWidget  *box,
                                      GtkWidget  *group,
                                      const char *label,
                                      const char *blurb);
GtkWidget * wf_tool_row_add_action   (GtkWidget  *box,
                                      const char *icon,
                                      const char *name,
                                      GCallback   func,
                                      gpointer    data);
GtkWidget * wf_tool_row_add_count    (GtkWidget  *row,
                                      const char *name);

G_END_DECLS
