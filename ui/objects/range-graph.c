/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A histogram of the values of objects, with a line at the lower limit and one at the upper.
 * Without lines its columns are as high as their numbers, for a distribution to be read; with lines
 * they are as high as the logarithms, for every object to be seen that a line leaves out.
 *
 * What is between them is drawn in the theme's accent color on a tinted background, the rest in
 * the color of text.  Lines are dragged; a click moves the nearer one.  The arrow keys move the
 * lower line by a pixel, with Shift the upper one, Page Up and Page Down by a tenth of the width;
 * Home moves the lower line to the left end, End the upper one to the right end.  A line at its end
 * is no limit.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "range-axis.h"
#include "range-graph.h"
#include "ui/threshold/graph-draw.h"

#define WIDTH  200
#define HEIGHT 44
#define FRAME  1
#define COLUMN 4   /* the least width of a column */
#define LEAST  8   /* columns, however few objects there are */

enum
{
  RANGE_CHANGED,
  N_SIGNALS
};

/**
 * WfRangeGraph:
 * @least: a lower limit that is none
 * @most: an upper limit that is none
 * @lower: the lower limit
 * @upper: the upper limit
 * @values: of the objects
 * @heights: of the columns
 * @n_columns: how many are filled; 0: none yet
 * @drags_upper: which line is dragged
 * @fixed: whether there are no lines
 */
struct _WfRangeGraph
{
  GtkDrawingArea  parent_instance;

