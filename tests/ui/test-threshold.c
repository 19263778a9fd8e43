/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A threshold on a histogram: the arithmetic, and the widget by mouse and keys. */

#include <math.h>
#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/level-entry.h"
#include "pictures.h"
#include "ui/threshold/columns.h"
#include "ui/threshold/histogram.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

#define SIDE 200

static void
put (WfImage *image,
     gint64   p,
     double   fraction)
{
  if (image->type == WF_TYPE_U8)
    ((guint8 *) image->data)[p] = (guint8) round (fraction * 255);
  else if (image->type == WF_TYPE_U16)
    ((guint16 *) image->data)[p] = (guint16) round (fraction * 65535);
  else
    ((float *) image->data)[p] = (float) fraction;
}

static double
bump (double centre,
      double width)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += g_test_rand_double ();
  return CLAMP (centre + width * sum, 0, 1);
}

/* Bright cells on a dark background, with few pixels in between. */
static WfHistogram *
make_histogram (WfType   type,
                WfImage *image)
{
  WfHistogram *histogram;

  g_assert_true (wf_image_allocate (image, type, SIDE, SIDE, 1, NULL));
  for (gint64 p = 0; p < SIDE * SIDE; p++)
    put (image, p, p % 8 < 6 ? bump (0.2, 0.04) : bump (0.68, 0.09));
  histogram = wf_histogram_new (image, NULL);
  g_assert_nonnull (histogram);
  return histogram;
}

static guint64
count_above (const WfImage *image,
             double         level)
{
  guint64 n = 0;

  for (gint64 p = 0; p < SIDE * SIDE; p++)
    n += (image->type == WF_TYPE_U8 ? ((guint8 *) image->data)[p]
          : image->type == WF_TYPE_U16 ? ((guint16 *) image->data)[p]
          : ((float *) image->data)[p]) > level;
  return n;
}


/*  Arithmetic  */

/* Any number of columns counts all pixels. */
static void
test_columns (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint n = 1; n <= 700; n += 37)
      {
        g_auto (WfImage)         image     = { 0 };
        g_autoptr (WfHistogram)  histogram = make_histogram (types[i], &image);
        g_autofree double       *linear    = g_new (double, n);
        g_autofree double       *log       = g_new (double, n);
        double                   highest   = 0;
        double                   sum       = 0;
        double                   mean      = 0;

        wf_threshold_columns_fill (histogram, FALSE, n, linear);
        wf_threshold_columns_fill (histogram, TRUE, n, log);
        for (guint j = 0; j < n; j++)
          {
            g_assert_true (linear[j] >= 0 && linear[j] <= 1);
            g_assert_true (log[j] >= linear[j] - 1e-12 && log[j] <= 1);
            g_assert_true ((log[j] > 0) == (linear[j] > 0));
            highest = MAX (highest, linear[j]);
            sum    += linear[j];
            mean   += linear[j] * (j + 0.5);
          }
        g_assert_cmpfloat (highest, ==, 1);
        if (n > 200)
          g_assert_cmpfloat_with_epsilon (mean / sum / n, 0.75 * 0.2 + 0.25 * 0.68, 0.01);
      }
}

/* Levels as wide as a column, and wider. */
static void
test_columns_of_few (void)
{
  const guint8             pixels[] = { 0, 0, 0, 0, 255, 255, 128 };
  g_auto (WfImage)         image    = { 0 };
  g_autoptr (WfHistogram)  histogram = NULL;
  double                   heights[512];

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 7, 1, 1, (gpointer) pixels, NULL));
  histogram = wf_histogram_new (&image, NULL);
  wf_threshold_columns_fill (histogram, FALSE, 512, heights);
  for (guint i = 0; i < 512; i++)
    g_assert_cmpfloat_with_epsilon (heights[i], i < 2 ? 1 : i >= 510 ? 0.5
                                                : i / 2 == 128 ? 0.25 : 0, 1e-12);
  wf_threshold_columns_fill (histogram, FALSE, 1, heights);
  g_assert_cmpfloat (heights[0], ==, 1);
  wf_threshold_columns_fill (NULL, TRUE, 3, heights);
  g_assert_cmpfloat (heights[0] + heights[1] + heights[2], ==, 0);
}

