/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel of a 2-D image along x and y, for images whose pixels are
 * not square or whose distances are wanted in micrometres.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "wavefront.h"

#include "spacing-entry.h"

#define DIGITS  4
#define LEAST   0.0001
#define MOST    1000000.0

enum
{
  PROP_0,
  PROP_SPACING,
  N_PROPS
};

struct _WfSpacingEntry
{
  GtkBox     parent_instance;

  GtkWidget *spins[2];
  char      *spacing;
  gboolean   setting;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfSpacingEntry, wf_spacing_entry, GTK_TYPE_BOX)


static const WfOption *
spacing_option (void)
{
  return wf_option_group_find (wf_operation_get_options (WF_OPERATION_DISTANCE), "spacing");
}

static void
spin_changed (WfSpacingEntry *entry)
{
  WfDistanceOptions options;

  if (entry->setting)
    return;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  for (int axis = 0; axis < 2; axis++)
    options.spacing[axis] = gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry->spins[axis]));

  g_free (entry->spacing);
  entry->spacing = wf_option_format (spacing_option (), &options);
  g_object_notify_by_pspec (G_OBJECT (entry), props[PROP_SPACING]);
}

static void
add_spin (WfSpacingEntry *entry,
          int             axis,
          const char     *name,
          const char     *accessible_name)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *spin  = gtk_spin_button_new_with_range (LEAST, MOST, 0.1);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), DIGITS);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 1);
  gtk_entry_set_width_chars (GTK_ENTRY (spin), 8);
  gtk_entry_set_activates_default (GTK_ENTRY (spin), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (spin), accessible_name);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (spin_changed), entry);

  gtk_box_pack_start (GTK_BOX (entry), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (entry), spin, FALSE, FALSE, 0);
  gtk_widget_show (label);
  gtk_widget_show (spin);
  entry->spins[axis] = spin;
}

static void
wf_spacing_entry_init (WfSpacingEntry *entry)
{
  WfDistanceOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  entry->spacing = wf_option_format (spacing_option (), &options);

  gtk_box_set_spacing (GTK_BOX (entry), 6);
  /* TRANSLATORS: the horizontal axis of an image */
  add_spin (entry, 0, _("x"), _("Width of a pixel"));
  /* TRANSLATORS: the vertical axis of an image */
  add_spin (entry, 1, _("y"), _("Height of a pixel"));
}

static gboolean
wf_spacing_entry_mnemonic_activate (GtkWidget *widget,
                                    gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_SPACING_ENTRY (widget)->spins[0]);
  return TRUE;
}

static void
wf_spacing_entry_finalize (GObject *object)
{
  g_free (WF_SPACING_ENTRY (object)->spacing);
  G_OBJECT_CLASS (wf_spacing_entry_parent_class)->finalize (object);
}

static void
wf_spacing_entry_get_property (GObject    *object,
                               guint       property_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  if (property_id == PROP_SPACING)
    g_value_set_string (value, wf_spacing_entry_get_spacing (WF_SPACING_ENTRY (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_spacing_entry_set_property (GObject      *object,
                               guint         property_id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  if (property_id == PROP_SPACING)
    wf_spacing_entry_set_spacing (WF_SPACING_ENTRY (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_spacing_entry_class_init (WfSpacingEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize     = wf_spacing_entry_finalize;
  object_class->get_property = wf_spacing_entry_get_property;
  object_class->set_property = wf_spacing_entry_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_spacing_entry_mnemonic_activate;

  /**
   * WfSpacingEntry:spacing:
   *
   * The size of a pixel in the notation of the engine's option "spacing": "X,Y" or
   * "X,Y,Z".  Other text is ignored.
   */
  props[PROP_SPACING] =
    g_param_spec_string ("spacing", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_spacing_entry_new:
 *
 * Returns: a widget for the width and height of a pixel.
 */
GtkWidget *
wf_spacing_entry_new (void)
{
  return g_object_new (WF_TYPE_SPACING_ENTRY, NULL);
}

/**
 * wf_spacing_entry_get_spacing:
 * @entry: an entry
 *
 * Returns: the spacing as wf_option_parse() reads it.
 */
const char *
wf_spacing_entry_get_spacing (WfSpacingEntry *entry)
{
  g_return_val_if_fail (WF_IS_SPACING_ENTRY (entry), NULL);

  return entry->spacing;
}

/**
 * wf_spacing_entry_set_spacing:
 * @entry: an entry
 * @spacing: (nullable): a spacing as wf_option_parse() reads it; anything else
 *   is ignored
 *
 * The text is kept until the user changes a number, as it may have more digits than the
 * spin buttons show.
 */
void
wf_spacing_entry_set_spacing (WfSpacingEntry *entry,
                              const char     *spacing)
{
  WfDistanceOptions options;

  g_return_if_fail (WF_IS_SPACING_ENTRY (entry));

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  if (! spacing || g_strcmp0 (spacing, entry->spacing) == 0 ||
      ! wf_option_parse (spacing_option (), &options, spacing, NULL))
    return;

  entry->setting = TRUE;
  for (int axis = 0; axis < 2; axis++)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry->spins[axis]), options.spacing[axis]);
  entry->setting = FALSE;

  g_free (entry->spacing);
  entry->spacing = g_strdup (spacing);
  g_object_notify_by_pspec (G_OBJECT (entry), props[PROP_SPACING]);
}
