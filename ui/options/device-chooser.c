/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The device that computes: automatic choice, the CPU, each GPU by its maker's name, all GPUs
 * together, and all devices.  A list of devices that was set by a script is shown as it is.
 *
 * Listing GPUs starts their driver, which may take a second; so the devices are listed in
 * a thread and added afterwards.  A choice made before stays.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"

#include "device-chooser.h"

enum
{
  PROP_0,
  PROP_DEVICE,
  N_PROPS
};

enum
{
  COLUMN_DEVICE,
  COLUMN_LABEL,
  N_COLUMNS
};

struct _WfDeviceChooser
{
  GtkComboBox   parent_instance;

  GtkListStore *store;
  gboolean      listing;    /* the devices are not known yet */
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfDeviceChooser, wf_device_chooser, GTK_TYPE_COMBO_BOX)


static void
append (WfDeviceChooser *chooser,
        const char      *device,
        const char      *label)
{
  gtk_list_store_insert_with_values (chooser->store, NULL, -1,
                                     COLUMN_DEVICE, device,
                                     COLUMN_LABEL,  label,
                                     -1);
}

static gboolean
find_row (WfDeviceChooser *chooser,
          const char      *device,
          GtkTreeIter     *iter)
{
  GtkTreeModel *model = GTK_TREE_MODEL (chooser->store);

  for (gboolean more = gtk_tree_model_get_iter_first (model, iter); more;
       more = gtk_tree_model_iter_next (model, iter))
    {
      g_autofree char *name = NULL;

      gtk_tree_model_get (model, iter, COLUMN_DEVICE, &name, -1);
      if (g_strcmp0 (name, device) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Sets the device's row, or adds one. */
static void
put (WfDeviceChooser *chooser,
     const char      *device,
     const char      *label)
{
  GtkTreeIter iter;

  if (find_row (chooser, device, &iter))
    gtk_list_store_set (chooser->store, &iter, COLUMN_LABEL, label, -1);
  else
    append (chooser, device, label);
}

/* Whether each device of a list is on this machine. */
static gboolean
has_all (WfDeviceChooser *chooser,
         const char      *list)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  GtkTreeIter    iter;
  guint          n     = 0;

  while (names[n] && find_row (chooser, g_strstrip (names[n]), &iter))
    n++;
  return n > 1 && ! names[n];
}

/* The label of a device, or list of devices, that is not offered by itself. */
static char *
describe_other (WfDeviceChooser *chooser,
                const char      *device)
{
  if (chooser->listing)
    return g_strdup_printf (_("%s (searching)"), device);
  return has_all (chooser, device) ? g_strdup (device)
                                   : g_strdup_printf (_("%s (not on this machine)"), device);
}

static char *
describe (const WfDevice *device)
{
  const char       *name = device->description ? device->description : device->name;
  g_autofree char  *size = NULL;

  if (strcmp (device->name, "cpu") == 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "CPU, %u thread", "CPU, %u threads",
                                         device->n_units),
                            device->n_units);

  size = g_format_size_full (device->memory_total, G_FORMAT_SIZE_IEC_UNITS);
  /* TRANSLATORS: a GPU: its maker's name for it, its memory, its name in scripts */
  return g_strdup_printf (_("%s, %s (%s)"), name, size, device->name);
}

static void
wf_device_chooser_init (WfDeviceChooser *chooser)
{
  chooser->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING);
  append (chooser, "auto", _("Automatic"));
}

/* The cells of a combo box can be packed only after its construction. */
static void
wf_device_chooser_constructed (GObject *object)
{
  WfDeviceChooser *chooser = WF_DEVICE_CHOOSER (object);
  GtkCellRenderer *cell    = gtk_cell_renderer_text_new ();

  G_OBJECT_CLASS (wf_device_chooser_parent_class)->constructed (object);

  g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 24, NULL);
  gtk_cell_layout_pack_start (GTK_CELL_LAYOUT (chooser), cell, TRUE);
  gtk_cell_layout_add_attribute (GTK_CELL_LAYOUT (chooser), cell, "text", COLUMN_LABEL);

  gtk_combo_box_set_model (GTK_COMBO_BOX (chooser), GTK_TREE_MODEL (chooser->store));
  gtk_combo_box_set_id_column (GTK_COMBO_BOX (chooser), COLUMN_DEVICE);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (chooser), "auto");
}

static void
wf_device_chooser_changed (GtkComboBox *combo)
{
  g_object_notify_by_pspec (G_OBJECT (combo), props[PROP_DEVICE]);
}

static void
wf_device_chooser_finalize (GObject *object)
{
  g_clear_object (&WF_DEVICE_CHOOSER (object)->store);
  G_OBJECT_CLASS (wf_device_chooser_parent_class)->finalize (object);
}

