/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tiling chooser, and the appearance of the connectivity chooser. */

#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/connectivity-chooser.h"
#include "pictures.h"
#include "settings.h"
#include "ui/options/tiling-chooser.h"

static GtkWidget *
nth (GtkWidget *box,
     guint      n)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (box));

  return g_list_nth_data (children, n);
}

static GtkWidget *
show (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);

  gtk_container_set_border_width (GTK_CONTAINER (window), 12);
  gtk_container_add (GTK_CONTAINER (window), widget);
  gtk_widget_show (widget);
  gtk_widget_show (window);
  gtk_test_widget_wait_for_draw (window);
  return window;
}

static void
check_hint (GtkWidget  *chooser,
            double      side,
            const char *expected)
{
  const char *text;

  g_object_set (chooser, "value", side, NULL);
  text = gtk_label_get_text (GTK_LABEL (nth (chooser, 1)));
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpstr (atk_object_get_description (gtk_widget_get_accessible (nth (chooser, 0))), ==,
                   expected);
}

static void
test_hints (void)
{
  GtkWidget *chooser = wf_tiling_chooser_new (1 << 20);
  GtkWidget *window  = show (chooser);

  check_hint (chooser, 0, "chosen by the algorithm");
  check_hint (chooser, 64, "pixels");
  wf_tiling_chooser_set_size (WF_TILING_CHOOSER (chooser), 1025, 1024, 1);
  check_hint (chooser, 512, "pixels: 3 × 2 = 6 tiles");
  check_hint (chooser, 1024, "pixels: 2 × 1 = 2 tiles");
  check_hint (chooser, 1025, "pixels: one tile holds everything");
  check_hint (chooser, 0, "chosen by the algorithm");
  wf_tiling_chooser_set_size (WF_TILING_CHOOSER (chooser), 512, 300, 65);
  check_hint (chooser, 64, "pixels: 8 × 5 × 2 = 80 tiles");
  g_assert_true (gtk_widget_mnemonic_activate (chooser, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == nth (chooser, 0));
  gtk_widget_destroy (window);
}

/* Settings store a whole number. */
static void
test_binding (void)
{
  g_autoptr (GObject)  settings = settings_new ();
  GtkWidget           *chooser  = wf_tiling_chooser_new (1 << 20);
  GtkWidget           *window   = show (chooser);
  int                  side;

  g_object_set (settings, "tile-size", 300, NULL);
  g_object_bind_property (settings, "tile-size", chooser, "value",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (nth (chooser, 0))), ==, 300);
  gtk_spin_button_spin (GTK_SPIN_BUTTON (nth (chooser, 0)), GTK_SPIN_STEP_FORWARD, 64);
  g_object_get (settings, "tile-size", &side, NULL);
  g_assert_cmpint (side, ==, 364);
  g_object_set (settings, "tile-size", 0, NULL);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (nth (chooser, 0))), ==, "Automatic");
  gtk_widget_destroy (window);
}

static void
test_pictures (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      GtkWidget *box     = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
      GtkWidget *tiling  = wf_tiling_chooser_new (1 << 20);
      GtkWidget *plain   = wf_connectivity_chooser_new ();
      GtkWidget *stack   = wf_connectivity_chooser_new ();
      GtkWidget *grey    = wf_connectivity_chooser_new ();
      GtkWidget *window;

      pictures_set_dark (dark);
      wf_tiling_chooser_set_size (WF_TILING_CHOOSER (tiling), 8192, 6000, 1);
      g_object_set (tiling, "value", 512.0, NULL);
      g_object_set (plain, "connectivity", "8", NULL);
      g_object_set (stack, "stack", TRUE, "connectivity", "6", NULL);
      gtk_widget_set_sensitive (grey, FALSE);
      gtk_container_add (GTK_CONTAINER (box), tiling);
      gtk_container_add (GTK_CONTAINER (box), plain);
      gtk_container_add (GTK_CONTAINER (box), stack);
      gtk_container_add (GTK_CONTAINER (box), grey);
      gtk_widget_show_all (box);
      window = show (box);
      pictures_save (window, "tiling-connectivity", dark);
      gtk_widget_destroy (window);
    }
}

int
main (int    argc,
      char **argv)
{
  pictures_init ();
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tiling/hints", test_hints);
  g_test_add_func ("/tiling/binding", test_binding);
  g_test_add_func ("/tiling/pictures", test_pictures);

  return g_test_run ();
}
