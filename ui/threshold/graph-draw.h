/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void wf_graph_get_colors (GtkWidget     *widget,
                          GdkRGBA       *text,
                          GdkRGBA       *accent);
void wf_graph_set_color  (cairo_t       *cr,
                          const GdkRGBA *color,
                          double         alpha);
void wf_graph_draw_line  (cairo_t       *cr,
                          double         x,
                          double         height);

G_END_DECLS
