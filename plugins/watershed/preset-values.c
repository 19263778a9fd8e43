/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Presets of the engine as values of the watershed's arguments.
 *
 * A preset sets all arguments that decide how many objects there are, those that it does not
 * mention to their defaults; it leaves alone what is made of them, and where it is computed.
 *
 * There is no argument that names a preset: an argument has a value whether or not a script gives
 * it, so it could not be told which values are to win over those of the preset.  Scripts have the
 * values themselves, which the dialog copies into them.
 */

#include "config.h"

#include "preset-values.h"

static const char *const concerned[] =
{
  "source", "input", "smoothing", "gradient", "valleys", "objects", "background",
  "automatic-threshold", "split-tolerance", "markers", "compactness", "tolerance", "connectivity",
  "last-index", "merge-by", "merge-value", "min-area", "max-area", "min-circularity",
  "max-circularity", "min-mean", "max-mean", "inside", NULL
};

static const char *const inputs[] =
{
  [WF_INPUT_LEVELS]   = "levels",
  [WF_INPUT_GRADIENT] = "gradient",
  [WF_INPUT_OBJECTS]  = "objects",
};


/* Sets what the preset says of the argument; FALSE where its default holds. */
static gboolean
find_value (const WfWatershedPreset *preset,
            const char              *name,
            GValue                  *value)
{
  const gboolean objects = preset->input == WF_INPUT_OBJECTS;

  if (g_str_equal (name, "source") && preset->stain)
    g_value_set_string (value, preset->stain);
  else if (g_str_equal (name, "input"))
    g_value_set_string (value, inputs[preset->input]);
  else if (g_str_equal (name, "valleys") && ! objects && preset->invert)
    g_value_set_string (value, "bright");
  else if (g_str_equal (name, "objects") && objects && preset->invert)
    g_value_set_string (value, "dark");
  else if (g_str_equal (name, "smoothing"))
    g_value_set_double (value, preset->smoothing);
  else if (g_str_equal (name, "gradient"))
    g_value_set_int (value, preset->gradient);
  else if (g_str_equal (name, objects ? "split-tolerance" : "tolerance"))
    g_value_set_double (value, preset->tolerance);
  else if (g_str_equal (name, "min-area"))
    g_value_set_double (value, preset->min_area);
  else if (g_str_equal (name, "min-circularity"))
    g_value_set_double (value, preset->min_circularity);
  else
    return FALSE;
  return TRUE;
}

static GParamSpec *
init_value (const WfWatershedPreset *preset,
            GObject                 *config,
            const char              *name,
            GValue                  *value)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (config), name);

  g_value_init (value, pspec->value_type);
  if (! find_value (preset, name, value))
    g_value_copy (g_param_spec_get_default_value (pspec), value);
  return pspec;
}

static gboolean
holds (const WfWatershedPreset *preset,
       GObject                 *config,
       const char              *name)
{
  g_auto (GValue)  wanted = G_VALUE_INIT;
  g_auto (GValue)  now    = G_VALUE_INIT;
  GParamSpec      *pspec  = init_value (preset, config, name, &wanted);

  g_value_init (&now, pspec->value_type);
  g_object_get_property (config, name, &now);
  return g_param_values_cmp (pspec, &wanted, &now) == 0;
}

/**
 * wf_preset_concerns:
 * @name: of an argument
 *
 * Returns: whether presets set it
 */
gboolean
wf_preset_concerns (const char *name)
{
  return g_strv_contains (concerned, name);
}

/**
 * wf_preset_apply:
 * @preset: a preset
 * @config: the values of the watershed's arguments
 *
 * Sets the arguments that presets concern.
 */
void
wf_preset_apply (const WfWatershedPreset *preset,
                 GObject                 *config)
{
  for (const char *const *name = concerned; *name; name++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      init_value (preset, config, *name, &value);
      if (! holds (preset, config, *name))
        g_object_set_property (config, *name, &value);
    }
}

/**
 * wf_preset_holds:
 * @preset: a preset
 * @config: the values of the watershed's arguments
 *
 * Returns: whether all arguments that presets concern have its values
 */
gboolean
wf_preset_holds (const WfWatershedPreset *preset,
                 GObject                 *config)
{
  for (const char *const *name = concerned; *name; name++)
    if (! holds (preset, config, *name))
      return FALSE;
  return TRUE;
}
