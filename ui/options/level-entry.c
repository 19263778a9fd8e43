/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A grey level, given as a fraction of the range from black to white, so that it means the
 * same at every precision.  The unit is shown beside it, and for integer types the resulting
 * level, in a second line, which leaves the width to the slider.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "level-entry.h"

#define DIGITS      4
#define SCALE_WIDTH 150
#define HINT_SIZE   0.85   /* of the font, so that two lines are as high as the entry */

enum
{
  PROP_0,
  PROP_FRACTION,
  N_PROPS
};

struct _WfLevelEntry
{
  GtkBox         parent_instance;

  WfType         type;
  gboolean       linear;
  GtkAdjustment *adjustment;
  GtkWidget     *scale;
  GtkWidget     *spin;
  GtkWidget     *hint;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfLevelEntry, wf_level_entry, GTK_TYPE_BOX)


/**
 * wf_level_describe:
 * @fraction: of the range from black to white
 * @type: the type of an image
 *
 * Returns: the level in the units of @type, and the largest one; an empty text for real
 *   numbers, whose levels are fractions themselves.
 */
char *
wf_level_describe (double fraction,
                   WfType type)
{
  if (type == WF_TYPE_F32)
    return g_strdup ("");
  /* TRANSLATORS: a grey level and the largest one, as in "128 of 255" */
  return g_strdup_printf (_("%.0f of %.0f"), wf_level_from_fraction (fraction, type),
                          wf_level_maximum (type));
}

/**
 * wf_level_get_unit:
 * @linear: whether the image stores linear light
 *
 * Returns: the unit of a fraction of the range from black to white
 */
const char *
wf_level_get_unit (gboolean linear)
{
  /* TRANSLATORS: the unit of a gray level or of a difference of levels, as in "0.25 of white":
   * a quarter of the range from black to white
   */
  return linear ? _("of white, linear light") : _("of white");
}

/**
 * wf_level_get_compound_unit:
 * @meaning: %WF_OPTION_VOLUME or %WF_OPTION_SLOPE
 * @linear: whether the image stores linear light
 *
 * Returns: its unit, with fractions of the range from black to white
 */
const char *
wf_level_get_compound_unit (WfOptionMeaning meaning,
                            gboolean        linear)
{
  if (meaning == WF_OPTION_VOLUME)
    /* TRANSLATORS: the unit of a volume: differences of levels from white, times pixels */
    return linear ? _("of white × pixels, linear light") : _("of white × pixels");
  /* TRANSLATORS: the unit of a slope: a difference of levels for each pixel of a distance */
  return linear ? _("of white per pixel, linear light") : _("of white per pixel");
}

/**
 * wf_level_describe_unit:
 * @fraction: of the range from black to white
 * @type: the type of an image
 * @linear: whether the image stores linear light
 *
 * Returns: the unit of @fraction, and the level in the units of @type, as in
 *   "of white (26 of 255)".
 */
char *
wf_level_describe_unit (double   fraction,
                        WfType   type,
                        gboolean linear)
{
  g_autofree char *level = wf_level_describe (fraction, type);
  const char      *unit  = wf_level_get_unit (linear);

  return *level ? g_strdup_printf ("%s (%s)", unit, level) : g_strdup (unit);
}

static void
show_hint (WfLevelEntry *entry)
{
  const double     fraction = gtk_adjustment_get_value (entry->adjustment);
  g_autofree char *level    = wf_level_describe (fraction, entry->type);
  g_autofree char *text     = wf_level_describe_unit (fraction, entry->type, entry->linear);
  g_autofree char *lines    = g_strdup_printf (*level ? "%s\n(%s)" : "%s",
                                               wf_level_get_unit (entry->linear), level);

  gtk_label_set_text (GTK_LABEL (entry->hint), lines);
  atk_object_set_description (gtk_widget_get_accessible (entry->spin), text);
}

/* That of the unit and of the longest level. */
static void
set_width (WfLevelEntry *entry)
{
  const double     lowest  = gtk_adjustment_get_lower (entry->adjustment);
  g_autofree char *longest = wf_level_describe (lowest < 0 ? lowest : 1, entry->type);
  const glong      unit    = g_utf8_strlen (wf_level_get_unit (entry->linear), -1);
  const glong      level   = g_utf8_strlen (longest, -1) + (glong) strlen ("()");

  gtk_label_set_width_chars (GTK_LABEL (entry->hint), (int) MAX (unit, level));
}

static void
make_small (GtkWidget *label)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (HINT_SIZE));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
}

