/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The limits of objects as arguments: those of the engine, where a number that is not set is the
 * end of its range, so that every argument is a number.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "object-options.h"
#include "plugins/common/procedure/arguments.h"
#include "ui/options/level-fraction.h"

static const WfArgumentNote notes[] =
{
  { "min-area", 0, NULL },
  { "max-area", WF_HIGHEST_AREA, NULL },
  { "min-circularity", 0, NULL },
  { "max-circularity", WF_HIGHEST_CIRCULARITY, NULL },
  { "min-mean", 0, NULL },
  { "max-mean", 1, NULL },
  { NULL, 0, NULL }
};


/**
 * wf_object_options_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds an argument for each limit.
 */
void
wf_object_options_add_arguments (GimpProcedure *procedure)
{
  wf_arguments_add (procedure, wf_objects_get_options (), notes);
}

/**
 * wf_object_options_repair:
 * @config: the values of the arguments
 *
 * Replaces values that cannot be shown by the defaults.
 */
void
wf_object_options_repair (GObject *config)
{
  wf_arguments_repair (config, wf_objects_get_options (), notes);
}

/* Without what the fraction is off. */
static double
find_level (double fraction,
            WfType type)
{
  const double level = fraction * wf_level_maximum (type);

  return type == WF_TYPE_F32 ? level : round (level * 1e6) / 1e6;
}

/**
 * wf_object_options_read:
 * @config: the values of the arguments
 * @type: of the layer's pixels, for levels
 * @limits: set; NaN where an argument is the end of its range
 * @error: %WF_ERROR_INVALID for an invalid value
 *
 * Mean levels are between whole levels, so that the limits are not rounded to these.
 *
 * Returns: whether all values are valid
 */
gboolean
wf_object_options_read (GObject          *config,
                        WfType            type,
                        WfObjectOptions  *limits,
                        GError          **error)
{
  const WfOptionGroup *group = wf_objects_get_options ();

  if (! wf_arguments_read (config, group, type, limits, error))
    return FALSE;
  for (const WfArgumentNote *note = notes; note->name; note++)
    for (guint i = 0; i < group->n_options; i++)
      if (g_str_equal (group->options[i].name, note->name))
        {
          double value;

          g_object_get (config, note->name, &value, NULL);
          if (value == note->level)
            G_STRUCT_MEMBER (double, limits, group->options[i].offset) = NAN;
          else if (wf_level_is_fraction (&group->options[i]))
            G_STRUCT_MEMBER (double, limits, group->options[i].offset) = find_level (value, type);
        }
  return TRUE;
}

/**
 * wf_object_options_limit_levels:
 * @config: the values of the arguments
 *
 * Returns: whether mean levels are limited
 */
gboolean
wf_object_options_limit_levels (GObject *config)
{
  WfObjectOptions limits;

  return wf_object_options_read (config, WF_TYPE_F32, &limits, NULL) &&
         (! isnan (limits.min_mean) || ! isnan (limits.max_mean));
}

/**
 * wf_object_options_find_limited:
 * @limits: limits
 *
 * Returns: (nullable): the label of one that is set, translated
 */
const char *
wf_object_options_find_limited (const WfObjectOptions *limits)
{
  const WfOptionGroup *group = wf_objects_get_options ();

  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];

      if (option->kind == WF_OPTION_BOOLEAN ? G_STRUCT_MEMBER (gboolean, limits, option->offset)
                                            : ! isnan (G_STRUCT_MEMBER (double, limits,
                                                                        option->offset)))
        return g_dgettext (GETTEXT_PACKAGE, option->label);
    }
  return NULL;
}
