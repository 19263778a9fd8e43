/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An object with a property for each option of the engine, as in a procedure's config in
 * GIMP: with wider ranges than the options, and texts for choices.
 */

#include <math.h>

#include "settings.h"

struct _Settings
{
  GObject     parent_instance;

  GHashTable *values;
};

G_DEFINE_TYPE (Settings, settings, G_TYPE_OBJECT)


static void
value_free (gpointer value)
{
  g_value_unset (value);
  g_free (value);
}

static void
settings_init (Settings *settings)
{
  settings->values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, value_free);
}

static void
settings_finalize (GObject *object)
{
  g_hash_table_unref (((Settings *) object)->values);
  G_OBJECT_CLASS (settings_parent_class)->finalize (object);
}

static void
settings_get_property (GObject    *object,
                       guint       property_id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  const GValue *stored = g_hash_table_lookup (((Settings *) object)->values, pspec->name);

  if (stored)
    g_value_copy (stored, value);
  else
    g_param_value_set_default (pspec, value);
}

static void
settings_set_property (GObject      *object,
                       guint         property_id,
                       const GValue *value,
                       GParamSpec   *pspec)
{
  GValue *stored = g_new0 (GValue, 1);

  g_value_init (stored, G_VALUE_TYPE (value));
  g_value_copy (value, stored);
  g_hash_table_insert (((Settings *) object)->values, (gpointer) pspec->name, stored);
}

static GParamSpec *
make_pspec (const WfOption *option,
            const char     *text)
{
  GParamFlags flags = G_PARAM_READWRITE;

  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      return g_param_spec_boolean (option->name, NULL, NULL, option->default_value != 0, flags);
    case WF_OPTION_INT:
      return g_param_spec_int (option->name, NULL, NULL, G_MININT, G_MAXINT,
                               (int) option->default_value, flags);
    case WF_OPTION_REAL:
      return g_param_spec_double (option->name, NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE,
                                  isnan (option->default_value) ? 0 : option->default_value,
                                  flags);
    default:
      return g_param_spec_string (option->name, NULL, NULL, text, flags);
    }
}

static void
install (GObjectClass        *klass,
         const WfOptionGroup *group,
         guint               *n)
{
  g_autofree gpointer defaults = g_malloc0 (group->size);

  wf_option_group_init (group, defaults);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption  *option = &group->options[i];
      g_autofree char *text   = wf_option_format (option, defaults);

      if (! g_object_class_find_property (klass, option->name))
        g_object_class_install_property (klass, ++*n, make_pspec (option, text));
    }
}

static void
settings_class_init (SettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  guint         n            = 0;

  object_class->finalize     = settings_finalize;
  object_class->get_property = settings_get_property;
  object_class->set_property = settings_set_property;

  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    install (object_class, wf_operation_get_options (operation), &n);
  install (object_class, wf_context_get_options (), &n);
}

GObject *
settings_new (void)
{
  return g_object_new (TYPE_SETTINGS, NULL);
}

char *
settings_get_text (GObject    *settings,
                   const char *name)
{
  char *text;

  g_object_get (settings, name, &text, NULL);
  return text;
}
