/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Options, declared once beside each operation's front: setting, checking, reading and
 * writing what the tables describe.
 *
 * A struct of options begins with its size as the caller was compiled with it.  Fields that
 * lie beyond it do not exist for that caller: nothing here reads or writes them.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "device-list.h"
#include "options.h"
#include "wavefront.h"


static inline gpointer
field (const WfOption *option,
       gconstpointer   options)
{
  return G_STRUCT_MEMBER_P (options, option->offset);
}

static gsize
field_size (WfOptionKind kind)
{
  switch (kind)
    {
    case WF_OPTION_BOOLEAN:
    case WF_OPTION_INT:
    case WF_OPTION_CHOICE:
      return sizeof (int);
    case WF_OPTION_NAME:
    case WF_OPTION_DEVICE:
      return sizeof (const char *);
    case WF_OPTION_REAL:
      return sizeof (double);
    case WF_OPTION_SPACING:
      return 3 * sizeof (double);
    }
  g_return_val_if_reached (0);
}

/* Whether the caller's struct is long enough to have the option. */
static gboolean
has_field (const WfOption *option,
           gconstpointer   options)
{
  return option->offset + field_size (option->kind) <= *(const gsize *) options;
}

static void
set_default (const WfOption *option,
             gpointer        value)
{
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
    case WF_OPTION_INT:
    case WF_OPTION_CHOICE:
      *(int *) value = (int) option->default_value;
      break;
    case WF_OPTION_NAME:
    case WF_OPTION_DEVICE:
      *(const char **) value = "auto";
      break;
    case WF_OPTION_REAL:
      *(double *) value = option->default_value;
      break;
    case WF_OPTION_SPACING:
      for (int axis = 0; axis < 3; axis++)
        ((double *) value)[axis] = option->default_value;
      break;
    }
}

/**
 * wf_option_group_init_sized:
 * @group: a description
 * @options: (not nullable): a struct that it describes
 * @size: bytes of it as the caller knows it, at least those of the size itself
 *
 * Stores the size in @options, and sets every field within it to its default.  The macro
 * wf_option_group_init() calls it with the size that the caller was compiled with.
 */
void
wf_option_group_init_sized (const WfOptionGroup *group,
                            gpointer             options,
                            gsize                size)
{
  g_return_if_fail (group != NULL && options != NULL && size >= sizeof (gsize));

  size = MIN (size, group->size);
  memset (options, 0, size);
  *(gsize *) options = size;
  for (guint i = 0; i < group->n_options; i++)
    if (has_field (&group->options[i], options))
      set_default (&group->options[i], field (&group->options[i], options));
}

/* Copies the caller's options, or with NULL the defaults, to @taken, a struct of
 * @group->size bytes, with defaults for what the caller's struct is too short for, and
 * checks them.
 */
gboolean
wf_option_group_take (const WfOptionGroup  *group,
                      gconstpointer         options,
                      gpointer              taken,
                      GError              **error)
{
  wf_option_group_init_sized (group, taken, group->size);
  if (options)
    {
      const gsize size = *(const gsize *) options;

      g_return_val_if_fail (size >= sizeof (gsize), FALSE);
      memcpy (taken, options, MIN (size, group->size));
      *(gsize *) taken = group->size;
    }
  return wf_option_group_check (group, taken, error);
}

/**
 * wf_option_group_find:
 * @group: a description
 * @name: an option's name
 *
 * Finds an option by its name; upper and lower case differ.  The description belongs to @group.
 *
 * Returns: (nullable): the option, or %NULL if the group has no option of that name.
 */
const WfOption *
wf_option_group_find (const WfOptionGroup *group,
                      const char          *name)
{
  g_return_val_if_fail (group != NULL && name != NULL, NULL);

  for (guint i = 0; i < group->n_options; i++)
    if (strcmp (group->options[i].name, name) == 0)
      return &group->options[i];

  return NULL;
}

static char *
list_choices (const WfChoice *choices)
{
  GString *list = g_string_new (NULL);

  for (const WfChoice *choice = choices; choice->name; choice++)
    g_string_append_printf (list, "%s%s", list->len ? ", " : "", choice->name);

  return g_string_free (list, FALSE);
}

static const WfChoice *
find_choice (const WfOption *option,
             const char     *name)
{
  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (strcmp (choice->name, name) == 0)
      return choice;

  return NULL;
}

static const WfChoice *
find_value (const WfOption *option,
            int             value)
{
  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (choice->value == value)
      return choice;

  return NULL;
}

