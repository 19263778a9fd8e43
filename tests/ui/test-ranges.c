/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranges of objects' values: the axis of their histogram, and the widget by keys and entries; and
 * what the histogram above a table of objects shows.
 */

#include <math.h>

#include <gtk/gtk.h>

#include "ui/objects/object-list.h"
#include "ui/objects/range-axis.h"
#include "ui/objects/range-graph.h"
#include "ui/objects/range-selector.h"
#include "ui/options/number-entry.h"
#include "widgets.h"

#define N 500

static void
fill_random (double *values)
{
  for (int i = 0; i < N; i++)
    values[i] = exp (8 * g_test_rand_double ());
}

/* Each value is in the column of its place; what is not finite is in none. */
static void
test_columns (void)
{
  for (int round = 0; round < 40; round++)
    {
      WfRangeAxis         axis    = { .logarithmic = round % 2 };
      const guint         n       = (guint) g_test_rand_int_range (1, 100);
      g_autofree double  *values  = g_new (double, N);
      g_autofree double  *heights = g_new (double, n);
      g_autofree guint   *counts  = g_new0 (guint, n);
      guint               most    = 0;
      const gboolean      plain   = round % 4 < 2;

      fill_random (values);
      values[3] = NAN;
      values[5] = INFINITY;
      wf_range_axis_fit (&axis, values, N);
      wf_range_axis_fill (&axis, values, N, n, plain, heights);
      for (int i = 0; i < N; i++)
        if (isfinite (values[i]))
          {
            const double least = axis.logarithmic ? log (axis.least) : axis.least;
            const double span  = (axis.logarithmic ? log (axis.most) : axis.most) - least;
            const double place = ((axis.logarithmic ? log (values[i]) : values[i]) - least) / span;

            g_assert_true (values[i] >= axis.least && values[i] <= axis.most);
            g_assert_cmpfloat_with_epsilon (wf_range_axis_place (&axis, values[i]), place, 1e-12);
            counts[MIN ((guint) (place * n), n - 1)]++;
          }
      for (guint i = 0; i < n; i++)
        most = MAX (most, counts[i]);
      for (guint i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (heights[i],
                                        plain ? (double) counts[i] / most
                                              : log1p (counts[i]) / log1p (most), 1e-12);
    }
}

/* A value of few digits is at the place that was asked for; whole numbers stay whole. */
static void
test_values (void)
{
  for (int round = 0; round < 200; round++)
    {
      WfRangeAxis        axis   = { .logarithmic = round % 2 };
      const double       place  = g_test_rand_double ();
      const guint        steps  = 300;
      g_autofree double *values = g_new (double, N);
      double             value;

      fill_random (values);
      for (int i = 0; i < N && round % 4 < 2; i++)
        values[i] = floor (values[i]);
      wf_range_axis_fit (&axis, values, N);
      g_assert_true (axis.whole == (round % 4 < 2));
      value = wf_range_axis_value (&axis, place, steps);
      if (axis.whole)
        g_assert_cmpfloat (value, ==, floor (value));
      else
        g_assert_cmpfloat_with_epsilon (wf_range_axis_place (&axis, value), place, 0.5 / steps);
    }
}

static void
test_empty (void)
{
  WfRangeAxis  axis    = { .logarithmic = TRUE };
  const double same[3] = { 4, 4, 4 };
  double       heights[5];

  wf_range_axis_fit (&axis, NULL, 0);
  wf_range_axis_fill (&axis, NULL, 0, 5, FALSE, heights);
  g_assert_true (axis.most > axis.least && heights[0] == 0 && heights[4] == 0);
  wf_range_axis_fit (&axis, same, 3);
  wf_range_axis_fill (&axis, same, 3, 5, TRUE, heights);
  g_assert_true (axis.most > axis.least && heights[2] == 1);
}


/*  The widget  */

static void
press (GtkWidget *graph,
       guint      key,
       guint      modifiers)
{
  GdkEventKey event = { .type = GDK_KEY_PRESS, .keyval = key, .state = modifiers };

  g_assert_true (GTK_WIDGET_GET_CLASS (graph)->key_press_event (graph, &event));
}

static void
assert_range (GtkWidget *selector,
              double     lower,
              double     upper)
{
  double found[2];

  g_object_get (selector, "lower", &found[0], "upper", &found[1], NULL);
  g_assert_cmpfloat (found[0], ==, lower);
  g_assert_cmpfloat (found[1], ==, upper);
}

/* Limits are in pixels, what is shown in quarters of them. */
static void
test_selector (void)
{
  const double values[] = { 10, 20, 30, 40, 110 };
  GtkWidget   *selector = wf_range_selector_new ("Area", FALSE, 0, 1e15, 0.25, "mm²");
  GtkWidget   *window   = widgets_show (selector);
  GtkWidget   *graph    = widgets_find (selector, WF_TYPE_RANGE_GRAPH, 0);
  GtkWidget   *lower    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 0);
  GtkWidget   *upper    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 1);
  double       limit;

  wf_range_selector_set_values (WF_RANGE_SELECTOR (selector), values, G_N_ELEMENTS (values));
  assert_range (selector, 0, 1e15);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (lower)), ==, "");
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "");

  gtk_entry_set_text (GTK_ENTRY (lower), "5");
  assert_range (selector, 20, 1e15);
  g_object_set (selector, "upper", 40.0, NULL);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "10");
  press (graph, GDK_KEY_End, 0);
  assert_range (selector, 20, 1e15);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "");
  press (graph, GDK_KEY_Home, 0);
  assert_range (selector, 0, 1e15);

  press (graph, GDK_KEY_Page_Up, 0);
  g_object_get (selector, "lower", &limit, NULL);
  g_assert_cmpfloat_with_epsilon (limit, 20, 1);
  press (graph, GDK_KEY_Page_Down, GDK_SHIFT_MASK);
  g_object_get (selector, "upper", &limit, NULL);
  g_assert_cmpfloat_with_epsilon (limit, 100, 1);
  press (graph, GDK_KEY_Page_Down, 0);
  assert_range (selector, 0, limit);
  gtk_widget_destroy (window);
}

