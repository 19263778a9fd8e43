/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each widget alone: what it shows, what it lets one choose, and that it and the
 * settings it is bound to follow each other.
 */

#include <string.h>

#include <gtk/gtk.h>

#include "auto-spin-button.h"
#include "connectivity-chooser.h"
#include "device-chooser.h"
#include "level-entry.h"
#include "settings.h"
#include "spacing-entry.h"


static void
count (int *calls)
{
  (*calls)++;
}

static void
collect (GtkWidget *widget,
         gpointer   list)
{
  g_ptr_array_add (list, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), collect, list);
}

/* The @n-th widget of @type inside @parent, from 0. */
static GtkWidget *
find (GtkWidget *parent,
      GType      type,
      guint      n)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  collect (parent, all);
  for (guint i = 0; i < all->len; i++)
    if (g_type_is_a (G_OBJECT_TYPE (all->pdata[i]), type) && n-- == 0)
      return all->pdata[i];
  return NULL;
}

static GtkWidget *
show (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);

  gtk_container_add (GTK_CONTAINER (window), widget);
  gtk_widget_show_all (window);
  gtk_test_widget_wait_for_draw (window);
  return window;
}

static cairo_surface_t *
draw (GtkWidget *widget)
{
  int              width   = gtk_widget_get_allocated_width (widget);
  int              height  = gtk_widget_get_allocated_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t         *cr      = cairo_create (surface);

  gtk_widget_draw (widget, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}


/*  The connectivity chooser  */

static void
test_connectivity_property (void)
{
  static const char *const  given[]    = { "4", "8", "auto", "4", "26", "", "8", NULL };
  static const char *const  expected[] = { "4", "8", "auto", "4", "8", "auto", "8", "auto" };
  GtkWidget                *window     = show (wf_connectivity_chooser_new ());
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
  GtkWidget *window  = show (wf_connectivity_chooser_new ());
  GtkWidget *chooser = gtk_bin_get_child (GTK_BIN (window));
  int        calls   = 0;

  g_signal_connect_swapped (chooser, "notify::connectivity", G_CALLBACK (count), &calls);
  gtk_button_clicked (GTK_BUTTON (find (chooser, GTK_TYPE_RADIO_BUTTON, 1)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "4");
  g_assert_cmpint (calls, ==, 1);
  gtk_button_clicked (GTK_BUTTON (find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  gtk_button_clicked (GTK_BUTTON (find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "8");
  g_assert_cmpint (calls, ==, 2);
  gtk_button_clicked (GTK_BUTTON (find (chooser, GTK_TYPE_RADIO_BUTTON, 0)));
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "auto");
  g_assert_cmpint (calls, ==, 3);
  gtk_widget_destroy (window);
}

/* Who cannot see the pictures hears which neighbourhood a button is. */
static void
test_connectivity_names (void)
{
  GtkWidget *window  = show (wf_connectivity_chooser_new ());
  GtkWidget *chooser = gtk_bin_get_child (GTK_BIN (window));

  for (guint i = 0; i < 3; i++)
    {
      GtkWidget  *button = find (chooser, GTK_TYPE_RADIO_BUTTON, i);
      const char *name   = atk_object_get_name (gtk_widget_get_accessible (button));

      g_assert_nonnull (strstr (name, i == 0 ? "All" : i == 1 ? "4" : "8"));
    }
  gtk_widget_destroy (window);
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

/* Apart from where nothing was drawn. */
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

/* The picture for 8 has twice as many cells in the neighbours' colour as that for 4. */
static void
test_connectivity_pictures (void)
{
  GtkWidget       *window = show (wf_connectivity_chooser_new ());
  GtkWidget       *first  = find (window, GTK_TYPE_DRAWING_AREA, 0);
  GtkWidget       *second = find (window, GTK_TYPE_DRAWING_AREA, 1);
  cairo_surface_t *four   = draw (first);
  cairo_surface_t *eight  = draw (second);
  guint32          color  = most_common (eight);

  g_assert_cmpuint (count_colored (four, color), >, 0);
  g_assert_cmpuint (count_colored (eight, color), ==, 2 * count_colored (four, color));
  cairo_surface_destroy (four);
  cairo_surface_destroy (eight);
  gtk_widget_destroy (window);
}

/* The picture for 26 has 26 cells in the neighbours' colour, that for 6 has 6. */
static void
test_connectivity_stack_pictures (void)
{
  GtkWidget       *chooser = wf_connectivity_chooser_new ();
  GtkWidget       *window;
  cairo_surface_t *few;
  cairo_surface_t *many;
  guint32          color;

  wf_connectivity_chooser_set_stack (WF_CONNECTIVITY_CHOOSER (chooser), TRUE);
  window = show (chooser);
  few    = draw (find (window, GTK_TYPE_DRAWING_AREA, 2));
  many   = draw (find (window, GTK_TYPE_DRAWING_AREA, 3));
  color  = most_common (many);
  g_assert_cmpuint (count_colored (few, color), ==, 6 * 25);
  g_assert_cmpuint (count_colored (many, color), ==, 26 * 25);
  cairo_surface_destroy (few);
  cairo_surface_destroy (many);
  gtk_widget_destroy (window);
}

/* The neighbourhoods of stacks are offered for stacks, and what was chosen stays. */
static void
test_connectivity_stack (void)
{
  GtkWidget             *widget  = wf_connectivity_chooser_new ();
  GtkWidget             *window  = show (widget);
  WfConnectivityChooser *chooser = WF_CONNECTIVITY_CHOOSER (widget);
  int                    calls   = 0;

  g_signal_connect_swapped (chooser, "notify::connectivity", G_CALLBACK (count), &calls);
  for (guint i = 0; i < 5; i++)
    g_assert_true (gtk_widget_is_visible (find (widget, GTK_TYPE_RADIO_BUTTON, i)) == (i < 3));
  wf_connectivity_chooser_set_connectivity (chooser, "4");
  g_object_set (chooser, "stack", TRUE, NULL);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (chooser), ==, "6");
  for (guint i = 0; i < 5; i++)
    g_assert_true (gtk_widget_is_visible (find (widget, GTK_TYPE_RADIO_BUTTON, i))
                   == (i == 0 || i > 2));
  gtk_widget_show_all (window);
  g_assert_false (gtk_widget_is_visible (find (widget, GTK_TYPE_RADIO_BUTTON, 1)));
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
  GtkWidget           *window   = show (chooser);
  g_autofree char     *text     = NULL;

  g_object_set (settings, "connectivity", "4", NULL);
  g_object_bind_property (settings, "connectivity", chooser, "connectivity",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_assert_cmpstr (wf_connectivity_chooser_get_connectivity (WF_CONNECTIVITY_CHOOSER (chooser)),
                   ==, "4");
  gtk_button_clicked (GTK_BUTTON (find (chooser, GTK_TYPE_RADIO_BUTTON, 2)));
  text = settings_get_text (settings, "connectivity");
  g_assert_cmpstr (text, ==, "8");
  gtk_widget_destroy (window);
}

static void
test_connectivity_mnemonic (void)
{
  GtkWidget *chooser = wf_connectivity_chooser_new ();
  GtkWidget *window  = show (chooser);

  wf_connectivity_chooser_set_connectivity (WF_CONNECTIVITY_CHOOSER (chooser), "8");
  g_assert_true (gtk_widget_mnemonic_activate (chooser, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window))
                 == find (chooser, GTK_TYPE_RADIO_BUTTON, 2));
  gtk_widget_destroy (window);
}


/*  The device chooser  */

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
  GtkWidget             *window  = show (wf_device_chooser_new_for_devices (devices));
  GtkWidget             *chooser = gtk_bin_get_child (GTK_BIN (window));
  g_autofree char       *cpu     = get_label (chooser, "cpu");
  g_autofree char       *gpu     = get_label (chooser, "cuda:1");
  g_autofree char       *all     = get_label (chooser, "all");

  g_assert_cmpint (count_entries (chooser), ==, 5);
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
  GtkWidget             *window  = show (wf_device_chooser_new_for_devices (devices));
  GtkWidget             *chooser = gtk_bin_get_child (GTK_BIN (window));
  g_autofree char       *all     = get_label (chooser, "all");

  g_assert_cmpint (count_entries (chooser), ==, 2);
  g_assert_null (all);
  gtk_widget_destroy (window);
}

/* A device of another machine stays chosen, and is marked. */
static void
test_device_missing (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (1);
  GtkWidget             *chooser = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window  = show (chooser);
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
  GtkWidget             *window   = show (chooser);
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

/* The engine's own list; whatever it holds, the CPU is in it, and what was chosen before it
 * came stays.
 */
static void
test_device_real (void)
{
  GtkWidget       *chooser = wf_device_chooser_new ();
  GtkWidget       *window;
  g_autofree char *cpu     = NULL;
  g_autofree char *missing = NULL;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cuda:77");
  missing = get_label (chooser, "cuda:77");
  g_assert_nonnull (strstr (missing, "looking"));
  window = show (chooser);
  while (! (cpu = get_label (chooser, "cpu")))
    gtk_main_iteration ();
  g_assert_nonnull (strstr (cpu, "thread"));
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cuda:77");
  g_free (missing);
  missing = get_label (chooser, "cuda:77");
  g_assert_nonnull (strstr (missing, "not on this machine"));
  gtk_widget_destroy (window);
}

/* Chosen before the list came, and then found in it. */
static void
test_device_found (void)
{
  GtkWidget       *chooser = wf_device_chooser_new ();
  GtkWidget       *window;
  g_autofree char *label   = NULL;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cpu");
  window = show (chooser);
  for (label = get_label (chooser, "cpu"); ! strstr (label, "thread");
       label = get_label (chooser, "cpu"))
    {
      g_assert_nonnull (strstr (label, "looking"));
      g_free (label);
      gtk_main_iteration ();
    }
  g_assert_cmpstr (wf_device_chooser_get_device (WF_DEVICE_CHOOSER (chooser)), ==, "cpu");
  gtk_widget_destroy (window);
}

/* A chooser that is gone when the list comes. */
static void
test_device_gone (void)
{
  GtkWidget *window = show (wf_device_chooser_new ());
  gint64     end    = g_get_monotonic_time () + G_USEC_PER_SEC / 5;

  gtk_widget_destroy (window);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
}

/* What is chosen can be read: the closed combo box shows more than nothing. */
static void
test_device_is_drawn (void)
{
  g_autoptr (GPtrArray)  devices = make_devices (1);
  GtkWidget             *chooser = wf_device_chooser_new_for_devices (devices);
  GtkWidget             *window  = show (chooser);
  cairo_surface_t       *before  = draw (chooser);
  cairo_surface_t       *after;
  gsize                  size;

  wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cpu");
  gtk_test_widget_wait_for_draw (window);
  after = draw (chooser);
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


/*  Numbers  */

static void
test_auto_spin_button (void)
{
  GtkWidget *spin   = wf_auto_spin_button_new (1000, 64);
  GtkWidget *window = show (spin);

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
  GtkWidget       *window = show (entry);
  GtkWidget       *hint   = find (entry, GTK_TYPE_LABEL, 0);
  int              calls  = 0;
  double           fraction;

  g_signal_connect_swapped (entry, "notify::fraction", G_CALLBACK (count), &calls);
  g_object_set (entry, "fraction", 0.5, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0.5);
  g_assert_cmpint (calls, ==, 1);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hint)), ==, "128 of 255");

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (find (entry, GTK_TYPE_SPIN_BUTTON, 0)), 0.25);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0.25);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hint)), ==, "64 of 255");
  g_object_set (entry, "fraction", 7.0, NULL);
  g_object_get (entry, "fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 1);
  g_assert_true (gtk_widget_mnemonic_activate (entry, FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window))
                 == find (entry, GTK_TYPE_SPIN_BUTTON, 0));
  gtk_widget_destroy (window);
}

