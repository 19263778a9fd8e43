/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A histogram with a line at the threshold, which can be dragged.
 *
 * The levels of objects, above the threshold or the others, are drawn in the theme's accent
 * colour on a tinted background, the rest in the text colour.  A click moves the line to the
 * pointer.  The arrow keys move it by one level or, for more than 8 bits, by a hundredth of the
 * range, Page Up and Page Down by a tenth, Home and End to the ends.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "ui/options/level-entry.h"
#include "columns.h"
#include "graph-draw.h"
#include "graph.h"

#define WIDTH   256
#define HEIGHT  96
#define FRAME   1

struct _WfThresholdGraph
{
  GtkDrawingArea  parent_instance;

  WfType          type;
  GtkAdjustment  *threshold;
  WfHistogram    *histogram;
  gboolean        logarithmic;
  gboolean        dark;         /* objects are not above the threshold */
  double         *heights;      /* of the columns */
  guint           n_columns;    /* 0: not filled yet */
  GtkGesture     *drag;
};

G_DEFINE_TYPE (WfThresholdGraph, wf_threshold_graph, GTK_TYPE_DRAWING_AREA)


static guint
inner_width (GtkWidget *widget)
{
  return (guint) MAX (gtk_widget_get_allocated_width (widget) - 2 * FRAME, 1);
}

static void
forget_columns (WfThresholdGraph *graph)
{
  graph->n_columns = 0;
  gtk_widget_queue_draw (GTK_WIDGET (graph));
}

static void
fill_columns (WfThresholdGraph *graph)
{
  guint n = inner_width (GTK_WIDGET (graph));

  if (graph->n_columns == n)
    return;
  graph->heights   = g_renew (double, graph->heights, n);
  graph->n_columns = n;
  wf_threshold_columns_fill (graph->histogram, graph->logarithmic, n, graph->heights);
}

static double
line_place (WfThresholdGraph *graph)
{
  return wf_threshold_columns_place (gtk_adjustment_get_value (graph->threshold), graph->type,
                                     inner_width (GTK_WIDGET (graph)));
}


/*  Drawing  */

/* A column with any pixels is at least one pixel high. */
static void
draw_columns (WfThresholdGraph *graph,
              cairo_t          *cr,
              guint             first,
              guint             after,
              double            height)
{
  for (guint i = first; i < after; i++)
    if (graph->heights[i] > 0)
      {
        double tall = MAX (1, round (graph->heights[i] * (height - 2)));

        cairo_rectangle (cr, i, height - tall, 1, tall);
      }
  cairo_fill (cr);
}

static void
draw_side (WfThresholdGraph *graph,
           cairo_t          *cr,
           gboolean          above,
           guint             edge,
           double            height)
{
  const guint first = above ? edge : 0;
  const guint after = above ? graph->n_columns : edge;
  GdkRGBA     text;
  GdkRGBA     accent;

  wf_graph_get_colors (GTK_WIDGET (graph), &text, &accent);
  if (above != graph->dark)
    {
      wf_graph_set_color (cr, &accent, 0.15);
      cairo_rectangle (cr, first, 0, after - first, height);
      cairo_fill (cr);
      wf_graph_set_color (cr, &accent, 1);
    }
  else
    wf_graph_set_color (cr, &text, 0.45);
  draw_columns (graph, cr, first, after, height);
}

static void
draw_inside (WfThresholdGraph *graph,
             cairo_t          *cr,
             double            height)
{
  double  place = line_place (graph);
  guint   edge  = (guint) CLAMP (round (place), 0, graph->n_columns);
  GdkRGBA text;
  GdkRGBA accent;

  draw_side (graph, cr, FALSE, edge, height);
  draw_side (graph, cr, TRUE, edge, height);
  wf_graph_get_colors (GTK_WIDGET (graph), &text, &accent);
  wf_graph_set_color (cr, &text, 1);
  wf_graph_draw_line (cr, CLAMP (edge, 0.5, graph->n_columns - 0.5), height);
}