/* Both directions agree; black is at the left, white at the right. */
static void
test_places (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      for (int step = 0; step <= 255; step++)
        {
          double fraction = wf_threshold_round (step / 255.0, types[i]);
          double place    = wf_threshold_columns_place (fraction, types[i], 300);
          double back     = wf_threshold_columns_fraction (place, types[i], 300);

          g_assert_cmpfloat (wf_level_from_fraction (fraction, types[i]), ==,
                             wf_level_from_fraction (types[i] == WF_TYPE_F32
                                                     ? fraction : step / 255.0, types[i]));
          g_assert_cmpfloat_with_epsilon (back, fraction, types[i] == WF_TYPE_U8 ? 1e-4 : 1e-5);
          g_assert_true (place >= 0 && place <= 300);
        }
      g_assert_cmpfloat (wf_threshold_columns_fraction (-5, types[i], 300), ==, 0);
      g_assert_cmpfloat (wf_threshold_columns_fraction (400, types[i], 300), ==, 1);
      g_assert_cmpfloat (wf_threshold_columns_place (1, types[i], 300), ==, 300);
    }
  /* every level has a number with this many places */
  for (int level = 0; level <= 65535; level++)
    g_assert_cmpfloat (wf_level_from_fraction (wf_threshold_round (level / 65535.0, WF_TYPE_U16),
                                               WF_TYPE_U16), ==, level);
}

static void
test_count_above (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfHistogram)  histogram = make_histogram (types[i], &image);

      for (int step = 0; step <= 64; step++)
        g_assert_cmpuint (wf_threshold_count_above (histogram, step / 64.0), ==,
                          count_above (&image, wf_level_from_fraction (step / 64.0, types[i])));
    }
}


/*  The widget  */

typedef struct
{
  GtkWidget *window;
  GtkWidget *threshold;
  GtkWidget *graph;
  GtkWidget *spin;
  GtkWidget *unit;
  GtkWidget *automatic;
  GtkWidget *hint;
  GtkWidget *logarithmic;
  int        calls;
} Stage;

static void
changed (Stage *stage)
{
  stage->calls++;
}

static GtkWidget *
nth (GtkWidget *box,
     guint      n)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (box));

  return g_list_nth_data (children, n);
}

static void
stage_init (Stage  *stage,
            WfType  type)
{
  GtkWidget *row;

  *stage = (Stage) { .threshold = wf_threshold_histogram_new (type),
                     .window    = gtk_window_new (GTK_WINDOW_TOPLEVEL) };
  row                = nth (stage->threshold, 1);
  stage->graph       = nth (stage->threshold, 0);
  stage->spin        = nth (row, 0);
  stage->unit        = nth (row, 1);
  stage->automatic   = nth (row, 2);
  stage->logarithmic = nth (row, 3);
  stage->hint        = nth (stage->threshold, 2);
  gtk_container_set_border_width (GTK_CONTAINER (stage->window), 12);
  gtk_container_add (GTK_CONTAINER (stage->window), stage->threshold);
  g_signal_connect_swapped (stage->threshold, "notify::fraction", G_CALLBACK (changed), stage);
  gtk_widget_show (stage->threshold);
  gtk_window_set_default_size (GTK_WINDOW (stage->window), 480, -1);
  gtk_widget_show (stage->window);
  gtk_test_widget_wait_for_draw (stage->window);
}

static double
fraction_of (const Stage *stage)
{
  double fraction;

  g_object_get (stage->threshold, "fraction", &fraction, NULL);
  return fraction;
}

static GdkDevice *
pointer (void)
{
  return gdk_seat_get_pointer (gdk_display_get_default_seat (gdk_display_get_default ()));
}