static void
wf_device_chooser_get_property (GObject    *object,
                                guint       property_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  if (property_id == PROP_DEVICE)
    g_value_set_string (value, wf_device_chooser_get_device (WF_DEVICE_CHOOSER (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_device_chooser_set_property (GObject      *object,
                                guint         property_id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  if (property_id == PROP_DEVICE)
    wf_device_chooser_set_device (WF_DEVICE_CHOOSER (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_device_chooser_class_init (WfDeviceChooserClass *klass)
{
  GObjectClass     *object_class = G_OBJECT_CLASS (klass);
  GtkComboBoxClass *combo_class  = GTK_COMBO_BOX_CLASS (klass);

  object_class->constructed  = wf_device_chooser_constructed;
  object_class->finalize     = wf_device_chooser_finalize;
  object_class->get_property = wf_device_chooser_get_property;
  object_class->set_property = wf_device_chooser_set_property;
  combo_class->changed       = wf_device_chooser_changed;

  /**
   * WfDeviceChooser:device:
   *
   * "auto", "cpu", "cuda:N", "all" or a list (see WfContextOptions).  A device that this
   * machine does not have stays chosen, marked as missing: the choice is never changed silently.
   */
  props[PROP_DEVICE] =
    g_param_spec_string ("device", NULL, NULL, "auto",
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
put_devices (WfDeviceChooser *chooser,
             GPtrArray       *devices)
{
  g_autoptr (GString) gpus   = g_string_new (NULL);
  guint               n_gpus = 0;

  for (guint i = 0; i < devices->len; i++)
    {
      const WfDevice  *device = devices->pdata[i];
      g_autofree char *label  = describe (device);

      put (chooser, device->name, label);
      if (strcmp (device->name, "cpu") == 0)
        continue;
      g_string_append_printf (gpus, "%s%s", n_gpus > 0 ? "," : "", device->name);
      n_gpus++;
    }
  if (n_gpus > 1)
    put (chooser, gpus->str, _("All GPUs"));
  if (devices->len > 1)
    put (chooser, "all", _("All devices"));
}

/**
 * Listing:
 * @devices: of this machine
 * @problem: why there is no GPU, or %NULL
 */
typedef struct
{
  GPtrArray *devices;
  GError    *problem;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_ptr_array_unref (listing->devices);
  g_clear_error (&listing->problem);
  g_free (listing);
}

static void
list_devices (GTask        *task,
              gpointer      chooser,
              gpointer      data,
              GCancellable *cancellable)
{
  Listing *listing = g_new0 (Listing, 1);

  listing->devices = wf_list_devices (&listing->problem);
  g_task_return_pointer (task, listing, listing_free);
}

/* Appended to the present tooltip. */
static void
show_problem (WfDeviceChooser *chooser,
              const GError    *problem)
{
  g_autofree char *tip  = gtk_widget_get_tooltip_text (GTK_WIDGET (chooser));
  g_autofree char *both = tip ? g_strdup_printf ("%s\n\n%s", tip, problem->message) : NULL;

  gtk_widget_set_tooltip_text (GTK_WIDGET (chooser), both ? both : problem->message);
}

/* Labels what was chosen before the devices were known, if it is none of them. */
static void
name_other (WfDeviceChooser *chooser,
            const char      *device)
{
  g_autofree char *label = NULL;
  GtkTreeIter      iter;

  if (! find_row (chooser, device, &iter))
    return;
  gtk_tree_model_get (GTK_TREE_MODEL (chooser->store), &iter, COLUMN_LABEL, &label, -1);
  if (label[0])
    return;
  g_free (label);
  label = describe_other (chooser, device);
  put (chooser, device, label);
}

static void
devices_listed (GObject      *object,
                GAsyncResult *result,
                gpointer      data)
{
  WfDeviceChooser *chooser = WF_DEVICE_CHOOSER (object);
  Listing         *listing = g_task_propagate_pointer (G_TASK (result), NULL);
  const char      *chosen  = wf_device_chooser_get_device (chooser);
  g_autofree char *other   = g_strcmp0 (chosen, "auto") != 0 ? g_strdup (chosen) : NULL;

  chooser->listing = FALSE;
  if (other)
    put (chooser, other, "");
  put_devices (chooser, listing->devices);
  if (other)
    name_other (chooser, other);
  if (listing->problem)
    show_problem (chooser, listing->problem);
  listing_free (listing);
}

/**
 * wf_device_chooser_new:
 *
 * Lists the engine's devices in a thread and shows them afterwards; if there is no GPU, the
 * tooltip then says why.
 *
 * Returns: a widget that offers this machine's devices.
 */
GtkWidget *
wf_device_chooser_new (void)
{
  WfDeviceChooser   *chooser = g_object_new (WF_TYPE_DEVICE_CHOOSER, NULL);
  g_autoptr (GTask)  task    = g_task_new (chooser, NULL, devices_listed, NULL);

  chooser->listing = TRUE;
  g_task_run_in_thread (task, list_devices);
  return GTK_WIDGET (chooser);
}

/**
 * wf_device_chooser_new_for_devices:
 * @devices: (element-type WfDevice): as from wf_list_devices()
 *
 * Returns: a widget that offers @devices.
 */
GtkWidget *
wf_device_chooser_new_for_devices (GPtrArray *devices)
{
  WfDeviceChooser *chooser = g_object_new (WF_TYPE_DEVICE_CHOOSER, NULL);

  put_devices (chooser, devices);
  return GTK_WIDGET (chooser);
}

/**
 * wf_device_chooser_get_device:
 * @chooser: a chooser
 *
 * Returns: "auto", "cpu", "cuda:N", "all" or a list, with commas
 */
const char *
wf_device_chooser_get_device (WfDeviceChooser *chooser)
{
  g_return_val_if_fail (WF_IS_DEVICE_CHOOSER (chooser), NULL);

  return gtk_combo_box_get_active_id (GTK_COMBO_BOX (chooser));
}

/**
 * wf_device_chooser_set_device:
 * @chooser: a chooser
 * @device: (nullable): a device's name; %NULL counts as "auto"
 */
void
wf_device_chooser_set_device (WfDeviceChooser *chooser,
                              const char      *device)
{
  GtkComboBox     *combo = GTK_COMBO_BOX (chooser);
  g_autofree char *label = NULL;

  g_return_if_fail (WF_IS_DEVICE_CHOOSER (chooser));

  if (gtk_combo_box_set_active_id (combo, device ? device : "auto"))
    return;

  label = describe_other (chooser, device);
  append (chooser, device, label);
  gtk_combo_box_set_active_id (combo, device);
}