static gboolean
wf_threshold_graph_draw (GtkWidget *widget,
                         cairo_t   *cr)
{
  WfThresholdGraph *graph  = WF_THRESHOLD_GRAPH (widget);
  GtkStyleContext  *style  = gtk_widget_get_style_context (widget);
  int               width  = gtk_widget_get_allocated_width (widget);
  int               height = gtk_widget_get_allocated_height (widget);

  fill_columns (graph);
  gtk_render_background (style, cr, 0, 0, width, height);
  cairo_save (cr);
  cairo_rectangle (cr, FRAME, FRAME, width - 2 * FRAME, height - 2 * FRAME);
  cairo_clip (cr);
  cairo_translate (cr, FRAME, FRAME);
  draw_inside (graph, cr, height - 2 * FRAME);
  cairo_restore (cr);
  gtk_render_frame (style, cr, 0, 0, width, height);
  if (gtk_widget_has_visible_focus (widget))
    gtk_render_focus (style, cr, 0, 0, width, height);
  return FALSE;
}


/*  Input  */

static void
set_fraction (WfThresholdGraph *graph,
              double            fraction)
{
  gtk_adjustment_set_value (graph->threshold,
                            wf_threshold_round (CLAMP (fraction, 0, 1), graph->type));
}

/* Integer types go in whole levels. */
static void
move (WfThresholdGraph *graph,
      double            distance)
{
  double fraction = gtk_adjustment_get_value (graph->threshold);
  double white    = wf_level_maximum (graph->type);

  if (graph->type == WF_TYPE_F32)
    set_fraction (graph, fraction + distance);
  else
    set_fraction (graph, (wf_level_from_fraction (fraction, graph->type)
                          + round (distance * white)) / white);
}

static void
go_to (WfThresholdGraph *graph,
       double            x)
{
  guint n = inner_width (GTK_WIDGET (graph));

  set_fraction (graph, wf_threshold_columns_fraction (x - FRAME, graph->type, n));
}

static void
drag_begun (GtkGestureDrag   *drag,
            double            x,
            double            y,
            WfThresholdGraph *graph)
{
  gtk_widget_grab_focus (GTK_WIDGET (graph));
  go_to (graph, x);
}

static void
drag_moved (GtkGestureDrag   *drag,
            double            dx,
            double            dy,
            WfThresholdGraph *graph)
{
  double x;
  double y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    go_to (graph, x + dx);
}

static gboolean
wf_threshold_graph_key_press (GtkWidget   *widget,
                              GdkEventKey *event)
{
  WfThresholdGraph *graph = WF_THRESHOLD_GRAPH (widget);
  double            step  = gtk_adjustment_get_step_increment (graph->threshold);
  double            page  = gtk_adjustment_get_page_increment (graph->threshold);

  if (event->state & gtk_accelerator_get_default_mod_mask ())
    return GTK_WIDGET_CLASS (wf_threshold_graph_parent_class)->key_press_event (widget, event);
  switch (event->keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      move (graph, -step);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      move (graph, step);
      return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      move (graph, -page);
      return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      move (graph, page);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      set_fraction (graph, 0);
      return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      set_fraction (graph, 1);
      return TRUE;
    default:
      return GTK_WIDGET_CLASS (wf_threshold_graph_parent_class)->key_press_event (widget, event);
    }
}


/*  The widget  */

static void
wf_threshold_graph_realize (GtkWidget *widget)
{
  g_autoptr (GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget),
                                                           "ew-resize");

  GTK_WIDGET_CLASS (wf_threshold_graph_parent_class)->realize (widget);
  gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
}

static void
wf_threshold_graph_get_preferred_width (GtkWidget *widget,
                                        int       *minimum,
                                        int       *natural)
{
  *minimum = WIDTH / 2;
  *natural = WIDTH + 2 * FRAME;
}

static void
wf_threshold_graph_get_preferred_height (GtkWidget *widget,
                                         int       *minimum,
                                         int       *natural)
{
  *minimum = HEIGHT / 2;
  *natural = HEIGHT;
}