static void
mouse (GtkWidget    *widget,
       GdkEventType  type,
       double        x)
{
  GdkEvent *event = gdk_event_new (type);

  if (type == GDK_MOTION_NOTIFY)
    {
      event->motion.window = g_object_ref (gtk_widget_get_window (widget));
      event->motion.x      = x;
      event->motion.y      = 20;
      event->motion.state  = GDK_BUTTON1_MASK;
    }
  else
    {
      event->button.window = g_object_ref (gtk_widget_get_window (widget));
      event->button.x      = x;
      event->button.y      = 20;
      event->button.button = 1;
      event->button.state  = type == GDK_BUTTON_RELEASE ? GDK_BUTTON1_MASK : 0;
    }
  gdk_event_set_device (event, pointer ());
  gdk_event_set_source_device (event, pointer ());
  gtk_widget_event (widget, event);
  gdk_event_free (event);
}

static gboolean
press (GtkWidget       *widget,
       guint            keyval,
       GdkModifierType  state)
{
  GdkEvent *event   = gdk_event_new (GDK_KEY_PRESS);
  gboolean  handled;

  event->key.window     = g_object_ref (gtk_widget_get_window (widget));
  event->key.send_event = TRUE;
  event->key.keyval     = keyval;
  event->key.state      = state;
  gdk_event_set_device (event, gdk_seat_get_keyboard (gdk_display_get_default_seat
                                                        (gdk_display_get_default ())));
  handled = gtk_widget_event (widget, event);
  gdk_event_free (event);
  return handled;
}

static void
test_drag (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      Stage  stage;
      double width;

      stage_init (&stage, types[i]);
      width = gtk_widget_get_allocated_width (stage.graph) - 2;
      mouse (stage.graph, GDK_BUTTON_PRESS, 1 + width / 2);
      g_assert_cmpfloat_with_epsilon (fraction_of (&stage), 0.5, 0.004);
      mouse (stage.graph, GDK_MOTION_NOTIFY, 1 + width * 0.8);
      g_assert_cmpfloat_with_epsilon (fraction_of (&stage), 0.8, 0.004);
      g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (stage.spin)), ==,
                         fraction_of (&stage));
      mouse (stage.graph, GDK_MOTION_NOTIFY, width * 3);
      g_assert_cmpfloat (fraction_of (&stage), ==, 1);
      mouse (stage.graph, GDK_MOTION_NOTIFY, -40);
      g_assert_cmpfloat (fraction_of (&stage), ==, 0);
      mouse (stage.graph, GDK_BUTTON_RELEASE, -40);
      mouse (stage.graph, GDK_MOTION_NOTIFY, width / 2);
      g_assert_cmpfloat (fraction_of (&stage), ==, 0);
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (stage.window)) == stage.graph);
      gtk_widget_destroy (stage.window);
    }
}

/* One level per key for 8 bits, and the number shows this level. */
static void
test_keys (void)
{
  Stage stage;

  stage_init (&stage, WF_TYPE_U8);
  for (int level = 1; level <= 255; level++)
    {
      g_assert_true (press (stage.graph, GDK_KEY_Right, 0));
      g_assert_cmpfloat (wf_level_from_fraction (fraction_of (&stage), WF_TYPE_U8), ==, level);
    }
  g_assert_true (press (stage.graph, GDK_KEY_Right, 0));
  g_assert_cmpfloat (fraction_of (&stage), ==, 1);
  g_assert_true (press (stage.graph, GDK_KEY_Left, 0));
  g_assert_cmpfloat (wf_level_from_fraction (fraction_of (&stage), WF_TYPE_U8), ==, 254);
  g_assert_true (press (stage.graph, GDK_KEY_Home, 0));
  g_assert_true (press (stage.graph, GDK_KEY_Page_Up, 0));
  g_assert_cmpfloat (wf_level_from_fraction (fraction_of (&stage), WF_TYPE_U8), ==, 26);
  g_assert_true (press (stage.graph, GDK_KEY_End, 0));
  g_assert_cmpfloat (fraction_of (&stage), ==, 1);
  g_assert_false (press (stage.graph, GDK_KEY_Left, GDK_CONTROL_MASK));
  g_assert_false (press (stage.graph, GDK_KEY_Escape, 0));
  g_assert_cmpfloat (fraction_of (&stage), ==, 1);
  gtk_widget_destroy (stage.window);
}

