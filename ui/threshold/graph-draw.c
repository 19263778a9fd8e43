/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What histograms with lines that can be dragged look like. */

#include "config.h"

#include "graph-draw.h"

#define GRIP 6.0


/**
 * wf_graph_get_colors:
 * @widget: a graph
 * @text: (out): the theme's color of text
 * @accent: (out): that of what is chosen; the color of text if @widget is insensitive
 */
void
wf_graph_get_colors (GtkWidget *widget,
                     GdkRGBA   *text,
                     GdkRGBA   *accent)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);

  gtk_style_context_get_color (style, gtk_style_context_get_state (style), text);
  if (! gtk_style_context_lookup_color (style, "theme_selected_bg_color", accent))
    *accent = *text;
  if (! gtk_widget_is_sensitive (widget))
    *accent = *text;
}

/**
 * wf_graph_set_color:
 * @cr: to draw with
 * @color: a color
 * @alpha: its share
 */
void
wf_graph_set_color (cairo_t       *cr,
                    const GdkRGBA *color,
                    double         alpha)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * alpha);
}

/**
 * wf_graph_draw_line:
 * @cr: to draw with
 * @x: where
 * @height: of the graph
 *
 * Draws a line with a triangular grip at both ends.
 */
void
wf_graph_draw_line (cairo_t *cr,
                    double   x,
                    double   height)
{
  cairo_rectangle (cr, x - 0.5, 0, 1, height);
  cairo_fill (cr);
  for (int end = 0; end < 2; end++)
    {
      double y     = end ? height : 0;
      double point = end ? height - GRIP : GRIP;

      cairo_move_to (cr, x - GRIP, y);
      cairo_line_to (cr, x + GRIP, y);
      cairo_line_to (cr, x, point);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
}