static void
wf_threshold_graph_dispose (GObject *object)
{
  WfThresholdGraph *graph = WF_THRESHOLD_GRAPH (object);

  if (graph->threshold)
    g_signal_handlers_disconnect_by_data (graph->threshold, graph);
  g_clear_object (&graph->threshold);
  g_clear_object (&graph->drag);
  G_OBJECT_CLASS (wf_threshold_graph_parent_class)->dispose (object);
}

static void
wf_threshold_graph_finalize (GObject *object)
{
  WfThresholdGraph *graph = WF_THRESHOLD_GRAPH (object);

  wf_histogram_free (graph->histogram);
  g_free (graph->heights);
  G_OBJECT_CLASS (wf_threshold_graph_parent_class)->finalize (object);
}

static void
wf_threshold_graph_class_init (WfThresholdGraphClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose              = wf_threshold_graph_dispose;
  object_class->finalize             = wf_threshold_graph_finalize;
  widget_class->draw                 = wf_threshold_graph_draw;
  widget_class->realize              = wf_threshold_graph_realize;
  widget_class->key_press_event      = wf_threshold_graph_key_press;
  widget_class->get_preferred_width  = wf_threshold_graph_get_preferred_width;
  widget_class->get_preferred_height = wf_threshold_graph_get_preferred_height;
}

static void
wf_threshold_graph_init (WfThresholdGraph *graph)
{
  GtkWidget *widget = GTK_WIDGET (graph);
  AtkObject *atk    = gtk_widget_get_accessible (widget);

  graph->logarithmic = TRUE;
  graph->drag        = gtk_gesture_drag_new (widget);
  g_signal_connect (graph->drag, "drag-begin", G_CALLBACK (drag_begun), graph);
  g_signal_connect (graph->drag, "drag-update", G_CALLBACK (drag_moved), graph);

  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_add_events (widget, GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), GTK_STYLE_CLASS_VIEW);
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), GTK_STYLE_CLASS_FRAME);
  gtk_widget_set_tooltip_text (widget, _("Number of pixels at each gray level: drag the line, or "
                                         "move it with the arrow keys"));
  atk_object_set_name (atk, _("Histogram with the threshold"));
  atk_object_set_role (atk, ATK_ROLE_SLIDER);
}

/**
 * wf_threshold_graph_new:
 * @threshold: shown and set by the line: a fraction of the range from black to white
 * @type: of the image
 *
 * Returns: an empty histogram with a line
 */
GtkWidget *
wf_threshold_graph_new (GtkAdjustment *threshold,
                        WfType         type)
{
  WfThresholdGraph *graph = g_object_new (WF_TYPE_THRESHOLD_GRAPH, NULL);

  graph->threshold = g_object_ref_sink (threshold);
  graph->type      = type;
  g_signal_connect_swapped (threshold, "value-changed",
                            G_CALLBACK (gtk_widget_queue_draw), graph);
  return GTK_WIDGET (graph);
}

/**
 * wf_threshold_graph_set_histogram:
 * @graph: a graph
 * @histogram: (nullable): to show; copied
 */
void
wf_threshold_graph_set_histogram (WfThresholdGraph  *graph,
                                  const WfHistogram *histogram)
{
  g_return_if_fail (WF_IS_THRESHOLD_GRAPH (graph));

  wf_histogram_free (graph->histogram);
  graph->histogram = histogram ? wf_histogram_copy (histogram) : NULL;
  forget_columns (graph);
}

/**
 * wf_threshold_graph_set_dark:
 * @graph: a graph
 * @dark: whether objects are the pixels that are not above the threshold
 */
void
wf_threshold_graph_set_dark (WfThresholdGraph *graph,
                             gboolean          dark)
{
  g_return_if_fail (WF_IS_THRESHOLD_GRAPH (graph));

  graph->dark = dark != FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (graph));
}

/**
 * wf_threshold_graph_set_logarithmic:
 * @graph: a graph
 * @logarithmic: whether heights are of the logarithms of the counts
 */
void
wf_threshold_graph_set_logarithmic (WfThresholdGraph *graph,
                                    gboolean          logarithmic)
{
  g_return_if_fail (WF_IS_THRESHOLD_GRAPH (graph));

  graph->logarithmic = logarithmic;
  forget_columns (graph);
}