static gboolean
is_automatic (const Stage *stage)
{
  gboolean automatic;

  g_object_get (stage->threshold, "automatic", &automatic, NULL);
  g_assert_cmpint (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stage->automatic)), ==,
                   automatic);
  return automatic;
}

/* The check button shows the engine's threshold, to the precision of the number; to uncheck it
 * sets that one.
 */
static void
test_automatic (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfHistogram)  histogram = make_histogram (types[i], &image);
      double                   expected  = wf_histogram_find_threshold (
                                             histogram, WF_THRESHOLD_OTSU, 0);
      g_autofree char         *share     = NULL;
      double                   level;
      Stage                    stage;

      stage_init (&stage, types[i]);
      g_object_set (stage.threshold, "fraction", 0.9, NULL);
      wf_threshold_histogram_set_histogram (WF_THRESHOLD_HISTOGRAM (stage.threshold), histogram);
      g_assert_cmpfloat (fraction_of (&stage), ==, 0.9);
      g_assert_false (is_automatic (&stage));
      stage.calls = 0;
      gtk_button_clicked (GTK_BUTTON (stage.automatic));
      g_assert_true (is_automatic (&stage));
      g_assert_cmpint (stage.calls, ==, 0);
      gtk_button_clicked (GTK_BUTTON (stage.automatic));
      g_assert_false (is_automatic (&stage));
      g_assert_cmpint (stage.calls, ==, 1);
      level = wf_level_from_fraction (fraction_of (&stage), types[i]);
      if (types[i] == WF_TYPE_F32)
        g_assert_cmpfloat_with_epsilon (level, expected, 6e-6);
      else
        g_assert_cmpfloat (level, ==, expected);
      g_assert_cmpfloat_with_epsilon (fraction_of (&stage), 0.4, 0.1);
      share = g_strdup_printf ("%.1f %% above it",
                               100.0 * count_above (&image, level) / (SIDE * SIDE));
      g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (stage.hint)), share));
      gtk_widget_destroy (stage.window);
    }
}

/* While it is automatic the threshold of this image is shown, and the one that was set is kept,
 * until another one is typed.
 */
static void
test_found (void)
{
  g_auto (WfImage)         image     = { 0 };
  g_autoptr (WfHistogram)  histogram = make_histogram (WF_TYPE_U8, &image);
  double                   expected  = wf_histogram_find_threshold (histogram, WF_THRESHOLD_OTSU,
                                                                      0) / 255;
  Stage                    stage;

  stage_init (&stage, WF_TYPE_U8);
  g_object_set (stage.threshold, "fraction", 0.9, "automatic", TRUE, NULL);
  g_assert_true (is_automatic (&stage));
  wf_threshold_histogram_set_histogram (WF_THRESHOLD_HISTOGRAM (stage.threshold), histogram);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (stage.spin)),
                                  expected, 1e-4);
  g_assert_true (is_automatic (&stage));
  g_assert_cmpfloat (fraction_of (&stage), ==, 0.9);
  stage.calls = 0;
  g_object_set (stage.threshold, "fraction", 0.8, NULL);
  g_assert_cmpint (stage.calls, ==, 1);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (stage.spin)),
                                  expected, 1e-4);

  g_object_set (stage.threshold, "automatic", FALSE, NULL);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (stage.spin)), ==, 0.8);
  g_assert_cmpfloat (fraction_of (&stage), ==, 0.8);
  g_assert_cmpint (stage.calls, ==, 1);

  g_object_set (stage.threshold, "automatic", TRUE, NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (stage.spin), 0.7);
  g_assert_false (is_automatic (&stage));
  g_assert_cmpfloat (fraction_of (&stage), ==, 0.7);
  gtk_widget_destroy (stage.window);
}

