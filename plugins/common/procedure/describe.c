/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The description of a plug-in without GIMP: called with --describe, an executable
 * writes its procedures, their arguments and their return values to standard output, as
 * JSON.  The help pages are made from it, so that they cannot differ from the procedures in
 * arguments, ranges or defaults.  Texts are in the language of the environment; a second argument
 * is the folder of the translations, which are not installed yet when the pages are made.
 *
 * The procedures are created in the same way as for GIMP's query.  The tables of options
 * provide what no GParamSpec has: the choices of a string, and the range that is checked when
 * a number is read.
 */

#include "config.h"

#include <locale.h>
#include <string.h>

#include <libintl.h>

#include <glib/gi18n-lib.h>

#include "describe.h"
#include "plug-in.h"
#include "ui/options/level-entry.h"

#define QUESTION "--describe"


/*  JSON  */

static void
add_text (GString    *json,
          const char *text)
{
  g_string_append_c (json, '"');
  for (; text && *text; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if ((guchar) *text < ' ')
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

static void
add_name (GString    *json,
          const char *name)
{
  const char last = json->str[json->len - 1];

  if (last != '{' && last != '[')
    g_string_append (json, ", ");
  add_text (json, name);
  g_string_append (json, ": ");
}

static void
add_member (GString    *json,
            const char *name,
            const char *text)
{
  add_name (json, name);
  add_text (json, text);
}

static void
add_number (GString    *json,
            const char *name,
            double      number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  add_name (json, name);
  g_string_append (json, g_ascii_formatd (buffer, sizeof buffer, "%.9g", number));
}

static void
start_element (GString *json)
{
  if (json->str[json->len - 1] != '[')
    g_string_append (json, ",\n");
  g_string_append_c (json, '{');
}

/* Adds a label without mnemonic and ellipsis. */
static void
add_label (GString    *json,
           const char *name,
           const char *label)
{
  static const char *const dots[] = { "...", " …", "\302\240…", "…" };
  g_autofree char         *plain  = gimp_strip_uline (label);

  for (guint i = 0; i < G_N_ELEMENTS (dots); i++)
    if (g_str_has_suffix (plain, dots[i]))
      plain[strlen (plain) - strlen (dots[i])] = '\0';
  add_member (json, name, plain);
}


/*  Arguments  */

static const char *
find_blurb (const WfProcedure *procedure,
            const WfOption    *option)
{
  const WfArgumentNote *note = wf_arguments_find_note (procedure->notes, option->name);

  return g_dgettext (GETTEXT_PACKAGE, note && note->blurb ? note->blurb : option->blurb);
}

static const char *
name_kind (const WfOption *option)
{
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      return "boolean";
    case WF_OPTION_INT:
      return "integer";
    case WF_OPTION_REAL:
      return ! wf_level_is_fraction (option)   ? "number"
             : wf_level_lowest (option) < 0 ? "difference" : "level";
    case WF_OPTION_CHOICE:
    case WF_OPTION_NAME:
      return "choice";
    case WF_OPTION_DEVICE:
      return "device";
    case WF_OPTION_SPACING:
      return "spacing";
    }
  g_return_val_if_reached ("");
}

static void
add_choices (GString        *json,
             const WfChoice *choice)
{
  add_name (json, "choices");
  g_string_append_c (json, '[');
  for (; choice->name; choice++)
    {
      start_element (json);
      add_member (json, "name", choice->name);
      add_label (json, "label", g_dgettext (GETTEXT_PACKAGE, choice->label));
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
add_option (GString           *json,
            const WfProcedure *procedure,
            const WfOption    *option)
{
  add_member (json, "kind", name_kind (option));
  add_member (json, "blurb", find_blurb (procedure, option));
  if (option->choices)
    add_choices (json, option->choices);
  if (option->kind == WF_OPTION_INT || option->kind == WF_OPTION_REAL)
    {
      gboolean fraction = option->kind == WF_OPTION_REAL && wf_level_is_fraction (option);

      add_number (json, "minimum", fraction ? wf_level_lowest (option) : option->minimum);
      add_number (json, "maximum", fraction ? 1 : option->maximum);
    }
}

static void
add_spec_kind (GString    *json,
               GParamSpec *spec)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (spec);

  add_member (json, "kind",
              type == G_TYPE_BOOLEAN ? "boolean" :
              type == G_TYPE_INT     ? "integer" :
              type == G_TYPE_DOUBLE  ? "number"  :
              type == G_TYPE_STRING  ? "text"    : g_type_name (type));
  add_member (json, "blurb", g_param_spec_get_blurb (spec));
}

static void
add_color (GString   *json,
           GeglColor *color)
{
  const Babl      *format = babl_format ("R'G'B' u8");
  guint8           bytes[3];
  g_autofree char *text   = NULL;

  gegl_color_get_pixel (color, format, bytes);
  text = g_strdup_printf ("#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
  add_member (json, "default", text);
}

static void
add_default (GString    *json,
             GParamSpec *spec)
{
  const GValue *value = g_param_spec_get_default_value (spec);

  if (G_VALUE_HOLDS_BOOLEAN (value))
    {
      add_name (json, "default");
      g_string_append (json, g_value_get_boolean (value) ? "true" : "false");
    }
  else if (G_VALUE_HOLDS_INT (value))
    add_number (json, "default", g_value_get_int (value));
  else if (G_VALUE_HOLDS_DOUBLE (value))
    add_number (json, "default", g_value_get_double (value));
  else if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value))
    add_member (json, "default", g_value_get_string (value));
  else if (G_VALUE_HOLDS (value, GEGL_TYPE_COLOR) && g_value_get_object (value))
    add_color (json, g_value_get_object (value));
}

static void
add_spec (GString           *json,
          const WfProcedure *procedure,
          GParamSpec        *spec)
{
  const WfOption *option = procedure ? wf_procedure_find_option (procedure, spec->name) : NULL;

  start_element (json);
  add_member (json, "name", spec->name);
  add_label (json, "label", g_param_spec_get_nick (spec));
  if (option)
    add_option (json, procedure, option);
  else
    add_spec_kind (json, spec);
  if (procedure)
    add_default (json, spec);
  g_string_append_c (json, '}');
}


/*  Procedures  */

static void
add_procedure (GString           *json,
               GimpPlugIn        *plug_in,
               const WfProcedure *description)
{
  const WfOptionGroup *operation = wf_operation_get_options (description->operation);
  GimpProcedure       *procedure;
  GParamSpec         **specs;
  int                  n_specs;

  procedure = GIMP_PLUG_IN_GET_CLASS (plug_in)->create_procedure (plug_in, description->name);

  start_element (json);
  add_member (json, "name", description->name);
  add_label (json, "menu", gimp_procedure_get_menu_label (procedure));
  if (description->submenu)
    add_label (json, "submenu", g_dgettext (GETTEXT_PACKAGE, description->submenu));
  add_member (json, "operation", operation->name);
  add_member (json, "blurb", gimp_procedure_get_blurb (procedure));
  add_member (json, "help", g_dgettext (GETTEXT_PACKAGE, description->help));

  add_name (json, "arguments");
  g_string_append_c (json, '[');
  specs = gimp_procedure_get_arguments (procedure, &n_specs);
  for (int i = 0; i < n_specs; i++)
    add_spec (json, description, specs[i]);

  g_string_append (json, "]");
  add_name (json, "values");
  g_string_append_c (json, '[');
  specs = gimp_procedure_get_return_values (procedure, &n_specs);
  for (int i = 0; i < n_specs; i++)
    add_spec (json, NULL, specs[i]);
  g_string_append (json, "]}");

  g_object_unref (procedure);
}

/* A plug-in needs channels to GIMP, even if it does not use them. */
static GimpPlugIn *
create_plug_in (GType plug_in_type)
{
  static GimpPlugIn *plug_in;
  GIOChannel        *channel = g_io_channel_new_file ("/dev/null", "r+", NULL);

  if (channel && ! plug_in)
    plug_in = g_object_new (plug_in_type,
                            "read-channel",  channel,
                            "write-channel", channel,
                            NULL);
  return plug_in;
}

/**
 * wf_describe_is_asked_for:
 * @argc: of main()
 * @argv: of main()
 *
 * Returns: whether the plug-in was called with --describe, without GIMP.
 */
gboolean
wf_describe_is_asked_for (int    argc,
                          char **argv)
{
  return (argc == 2 || argc == 3) && strcmp (argv[1], QUESTION) == 0;
}

/**
 * wf_describe:
 * @plug_in_type: a #WfPlugIn
 * @translations: (nullable): the folder of the translations, or %NULL for those that are installed
 *
 * Writes its procedures to standard output.
 *
 * Returns: the exit status
 */
int
wf_describe (GType       plug_in_type,
             const char *translations)
{
  g_autoptr (GString)       json = g_string_new ("[");
  const WfProcedure *const *procedures;
  GimpPlugIn               *plug_in;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, translations ? translations : WF_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  gegl_init (NULL, NULL);

  plug_in = create_plug_in (plug_in_type);
  if (! plug_in)
    return EXIT_FAILURE;

  procedures = WF_PLUG_IN_GET_CLASS (plug_in)->procedures;
  for (; *procedures; procedures++)
    add_procedure (json, plug_in, *procedures);
  g_string_append (json, "]\n");
  return fputs (json->str, stdout) < 0 || fflush (stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