static void
drag_upper (GtkWidget *graph,
            double     value)
{
  double range[2];

  for (int i = 0; i < 300; i++)
    {
      wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &range[0], &range[1]);
      if (range[1] <= value)
        return;
      press (graph, GDK_KEY_Left, GDK_SHIFT_MASK);
    }
}

/* Limits are levels from 0 to 1, what is shown are those of 8 bits. */
static void
test_levels (void)
{
  const double values[] = { 0, 51 / 255.0, 102 / 255.0, 0.5, 204 / 255.0, 1 };
  GtkWidget   *selector = wf_range_selector_new ("Mean", FALSE, 0, 1, 255, NULL);
  GtkWidget   *window   = widgets_show (selector);
  GtkWidget   *graph    = widgets_find (selector, WF_TYPE_RANGE_GRAPH, 0);
  GtkWidget   *lower    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 0);
  GtkWidget   *upper    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 1);
  double       limits[2];
  double       shown[2];

  wf_range_selector_set_values (WF_RANGE_SELECTOR (selector), values, G_N_ELEMENTS (values));
  wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &shown[0], &shown[1]);
  g_assert_true (shown[0] == 0 && shown[1] == 255);

  gtk_entry_set_text (GTK_ENTRY (upper), "200");
  assert_range (selector, 0, 200 / 255.0);
  wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &shown[0], &shown[1]);
  g_assert_true (shown[0] == 0 && shown[1] == 200);

  drag_upper (graph, 128);
  wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &shown[0], &shown[1]);
  g_object_get (selector, "upper", &limits[1], NULL);
  g_assert_cmpfloat_with_epsilon (shown[1], 128, 2);
  g_assert_cmpfloat (limits[1], ==, shown[1] / 255);
  press (graph, GDK_KEY_Page_Up, 0);
  wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &shown[0], &shown[1]);
  g_object_get (selector, "lower", &limits[0], NULL);
  g_assert_cmpfloat_with_epsilon (shown[0], 25.5, 2);
  g_assert_cmpfloat (limits[0], ==, shown[0] / 255);

  press (graph, GDK_KEY_End, 0);
  assert_range (selector, limits[0], 1);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "");
  press (graph, GDK_KEY_Home, 0);
  assert_range (selector, 0, 1);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (lower)), ==, "");
  gtk_widget_destroy (window);
}

/* In another unit the limits are the same. */
static void
test_unit (void)
{
  const double values[] = { 10, 20, 30, 40, 110 };
  GtkWidget   *selector = wf_range_selector_new ("Area", FALSE, 0, 1e15, 1, NULL);
  GtkWidget   *window   = widgets_show (selector);
  GtkWidget   *graph    = widgets_find (selector, WF_TYPE_RANGE_GRAPH, 0);
  GtkWidget   *lower    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 0);
  GtkWidget   *upper    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 1);
  double       shown[2];

  wf_range_selector_set_values (WF_RANGE_SELECTOR (selector), values, G_N_ELEMENTS (values));
  gtk_entry_set_text (GTK_ENTRY (lower), "20");
  wf_range_selector_set_unit (WF_RANGE_SELECTOR (selector), 0.125, "mm³");
  assert_range (selector, 20, 1e15);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (lower)), ==, "2.5");
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "");
  wf_range_graph_get_range (WF_RANGE_GRAPH (graph), &shown[0], &shown[1]);
  g_assert_true (shown[0] == 2.5 && shown[1] == 1.25e14);
  wf_range_selector_set_values (WF_RANGE_SELECTOR (selector), values, G_N_ELEMENTS (values));
  gtk_entry_set_text (GTK_ENTRY (upper), "5");
  assert_range (selector, 20, 40);
  press (graph, GDK_KEY_End, 0);
  press (graph, GDK_KEY_Home, 0);
  assert_range (selector, 0, 1e15);
  gtk_widget_destroy (window);
}

