/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets in a window of their own. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *       widgets_show  (GtkWidget *widget);
GPtrArray *       widgets_list  (GtkWidget *parent);
GtkWidget *       widgets_find  (GtkWidget *parent,
                                 GType      type,
                                 guint      n);
cairo_surface_t * widgets_draw  (GtkWidget *widget);
void              widgets_count (int       *calls);

G_END_DECLS