/* The automatic threshold that is shown is found by the method that is set. */
static void
test_methods (void)
{
  static const WfThresholdMethod methods[] =
  {
    WF_THRESHOLD_LI, WF_THRESHOLD_TRIANGLE, WF_THRESHOLD_PERCENT, WF_THRESHOLD_OTSU
  };
  g_auto (WfImage)        image     = { 0 };
  g_autoptr (WfHistogram) histogram = make_histogram (WF_TYPE_U8, &image);
  Stage                   stage;

  stage_init (&stage, WF_TYPE_U8);
  g_object_set (stage.threshold, "fraction", 0.9, "automatic", TRUE, NULL);
  wf_threshold_histogram_set_histogram (WF_THRESHOLD_HISTOGRAM (stage.threshold), histogram);
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      wf_threshold_histogram_set_method (WF_THRESHOLD_HISTOGRAM (stage.threshold), methods[i], 90);
      g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (stage.spin)),
                                      wf_histogram_find_threshold (histogram, methods[i], 90) / 255,
                                      1e-4);
      g_assert_true (is_automatic (&stage));
      g_assert_cmpfloat (fraction_of (&stage), ==, 0.9);
    }
  gtk_widget_destroy (stage.window);
}

static double
halve (double   level,
       gpointer data)
{
  return level / 2;
}

/* An image of linear light: the threshold also as a level of other images. */
static void
test_linear (void)
{
  Stage stage;

  stage_init (&stage, WF_TYPE_F32);
  g_object_set (stage.threshold, "fraction", 0.5, NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.unit)), ==, "of white");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.hint)), ==, "");
  wf_threshold_histogram_set_linear (WF_THRESHOLD_HISTOGRAM (stage.threshold), halve, NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.unit)), ==, "of white, linear light");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.hint)), ==,
                   "0.2500 in a non-linear image");
  g_object_set (stage.threshold, "fraction", 0.8, NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.hint)), ==,
                   "0.4000 in a non-linear image");
  gtk_widget_destroy (stage.window);
}

static void
test_words (void)
{
  Stage stage;

  stage_init (&stage, WF_TYPE_U8);
  g_object_set (stage.threshold, "fraction", 0.5, NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.hint)), ==, "128 of 255");
  g_assert_cmpstr (atk_object_get_description (gtk_widget_get_accessible (stage.graph)), ==,
                   "128 of 255");
  g_assert_nonnull (atk_object_get_name (gtk_widget_get_accessible (stage.graph)));
  g_assert_nonnull (atk_object_get_name (gtk_widget_get_accessible (stage.spin)));
  g_assert_true (gtk_widget_mnemonic_activate (stage.threshold, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (stage.window)) == stage.spin);
  gtk_widget_destroy (stage.window);
}