static gboolean
refuse_choice (const WfOption *option,
               const char     *given,
               GError        **error)
{
  g_autofree char *list = list_choices (option->choices);

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The value of %s, “%s”, is unknown: it must be one of %s."),
               option->name, given, list);
  return FALSE;
}

static gboolean
refuse_number (const WfOption *option,
               double          given,
               GError        **error)
{
  if (option->kind == WF_OPTION_INT)
    g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                 _("The value of %s, %.0f, is not in the range from %.0f to %.0f."),
                 option->name, given, option->minimum, option->maximum);
  else if (option->maximum == G_MAXDOUBLE)
    g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                 option->minimum == -G_MAXDOUBLE
                 ? _("The value of %s, %g, is not a finite number.")
                 : _("The value of %s, %g, is not a finite number of at least %g."),
                 option->name, given, option->minimum);
  else
    g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                 _("The value of %s, %g, is not in the range from %g to %g."),
                 option->name, given, option->minimum, option->maximum);
  return FALSE;
}

static gboolean
refuse_spacing (const WfOption *option,
                GError        **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s takes two or three numbers from 1e-100 to 1e100, as in 0.5,0.5,2."),
               option->name);
  return FALSE;
}

static gboolean
refuse_device (const char  *given,
               GError     **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("Unknown device “%s”: it must be auto, cpu, cuda:0 (or another number), a list "
                 "such as cpu,cuda:0 or all."),
               given);
  return FALSE;
}

/* A number may be NaN, "not set", only if that is its default. */
static gboolean
real_fits (const WfOption *option,
           double          number)
{
  if (isnan (number))
    return isnan (option->default_value);
  return isfinite (number) && number >= option->minimum && number <= option->maximum;
}

/* Far from where a squared length would overflow or vanish. */
static gboolean
spacing_fits (const double *spacing)
{
  for (int axis = 0; axis < 3; axis++)
    if (! (spacing[axis] >= 1e-100 && spacing[axis] <= 1e100))
      return FALSE;
  return TRUE;
}

/**
 * wf_option_group_check:
 * @group: a description
 * @options: (not nullable): a struct that it describes
 * @error: %WF_ERROR_INVALID
 *
 * Checks each field against its description.  The operations do so themselves.
 *
 * Returns: whether every field holds what it may hold.
 */
gboolean
wf_option_group_check (const WfOptionGroup  *group,
                       gconstpointer         options,
                       GError              **error)
{
  g_return_val_if_fail (group != NULL && options != NULL, FALSE);

  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption   *option = &group->options[i];
      gconstpointer     value  = field (option, options);
      const char       *name;
      g_autofree char  *number = NULL;

      if (! has_field (option, options))
        continue;
      switch (option->kind)
        {
        case WF_OPTION_BOOLEAN:
          break;
        case WF_OPTION_INT:
          if (*(const int *) value < option->minimum || *(const int *) value > option->maximum)
            return refuse_number (option, *(const int *) value, error);
          break;
        case WF_OPTION_CHOICE:
          if (! find_value (option, *(const int *) value))
            {
              number = g_strdup_printf ("%d", *(const int *) value);
              return refuse_choice (option, number, error);
            }
          break;
        case WF_OPTION_NAME:
          name = *(const char * const *) value;
          if (name && ! find_choice (option, name))
            return refuse_choice (option, name, error);
          break;
        case WF_OPTION_DEVICE:
          name = *(const char * const *) value;
          if (name && ! wf_device_list_parse (name, NULL))
            return refuse_device (name, error);
          break;
        case WF_OPTION_REAL:
          if (! real_fits (option, *(const double *) value))
            return refuse_number (option, *(const double *) value, error);
          break;
        case WF_OPTION_SPACING:
          if (! spacing_fits (value))
            return refuse_spacing (option, error);
          break;
        }
    }
  return TRUE;
}

