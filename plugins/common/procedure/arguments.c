/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversion of the engine's option descriptions to arguments of a procedure,
 * and of the values of these arguments to the engine's option structs.
 *
 * Two properties of GIMP determine the types of the arguments.
 *
 * An invalid value of a choice argument is silently replaced by the default
 * (gimp_param_choice_validate()), so a script would get another operation than it
 * requested.  Therefore every option with a
 * list of values is a string, which wf_option_parse() checks with an error
 * message; the dialog still offers only the choices.
 *
 * A number outside the range of its argument is ignored: setting it
 * keeps the default and prints a warning on the terminal.  Therefore numbers
 * are declared with the full range of their type, and their real range is
 * checked here.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "arguments.h"
#include "ui/options/level-entry.h"


/* Parameters of algorithms that are compared with are arguments of the command alone. */
static gboolean
is_argument (const WfOption *option)
{
  return option->meaning != WF_OPTION_COMPARISON;
}

static char *
list_values (const WfOption *option)
{
  GString *list = g_string_new (NULL);

  for (const WfChoice *choice = option->choices; choice->name; choice++)
    g_string_append_printf (list, "%s%s", list->len ? ", " : "", choice->name);

  return g_string_free (list, FALSE);
}

/* Of the kind WF_OPTION_REAL. */
static const char *
get_range_format (const WfOption *option)
{
  switch (option->meaning)
    {
    case WF_OPTION_LEVEL:
      return wf_level_lowest (option) < 0
             ? _("%s (as a fraction, from −1 to 1, of the range from black to white)")
             : _("%s (as a fraction of the range from black, 0, to white, 1)");
    case WF_OPTION_AREA:
      return _("%s (0 or more)");
    case WF_OPTION_LENGTH:
      return option->maximum == G_MAXDOUBLE ? _("%s (0 or more)") : NULL;
    case WF_OPTION_VOLUME:
      return _("%s (0 or more; pixels times fractions of the range from black, 0, to white, 1)");
    case WF_OPTION_SLOPE:
      return _("%s (0 or more; as a fraction of the range from black, 0, to white, 1, for each "
               "pixel)");
    default:
      return NULL;
    }
}

/* The description of an argument lists its values for authors of scripts. */
static char *
describe (const WfOption       *option,
          const WfArgumentNote *note)
{
  const char      *blurb  = g_dgettext (GETTEXT_PACKAGE,
                                        note && note->blurb ? note->blurb : option->blurb);
  g_autofree char *values = NULL;
  const char      *format;

  switch (option->kind)
    {
    case WF_OPTION_CHOICE:
    case WF_OPTION_NAME:
      values = list_values (option);
      return g_strdup_printf ("%s (%s)", blurb, values);
    case WF_OPTION_DEVICE:
      return g_strdup_printf ("%s (auto, cpu, cuda:0, cuda:1, …, all)", blurb);
    case WF_OPTION_SPACING:
      return g_strdup_printf ("%s (X,Y)", blurb);
    case WF_OPTION_INT:
      return g_strdup_printf ("%s (%.0f … %.0f)", blurb, option->minimum, option->maximum);
    case WF_OPTION_REAL:
      format = get_range_format (option);
      return format ? g_strdup_printf (format, blurb)
                    : g_strdup_printf ("%s (%g … %g)", blurb, option->minimum, option->maximum);
    default:
      return g_strdup (blurb);
    }
}

static void
add_argument (GimpProcedure        *procedure,
              const WfOption       *option,
              const WfArgumentNote *notes,
              gconstpointer         defaults)
{
  const char      *label = g_dgettext (GETTEXT_PACKAGE, option->label);
  g_autofree char *blurb = describe (option, wf_arguments_find_note (notes, option->name));
  g_autofree char *text  = NULL;

  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      gimp_procedure_add_boolean_argument (procedure, option->name, label, blurb,
                                           option->default_value != 0,
                                           G_PARAM_READWRITE);
      break;
    case WF_OPTION_INT:
      gimp_procedure_add_int_argument (procedure, option->name, label, blurb,
                                       G_MININT, G_MAXINT, (int) option->default_value,
                                       G_PARAM_READWRITE);
      break;
    case WF_OPTION_REAL:
      gimp_procedure_add_double_argument (procedure, option->name, label, blurb,
                                          -G_MAXDOUBLE, G_MAXDOUBLE,
                                          wf_argument_get_default (option, notes),
                                          G_PARAM_READWRITE);
      break;
    case WF_OPTION_CHOICE:
    case WF_OPTION_NAME:
    case WF_OPTION_DEVICE:
    case WF_OPTION_SPACING:
      text = wf_option_format (option, defaults);
      gimp_procedure_add_string_argument (procedure, option->name, label, blurb,
                                          text, G_PARAM_READWRITE);
      break;
    }
}

static gboolean
is_last (const WfArgumentNote *notes,
         const char           *name)
{
  const WfArgumentNote *note = wf_arguments_find_note (notes, name);

  return note && note->is_last;
}

static void
add_group (GimpProcedure        *procedure,
           const WfOptionGroup  *group,
           const WfArgumentNote *notes,
           gboolean              last)
{
  g_autofree gpointer defaults = g_malloc0 (group->size);

  wf_option_group_init (group, defaults);
  for (guint i = 0; i < group->n_options; i++)
    if (is_argument (&group->options[i]) && is_last (notes, group->options[i].name) == last)
      add_argument (procedure, &group->options[i], notes, defaults);
}

/**
 * wf_arguments_add:
 * @procedure: a procedure under construction
 * @group: the description of the options
 * @notes: (nullable): the differences in GIMP
 *
 * Adds an argument to @procedure for each option of @group, with the same name, but those that
 * only algorithms for comparison have, and those that come last.
 * Levels are fractions of the range from black to white, so that a script has the same
 * effect at every precision.
 */
