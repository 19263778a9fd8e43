/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Controls that are enabled, shown or changed depending on the value of an argument. */

#include "config.h"

#include <string.h>

#include "condition.h"


static char *
to_text (const GValue *value)
{
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return g_strdup (g_value_get_boolean (value) ? "yes" : "no");
  return g_value_dup_string (value);
}

static gboolean
is_one_of (GBinding     *binding,
           const GValue *from,
           GValue       *to,
           gpointer      data)
{
  const char *const *values = data;
  g_autofree char   *text   = to_text (from);

  g_value_set_boolean (to, text && g_strv_contains (values, text));
  return TRUE;
}

static void
free_values (gpointer values)
{
  g_strfreev (values);
}

/**
 * wf_condition_set:
 * @config: the arguments' values
 * @property: of @config, a text or a boolean
 * @values: texts separated by |, or "yes", or "no"
 * @widget: a control
 * @effect: a boolean property of @widget
 *
 * Makes @effect %TRUE while @property is one of @values, and else %FALSE.
 */
void
wf_condition_set (GObject    *config,
                  const char *property,
                  const char *values,
                  GtkWidget  *widget,
                  const char *effect)
{
  g_object_bind_property_full (config, property, widget, effect, G_BINDING_SYNC_CREATE,
                               is_one_of, NULL, g_strsplit (values, "|", -1), free_values);
}

/**
 * wf_condition_enable:
 * @config: the arguments' values
 * @property: of @config, a text or a boolean
 * @values: texts separated by |, or "yes", or "no"
 * @widget: a control
 *
 * Makes @widget sensitive while @property is one of @values.
 */
void
wf_condition_enable (GObject    *config,
                     const char *property,
                     const char *values,
                     GtkWidget  *widget)
{
  wf_condition_set (config, property, values, widget, "sensitive");
}

/**
 * wf_condition_show:
 * @config: the arguments' values
 * @property: of @config, a text or a boolean
 * @values: texts separated by |, or "yes", or "no"
 * @widget: a control in a row
 *
 * Shows @widget and its label while @property is one of @values.
 */
void
wf_condition_show (GObject    *config,
                   const char *property,
                   const char *values,
                   GtkWidget  *widget)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (widget);

  wf_condition_set (config, property, values, widget, "visible");
  for (GList *label = labels; label; label = label->next)
    wf_condition_set (config, property, values, label->data, "visible");
}
