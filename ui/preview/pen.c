/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The strokes of markers on a preview, and the pen that draws them.
 *
 * They are shown as lines with round ends, as wide as their pixels are, in the order of the list,
 * so that an eraser takes away what is below it.  Which pixels they have is for the engine: a line
 * that is thinner than two pixels of the screen is shown wider.  Objects are blue and the
 * background is orange, which differ for everyone, with a dark edge to be seen on all levels.
 *
 * The picture is kept until the view or the list changes.
 */

#include "config.h"

#include "private.h"

#define OPACITY   0.8
#define LEAST     2.0
#define EDGE      1.0

/* Cairo's coordinates end at 2²³; places in an image that is shown are nearer. */
#define FURTHEST  4e6

static const GdkRGBA colors[] =
{
  [WF_STROKE_OBJECT]     = { 0.10, 0.55, 1.00, 1 },
  [WF_STROKE_BACKGROUND] = { 1.00, 0.55, 0.05, 1 },
  [WF_STROKE_ERASE]      = { 1.00, 1.00, 1.00, 1 },
};

/**
 * WfPreviewMarks:
 * @strokes: in pixels of the image
 * @surface: (nullable): their picture in the view
 * @left: of the image in the view
 * @top: likewise
 * @zoom: of the view
 */
struct _WfPreviewMarks
{
  WfStrokes       *strokes;
  cairo_surface_t *surface;
  gint64           left;
  gint64           top;
  double           zoom;
};


/**
 * wf_preview_set_pen:
 * @preview: a preview
 * @drawing: whether the strokes that are drawn are markers
 * @kind: what they draw
 * @width: in pixels of the image
 *
 * Sets how a stroke looks while it is drawn; wf_preview_set_drawing() starts and stops drawing.
 */
void
wf_preview_set_pen (WfPreview    *preview,
                    gboolean      drawing,
                    WfStrokeKind  kind,
                    int           width)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  preview->pen_color = drawing ? &colors[kind] : NULL;
  preview->pen_width = width;
}

/**
 * wf_preview_marks_free:
 * @marks: (transfer full): strokes and their picture
 */
void
wf_preview_marks_free (WfPreviewMarks *marks)
{
  g_clear_pointer (&marks->surface, cairo_surface_destroy);
  wf_strokes_free (marks->strokes);
  g_free (marks);
}

/**
 * wf_preview_set_marks:
 * @preview: a preview
 * @strokes: (nullable): of markers, in pixels of the image; %NULL for none
 *
 * Shows strokes on the image.
 */
void
wf_preview_set_marks (WfPreview       *preview,
                      const WfStrokes *strokes)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  g_clear_pointer (&preview->marks, wf_preview_marks_free);
  if (strokes && wf_strokes_get_n (strokes) > 0)
    {
      preview->marks          = g_new0 (WfPreviewMarks, 1);
      preview->marks->strokes = wf_strokes_copy (strokes);
    }
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}


/*  The picture  */

/* From pixels of the image, whose middles the lines go through, to those of the view. */
static double
place (gint64 pixel,
       double zoom,
       gint64 origin)
{
  return CLAMP (((double) pixel + 0.5) * zoom + (double) origin, -FURTHEST, FURTHEST);
}

static void
draw_mark (const WfPreviewMarks *marks,
           guint                 i,
           cairo_t              *cr)
{
  const WfPixelPlace *points;
  guint               n;
  int                 width;
  const WfStrokeKind  kind  = wf_strokes_get (marks->strokes, i, &width, &points, &n);
  const double        shown = MAX (width * marks->zoom, LEAST);

  for (guint k = 0; k < MAX (n, 2); k++)   /* a point is a line to itself */
    cairo_line_to (cr, place (points[MIN (k, n - 1)].x, marks->zoom, marks->left),
                   place (points[MIN (k, n - 1)].y, marks->zoom, marks->top));
  if (kind == WF_STROKE_ERASE)
    {
      cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
      cairo_set_line_width (cr, shown);
      cairo_stroke (cr);
      return;
    }
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_set_line_width (cr, shown + 2 * EDGE);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &colors[kind]);
  cairo_set_line_width (cr, shown);
  cairo_stroke (cr);
}

static void
draw_surface (WfPreviewMarks   *marks,
              const WfViewport *viewport)
{
  cairo_t *cr;

  marks->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, viewport->view_width,
                                               viewport->view_height);
  cr = cairo_create (marks->surface);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < wf_strokes_get_n (marks->strokes); i++)
    draw_mark (marks, i, cr);
  cairo_destroy (cr);
}

static gboolean
is_valid (const WfPreviewMarks *marks,
          const WfViewport     *viewport,
          gint64                left,
          gint64                top)
{
  return marks->surface && marks->left == left && marks->top == top &&
         marks->zoom == viewport->zoom &&
         cairo_image_surface_get_width (marks->surface) == viewport->view_width &&
         cairo_image_surface_get_height (marks->surface) == viewport->view_height;
}

/**
 * wf_preview_draw_marks:
 * @preview: a preview
 * @cr: to draw with, in pixels of the widget
 *
 * Draws the strokes of wf_preview_set_marks().
 */
void
wf_preview_draw_marks (WfPreview *preview,
                       cairo_t   *cr)
{
  const WfViewport *viewport = &preview->viewport;
  const double      scale    = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  WfPreviewMarks   *marks    = preview->marks;
  gint64            left, top;

  if (! marks || viewport->view_width < 1 || viewport->view_height < 1)
    return;
  wf_viewport_get_origin (viewport, &left, &top);
  if (! is_valid (marks, viewport, left, top))
    {
      g_clear_pointer (&marks->surface, cairo_surface_destroy);
      marks->left = left;
      marks->top  = top;
      marks->zoom = viewport->zoom;
      draw_surface (marks, viewport);
    }
  cairo_save (cr);
  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_set_source_surface (cr, marks->surface, 0, 0);
  cairo_paint_with_alpha (cr, OPACITY);
  cairo_restore (cr);
}