void
wf_arguments_add (GimpProcedure        *procedure,
                  const WfOptionGroup  *group,
                  const WfArgumentNote *notes)
{
  add_group (procedure, group, notes, FALSE);
}

/**
 * wf_arguments_add_last:
 * @procedure: a procedure under construction, with all other arguments
 * @group: as given to wf_arguments_add()
 * @notes: (nullable): likewise
 *
 * Adds those that come last.
 */
void
wf_arguments_add_last (GimpProcedure        *procedure,
                       const WfOptionGroup  *group,
                       const WfArgumentNote *notes)
{
  add_group (procedure, group, notes, TRUE);
}

static gboolean
refuse_level (const WfOption  *option,
              double           fraction,
              GError         **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               wf_level_lowest (option) < 0
               ? _("The value of %s, %g, is not a fraction, from −1 to 1, of the range from black "
                   "to white.")
               : _("The value of %s, %g, is not a fraction of the range from black, 0, "
                   "to white, 1."),
               option->name, fraction);
  return FALSE;
}

static gboolean
read_level (GObject         *config,
            const WfOption  *option,
            WfType           type,
            double          *level,
            GError         **error)
{
  double fraction;

  g_object_get (config, option->name, &fraction, NULL);
  if (! wf_level_is_fraction (option))
    {
      *level = fraction * wf_level_get_factor (option, type);
      return TRUE;
    }
  if (! (fraction >= wf_level_lowest (option) && fraction <= 1))
    return refuse_level (option, fraction, error);
  *level = wf_level_from_fraction (fraction, type);
  return TRUE;
}

static gboolean
read_text (GObject         *config,
           const WfOption  *option,
           gpointer         options,
           GError         **error)
{
  g_autofree char *text = NULL;

  g_object_get (config, option->name, &text, NULL);
  return wf_option_parse (option, options, text ? text : "", error);
}

/**
 * wf_arguments_read:
 * @config: the values of a procedure's arguments
 * @group: the description that the arguments were made from
 * @type: of the layer's pixels, for levels
 * @options: the struct that @group describes; all fields are set
 * @error: %WF_ERROR_INVALID for an invalid value
 *
 * Returns: whether all values are valid.
 */
gboolean
wf_arguments_read (GObject              *config,
                   const WfOptionGroup  *group,
                   WfType                type,
                   gpointer              options,
                   GError              **error)
{
  wf_option_group_init (group, options);

  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];
      gpointer        value  = G_STRUCT_MEMBER_P (options, option->offset);

      if (! is_argument (option))
        continue;
      switch (option->kind)
        {
        case WF_OPTION_BOOLEAN:
        case WF_OPTION_INT:
          g_object_get (config, option->name, value, NULL);
          break;
        case WF_OPTION_REAL:
          if (! read_level (config, option, type, value, error))
            return FALSE;
          break;
        default:
          if (! read_text (config, option, options, error))
            return FALSE;
          break;
        }
    }
  return wf_option_group_check (group, options, error);
}

static gboolean
is_number_fit (GObject        *config,
               const WfOption *option)
{
  double fraction;
  int    number;

  if (option->kind == WF_OPTION_REAL)
    {
      g_object_get (config, option->name, &fraction, NULL);
      return wf_level_is_fraction (option) ? fraction >= wf_level_lowest (option) && fraction <= 1
                                           : fraction >= option->minimum &&
                                             fraction <= option->maximum;
    }
  g_object_get (config, option->name, &number, NULL);
  return number >= option->minimum && number <= option->maximum;
}

/* Whether the connectivity fits: a layer has two dimensions, a stack three. */
static gboolean
has_dimensions (GObject        *config,
                const WfOption *option,
                const WfChoice *choice)
{
  gboolean stack = FALSE;

  if (option->meaning != WF_OPTION_CONNECTIVITY || choice->value == 0)
    return TRUE;

  g_object_get (config, "stack", &stack, NULL);
  return stack == wf_is_stack_connectivity (choice->value);
}

static gboolean
is_text_fit (GObject        *config,
             const WfOption *option,
             gpointer        scratch)
{
  g_autofree char *text = NULL;

  if (! read_text (config, option, scratch, NULL))
    return FALSE;
  if (! option->choices)
    return TRUE;

  g_object_get (config, option->name, &text, NULL);
  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (strcmp (choice->name, text) == 0)
      return ! choice->for_comparison && has_dimensions (config, option, choice);
  return FALSE;
}

/**
 * wf_arguments_repair:
 * @config: the values of a procedure's arguments
 * @group: the description that the arguments were made from
 * @notes: (nullable): as given to wf_arguments_add()
 *
 * Replaces invalid values by their defaults: the last values may come from a script or
 * an older version, but a dialog can show valid values only.
 */
void
wf_arguments_repair (GObject              *config,
                     const WfOptionGroup  *group,
                     const WfArgumentNote *notes)
{
  g_autofree gpointer scratch = g_malloc0 (group->size);

  wf_option_group_init (group, scratch);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption  *option = &group->options[i];
      g_autofree char *text   = wf_option_format (option, scratch);

      if (! is_argument (option))
        continue;
      switch (option->kind)
        {
        case WF_OPTION_BOOLEAN:
          break;
        case WF_OPTION_INT:
          if (! is_number_fit (config, option))
            g_object_set (config, option->name, (int) option->default_value, NULL);
          break;
        case WF_OPTION_REAL:
          if (! is_number_fit (config, option))
            g_object_set (config, option->name,
                          wf_argument_get_default (option, notes),
                          NULL);
          break;
        default:
          if (! is_text_fit (config, option, scratch))
            g_object_set (config, option->name, text, NULL);
          break;
        }
    }
}