/* The surface's pixel at half the graph's height. */
static guint32
pixel_at (GtkWidget *graph,
          double     share)
{
  int              width   = gtk_widget_get_allocated_width (graph);
  int              height  = gtk_widget_get_allocated_height (graph);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t         *cr      = cairo_create (surface);
  guint32          pixel;

  gtk_widget_draw (graph, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixel = ((guint32 *) (cairo_image_surface_get_data (surface)
                        + height / 2 * cairo_image_surface_get_stride (surface)))
          [(int) (share * (width - 1))];
  cairo_surface_destroy (surface);
  return pixel;
}

/* Levels above and below are drawn differently, and the line is at the threshold. */
static void
test_shading (void)
{
  Stage   stage;
  guint32 below;
  guint32 above;

  stage_init (&stage, WF_TYPE_F32);
  g_object_set (stage.threshold, "fraction", 0.5, NULL);
  below = pixel_at (stage.graph, 0.3);
  above = pixel_at (stage.graph, 0.7);
  g_assert_cmphex (below, !=, above);
  g_assert_cmphex (pixel_at (stage.graph, 0.501), !=, below);
  g_object_set (stage.threshold, "fraction", 0.2, NULL);
  g_assert_cmphex (pixel_at (stage.graph, 0.3), ==, above);
  g_object_set (stage.threshold, "fraction", 0.9, NULL);
  g_assert_cmphex (pixel_at (stage.graph, 0.7), ==, below);
  gtk_widget_destroy (stage.window);
}

/* The side of the objects is tinted, and its share of the pixels is told. */
static void
test_dark (void)
{
  g_auto (WfImage)         image     = { 0 };
  g_autoptr (WfHistogram)  histogram = make_histogram (WF_TYPE_U8, &image);
  g_autofree char         *share     = NULL;
  guint32                  below;
  guint32                  above;
  Stage                    stage;

  stage_init (&stage, WF_TYPE_U8);
  g_object_set (stage.threshold, "fraction", 0.4, NULL);
  below = pixel_at (stage.graph, 0.3);
  above = pixel_at (stage.graph, 0.7);
  g_assert_cmphex (below, !=, above);
  g_object_set (stage.threshold, "dark", TRUE, NULL);
  g_assert_cmphex (pixel_at (stage.graph, 0.3), ==, above);
  g_assert_cmphex (pixel_at (stage.graph, 0.7), ==, below);

  wf_threshold_histogram_set_histogram (WF_THRESHOLD_HISTOGRAM (stage.threshold), histogram);
  share = g_strdup_printf ("%.1f %% not above it",
                           100 - 100.0 * count_above (&image, 102) / (SIDE * SIDE));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (stage.hint)), share));
  g_object_set (stage.threshold, "dark", FALSE, NULL);
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (stage.hint)), "not above"));
  gtk_widget_destroy (stage.window);
}

static void
test_pictures (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfHistogram)  histogram = make_histogram (WF_TYPE_U8, &image);
      Stage                    stage;

      pictures_set_dark (dark);
      stage_init (&stage, WF_TYPE_U8);
      wf_threshold_histogram_set_histogram (WF_THRESHOLD_HISTOGRAM (stage.threshold), histogram);
      gtk_button_clicked (GTK_BUTTON (stage.automatic));
      pictures_save (stage.window, "threshold-logarithmic", dark);
      gtk_button_clicked (GTK_BUTTON (stage.logarithmic));
      gtk_widget_grab_focus (stage.graph);
      pictures_save (stage.window, "threshold-linear", dark);
      g_object_set (stage.threshold, "automatic", TRUE, NULL);
      pictures_save (stage.window, "threshold-found", dark);
      g_object_set (stage.threshold, "dark", TRUE, NULL);
      pictures_save (stage.window, "threshold-dark", dark);
      gtk_widget_set_sensitive (stage.threshold, FALSE);
      pictures_save (stage.window, "threshold-insensitive", dark);
      gtk_widget_destroy (stage.window);
    }
}

int
main (int    argc,
      char **argv)
{
  pictures_init ();
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/threshold/columns", test_columns);
  g_test_add_func ("/threshold/columns-of-few", test_columns_of_few);
  g_test_add_func ("/threshold/places", test_places);
  g_test_add_func ("/threshold/count-above", test_count_above);
  g_test_add_func ("/threshold/drag", test_drag);
  g_test_add_func ("/threshold/keys", test_keys);
  g_test_add_func ("/threshold/automatic", test_automatic);
  g_test_add_func ("/threshold/linear", test_linear);
  g_test_add_func ("/threshold/found", test_found);
  g_test_add_func ("/threshold/methods", test_methods);
  g_test_add_func ("/threshold/words", test_words);
  g_test_add_func ("/threshold/shading", test_shading);
  g_test_add_func ("/threshold/dark", test_dark);
  g_test_add_func ("/threshold/pictures", test_pictures);

  return g_test_run ();
}
