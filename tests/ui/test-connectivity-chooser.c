/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The connectivity chooser: its pictures, and the choice. */

#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/connectivity-chooser.h"
#include "ui/options/option-widget.h"
#include "settings.h"
#include "widgets.h"


static void
test_connectivity_property (void)
{
  static const char *const  given[]    = { "4", "8", "auto", "4", "26", "", "8", NULL };
  static const char *const  expected[] = { "4", "8", "auto", "4", "8", "auto", "8", "auto" };
  GtkWidget                *window     = widgets_show (wf_connectivity_chooser_new ());
  WfConnectivityChooser    *chooser    = WF_CONNECTIVITY_CHOOSER (gtk_bin_get_child
                                                                   (GTK_BIN (window)));

  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "auto");
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autofree char *got = NULL;

      g_object_set (chooser, "connectivity", given[i], NULL);
      g_object_get (chooser, "connectivity", &got, NULL);
      g_assert_cmpstr (got, ==, expected[i]);
      g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, expected[i]);
    }
  gtk_widget_destroy (window);
}

static void
test_connectivity_buttons (void)
{
  GtkWidget *window  = widgets_show (wf_connectivity_chooser_new ());
  GtkWidget *chooser = gtk_bin_get_child (GTK_BIN (window));
  int        calls   = 0;

  g_signal_connect_swapped (chooser, "notify::connectivity", G_CALLBACK (widgets_count), &calls);
  gtk_button_clicked (GTK_BUTTON (widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 1)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "4");
  g_assert_cmpint (calls, ==, 1);
  gtk_button_clicked (GTK_BUTTON (widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  gtk_button_clicked (GTK_BUTTON (widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "8");
  g_assert_cmpint (calls, ==, 2);
  gtk_button_clicked (GTK_BUTTON (widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 0)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "auto");
  g_assert_cmpint (calls, ==, 3);
  gtk_widget_destroy (window);
}

/* Screen readers get the name of the neighbourhood for each button. */
static void
test_connectivity_names (void)
{
  GtkWidget *window  = widgets_show (wf_connectivity_chooser_new ());
  GtkWidget *chooser = gtk_bin_get_child (GTK_BIN (window));

  for (guint i = 0; i < 3; i++)
    {
      GtkWidget  *button = widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, i);
      const char *name   = atk_object_get_name (gtk_widget_get_accessible (button));

      g_assert_nonnull (strstr (name, i == 0 ? "All" : i == 1 ? "4" : "8"));
    }
  gtk_widget_destroy (window);
}

/* The dialog of an option says what its own automatic choice is. */
static void
test_connectivity_automatic (void)
{
  static const WfOperation operations[] = { WF_OPERATION_FILL_HOLES, WF_OPERATION_LABEL };
  g_autoptr (GObject)      settings     = settings_new ();

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      const WfOption *option = wf_option_group_find (wf_operation_get_options (operations[i]),
                                                     "connectivity");
      GtkWidget      *widget = wf_option_widget_new (option, settings, WF_TYPE_U8);
      GtkWidget      *window = widgets_show (widget);
      GtkWidget      *button = widgets_find (widget, GTK_TYPE_RADIO_BUTTON, 0);

      g_assert_cmpstr (atk_object_get_name (gtk_widget_get_accessible (button)), ==,
                       option->choices[0].label);
      g_assert_nonnull (strstr (option->choices[0].label, i == 0 ? "4, or 6" : "8, or 26"));
      gtk_widget_destroy (window);
    }
}

static guint
count_colored (cairo_surface_t *surface,
               guint32          color)
{
  const guchar *data   = cairo_image_surface_get_data (surface);
  int           stride = cairo_image_surface_get_stride (surface);
  guint         n      = 0;

  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    for (int x = 0; x < cairo_image_surface_get_width (surface); x++)
      if (((const guint32 *) (data + y * stride))[x] == color)
        n++;
  return n;
}

/* Without transparent pixels. */
static guint32
most_common (cairo_surface_t *surface)
{
  const guchar  *data    = cairo_image_surface_get_data (surface);
  int            stride  = cairo_image_surface_get_stride (surface);
  guint32        best    = 0;
  guint          largest = 0;

  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    for (int x = 0; x < cairo_image_surface_get_width (surface); x++)
      {
        guint32 color = ((const guint32 *) (data + y * stride))[x];
        guint   n     = color == 0 ? 0 : count_colored (surface, color);

        if (n > largest)
          {
            largest = n;
            best    = color;
          }
      }
  return best;
}

/* The picture for 8 has twice as many cells in the neighbours' colour as the one for 4. */
static void
test_connectivity_pictures (void)
{
  GtkWidget       *window = widgets_show (wf_connectivity_chooser_new ());
  GtkWidget       *first  = widgets_find (window, GTK_TYPE_DRAWING_AREA, 0);
  GtkWidget       *second = widgets_find (window, GTK_TYPE_DRAWING_AREA, 1);
  cairo_surface_t *four   = widgets_draw (first);
  cairo_surface_t *eight  = widgets_draw (second);
  guint32          color  = most_common (eight);

  g_assert_cmpuint (count_colored (four, color), >, 0);
  g_assert_cmpuint (count_colored (eight, color), ==, 2 * count_colored (four, color));
  cairo_surface_destroy (four);
  cairo_surface_destroy (eight);
  gtk_widget_destroy (window);
}

/* The picture for 26 has 26 cells in the neighbours' colour, the one for 6 has 6. */
static void
test_connectivity_stack_pictures (void)
{
  GtkWidget       *chooser = wf_connectivity_chooser_new ();
  GtkWidget       *window;
  cairo_surface_t *few;
  cairo_surface_t *many;
  guint32          color;

  wf_connectivity_chooser_set_stack (WF_CONNECTIVITY_CHOOSER (chooser), TRUE);
  window = widgets_show (chooser);
  few    = widgets_draw (widgets_find (window, GTK_TYPE_DRAWING_AREA, 2));
  many   = widgets_draw (widgets_find (window, GTK_TYPE_DRAWING_AREA, 3));
  color  = most_common (many);
  g_assert_cmpuint (count_colored (few, color), ==, 6 * 25);
  g_assert_cmpuint (count_colored (many, color), ==, 26 * 25);
  cairo_surface_destroy (few);
  cairo_surface_destroy (many);
  gtk_widget_destroy (window);
}

/* Stacks get their own neighbourhoods, and the choice keeps its meaning. */
static void
test_connectivity_stack (void)
{
  GtkWidget             *widget  = wf_connectivity_chooser_new ();
  GtkWidget             *window  = widgets_show (widget);
  WfConnectivityChooser *chooser = WF_CONNECTIVITY_CHOOSER (widget);
  int                    calls   = 0;

  g_signal_connect_swapped (chooser, "notify::connectivity", G_CALLBACK (widgets_count), &calls);
  for (guint i = 0; i < 5; i++)
    g_assert_true (gtk_widget_is_visible (widgets_find (widget, GTK_TYPE_RADIO_BUTTON, i))
                   == (i < 3));
  wf_connectivity_chooser_set_connectivity (chooser, "4");
  g_object_set (chooser, "stack", TRUE, NULL);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "6");
  for (guint i = 0; i < 5; i++)
    g_assert_true (gtk_widget_is_visible (widgets_find (widget, GTK_TYPE_RADIO_BUTTON, i))
                   == (i == 0 || i > 2));
  gtk_widget_show_all (window);
  g_assert_false (gtk_widget_is_visible (widgets_find (widget, GTK_TYPE_RADIO_BUTTON, 1)));
  wf_connectivity_chooser_set_connectivity (chooser, "8");
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "26");
  g_object_set (chooser, "stack", FALSE, NULL);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "8");
  g_assert_cmpint (calls, ==, 4);
  wf_connectivity_chooser_set_connectivity (chooser, NULL);
  g_object_set (chooser, "stack", TRUE, NULL);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "auto");
  gtk_widget_destroy (window);
}

