/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Entries for numbers: how values are shown, and how typed text is read. */

#include <gtk/gtk.h>

#include "ui/options/auto-spin-button.h"
#include "ui/options/level-entry.h"
#include "ui/options/spacing-entry.h"
#include "widgets.h"


static void
test_auto_spin_button (void)
{
  GtkWidget *spin   = wf_auto_spin_button_new (1000, 64);
  GtkWidget *window = widgets_show (spin);

  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (spin)), ==, "Automatic");
  gtk_spin_button_spin (GTK_SPIN_BUTTON (spin), GTK_SPIN_STEP_FORWARD, 64);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (spin)), ==, "64");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 0);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (spin)), ==, "Automatic");

  gtk_entry_set_text (GTK_ENTRY (spin), "300");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)), ==, 300);
  gtk_entry_set_text (GTK_ENTRY (spin), "");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)), ==, 0);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (spin)), ==, "Automatic");
  gtk_entry_set_text (GTK_ENTRY (spin), "9999");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)), ==, 1000);
  gtk_widget_destroy (window);
}

static int
width_of (GtkWidget  *entry,
          const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (entry, text);
  int                     width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* The longest text fits in any font, with little space left. */
static void
test_auto_spin_button_width (void)
{
  static const int maxima[] = { 9, 1 << 20, G_MAXINT };

  for (guint i = 0; i < G_N_ELEMENTS (maxima); i++)
    {
      GtkWidget       *spin    = wf_auto_spin_button_new (maxima[i], 1);
      GtkWidget       *box     = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      g_autofree char *number  = g_strdup_printf ("%d", maxima[i]);
      GtkWidget       *window;
      GdkRectangle     room;
      int              longest;

      gtk_container_add (GTK_CONTAINER (box), spin);
      window  = widgets_show (box);
      longest = MAX (width_of (spin, "Automatic"), width_of (spin, number));
      gtk_entry_get_text_area (GTK_ENTRY (spin), &room);
      g_assert_cmpint (room.width, >, longest);
      g_assert_cmpint (room.width, <, longest + 20);
      gtk_widget_destroy (window);
    }
}

static void
test_level_from_fraction (void)
{
  static const struct
  {
    double fraction;
    WfType type;
    double level;
  } cases[] =
  {
    { 0, WF_TYPE_U8, 0 },       { 1, WF_TYPE_U8, 255 },      { 0.5, WF_TYPE_U8, 128 },
    { 0.15, WF_TYPE_U8, 38 },   { 0.001, WF_TYPE_U8, 0 },    { 0.002, WF_TYPE_U8, 1 },
    { 0, WF_TYPE_U16, 0 },      { 1, WF_TYPE_U16, 65535 },   { 0.5, WF_TYPE_U16, 32768 },
    { 0.2, WF_TYPE_U16, 13107 },
    { 0, WF_TYPE_F32, 0 },      { 1, WF_TYPE_F32, 1 },       { 0.2, WF_TYPE_F32, 0.2f },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (wf_level_from_fraction (cases[i].fraction, cases[i].type),
                       ==, cases[i].level);
}

static void
test_level_entry (void)
{
  GtkWidget       *entry  = wf_level_entry_new (WF_TYPE_U8);
  GtkWidget       *window = widgets_show (entry);
  GtkWidget       *hint   = widgets_find (entry, GTK_TYPE_LABEL, 0);
  int              calls  = 0;
  double           fraction;

  g_signal_connect_swapped (entry, "notify::fraction", G_CALLBACK (widgets_count), &calls);
  g_object_set (entry, "fraction", 0.5, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0.5);
  g_assert_cmpint (calls, ==, 1);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hint)), ==, "of white\n(128 of 255)");

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (widgets_find (entry, GTK_TYPE_SPIN_BUTTON, 0)), 0.25);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0.25);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hint)), ==, "of white\n(64 of 255)");
  g_object_set (entry, "fraction", 7.0, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 1);
  g_assert_true (gtk_widget_mnemonic_activate (entry, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window))
                 == widgets_find (entry, GTK_TYPE_SPIN_BUTTON, 0));
  gtk_widget_destroy (window);
}

/* A difference of levels may be negative. */
static void
test_level_entry_difference (void)
{
  GtkWidget *entry  = wf_level_entry_new (WF_TYPE_U8);
  GtkWidget *window = widgets_show (entry);
  GtkWidget *hint   = widgets_find (entry, GTK_TYPE_LABEL, 0);
  double     fraction;

  g_object_set (entry, "fraction", -0.2, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0);
  wf_level_entry_set_lowest (WF_LEVEL_ENTRY (entry), -1);
  g_object_set (entry, "fraction", -0.2, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, -0.2);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hint)), ==, "of white\n(-51 of 255)");
  g_object_set (entry, "fraction", -7.0, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, -1);
  gtk_widget_destroy (window);
}

/* For real numbers the fraction is the level; in linear light the unit says so. */
static void
test_level_entry_float (void)
{
  GtkWidget *entry  = wf_level_entry_new (WF_TYPE_F32);
  GtkWidget *window = widgets_show (entry);
  GtkWidget *unit   = widgets_find (window, GTK_TYPE_LABEL, 0);

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (unit)), ==, "of white");
  wf_level_entry_set_linear (WF_LEVEL_ENTRY (entry), TRUE);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (unit)), ==, "of white, linear light");
  gtk_widget_destroy (window);
}

static void
test_spacing_entry (void)
{
  GtkWidget      *entry  = wf_spacing_entry_new ();
  GtkWidget      *window = widgets_show (entry);
  WfSpacingEntry *self   = WF_SPACING_ENTRY (entry);
  GtkSpinButton  *x      = GTK_SPIN_BUTTON (widgets_find (entry, GTK_TYPE_SPIN_BUTTON, 0));
  GtkSpinButton  *y      = GTK_SPIN_BUTTON (widgets_find (entry, GTK_TYPE_SPIN_BUTTON, 1));
  int             calls  = 0;

  g_signal_connect_swapped (entry, "notify::spacing", G_CALLBACK (widgets_count), &calls);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "1,1,1");
  g_object_set (entry, "spacing", "0.5,2", NULL);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.5,2");
  g_assert_cmpfloat (gtk_spin_button_get_value (x), ==, 0.5);
  g_assert_cmpfloat (gtk_spin_button_get_value (y), ==, 2);
  g_assert_cmpint (calls, ==, 1);

  gtk_spin_button_set_value (y, 3);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.5,3,1");
  g_assert_cmpint (calls, ==, 2);

  /* showing a value does not lose digits beyond those of the spin buttons */
  g_object_set (entry, "spacing", "0.12345678,1", NULL);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.12345678,1");

  g_object_set (entry, "spacing", "nonsense", NULL);
  g_object_set (entry, "spacing", NULL, NULL);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.12345678,1");
  gtk_widget_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/auto-spin-button", test_auto_spin_button);
  g_test_add_func ("/auto-spin-button/width", test_auto_spin_button_width);
  g_test_add_func ("/level/from-fraction", test_level_from_fraction);
  g_test_add_func ("/level/entry", test_level_entry);
  g_test_add_func ("/level/entry-difference", test_level_entry_difference);
  g_test_add_func ("/level/entry-float", test_level_entry_float);
  g_test_add_func ("/spacing", test_spacing_entry);

  return g_test_run ();
}
