/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The device chooser: its rows before and after the devices are listed, and the choice. */

#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/device-chooser.h"
#include "settings.h"
#include "widgets.h"


static GPtrArray *
make_devices (guint n_gpus)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_device_free);

  for (guint i = 0; i <= n_gpus; i++)
    {
      WfDevice *device = g_new0 (WfDevice, 1);

      device->name         = i == 0 ? g_strdup ("cpu") : g_strdup_printf ("cuda:%u", i - 1);
      device->description  = g_strdup (i == 0 ? "Some processor" : "Some accelerator");
      device->n_units      = 12;
      device->memory_total = (guint64) 24 << 30;
      g_ptr_array_add (devices, device);
    }
  return devices;
}

static char *
get_label (GtkWidget  *chooser,
           const char *device)
{
  GtkTreeModel *model = gtk_combo_box_get_model (GTK_COMBO_BOX (chooser));
  GtkTreeIter   iter;

  for (gboolean more = gtk_tree_model_get_iter_first (model, &iter); more;
       more = gtk_tree_model_iter_next (model, &iter))
    {
      g_autofree char *id    = NULL;
      char            *label = NULL;

      gtk_tree_model_get (model, &iter, 0, &id, 1, &label, -1);
      if (strcmp (id, device) == 0)
        return label;
      g_free (label);
    }
  return NULL;
}

static int
count_entries (GtkWidget *chooser)
{
  return gtk_tree_model_iter_n_children (gtk_combo_box_get_model (GTK_COMBO_BOX (chooser)), NULL);
}

static void
test_device_entries (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (2);
  GtkWidget             *window  = widgets_show (wf_device_chooser_new_for_devices (devices));
  GtkWidget             *chooser = gtk_bin_get_child (GTK_BIN (window));
  g_autofree char       *cpu     = get_label (chooser, "cpu");
  g_autofree char       *gpu     = get_label (chooser, "cuda:1");
  g_autofree char       *gpus    = get_label (chooser, "cuda:0,cuda:1");
  g_autofree char       *all     = get_label (chooser, "all");

  g_assert_cmpint (count_entries (chooser), ==, 6);
  g_assert_nonnull (gpus);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "auto");
  g_assert_nonnull (strstr (cpu, "12 threads"));
  g_assert_nonnull (strstr (gpu, "Some accelerator"));
  g_assert_nonnull (strstr (gpu, "24.0"));
  g_assert_nonnull (strstr (gpu, "cuda:1"));
  g_assert_nonnull (all);
  gtk_widget_destroy (window);
}

static void
test_device_without_gpu (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (0);
  GtkWidget             *window  = widgets_show (wf_device_chooser_new_for_devices (devices));
  GtkWidget             *chooser = gtk_bin_get_child (GTK_BIN (window));
  g_autofree char       *all     = get_label (chooser, "all");

  g_assert_cmpint (count_entries (chooser), ==, 2);
  g_assert_null (all);
  gtk_widget_destroy (window);
}

/* A list that a script has set is shown as it is, or as missing. */
static void
test_device_list (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (2);
  GtkWidget             *chooser = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window  = widgets_show (chooser);
  g_autofree char       *here    = NULL;
  g_autofree char       *gone    = NULL;

  g_object_set (chooser, "device", "cpu, cuda:1", NULL);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cpu, cuda:1");
  here = get_label (chooser, "cpu, cuda:1");
  g_assert_cmpstr (here, ==, "cpu, cuda:1");
  g_object_set (chooser, "device", "cpu,cuda:2", NULL);
  gone = get_label (chooser, "cpu,cuda:2");
  g_assert_nonnull (strstr (gone, "not on this machine"));
  g_object_set (chooser, "device", "cuda:0,cuda:1", NULL);
  g_assert_cmpint (count_entries (chooser), ==, 8);
  gtk_widget_destroy (window);
}