static void
test_connectivity_binding (void)
{
  g_autoptr (GObject)  settings = settings_new ();
  GtkWidget           *chooser  = wf_connectivity_chooser_new ();
  GtkWidget           *window   = widgets_show (chooser);
  g_autofree char     *text     = NULL;

  g_object_set (settings, "connectivity", "4", NULL);
  g_object_bind_property (settings, "connectivity", chooser, "connectivity",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "4");
  gtk_button_clicked (GTK_BUTTON (widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  text = settings_get_text (settings, "connectivity");
  g_assert_cmpstr (text, ==, "8");
  gtk_widget_destroy (window);
}

static void
test_connectivity_mnemonic (void)
{
  GtkWidget *chooser = wf_connectivity_chooser_new ();
  GtkWidget *window  = widgets_show (chooser);

  wf_connectivity_chooser_set_connectivity (WF_CONNECTIVITY_CHOOSER (chooser), "8");
  g_assert_true (gtk_widget_mnemonic_activate (chooser, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window))
                 == widgets_find (chooser, GTK_TYPE_RADIO_BUTTON, 2));
  gtk_widget_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/connectivity/property", test_connectivity_property);
  g_test_add_func ("/connectivity/buttons", test_connectivity_buttons);
  g_test_add_func ("/connectivity/names", test_connectivity_names);
  g_test_add_func ("/connectivity/automatic", test_connectivity_automatic);
  g_test_add_func ("/connectivity/pictures", test_connectivity_pictures);
  g_test_add_func ("/connectivity/stack-pictures", test_connectivity_stack_pictures);
  g_test_add_func ("/connectivity/stack", test_connectivity_stack);
  g_test_add_func ("/connectivity/binding", test_connectivity_binding);
  g_test_add_func ("/connectivity/mnemonic", test_connectivity_mnemonic);

  return g_test_run ();
}