/* Real numbers are the fraction: there is nothing to add. */
static void
test_level_entry_float (void)
{
  GtkWidget *window = show (wf_level_entry_new (WF_TYPE_F32));

  g_assert_null (find (window, GTK_TYPE_LABEL, 0));
  gtk_widget_destroy (window);
}

static void
test_spacing_entry (void)
{
  GtkWidget      *entry  = wf_spacing_entry_new ();
  GtkWidget      *window = show (entry);
  WfSpacingEntry *self   = WF_SPACING_ENTRY (entry);
  GtkSpinButton  *x      = GTK_SPIN_BUTTON (find (entry, GTK_TYPE_SPIN_BUTTON, 0));
  GtkSpinButton  *y      = GTK_SPIN_BUTTON (find (entry, GTK_TYPE_SPIN_BUTTON, 1));
  int             calls  = 0;

  g_signal_connect_swapped (entry, "notify::spacing", G_CALLBACK (count), &calls);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "1,1,1");
  g_object_set (entry, "spacing", "0.5,2", NULL);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.5,2");
  g_assert_cmpfloat (gtk_spin_button_get_value (x), ==, 0.5);
  g_assert_cmpfloat (gtk_spin_button_get_value (y), ==, 2);
  g_assert_cmpint (calls, ==, 1);

  gtk_spin_button_set_value (y, 3);
  g_assert_cmpstr (wf_spacing_entry_get_spacing (self), ==, "0.5,3,1");
  g_assert_cmpint (calls, ==, 2);

  /* more digits than the spin buttons show are not lost by looking at them */
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

  g_test_add_func ("/connectivity/property", test_connectivity_property);
  g_test_add_func ("/connectivity/buttons", test_connectivity_buttons);
  g_test_add_func ("/connectivity/names", test_connectivity_names);
  g_test_add_func ("/connectivity/pictures", test_connectivity_pictures);
  g_test_add_func ("/connectivity/stack-pictures", test_connectivity_stack_pictures);
  g_test_add_func ("/connectivity/stack", test_connectivity_stack);
  g_test_add_func ("/connectivity/binding", test_connectivity_binding);
  g_test_add_func ("/connectivity/mnemonic", test_connectivity_mnemonic);
  g_test_add_func ("/device/entries", test_device_entries);
  g_test_add_func ("/device/without-gpu", test_device_without_gpu);
  g_test_add_func ("/device/missing", test_device_missing);
  g_test_add_func ("/device/binding", test_device_binding);
  g_test_add_func ("/device/real", test_device_real);
  g_test_add_func ("/device/found", test_device_found);
  g_test_add_func ("/device/gone", test_device_gone);
  g_test_add_func ("/device/is-drawn", test_device_is_drawn);
  g_test_add_func ("/auto-spin-button", test_auto_spin_button);
  g_test_add_func ("/level/from-fraction", test_level_from_fraction);
  g_test_add_func ("/level/entry", test_level_entry);
  g_test_add_func ("/level/entry-float", test_level_entry_float);
  g_test_add_func ("/spacing", test_spacing_entry);

  return g_test_run ();
}