static gboolean
parse_double (const char *text,
              double     *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

static gboolean
parse_spacing (const WfOption  *option,
               double          *spacing,
               const char      *text,
               GError         **error)
{
  g_auto (GStrv) parts       = g_strsplit (text, ",", -1);
  guint          n           = g_strv_length (parts);
  double         parsed[3]   = { 1, 1, 1 };

  if (n < 2 || n > 3)
    return refuse_spacing (option, error);
  for (guint axis = 0; axis < n; axis++)
    if (! parse_double (parts[axis], &parsed[axis]))
      return refuse_spacing (option, error);
  if (! spacing_fits (parsed))
    return refuse_spacing (option, error);

  memcpy (spacing, parsed, sizeof parsed);
  return TRUE;
}

static gboolean
parse_boolean (const WfOption  *option,
               gboolean        *value,
               const char      *text,
               GError         **error)
{
  if (strcmp (text, "true") == 0 || strcmp (text, "yes") == 0 || strcmp (text, "1") == 0)
    *value = TRUE;
  else if (strcmp (text, "false") == 0 || strcmp (text, "no") == 0 || strcmp (text, "0") == 0)
    *value = FALSE;
  else
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The value of %s, “%s”, is neither true nor false."), option->name, text);
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_option_parse:
 * @option: a description
 * @options: (not nullable): the struct that its group describes, long enough to have this
 *   option
 * @text: the value as it stands on a command line or in a script; numbers are
 *   written with a point
 * @error: %WF_ERROR_INVALID
 *
 * Sets the field that @option describes; leaves it as it was on failure.
 *
 * Returns: whether @text is a value that the option may have.
 */
gboolean
wf_option_parse (const WfOption  *option,
                 gpointer         options,
                 const char      *text,
                 GError         **error)
{
  gpointer        value;
  const WfChoice *choice;
  gint64          whole;
  double          number;

  g_return_val_if_fail (option != NULL && options != NULL && text != NULL, FALSE);
  g_return_val_if_fail (has_field (option, options), FALSE);

  value = field (option, options);
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      return parse_boolean (option, value, text, error);

    case WF_OPTION_INT:
      if (! g_ascii_string_to_signed (text, 10, (gint64) option->minimum,
                                      (gint64) option->maximum, &whole, NULL))
        {
          g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The value of %s, “%s”, is not a whole number from %.0f to %.0f."),
                       option->name, text, option->minimum, option->maximum);
          return FALSE;
        }
      *(int *) value = (int) whole;
      return TRUE;

    case WF_OPTION_CHOICE:
      choice = find_choice (option, text);
      if (! choice)
        return refuse_choice (option, text, error);
      *(int *) value = choice->value;
      return TRUE;

    case WF_OPTION_NAME:
      choice = find_choice (option, text);
      if (! choice)
        return refuse_choice (option, text, error);
      *(const char **) value = choice->name;
      return TRUE;

    case WF_OPTION_DEVICE:
      if (! wf_device_list_parse (text, NULL))
        return refuse_device (text, error);
      *(const char **) value = g_intern_string (text);
      return TRUE;

    case WF_OPTION_REAL:
      if (! parse_double (text, &number))
        {
          g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The value of %s, “%s”, is not a finite number."), option->name, text);
          return FALSE;
        }
      if (! real_fits (option, number))
        return refuse_number (option, number, error);
      *(double *) value = number;
      return TRUE;

    case WF_OPTION_SPACING:
      return parse_spacing (option, value, text, error);
    }

  g_return_val_if_reached (FALSE);
}

/* With as few digits as tell it from other numbers: 0.2, not 0.20000000000000001. */
static void
append_double (GString *text,
               double   value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_dtostr (buffer, sizeof buffer, value);
  g_string_append (text, buffer);
}

/**
 * wf_option_format:
 * @option: a description
 * @options: (not nullable): a struct that its group describes
 *
 * Writes the value of the field that @option describes as text.  Numbers have a decimal point
 * in every locale.
 *
 * Returns: (transfer full): the field's value as wf_option_parse() reads it;
 *   "" for a number that is not set.
 */
char *
wf_option_format (const WfOption *option,
                  gconstpointer   options)
{
  gconstpointer   value;
  const WfChoice *choice;
  const char     *name;
  GString        *text = g_string_new (NULL);

  g_return_val_if_fail (option != NULL && options != NULL && has_field (option, options),
                        g_string_free (text, FALSE));

  value = field (option, options);
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      g_string_append (text, *(const gboolean *) value ? "true" : "false");
      break;
    case WF_OPTION_INT:
      g_string_append_printf (text, "%d", *(const int *) value);
      break;
    case WF_OPTION_CHOICE:
      choice = find_value (option, *(const int *) value);
      g_string_append (text, choice ? choice->name : "");
      break;
    case WF_OPTION_NAME:
    case WF_OPTION_DEVICE:
      name = *(const char * const *) value;
      g_string_append (text, name ? name : "auto");
      break;
    case WF_OPTION_REAL:
      if (! isnan (*(const double *) value))
        append_double (text, *(const double *) value);
      break;
    case WF_OPTION_SPACING:
      for (int axis = 0; axis < 3; axis++)
        {
          if (axis > 0)
            g_string_append_c (text, ',');
          append_double (text, ((const double *) value)[axis]);
        }
      break;
    }
  return g_string_free (text, FALSE);
}
