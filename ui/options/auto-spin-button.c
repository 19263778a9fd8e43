/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole number, where 0 means automatic choice and is shown as that word.
 *
 * GTK counts the width of an entry in average letters, but an ideograph is two or more of
 * them wide; so the width of the text is measured.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "auto-spin-button.h"

struct _WfAutoSpinButton
{
  GtkSpinButton parent_instance;
};

G_DEFINE_TYPE (WfAutoSpinButton, wf_auto_spin_button, GTK_TYPE_SPIN_BUTTON)


static gboolean
wf_auto_spin_button_output (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value_as_int (spin) != 0)
    return FALSE;

  if (g_strcmp0 (gtk_entry_get_text (GTK_ENTRY (spin)), _("Automatic")) != 0)
    gtk_entry_set_text (GTK_ENTRY (spin), _("Automatic"));
  return TRUE;
}

/* By GTK's convention, FALSE lets the spin button read the text as a number. */
static gint
wf_auto_spin_button_input (GtkSpinButton *spin,
                           gdouble       *value)
{
  const char *text = gtk_entry_get_text (GTK_ENTRY (spin));

  if (*text != '\0' && g_strcmp0 (text, _("Automatic")) != 0)
    return FALSE;

  *value = 0;
  return TRUE;
}

static int
measure_text (GtkWidget  *widget,
              const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int                     width;

  pango_layout_get_size (layout, &width, NULL);
  return width;
}

/* The width of a letter as GTK defines it. */
static int
measure_letter (GtkWidget *widget)
{
  PangoContext     *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics =
    pango_context_get_metrics (context, pango_context_get_font_description (context),
                               pango_context_get_language (context));
  int               width   = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                                   pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return MAX (width, PANGO_SCALE);
}

/* Room for the longest text, and one letter for the cursor. */
static void
set_width (GtkWidget *widget)
{
  GtkAdjustment   *range  = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (widget));
  g_autofree char *number = g_strdup_printf ("%.0f", gtk_adjustment_get_upper (range));
  int              letter = measure_letter (widget);
  int              text   = MAX (measure_text (widget, _("Automatic")),
                                 measure_text (widget, number));

  gtk_entry_set_width_chars (GTK_ENTRY (widget), (text + letter - 1) / letter + 1);
}

static void
wf_auto_spin_button_constructed (GObject *object)
{
  G_OBJECT_CLASS (wf_auto_spin_button_parent_class)->constructed (object);
  set_width (GTK_WIDGET (object));
}

/* Another theme may have another font. */
static void
wf_auto_spin_button_style_updated (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (wf_auto_spin_button_parent_class)->style_updated (widget);
  set_width (widget);
}

static void
wf_auto_spin_button_class_init (WfAutoSpinButtonClass *klass)
{
  GObjectClass       *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass     *widget_class = GTK_WIDGET_CLASS (klass);
  GtkSpinButtonClass *spin_class   = GTK_SPIN_BUTTON_CLASS (klass);

  object_class->constructed   = wf_auto_spin_button_constructed;
  widget_class->style_updated = wf_auto_spin_button_style_updated;
  spin_class->input           = wf_auto_spin_button_input;
  spin_class->output          = wf_auto_spin_button_output;
}

static void
wf_auto_spin_button_init (WfAutoSpinButton *spin)
{
}

/**
 * wf_auto_spin_button_new:
 * @maximum: the largest number
 * @step: added by one press of an arrow
 *
 * Returns: a spin button from 0, shown as "Automatic", to @maximum.
 */
GtkWidget *
wf_auto_spin_button_new (int maximum,
                         int step)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (0, 0, maximum, step, 4 * step, 0);

  return g_object_new (WF_TYPE_AUTO_SPIN_BUTTON,
                       "adjustment", adjustment,
                       "climb-rate", 1.0,
                       NULL);
}
