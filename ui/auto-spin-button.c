/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole number of which 0 means "chosen automatically", and says so. */

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

/* GTK's convention: FALSE lets the spin button read the text as a number. */
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

static void
wf_auto_spin_button_class_init (WfAutoSpinButtonClass *klass)
{
  GtkSpinButtonClass *spin_class = GTK_SPIN_BUTTON_CLASS (klass);

  spin_class->input  = wf_auto_spin_button_input;
  spin_class->output = wf_auto_spin_button_output;
}

static void
wf_auto_spin_button_init (WfAutoSpinButton *spin)
{
  gtk_entry_set_width_chars (GTK_ENTRY (spin),
                             (int) g_utf8_strlen (_("Automatic"), -1) + 1);
}

/**
 * wf_auto_spin_button_new:
 * @maximum: the largest number
 * @step: what one press of an arrow adds
 *
 * Returns: a spin button from 0, which reads "Automatic", to @maximum.
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
