/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A range of values that objects may have: a histogram with two lines, and an entry for each limit.
 * An entry is empty where there is no limit, and there is none if it is emptied.
 *
 * Limits are kept in one unit, such as pixels, and shown in another one, in which typed numbers and
 * those of lines have few digits.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "range-graph.h"
#include "range-selector.h"
#include "ui/options/number-entry.h"

#define SPACING 6

enum
{
  PROP_0,
  PROP_LOWER,
  PROP_UPPER,
  N_PROPS
};

/**
 * WfRangeSelector:
 * @graph: the histogram, in shown units
 * @entries: of the lower and the upper limit, likewise
 * @ends: the limits that are none: the lower, the upper one
 * @shown_ends: these in shown units
 * @limits: the limits
 * @factor: from them to shown ones
 * @unit: of shown ones
 * @showing: limits are shown, and not set by the user
 */
struct _WfRangeSelector
{
  GtkBox     parent_instance;

  GtkWidget *graph;
  GtkWidget *entries[2];
  GtkWidget *unit;
  double     ends[2];
  double     shown_ends[2];
  double     limits[2];
  double     factor;
  gboolean   showing;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfRangeSelector, wf_range_selector, GTK_TYPE_BOX)


/* Without the digits that come of the factor. */
static double
to_shown (WfRangeSelector *selector,
          int              which)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (selector->limits[which] == selector->ends[which])
    return selector->shown_ends[which];
  if (selector->factor == 1)
    return selector->limits[which];
  g_ascii_formatd (text, sizeof text, "%.12g", selector->limits[which] * selector->factor);
  return g_ascii_strtod (text, NULL);
}

static double
from_shown (WfRangeSelector *selector,
            double           value)
{
  return selector->factor == 1 ? value : value / selector->factor;
}

/* None is shown as no number, unless the user has typed it. */
static void
show_entry (WfRangeSelector *selector,
            int              which)
{
  WfNumberEntry *entry = WF_NUMBER_ENTRY (selector->entries[which]);
  const double   shown = to_shown (selector, which);
  const gboolean none  = selector->limits[which] == selector->ends[which];

  wf_number_entry_set_value (entry, none && wf_number_entry_get_value (entry) != shown ? NAN
                                                                                       : shown);
}

static void
describe (WfRangeSelector *selector)
{
  g_autofree char *lower = wf_number_format (to_shown (selector, 0));
  g_autofree char *upper = wf_number_format (to_shown (selector, 1));
  const gboolean   open  = selector->limits[1] == selector->ends[1];
  /* TRANSLATORS: a range of values */
  g_autofree char *text  = open ? g_strdup_printf (_("From %s"), lower)
                                : g_strdup_printf (_("From %s to %s"), lower, upper);

  atk_object_set_description (gtk_widget_get_accessible (selector->graph), text);
}

static void
show (WfRangeSelector *selector)
{
  selector->showing = TRUE;
  wf_range_graph_set_range (WF_RANGE_GRAPH (selector->graph), to_shown (selector, 0),
                            to_shown (selector, 1));
  for (int i = 0; i < 2; i++)
    show_entry (selector, i);
  describe (selector);
  selector->showing = FALSE;
}

static void
set_limit (WfRangeSelector *selector,
           int              which,
           double           value)
{
  if (value == selector->limits[which])
    return;
  selector->limits[which] = value;
  show (selector);
  g_object_notify_by_pspec (G_OBJECT (selector), props[which == 0 ? PROP_LOWER : PROP_UPPER]);
}

static void
graph_changed (WfRangeSelector *selector)
{
  double shown[2];

  wf_range_graph_get_range (WF_RANGE_GRAPH (selector->graph), &shown[0], &shown[1]);
  for (int i = 0; i < 2; i++)
    if (shown[i] != to_shown (selector, i))
      set_limit (selector, i, shown[i] == selector->shown_ends[i]
                              ? selector->ends[i] : from_shown (selector, shown[i]));
}

static void
entry_changed (GtkWidget       *entry,
               GParamSpec      *pspec,
               WfRangeSelector *selector)
{
  const double value = wf_number_entry_get_value (WF_NUMBER_ENTRY (entry));

  if (! selector->showing && ! isnan (value))
    set_limit (selector, entry == selector->entries[1],
               CLAMP (from_shown (selector, value), selector->ends[0], selector->ends[1]));
}

/* At once: a key may close the dialog before the entry loses the focus. */
static void
text_changed (GtkWidget       *entry,
              WfRangeSelector *selector)
{
  const int which = entry == selector->entries[1];

  if (selector->showing || gtk_entry_get_text_length (GTK_ENTRY (entry)) > 0)
    return;
  wf_number_entry_set_value (WF_NUMBER_ENTRY (entry), NAN);
  set_limit (selector, which, selector->ends[which]);
}

static gboolean
focus_graph (GtkWidget *selector,
             gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_RANGE_SELECTOR (selector)->graph);
  return TRUE;
}

