/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Strokes that are drawn on a preview, places that are picked in it, and a result that is shown
 * instead of the computed one.  Strokes that are markers look as pen.c shows them.
 *
 * While strokes are drawn the primary button draws, and does not move the image; the middle one
 * moves it as always.  Places are picked by the primary button, too, so a preview does one of
 * both: either ends the other, and WfPreview::tool-changed tells it.  The stroke is shown while it
 * is drawn; when it is finished its points go to the handlers of WfPreview::drawn, in pixels of the
 * image.  A click is a stroke of one point.
 */

#include "config.h"

#include <string.h>

#include "picking.h"
#include "private.h"

#define STROKE_WIDTH 2.0
#define DOT_RADIUS   3.0

static const GdkRGBA white = { 1, 1, 1, 1 };

/* Points that are nearer to the last one, in pixels of the widget, are left out. */
#define LEAST_STEP   2.0

typedef struct
{
  double x;
  double y;
} Point;


static void
use_tool (WfPreview *preview,
          gboolean   drawing,
          gboolean   picking)
{
  if (preview->drawing == drawing && preview->picking == picking)
    return;
  preview->drawing = drawing;
  preview->picking = picking;
  wf_preview_end_stroke (preview, FALSE);
  g_signal_emit_by_name (preview, "tool-changed", drawing, picking);
}

/**
 * wf_preview_set_drawing:
 * @preview: a preview
 * @drawing: whether the primary button draws strokes; then it picks no place
 */
void
wf_preview_set_drawing (WfPreview *preview,
                        gboolean   drawing)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  drawing = drawing != FALSE;
  use_tool (preview, drawing, ! drawing && preview->picking);
}

/**
 * wf_preview_set_picking:
 * @preview: a preview
 * @picking: whether a click of the primary button picks a place, and does nothing else; then it
 *   draws no strokes
 *
 * While places are picked the image can be moved.
 */
void
wf_preview_set_picking (WfPreview *preview,
                        gboolean   picking)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  picking = picking != FALSE;
  use_tool (preview, ! picking && preview->drawing, picking);
}

/**
 * wf_preview_begin_stroke:
 * @preview: a preview that is drawn on
 */
void
wf_preview_begin_stroke (WfPreview *preview)
{
  g_clear_pointer (&preview->stroke, g_array_unref);
  preview->stroke = g_array_new (FALSE, FALSE, sizeof (Point));
  wf_preview_extend_stroke (preview);
}

/**
 * wf_preview_extend_stroke:
 * @preview: a preview
 *
 * Goes on to the pointer.
 */
void
wf_preview_extend_stroke (WfPreview *preview)
{
  const int    scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  const double least = LEAST_STEP * scale / preview->viewport.zoom;
  Point        point;
  const Point *last;

  if (! preview->stroke)
    return;
  wf_viewport_to_image (&preview->viewport, preview->pointer_x * scale,
                        preview->pointer_y * scale, &point.x, &point.y);
  last = preview->stroke->len > 0
         ? &g_array_index (preview->stroke, Point, preview->stroke->len - 1) : NULL;
  if (! last || ABS (last->x - point.x) >= least || ABS (last->y - point.y) >= least)
    g_array_append_val (preview->stroke, point);
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

/**
 * wf_preview_end_stroke:
 * @preview: a preview
 * @use: whether its handlers get it
 *
 * Ends a stroke, if there is one.
 */
void
wf_preview_end_stroke (WfPreview *preview,
                       gboolean   use)
{
  g_autoptr (GArray) stroke = g_steal_pointer (&preview->stroke);

  if (! stroke)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  if (use)
    g_signal_emit_by_name (preview, "drawn", stroke->data, stroke->len);
}

/**
 * wf_preview_draw_stroke:
 * @preview: a preview
 * @cr: to draw with, in pixels of the widget
 *
 * Draws the stroke, light or in the color of the pen, with a dark edge.
 */
void
wf_preview_draw_stroke (WfPreview *preview,
                        cairo_t   *cr)
{
  const int    scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  const double zoom  = preview->viewport.zoom / scale;
  const double width = preview->pen_color ? MAX (preview->pen_width * zoom, STROKE_WIDTH)
                                          : STROKE_WIDTH;
  gint64       left, top;

  if (! preview->stroke)
    return;
  wf_viewport_get_origin (&preview->viewport, &left, &top);
  for (guint i = 0; i < preview->stroke->len; i++)
    {
      const Point *point = &g_array_index (preview->stroke, Point, i);
      const double x     = point->x * zoom + (double) left / scale;
      const double y     = point->y * zoom + (double) top / scale;

      if (preview->stroke->len > 1)
        cairo_line_to (cr, x, y);
      else if (preview->pen_color)
        {
          cairo_move_to (cr, x, y);
          cairo_line_to (cr, x, y);
        }
      else
        cairo_arc (cr, x, y, DOT_RADIUS, 0, 2 * G_PI);
    }
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_set_line_width (cr, width + 2);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, preview->pen_color ? preview->pen_color : &white);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}


/*  Another result  */

/**
 * wf_preview_set_shown:
 * @preview: a preview
 * @result: (nullable): complete labels of the region of the computed result, made of it; %NULL to
 *   show that one
 *
 * Shows another result until one is computed.  Maps and selected basins are of the one that is
 * shown; wf_preview_get_result() returns the computed one.
 */
void
wf_preview_set_shown (WfPreview       *preview,
                      WfPreviewResult *result)
{
  WfPreviewResult *computed;

  g_return_if_fail (WF_IS_PREVIEW (preview));

  computed = wf_preview_get_result (preview);
  if (! computed || preview->result == (result ? result : computed))
    return;
  g_return_if_fail (! result || memcmp (&result->region, &computed->region,
                                        sizeof result->region) == 0);

  computed = wf_preview_result_ref (computed);
  g_clear_pointer (&preview->result, wf_preview_result_unref);
  g_clear_pointer (&preview->computed, wf_preview_result_unref);
  g_clear_pointer (&preview->map, g_free);
  preview->selected = 0;
  preview->result   = result ? wf_preview_result_ref (result) : computed;
  preview->computed = result ? computed : NULL;
  wf_preview_result_changed (preview);
  wf_preview_update_hovered (preview, TRUE);
}

/**
 * wf_preview_get_shown:
 * @preview: a preview
 *
 * Returns: (transfer none) (nullable): the result that is shown
 */
WfPreviewResult *
wf_preview_get_shown (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), NULL);

  return preview->result;
}