  double          least;
  double          most;
  double          lower;
  double          upper;
  WfRangeAxis     axis;
  double         *values;
  gsize           n_values;
  double         *heights;
  guint           n_columns;
  GtkGesture     *drag;
  gboolean        drags_upper;
  gboolean        fixed;
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE (WfRangeGraph, wf_range_graph, GTK_TYPE_DRAWING_AREA)


static guint
inner_width (WfRangeGraph *graph)
{
  return (guint) MAX (gtk_widget_get_allocated_width (GTK_WIDGET (graph)) - 2 * FRAME, 1);
}

/* Few objects have few columns, so that columns hold several of them and show a distribution: twice
 * the square root of their number.
 */
static void
fill_columns (WfRangeGraph *graph)
{
  const guint most = MAX (inner_width (graph) / COLUMN, 1);
  const guint n    = MIN (MAX ((guint) ceil (2 * sqrt ((double) graph->n_values)), LEAST), most);

  if (graph->n_columns == n)
    return;
  graph->heights   = g_renew (double, graph->heights, n);
  graph->n_columns = n;
  wf_range_axis_fill (&graph->axis, graph->values, graph->n_values, n, graph->fixed,
                      graph->heights);
}

/* The place of a line, from 0 to 1; one that is no limit is at its end. */
static double
place_of (WfRangeGraph *graph,
          gboolean      upper)
{
  if (upper)
    return graph->upper >= graph->most
           ? 1 : CLAMP (wf_range_axis_place (&graph->axis, graph->upper), 0, 1);
  return graph->lower <= graph->least
         ? 0 : CLAMP (wf_range_axis_place (&graph->axis, graph->lower), 0, 1);
}


/*  Drawing  */

/* What is between two places of the columns. */
static void
draw_columns (WfRangeGraph *graph,
              cairo_t      *cr,
              double        from,
              double        to,
              double        height)
{
  const double width = (double) inner_width (graph) / graph->n_columns;

  if (to <= from)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, from, 0, to - from, height);
  cairo_clip (cr);
  for (guint i = 0; i < graph->n_columns; i++)
    if (graph->heights[i] > 0)
      {
        const double left = round (i * width);
        const double tall = MAX (1, round (graph->heights[i] * (height - 2)));

        cairo_rectangle (cr, left, height - tall, round ((i + 1) * width) - left - 1, tall);
      }
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_inside (WfRangeGraph *graph,
             cairo_t      *cr,
             double        height)
{
  const guint n     = inner_width (graph);
  const guint lower = (guint) round (place_of (graph, FALSE) * n);
  const guint upper = (guint) round (place_of (graph, TRUE) * n);
  GdkRGBA     text;
  GdkRGBA     accent;

  wf_graph_get_colors (GTK_WIDGET (graph), &text, &accent);
  wf_graph_set_color (cr, &accent, 0.15);
  cairo_rectangle (cr, lower, 0, MAX (upper, lower) - lower, height);
  cairo_fill (cr);
  wf_graph_set_color (cr, &text, 0.45);
  draw_columns (graph, cr, 0, lower, height);
  draw_columns (graph, cr, MAX (upper, lower), n, height);
  wf_graph_set_color (cr, &accent, 1);
  draw_columns (graph, cr, lower, MAX (upper, lower), height);
  if (graph->fixed)
    return;
  wf_graph_set_color (cr, &text, 1);
  wf_graph_draw_line (cr, CLAMP (lower, 0.5, n - 0.5), height);
  wf_graph_draw_line (cr, CLAMP (upper, 0.5, n - 0.5), height);
}

static gboolean
wf_range_graph_draw (GtkWidget *widget,
                     cairo_t   *cr)
{
  WfRangeGraph    *graph  = WF_RANGE_GRAPH (widget);
  GtkStyleContext *style  = gtk_widget_get_style_context (widget);
  const int        width  = gtk_widget_get_allocated_width (widget);
  const int        height = gtk_widget_get_allocated_height (widget);

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
move_to (WfRangeGraph *graph,
         gboolean      upper,
         double        place)
{
  const double value = wf_range_axis_value (&graph->axis, CLAMP (place, 0, 1),
                                            inner_width (graph));
  double       lower = graph->lower;
  double       most  = graph->upper;

  if (upper)
    most = place >= 1 ? graph->most : CLAMP (value, lower, graph->most);
  else
    lower = place <= 0 ? graph->least : CLAMP (value, graph->least, most);
  if (lower == graph->lower && most == graph->upper)
    return;
  wf_range_graph_set_range (graph, lower, most);
  g_signal_emit (graph, signals[RANGE_CHANGED], 0);
}

static double
place_at (WfRangeGraph *graph,
          double        x)
{
  return (x - FRAME) / inner_width (graph);
}

static void
drag_begun (GtkGestureDrag *drag,
            double          x,
            double          y,
            WfRangeGraph   *graph)
{
  const double place = place_at (graph, x);
  const double lower = place_of (graph, FALSE);
  const double upper = place_of (graph, TRUE);

  gtk_widget_grab_focus (GTK_WIDGET (graph));
  graph->drags_upper = lower == upper ? place > lower || upper == 0
                                      : fabs (place - upper) < fabs (place - lower);
  move_to (graph, graph->drags_upper, place);
}

static void
drag_moved (GtkGestureDrag *drag,
            double          dx,
            double          dy,
            WfRangeGraph   *graph)
{
  double x;
  double y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    move_to (graph, graph->drags_upper, place_at (graph, x + dx));
}

static void
step (WfRangeGraph *graph,
      gboolean      upper,
      double        distance)
{
  move_to (graph, upper, place_of (graph, upper) + distance);
}

static gboolean
wf_range_graph_key_press (GtkWidget   *widget,
                          GdkEventKey *event)
{
  WfRangeGraph   *graph     = WF_RANGE_GRAPH (widget);
  const guint     modifiers = event->state & gtk_accelerator_get_default_mod_mask ();
  const gboolean  upper     = modifiers == GDK_SHIFT_MASK;
  const double    pixel     = 1.0 / inner_width (graph);

  if (modifiers != 0 && ! upper)
    return GTK_WIDGET_CLASS (wf_range_graph_parent_class)->key_press_event (widget, event);
  switch (event->keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      step (graph, upper, -pixel);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      step (graph, upper, pixel);
      return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      step (graph, upper, -0.1);
      return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      step (graph, upper, 0.1);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      move_to (graph, FALSE, 0);
      return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      move_to (graph, TRUE, 1);
      return TRUE;
    default:
      return GTK_WIDGET_CLASS (wf_range_graph_parent_class)->key_press_event (widget, event);
    }
}


/*  The widget  */

static void
wf_range_graph_realize (GtkWidget *widget)
{
  g_autoptr (GdkCursor) cursor = gdk_cursor_new_from_name (gtk_widget_get_display (widget),
                                                           "ew-resize");

  GTK_WIDGET_CLASS (wf_range_graph_parent_class)->realize (widget);
  if (! WF_RANGE_GRAPH (widget)->fixed)
    gdk_window_set_cursor (gtk_widget_get_window (widget), cursor);
}

static void
wf_range_graph_get_preferred_width (GtkWidget *widget,
                                    int       *minimum,
                                    int       *natural)
{
  *minimum = WIDTH / 2;
  *natural = WIDTH + 2 * FRAME;
}

static void
wf_range_graph_get_preferred_height (GtkWidget *widget,
                                     int       *minimum,
                                     int       *natural)
{
  *minimum = HEIGHT;
  *natural = HEIGHT;
}

static void
wf_range_graph_dispose (GObject *object)
{
  g_clear_object (&WF_RANGE_GRAPH (object)->drag);
  G_OBJECT_CLASS (wf_range_graph_parent_class)->dispose (object);
}

static void
wf_range_graph_finalize (GObject *object)
{
  WfRangeGraph *graph = WF_RANGE_GRAPH (object);

  g_free (graph->values);
  g_free (graph->heights);
  G_OBJECT_CLASS (wf_range_graph_parent_class)->finalize (object);
}

static void
wf_range_graph_class_init (WfRangeGraphClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose              = wf_range_graph_dispose;
  object_class->finalize             = wf_range_graph_finalize;
  widget_class->draw                 = wf_range_graph_draw;
  widget_class->realize              = wf_range_graph_realize;
  widget_class->key_press_event      = wf_range_graph_key_press;
  widget_class->get_preferred_width  = wf_range_graph_get_preferred_width;
  widget_class->get_preferred_height = wf_range_graph_get_preferred_height;

  /**
   * WfRangeGraph::range-changed:
   * @graph: the graph
   *
   * The user has moved a line.
   */
  signals[RANGE_CHANGED] = g_signal_new ("range-changed", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wf_range_graph_init (WfRangeGraph *graph)
{
  GtkWidget *widget = GTK_WIDGET (graph);
  AtkObject *atk    = gtk_widget_get_accessible (widget);

  graph->drag = gtk_gesture_drag_new (widget);
  g_signal_connect (graph->drag, "drag-begin", G_CALLBACK (drag_begun), graph);
  g_signal_connect (graph->drag, "drag-update", G_CALLBACK (drag_moved), graph);

  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_add_events (widget, GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), GTK_STYLE_CLASS_VIEW);
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), GTK_STYLE_CLASS_FRAME);
  gtk_widget_set_tooltip_text (widget, _("Number of objects of each value, on a logarithmic "
                                         "scale: drag the lines; the arrow keys move the left "
                                         "one, with Shift the right one"));
  atk_object_set_role (atk, ATK_ROLE_SLIDER);
}

/**
 * wf_range_graph_new:
 * @logarithmic: whether equal factors have equal lengths
 * @least: a lower limit that is none
 * @most: an upper limit that is none
 *
 * Returns: an empty histogram, without limits
 */
GtkWidget *
wf_range_graph_new (gboolean logarithmic,
                    double   least,
                    double   most)
{
  WfRangeGraph *graph = g_object_new (WF_TYPE_RANGE_GRAPH, NULL);

  graph->axis.logarithmic = logarithmic;
  graph->least = graph->lower = least;
  graph->most  = graph->upper = most;
  wf_range_axis_fit (&graph->axis, NULL, 0);
  return GTK_WIDGET (graph);
}

/**
 * wf_range_graph_set_ends:
 * @graph: a graph
 * @least: a lower limit that is none
 * @most: an upper limit that is none
 *
 * Changes the unit of what is shown; the limits and the values are set after that.
 */
void
wf_range_graph_set_ends (WfRangeGraph *graph,
                         double        least,
                         double        most)
{
  g_return_if_fail (WF_IS_RANGE_GRAPH (graph));

  graph->least = least;
  graph->most  = most;
  wf_range_graph_set_range (graph, least, most);
  wf_range_graph_set_values (graph, NULL, 0);
}

/**
 * wf_range_graph_set_fixed:
 * @graph: a graph
 *
 * Makes it a histogram without lines.
 */
void
wf_range_graph_set_fixed (WfRangeGraph *graph)
{
  GtkWidget *widget = GTK_WIDGET (graph);

  g_return_if_fail (WF_IS_RANGE_GRAPH (graph));

  graph->fixed = TRUE;
  g_clear_object (&graph->drag);
  gtk_widget_set_can_focus (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, _("Number of objects of each value"));
  atk_object_set_role (gtk_widget_get_accessible (widget), ATK_ROLE_IMAGE);
}

/**
 * wf_range_graph_set_values:
 * @graph: a graph
 * @values: of the objects; copied
 * @n: their number
 *
 * Shows them, from the least to the greatest.
 */
void
wf_range_graph_set_values (WfRangeGraph *graph,
                           const double *values,
                           gsize         n)
{
  g_return_if_fail (WF_IS_RANGE_GRAPH (graph));

  g_free (graph->values);
  graph->values    = g_memdup2 (values, n * sizeof *values);
  graph->n_values  = n;
  graph->n_columns = 0;
  wf_range_axis_fit (&graph->axis, values, n);
  gtk_widget_queue_draw (GTK_WIDGET (graph));
}

/**
 * wf_range_graph_set_range:
 * @graph: a graph
 * @lower: the lower limit
 * @upper: the upper limit
 */
void
wf_range_graph_set_range (WfRangeGraph *graph,
                          double        lower,
                          double        upper)
{
  g_return_if_fail (WF_IS_RANGE_GRAPH (graph));

  graph->lower = lower;
  graph->upper = upper;
  gtk_widget_queue_draw (GTK_WIDGET (graph));
}

/**
 * wf_range_graph_get_range:
 * @graph: a graph
 * @lower: (out): the lower limit
 * @upper: (out): the upper limit
 */
void
wf_range_graph_get_range (WfRangeGraph *graph,
                          double       *lower,
                          double       *upper)
{
  g_return_if_fail (WF_IS_RANGE_GRAPH (graph));

  *lower = graph->lower;
  *upper = graph->upper;
}