static void
value_changed (WfLevelEntry *entry)
{
  show_hint (entry);
  g_object_notify_by_pspec (G_OBJECT (entry), props[PROP_FRACTION]);
}

static void
wf_level_entry_init (WfLevelEntry *entry)
{
  entry->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 0.01, 0.1, 0));
  entry->scale      = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, entry->adjustment);
  entry->spin       = gtk_spin_button_new (entry->adjustment, 0, DIGITS);
  entry->hint       = gtk_label_new (NULL);

  gtk_box_set_spacing (GTK_BOX (entry), 6);
  gtk_scale_set_draw_value (GTK_SCALE (entry->scale), FALSE);
  gtk_widget_set_size_request (entry->scale, SCALE_WIDTH, -1);
  gtk_widget_set_can_focus (entry->scale, FALSE);
  gtk_range_set_round_digits (GTK_RANGE (entry->scale), DIGITS);
  gtk_entry_set_activates_default (GTK_ENTRY (entry->spin), TRUE);
  gtk_box_pack_start (GTK_BOX (entry), entry->scale, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (entry), entry->spin, FALSE, FALSE, 0);
  gtk_widget_show (entry->scale);
  gtk_widget_show (entry->spin);
  gtk_label_set_xalign (GTK_LABEL (entry->hint), 0);
  make_small (entry->hint);
  gtk_style_context_add_class (gtk_widget_get_style_context (entry->hint),
                               GTK_STYLE_CLASS_DIM_LABEL);
  gtk_box_pack_start (GTK_BOX (entry), entry->hint, FALSE, FALSE, 0);
  gtk_widget_show (entry->hint);
  gtk_widget_set_tooltip_text (entry->hint,
                               _("A fraction of the range from black (0) to white (1)"));

  g_signal_connect_swapped (entry->adjustment, "value-changed",
                            G_CALLBACK (value_changed), entry);
}

static gboolean
wf_level_entry_mnemonic_activate (GtkWidget *widget,
                                  gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_LEVEL_ENTRY (widget)->spin);
  return TRUE;
}

static void
wf_level_entry_dispose (GObject *object)
{
  WfLevelEntry *entry = WF_LEVEL_ENTRY (object);

  if (entry->adjustment)
    g_signal_handlers_disconnect_by_data (entry->adjustment, entry);
  g_clear_object (&entry->adjustment);
  G_OBJECT_CLASS (wf_level_entry_parent_class)->dispose (object);
}

static void
wf_level_entry_get_property (GObject    *object,
                             guint       property_id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  if (property_id == PROP_FRACTION)
    g_value_set_double (value, gtk_adjustment_get_value (WF_LEVEL_ENTRY (object)->adjustment));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_level_entry_set_property (GObject      *object,
                             guint         property_id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  if (property_id == PROP_FRACTION)
    gtk_adjustment_set_value (WF_LEVEL_ENTRY (object)->adjustment, g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_level_entry_class_init (WfLevelEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose      = wf_level_entry_dispose;
  object_class->get_property = wf_level_entry_get_property;
  object_class->set_property = wf_level_entry_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_level_entry_mnemonic_activate;

  /**
   * WfLevelEntry:fraction:
   *
   * The level, from 0 (black) to 1 (white).
   */
  props[PROP_FRACTION] =
    g_param_spec_double ("fraction", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_level_entry_new:
 * @type: the type of the image
 *
 * Returns: a widget to choose a gray level.
 */
GtkWidget *
wf_level_entry_new (WfType type)
{
  WfLevelEntry *entry = g_object_new (WF_TYPE_LEVEL_ENTRY, NULL);

  entry->type = type;
  wf_level_entry_set_linear (entry, FALSE);
  return GTK_WIDGET (entry);
}

/**
 * wf_level_entry_set_lowest:
 * @entry: an entry
 * @lowest: the lowest fraction, 0 or −1
 *
 * Lets the user choose a negative difference of levels.
 */
void
wf_level_entry_set_lowest (WfLevelEntry *entry,
                           double        lowest)
{
  g_return_if_fail (WF_IS_LEVEL_ENTRY (entry));

  gtk_adjustment_set_lower (entry->adjustment, lowest);
  set_width (entry);
}

/**
 * wf_level_entry_set_linear:
 * @entry: an entry
 * @linear: whether the image stores linear light
 *
 * The entry says so: in linear light the same gray has another level.
 */
void
wf_level_entry_set_linear (WfLevelEntry *entry,
                           gboolean      linear)
{
  g_return_if_fail (WF_IS_LEVEL_ENTRY (entry));

  entry->linear = linear;
  set_width (entry);
  show_hint (entry);
}