/* There is no limit as soon as its entry is empty, without the focus going elsewhere. */
static void
test_emptied (void)
{
  GtkWidget *selector = wf_range_selector_new ("Mean", FALSE, 0, 1, 255, NULL);
  GtkWidget *window   = widgets_show (selector);
  GtkWidget *lower    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 0);
  GtkWidget *upper    = widgets_find (selector, WF_TYPE_NUMBER_ENTRY, 1);

  gtk_entry_set_text (GTK_ENTRY (lower), "51");
  gtk_entry_set_text (GTK_ENTRY (upper), "102");
  assert_range (selector, 51 / 255.0, 102 / 255.0);
  gtk_entry_set_text (GTK_ENTRY (lower), "x");
  assert_range (selector, 51 / 255.0, 102 / 255.0);
  gtk_entry_set_text (GTK_ENTRY (lower), "");
  assert_range (selector, 0, 102 / 255.0);
  gtk_editable_delete_text (GTK_EDITABLE (upper), 0, -1);
  assert_range (selector, 0, 1);

  gtk_entry_set_text (GTK_ENTRY (upper), "255");   /* typed, and none */
  assert_range (selector, 0, 1);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (upper)), ==, "255");
  gtk_entry_set_text (GTK_ENTRY (upper), "");
  g_assert_true (isnan (wf_number_entry_get_value (WF_NUMBER_ENTRY (upper))));
  gtk_entry_set_text (GTK_ENTRY (upper), "700");   /* no level */
  assert_range (selector, 0, 1);
  gtk_widget_destroy (window);
}

/* The numbers of objects are no measure: with them the histogram is that of the first one. */
static void
test_caption (void)
{
  static guint32  labels[12] = { 1, 1, 0, 2, 2, 2, 2, 0, 3, 3, 3, 0 };
  const double    spacing[3] = { 1, 1, 1 };
  const double    corner[2]  = { 0, 0 };
  WfImage         image      = { .type = WF_TYPE_U32, .width = 12, .height = 1, .depth = 1,
                                 .data = labels, .row_stride = 12, .slice_stride = 12 };
  GtkWidget      *list       = g_object_ref_sink (wf_object_list_new ());
  GtkWidget      *caption    = wf_object_list_get_caption (WF_OBJECT_LIST (list));
  guint64         measures;
  WfRegions      *regions;

  g_assert_true (wf_region_measures_parse ("area", &measures, NULL));
  regions = wf_regions_measure (NULL, &image, NULL, measures, NULL, NULL);
  g_assert_nonnull (regions);
  wf_object_list_set_regions (WF_OBJECT_LIST (list), regions, NULL, spacing, corner);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (caption)), ==, "Area (px): 2 – 4");
  wf_object_list_set_regions (WF_OBJECT_LIST (list), NULL, NULL, spacing, corner);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (caption)), ==, "");
  g_object_unref (list);
}

/* The columns of the list are those of the measures that are chosen. */
static void
test_chosen (void)
{
  static guint32  labels[12] = { 1, 1, 0, 2, 2, 2, 2, 0, 3, 3, 3, 0 };
  static guint8   levels[12] = { 7, 2, 0, 9, 9, 8, 1, 0, 3, 4, 5, 0 };
  const double    spacing[3] = { 1, 1, 1 };
  const double    corner[2]  = { 0, 0 };
  WfImage         image      = { .type = WF_TYPE_U32, .width = 12, .height = 1, .depth = 1,
                                 .data = labels, .row_stride = 12, .slice_stride = 12 };
  WfImage         measured   = { .type = WF_TYPE_U8, .width = 12, .height = 1, .depth = 1,
                                 .data = levels, .row_stride = 12, .slice_stride = 12 };
  GtkWidget      *list       = g_object_ref_sink (wf_object_list_new ());
  GtkWidget      *caption    = wf_object_list_get_caption (WF_OBJECT_LIST (list));
  WfRegions      *all        = wf_regions_measure (NULL, &image, &measured, 0, NULL, NULL);

  g_assert_nonnull (all);
  wf_object_list_set_measures (WF_OBJECT_LIST (list), 1 << WF_REGION_MAXIMUM);
  wf_object_list_set_regions (WF_OBJECT_LIST (list), all, NULL, spacing, corner);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (caption)), ==, "Maximum: 5 – 9");
  wf_object_list_set_measures (WF_OBJECT_LIST (list), 1 << WF_REGION_AREA);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (caption)), ==, "Area (px): 2 – 4");
  wf_object_list_set_measures (WF_OBJECT_LIST (list), 0);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (caption)), ==, "Label: 1 – 3");
  g_object_unref (list);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ranges/columns", test_columns);
  g_test_add_func ("/ranges/values", test_values);
  g_test_add_func ("/ranges/empty", test_empty);
  g_test_add_func ("/ranges/selector", test_selector);
  g_test_add_func ("/ranges/levels", test_levels);
  g_test_add_func ("/ranges/unit", test_unit);
  g_test_add_func ("/ranges/emptied", test_emptied);
  g_test_add_func ("/objects/caption", test_caption);
  g_test_add_func ("/objects/chosen", test_chosen);
  return g_test_run ();
}