/* A device of another machine stays chosen, and is marked as missing. */
static void
test_device_missing (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (1);
  GtkWidget             *chooser = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window  = widgets_show (chooser);
  g_autofree char       *label   = NULL;

  g_object_set (chooser, "device", "cuda:7", NULL);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cuda:7");
  label = get_label (chooser, "cuda:7");
  g_assert_nonnull (strstr (label, "not on this machine"));
  g_object_set (chooser, "device", "cuda:0", NULL);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cuda:0");
  g_object_set (chooser, "device", NULL, NULL);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "auto");
  g_assert_cmpint (count_entries (chooser), ==, 5);
  gtk_widget_destroy (window);
}

static void
test_device_binding (void)
{
  g_autoptr (GPtrArray)  devices  = make_devices (1);
  g_autoptr (GObject)    settings = settings_new ();
  GtkWidget             *chooser  = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window   = widgets_show (chooser);
  g_autofree char       *text     = NULL;

  g_object_set (settings, "device", "cpu", NULL);
  g_object_bind_property (settings, "device", chooser, "device",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cpu");
  gtk_combo_box_set_active (GTK_COMBO_BOX (chooser), 2);
  text = settings_get_text (settings, "device");
  g_assert_cmpstr (text, ==, "cuda:0");
  gtk_widget_destroy (window);
}

/* The engine's own list contains at least the CPU, and an earlier choice stays. */
static void
test_device_real (void)
{
  GtkWidget       *chooser = wf_device_chooser_new ();
  GtkWidget       *window;
  g_autofree char *cpu     = NULL;
  g_autofree char *missing = NULL;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cuda:77");
  missing = get_label (chooser, "cuda:77");
  g_assert_nonnull (strstr (missing, "searching"));
  window = widgets_show (chooser);
  while (! (cpu = get_label (chooser, "cpu")))
    gtk_main_iteration ();
  g_assert_nonnull (strstr (cpu, "thread"));
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cuda:77");
  g_free (missing);
  missing = get_label (chooser, "cuda:77");
  g_assert_nonnull (strstr (missing, "not on this machine"));
  gtk_widget_destroy (window);
}

/* Chosen before the devices are listed, and found then. */
static void
test_device_found (void)
{
  GtkWidget       *chooser = wf_device_chooser_new ();
  GtkWidget       *window;
  g_autofree char *label   = NULL;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cpu");
  window = widgets_show (chooser);
  for (label = get_label (chooser, "cpu"); ! strstr (label, "thread");
       label = get_label (chooser, "cpu"))
    {
      g_assert_nonnull (strstr (label, "searching"));
      g_free (label);
      gtk_main_iteration ();
    }
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cpu");
  gtk_widget_destroy (window);
}

/* A chooser that is destroyed before the devices are listed. */
static void
test_device_gone (void)
{
  GtkWidget *window = widgets_show (wf_device_chooser_new ());
  gint64     end    = g_get_monotonic_time () + G_USEC_PER_SEC / 5;

  gtk_widget_destroy (window);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
}

/* The closed combo box shows the choice. */
static void
test_device_is_drawn (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (1);
  GtkWidget             *chooser = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window  = widgets_show (chooser);
  cairo_surface_t       *before  = widgets_draw (chooser);
  cairo_surface_t       *after;
  gsize                  size;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cpu");
  gtk_test_widget_wait_for_draw (window);
  after = widgets_draw (chooser);
  size  = (gsize) cairo_image_surface_get_stride (before)
          * cairo_image_surface_get_height (before);
  g_assert_cmpint (cairo_image_surface_get_width (before), ==,
                   cairo_image_surface_get_width (after));
  g_assert_cmpint (memcmp (cairo_image_surface_get_data (before),
                           cairo_image_surface_get_data (after), size), !=, 0);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
  gtk_widget_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/device/entries", test_device_entries);
  g_test_add_func ("/device/without-gpu", test_device_without_gpu);
  g_test_add_func ("/device/list", test_device_list);
  g_test_add_func ("/device/missing", test_device_missing);
  g_test_add_func ("/device/binding", test_device_binding);
  g_test_add_func ("/device/real", test_device_real);
  g_test_add_func ("/device/found", test_device_found);
  g_test_add_func ("/device/gone", test_device_gone);
  g_test_add_func ("/device/is-drawn", test_device_is_drawn);

  return g_test_run ();
}