static void
wf_range_selector_get_property (GObject    *object,
                                guint       property_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  if (property_id == PROP_LOWER || property_id == PROP_UPPER)
    g_value_set_double (value, WF_RANGE_SELECTOR (object)->limits[property_id == PROP_UPPER]);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_range_selector_set_property (GObject      *object,
                                guint         property_id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  if (property_id == PROP_LOWER || property_id == PROP_UPPER)
    set_limit (WF_RANGE_SELECTOR (object), property_id == PROP_UPPER, g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_range_selector_class_init (WfRangeSelectorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = wf_range_selector_get_property;
  object_class->set_property = wf_range_selector_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = focus_graph;

  /**
   * WfRangeSelector:lower:
   *
   * The lower limit.
   */
  props[PROP_LOWER] = g_param_spec_double ("lower", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                           G_PARAM_STATIC_STRINGS);
  /**
   * WfRangeSelector:upper:
   *
   * The upper limit.
   */
  props[PROP_UPPER] = g_param_spec_double ("upper", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                           G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
wf_range_selector_init (WfRangeSelector *selector)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (selector), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (selector), 2);
}

static void
add_entries (WfRangeSelector *selector,
             const char      *name)
{
  GtkWidget       *row      = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  /* TRANSLATORS: %s is a measure, such as the area */
  g_autofree char *names[2] = { g_strdup_printf (_("%s at least"), name),
                                g_strdup_printf (_("%s at most"), name) };

  for (int i = 0; i < 2; i++)
    {
      GtkWidget *entry = selector->entries[i] = wf_number_entry_new ();

      wf_number_entry_set_value (WF_NUMBER_ENTRY (entry), NAN);
      gtk_entry_set_placeholder_text (GTK_ENTRY (entry), i == 0 ? _("least") : _("most"));
      gtk_widget_set_tooltip_text (entry, names[i]);
      atk_object_set_name (gtk_widget_get_accessible (entry), names[i]);
      g_signal_connect (entry, "notify::value", G_CALLBACK (entry_changed), selector);
      g_signal_connect (entry, "changed", G_CALLBACK (text_changed), selector);
      if (i == 1)
        gtk_box_pack_start (GTK_BOX (row), gtk_label_new ("–"), FALSE, FALSE, 0);
      gtk_box_pack_start (GTK_BOX (row), entry, FALSE, FALSE, 0);
    }
  selector->unit = gtk_label_new (NULL);
  gtk_widget_set_no_show_all (selector->unit, TRUE);
  gtk_box_pack_start (GTK_BOX (row), selector->unit, FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (selector), row);
}

/**
 * wf_range_selector_new:
 * @name: of the measure, translated
 * @logarithmic: whether the axis is
 * @least: a lower limit that is none
 * @most: an upper limit that is none
 * @factor: from limits to what is shown
 * @unit: (nullable): of what is shown, translated
 *
 * Returns: a selector without limits
 */
GtkWidget *
wf_range_selector_new (const char *name,
                       gboolean    logarithmic,
                       double      least,
                       double      most,
                       double      factor,
                       const char *unit)
{
  WfRangeSelector *selector = g_object_new (WF_TYPE_RANGE_SELECTOR, NULL);
  /* TRANSLATORS: %s is a measure, such as the area */
  g_autofree char *text     = g_strdup_printf (_("Histogram with two limits: %s"), name);

  selector->ends[0] = selector->limits[0] = least;
  selector->ends[1] = selector->limits[1] = most;
  selector->graph   = wf_range_graph_new (logarithmic, least, most);
  atk_object_set_name (gtk_widget_get_accessible (selector->graph), text);
  g_signal_connect_swapped (selector->graph, "range-changed", G_CALLBACK (graph_changed), selector);
  gtk_container_add (GTK_CONTAINER (selector), selector->graph);
  add_entries (selector, name);
  wf_range_selector_set_unit (selector, factor, unit);
  gtk_widget_show_all (GTK_WIDGET (selector));
  return GTK_WIDGET (selector);
}

/**
 * wf_range_selector_set_unit:
 * @selector: a selector
 * @factor: from limits to what is shown
 * @unit: (nullable): of what is shown, translated
 *
 * Shows the same limits in another unit, and no values until they are set again.
 */
void
wf_range_selector_set_unit (WfRangeSelector *selector,
                            double           factor,
                            const char      *unit)
{
  g_return_if_fail (WF_IS_RANGE_SELECTOR (selector));

  selector->factor = factor;
  for (int i = 0; i < 2; i++)
    {
      selector->shown_ends[i] = selector->ends[i] * factor;
      selector->showing       = TRUE;
      wf_number_entry_set_value (WF_NUMBER_ENTRY (selector->entries[i]), NAN);
      selector->showing       = FALSE;
    }
  wf_range_graph_set_ends (WF_RANGE_GRAPH (selector->graph), selector->shown_ends[0],
                           selector->shown_ends[1]);
  gtk_label_set_text (GTK_LABEL (selector->unit), unit ? unit : "");
  gtk_widget_set_visible (selector->unit, unit != NULL);
  show (selector);
}

/**
 * wf_range_selector_set_values:
 * @selector: a selector
 * @values: of the objects, in the unit of limits
 * @n: their number
 *
 * Shows their histogram.
 */
void
wf_range_selector_set_values (WfRangeSelector *selector,
                              const double    *values,
                              gsize            n)
{
  g_autofree double *shown = NULL;

  g_return_if_fail (WF_IS_RANGE_SELECTOR (selector));

  if (selector->factor != 1)
    {
      shown = g_new (double, n + 1);
      for (gsize i = 0; i < n; i++)
        shown[i] = values[i] * selector->factor;
    }
  wf_range_graph_set_values (WF_RANGE_GRAPH (selector->graph), shown ? shown : values, n);
}
