/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A preset of the watershed gives the options that the command line does not.
 *
 * A tolerance of levels is a fraction of white, which is the highest level of whole numbers and 1
 * of real ones; so it is known when the image is.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "command.h"
#include "message.h"
#include "preset.h"


/**
 * preset_get:
 * @arguments: parsed arguments of the watershed
 *
 * Returns: (nullable): the preset that they name
 */
const WfWatershedPreset *
preset_get (const Arguments *arguments)
{
  return arguments->texts[0] ? wf_watershed_find_preset (arguments->texts[0]) : NULL;
}

static gboolean
refuse_name (const char  *name,
             GError     **error)
{
  GString                 *names = g_string_new (NULL);
  const WfWatershedPreset *preset;

  for (guint i = 0; (preset = wf_watershed_get_preset (i)); i++)
    g_string_append_printf (names, "%s%s", names->len ? ", " : "", preset->name);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE, _("There is no preset “%s”: there are %s."),
               name, names->str);
  g_string_free (names, TRUE);
  return FALSE;
}

/* A step takes the levels that the chain reads. */
static gboolean
take_stain (Arguments                *arguments,
            const WfWatershedPreset  *preset,
            GError                  **error)
{
  if (! preset->stain || arguments->stain || arguments->choice.channel >= 0)
    return TRUE;
  if (arguments->is_step)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The preset “%s” takes the level of a stain, which only a whole chain has: "
                     "write --stain %s behind the steps, and other options than --preset here."),
                   preset->name, preset->stain);
      return FALSE;
    }
  arguments->stain        = wf_stain_new (preset->stain, error);
  arguments->stain_text   = g_strdup (preset->stain);
  arguments->choice.stain = arguments->stain;
  return arguments->stain != NULL;
}

/* Sets an option of @group that was not given.  Limits count as given, so that what cannot keep
 * to them refuses them.
 */
static gboolean
set_option (Arguments            *arguments,
            const WfOptionGroup  *group,
            gpointer              options,
            const char           *name,
            const char           *value,
            GError              **error)
{
  const WfOption *option = wf_option_group_find (group, name);

  if (arguments_has_given (arguments, name))
    return TRUE;
  if (group == wf_objects_get_options ())
    g_hash_table_add (arguments->given, (gpointer) option->name);
  return wf_option_parse (option, options, value, error);
}

static gboolean
set_number (Arguments            *arguments,
            const WfOptionGroup  *group,
            gpointer              options,
            const char           *name,
            double                value,
            GError              **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return value == 0 ||
         set_option (arguments, group, options, name, g_ascii_dtostr (text, sizeof text, value),
                     error);
}

static gboolean
set_options (Arguments                *arguments,
             const WfWatershedPreset  *preset,
             GError                  **error)
{
  static const char *const  inputs[] = { "levels", "gradient", "objects" };
  const WfOptionGroup      *group    = wf_operation_get_options (WF_OPERATION_WATERSHED);
  const WfOptionGroup      *limits   = wf_objects_get_options ();
  const Command            *command  = arguments->command;

  return set_option (arguments, command->own, arguments->own, "input", inputs[preset->input],
                     error) &&
         set_number (arguments, group, arguments->options, "smoothing", preset->smoothing,
                     error) &&
         set_number (arguments, group, arguments->options, "gradient", preset->gradient, error) &&
         set_number (arguments, limits, arguments->objects, "min-area", preset->min_area, error) &&
         set_number (arguments, limits, arguments->objects, "min-circularity",
                     preset->min_circularity, error);
}

/* Whether the command's option “input” asks for objects, as given or as the preset has it. */
static gboolean
finds_objects (const Arguments *arguments)
{
  const WfOption *option = wf_option_group_find (arguments->command->own, "input");

  return *(const int *) ((const char *) arguments->own + option->offset) == WF_INPUT_OBJECTS;
}

/**
 * preset_apply:
 * @arguments: parsed arguments of the watershed
 * @error: %TOOL_ERROR_USAGE
 *
 * Of Command: sets what the preset says, if one is named, and the command line does not.
 *
 * Returns: whether there is such a preset
 */
gboolean
preset_apply (Arguments  *arguments,
              GError    **error)
{
  const WfWatershedPreset *preset = preset_get (arguments);

  if (! arguments->texts[0])
    return TRUE;
  if (! preset)
    return refuse_name (arguments->texts[0], error);
  if (! take_stain (arguments, preset, error) || ! set_options (arguments, preset, error))
    return FALSE;
  arguments->invert |= preset->invert;
  if (preset->input == WF_INPUT_OBJECTS && ! arguments_has_given (arguments, "threshold") &&
      finds_objects (arguments))
    {
      arguments->finds_threshold  = TRUE;
      arguments->threshold.method = WF_THRESHOLD_OTSU;
    }
  return TRUE;
}

/**
 * preset_tolerance:
 * @preset: a preset
 * @type: of the levels
 *
 * Returns: its tolerance, in levels, or for objects in pixels
 */
double
preset_tolerance (const WfWatershedPreset *preset,
                  WfType                   type)
{
  const double white = type == WF_TYPE_U8 ? 255 : type == WF_TYPE_U16 ? 65535 : 1;

  return preset->input == WF_INPUT_OBJECTS ? preset->tolerance : preset->tolerance * white;
}

static void
append_number (GString    *text,
               const char *option,
               double      value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value > 0)
    g_string_append_printf (text, " --%s %s", option,
                            g_ascii_formatd (number, sizeof number, "%.9g", value));
}

/**
 * preset_spell:
 * @preset: a preset
 *
 * Returns: (transfer full): its options, as they would be given for an image of 8 bits
 */
char *
preset_spell (const WfWatershedPreset *preset)
{
  GString *text = g_string_new (NULL);

  if (preset->stain)
    g_string_append_printf (text, " --stain %s", preset->stain);
  if (preset->input == WF_INPUT_OBJECTS)
    g_string_append (text, " --input objects --threshold otsu");
  else
    g_string_append_printf (text, " --input %s",
                            preset->input == WF_INPUT_GRADIENT ? "gradient" : "levels");
  if (preset->invert)
    g_string_append (text, " --invert");
  append_number (text, "smoothing", preset->smoothing);
  append_number (text, "gradient", preset->gradient);
  append_number (text, "tolerance", preset_tolerance (preset, WF_TYPE_U8));
  append_number (text, "min-area", preset->min_area);
  append_number (text, "min-circularity", preset->min_circularity);
  g_string_erase (text, 0, 1);
  return g_string_free (text, FALSE);
}
