/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void wf_condition_enable (GObject    *config,
                          const char *property,
                          const char *values,
                          GtkWidget  *widget);
void wf_condition_show   (GObject    *config,
                          const char *property,
                          const char *values,
                          GtkWidget  *widget);
void wf_condition_set    (GObject    *config,
                          const char *property,
                          const char *values,
                          GtkWidget  *widget,
                          const char *effect);

G_END_DECLS
