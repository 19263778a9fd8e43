/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A number that is not negative, shown with as many digits as identify it, and no more.
 * The entry becomes wider if they need it.
 *
 * The value follows while the user types, so that a default button that is activated from
 * the keyboard uses it.  Text that is no number is replaced by the last number when the
 * entry loses the focus.  The arrow keys up and down emit a signal; the owner decides which
 * number is next.
 */

#include "config.h"

#include <math.h>

#include "number-entry.h"

#define LEAST_CHARS 10

/* A double has no more significant decimal places ... */
#define MOST_DIGITS 17
/* ... and with its point, a sign of the exponent and three digits no more characters. */
#define MOST_CHARS  24

enum
{
  PROP_0,
  PROP_VALUE,
  N_PROPS
};

enum
{
  STEP,
  N_SIGNALS
};

struct _WfNumberEntry
{
  GtkEntry parent_instance;

  double   value;       /* NaN: not known */
  gboolean showing;     /* the text is changed by the program */
};

static GParamSpec *props[N_PROPS];
static guint       signals[N_SIGNALS];

G_DEFINE_TYPE (WfNumberEntry, wf_number_entry, GTK_TYPE_ENTRY)


/**
 * wf_number_format:
 * @value: a number
 *
 * Returns: (transfer full): @value as text in the user's locale, with the fewest digits that
 *   read as the same number.
 */
char *
wf_number_format (double value)
{
  for (int digits = 0; digits <= MOST_DIGITS && fabs (value) < 0x1p53; digits++)
    {
      g_autofree char *text = g_strdup_printf ("%.*f", digits, value);

      if (g_strtod (text, NULL) == value)
        return g_steal_pointer (&text);
    }
  return g_strdup_printf ("%.17g", value);
}

/**
 * wf_number_parse:
 * @text: typed by the user
 * @value: (out): the number
 *
 * Returns: whether @text is a number that is not negative, in the user's locale or in C's.
 */
gboolean
wf_number_parse (const char *text,
                 double     *value)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  char            *end;
  double           number   = g_strtod (stripped, &end);

  if (end == stripped || *end != '\0' || ! isfinite (number) || number < 0)
    return FALSE;
  *value = number == 0 ? 0 : number;   /* not −0 */
  return TRUE;
}

static void
show_value (WfNumberEntry *entry)
{
  g_autofree char *text = isnan (entry->value) ? g_strdup ("") : wf_number_format (entry->value);

  entry->showing = TRUE;
  if (g_strcmp0 (text, gtk_entry_get_text (GTK_ENTRY (entry))) != 0)
    gtk_entry_set_text (GTK_ENTRY (entry), text);
  entry->showing = FALSE;
}

static void
text_changed (WfNumberEntry *entry)
{
  const glong length = g_utf8_strlen (gtk_entry_get_text (GTK_ENTRY (entry)), -1);
  double      value;

  gtk_entry_set_width_chars (GTK_ENTRY (entry), (int) CLAMP (length, LEAST_CHARS, MOST_CHARS));
  if (entry->showing || ! wf_number_parse (gtk_entry_get_text (GTK_ENTRY (entry)), &value) ||
      value == entry->value)
    return;
  entry->value = value;
  g_object_notify_by_pspec (G_OBJECT (entry), props[PROP_VALUE]);
}

static gboolean
wf_number_entry_key_press (GtkWidget   *widget,
                           GdkEventKey *event)
{
  switch (event->keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      g_signal_emit (widget, signals[STEP], 0, 1);
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      g_signal_emit (widget, signals[STEP], 0, -1);
      return TRUE;
    default:
      return GTK_WIDGET_CLASS (wf_number_entry_parent_class)->key_press_event (widget, event);
    }
}

static gboolean
wf_number_entry_focus_out (GtkWidget     *widget,
                           GdkEventFocus *event)
{
  show_value (WF_NUMBER_ENTRY (widget));
  return GTK_WIDGET_CLASS (wf_number_entry_parent_class)->focus_out_event (widget, event);
}

static void
wf_number_entry_get_property (GObject    *object,
                              guint       property_id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  if (property_id == PROP_VALUE)
    g_value_set_double (value, WF_NUMBER_ENTRY (object)->value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_number_entry_set_property (GObject      *object,
                              guint         property_id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  if (property_id == PROP_VALUE)
    wf_number_entry_set_value (WF_NUMBER_ENTRY (object), g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_number_entry_class_init (WfNumberEntryClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property    = wf_number_entry_get_property;
  object_class->set_property    = wf_number_entry_set_property;
  widget_class->key_press_event = wf_number_entry_key_press;
  widget_class->focus_out_event = wf_number_entry_focus_out;

  /**
   * WfNumberEntry:value:
   *
   * The number.
   */
  props[PROP_VALUE] =
    g_param_spec_double ("value", NULL, NULL, 0, G_MAXDOUBLE, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * WfNumberEntry::step:
   * @entry: an entry
   * @direction: 1 for a larger number, −1 for a smaller one
   *
   * The user asks for the next number.
   */
  signals[STEP] =
    g_signal_new ("step", WF_TYPE_NUMBER_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
wf_number_entry_init (WfNumberEntry *entry)
{
  gtk_entry_set_width_chars (GTK_ENTRY (entry), LEAST_CHARS);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_NUMBER);
  g_signal_connect (entry, "changed", G_CALLBACK (text_changed), NULL);
  show_value (entry);
}

/**
 * wf_number_entry_new:
 *
 * Returns: an entry that holds 0
 */
GtkWidget *
wf_number_entry_new (void)
{
  return g_object_new (WF_TYPE_NUMBER_ENTRY, NULL);
}

/**
 * wf_number_entry_set_value:
 * @entry: an entry
 * @value: a number, or NaN for none: then the entry is empty
 *
 * Sets @value.  The text is not changed if it means the same number, so that typing is not
 * interrupted.
 */
void
wf_number_entry_set_value (WfNumberEntry *entry,
                           double         value)
{
  double typed;

  g_return_if_fail (WF_IS_NUMBER_ENTRY (entry));

  if (value != entry->value && ! (isnan (value) && isnan (entry->value)))
    {
      entry->value = value;
      g_object_notify_by_pspec (G_OBJECT (entry), props[PROP_VALUE]);
    }
  if (! wf_number_parse (gtk_entry_get_text (GTK_ENTRY (entry)), &typed) || typed != value)
    show_value (entry);
}

/**
 * wf_number_entry_get_value:
 * @entry: an entry
 *
 * Returns: the number; NaN if it is not known
 */
double
wf_number_entry_get_value (WfNumberEntry *entry)
{
  g_return_val_if_fail (WF_IS_NUMBER_ENTRY (entry), 0);

  return entry->value;
}
