/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of the operations and of the context come from the library's
 * tables, one GOptionEntry for each row: an option added there is parsed, checked
 * and shown in the help without a line here.  Only what concerns files and the
 * command itself is declared in this file.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "arguments.h"
#include "command.h"
#include "tools/files/input.h"
#include "message.h"


#define MAX_REPEAT 1000000

/* What the callbacks of one group of GOption fill. */
typedef struct
{
  const WfOptionGroup *group;
  gpointer             options;
  GHashTable          *given;
} Target;


static gboolean
parse_described (const char  *name,
                 const char  *value,
                 gpointer     data,
                 GError     **error)
{
  Target         *target = data;
  const WfOption *option = wf_option_group_find (target->group, name + strlen ("--"));

  g_return_val_if_fail (option != NULL, FALSE);

  g_hash_table_add (target->given, (gpointer) option->name);
  return wf_option_parse (option, target->options, value ? value : "true", error);
}

static gboolean
parse_raw (const char  *name,
           const char  *value,
           gpointer     data,
           GError     **error)
{
  Arguments *arguments = data;

  if (! raw_spec_parse (&arguments->raw_spec, value, error))
    return FALSE;
  arguments->raw = &arguments->raw_spec;
  return TRUE;
}

static gboolean
parse_repeat (const char  *name,
              const char  *value,
              gpointer     data,
              GError     **error)
{
  Arguments *arguments = data;
  gint64     number;

  if (! g_ascii_string_to_signed (value, 10, 1, MAX_REPEAT, &number, NULL))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The value of repeat, “%s”, is not a whole number from 1 to %d."),
                   value, MAX_REPEAT);
      return FALSE;
    }
  arguments->repeat = (int) number;
  return TRUE;
}

/* What holds without the option; "" where nothing does: a boolean is not given, and a
 * number outside its own range means that it has not been set.
 */
static char *
format_default (const WfOption *option,
                gconstpointer   defaults)
{
  if (option->kind == WF_OPTION_BOOLEAN ||
      (option->kind == WF_OPTION_INT && option->default_value < option->minimum))
    return g_strdup ("");
  return wf_option_format (option, defaults);
}

/* The values that may be given, first those that are worth it, then those for comparison. */
static void
append_choices (GString        *text,
                const WfChoice *choices,
                gboolean        for_comparison)
{
  /* TRANSLATORS: between a description and the values that may be given */
  const char *separator = for_comparison ? _("; for comparison: ") : _(": ");

  for (const WfChoice *choice = choices; choice->name; choice++)
    if (! choice->for_comparison == ! for_comparison)
      {
        g_string_append_printf (text, "%s%s", separator, choice->name);
        /* TRANSLATORS: between two values that may be given */
        separator = _(", ");
      }
}

/* The blurb, what may be given where the placeholder does not say so, and what
 * holds without it.
 */
static const char *
describe (const WfOption *option,
          gconstpointer   defaults,
          GStringChunk   *strings)
{
  g_autofree char *value = format_default (option, defaults);
  GString         *text  = g_string_new (gettext (option->blurb));
  const char      *kept;

  if (option->choices && ! (option->placeholder && strchr (option->placeholder, '|')))
    {
      append_choices (text, option->choices, FALSE);
      append_choices (text, option->choices, TRUE);
    }
  if (value[0] != '\0')
    g_string_append_printf (text, _(" (default: %s)"), value);

  kept = g_string_chunk_insert (strings, text->str);
  g_string_free (text, TRUE);
  return kept;
}

static GArray *
make_described_entries (const WfOptionGroup *group,
                        GStringChunk        *strings)
{
  GArray             *entries  = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_autofree gpointer defaults = g_malloc0 (group->size);

  wf_option_group_init (group, defaults);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];
      GOptionEntry    entry  = { 0 };

      entry.long_name       = option->name;
      entry.flags           = option->kind == WF_OPTION_BOOLEAN ? G_OPTION_FLAG_NO_ARG : 0;
      entry.arg             = G_OPTION_ARG_CALLBACK;
      entry.arg_data        = parse_described;
      entry.description     = describe (option, defaults, strings);
      entry.arg_description = option->placeholder ? option->placeholder : "VALUE";
      g_array_append_val (entries, entry);
    }
  return entries;
}

gboolean
option_takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE && ! (entry->flags & G_OPTION_FLAG_NO_ARG);
}

static void
add_entry (GArray       *entries,
           const char   *name,
           char          letter,
           GOptionArg    arg,
           gpointer      data,
           const char   *description,
           const char   *placeholder)
{
  GOptionEntry entry = { name, letter, 0, arg, data, description, placeholder };

  g_array_append_val (entries, entry);
}

static GArray *
make_file_entries (Arguments *arguments)
{
  const Command *command = arguments->command;
  GArray        *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  add_entry (entries, "output", 'o', G_OPTION_ARG_FILENAME, &arguments->output,
             _("Write the result to OUT; its suffix selects the format"), "OUT");
  if (command->other_option)
    add_entry (entries, command->other_option, 0, G_OPTION_ARG_FILENAME, &arguments->other,
               gettext (command->other_blurb), command->other_placeholder);
  if (command->table_blurb)
    add_entry (entries, "table", 0, G_OPTION_ARG_FILENAME, &arguments->table,
               gettext (command->table_blurb), "FILE");
  add_entry (entries, "raw", 0, G_OPTION_ARG_CALLBACK, parse_raw,
             _("The inputs are headerless files of little-endian pixels of this size and type"),
             "WxH[xD]:u8|u16|f32");
  return entries;
}

static GArray *
make_run_entries (Arguments *arguments)
{
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  if (arguments->command->operation >= 0)
    {
      add_entry (entries, "repeat", 0, G_OPTION_ARG_CALLBACK, parse_repeat,
                 _("Repeat the computation N times, for timing (default: 1)"), "N");
      add_entry (entries, "stats", 0, G_OPTION_ARG_NONE, &arguments->stats,
                 _("Print one line of JSON on standard output: operation, algorithm, device, "
                   "threads, pixels, seconds (the median of the operation alone, without "
                   "files), peak_rss_bytes and more"), NULL);
      add_entry (entries, "progress", 0, G_OPTION_ARG_NONE, &arguments->progress,
                 _("Show progress on standard error"), NULL);
    }
  add_entry (entries, "help", 'h', G_OPTION_ARG_NONE, &arguments->help,
             _("Show this help"), NULL);
  add_entry (entries, "version", 0, G_OPTION_ARG_NONE, &arguments->version,
             _("Show the version"), NULL);
  return entries;
}

static void
free_section (OptionSection *section)
{
  g_array_unref (section->entries);
  g_free (section);
}

static void
add_section (GPtrArray  *sections,
             const char *title,
             GArray     *entries)
{
  OptionSection *section = g_new0 (OptionSection, 1);

  section->title   = title;
  section->entries = entries;
  g_ptr_array_add (sections, section);
}

static void
add_described_section (GPtrArray           *sections,
                       const char          *title,
                       const WfOptionGroup *group,
                       gpointer             options,
                       GStringChunk        *strings)
{
  OptionSection *section;

  add_section (sections, title, make_described_entries (group, strings));
  section          = sections->pdata[sections->len - 1];
  section->group   = group;
  section->options = options;
}

/**
 * arguments_describe:
 * @arguments: arguments, of which the subcommand is set
 * @strings: to hold the descriptions
 *
 * Returns: (transfer full) (element-type OptionSection): the options of the
 *   subcommand: its own, of its operation, of files, of the context, of the run;
 *   those that it has not are left out.
 */
GPtrArray *
arguments_describe (Arguments    *arguments,
                    GStringChunk *strings)
{
  const WfOptionGroup *context   = wf_context_get_options ();
  const WfOptionGroup *own       = arguments->command->own;
  GPtrArray           *sections  = g_ptr_array_new_with_free_func ((GDestroyNotify) free_section);
  int                  operation = arguments->command->operation;

  if (own)
    add_described_section (sections, gettext (own->title), own, arguments->own, strings);
  if (operation >= 0)
    {
      add_described_section (sections, _("Options"), wf_operation_get_options (operation),
                             arguments->options, strings);
      add_section (sections, _("Files"), make_file_entries (arguments));
      add_described_section (sections, gettext (context->title), context, &arguments->context,
                             strings);
    }
  add_section (sections, _("General"), make_run_entries (arguments));
  return sections;
}

/* A group of GOption for one table of options. */
static void
add_group (GOptionContext      *context,
           const OptionSection *section,
           GHashTable          *given)
{
  Target       *target = g_new (Target, 1);
  GOptionGroup *group;

  *target = (Target) { section->group, section->options, given };
  group   = g_option_group_new (section->group->name, "", "", target, g_free);
  g_option_group_add_entries (group, (const GOptionEntry *) section->entries->data);
  g_option_context_add_group (context, group);
}

static GOptionContext *
make_context (Arguments    *arguments,
              GPtrArray    *sections,
              GOptionEntry *remaining)
{
  GOptionContext *context = g_option_context_new (NULL);
  GOptionGroup   *rest    = g_option_group_new ("wavefront", "", "", arguments, NULL);

  g_option_context_set_help_enabled (context, FALSE);
  for (guint i = 0; i < sections->len; i++)
    {
      const OptionSection *section = sections->pdata[i];

      if (section->group)
        add_group (context, section, arguments->given);
      else
        g_option_group_add_entries (rest, (const GOptionEntry *) section->entries->data);
    }
  g_option_group_add_entries (rest, remaining);
  g_option_context_set_main_group (context, rest);
  return context;
}

/* GLib does not say which value it cannot convert from the locale's encoding. */
static const char *
find_unreadable (const char * const *words)
{
  for (int i = 1; words[i]; i++)
    {
      g_autofree char *text = g_locale_to_utf8 (words[i], -1, NULL, NULL, NULL);

      if (! text && (words[i][0] == '-' || words[i - 1][0] == '-'))
        return words[i];
    }
  return "";
}

/* GOption's own sentences name the option, but have no end and no advice. */
static void
set_usage_error (const Command       *command,
                 const char * const  *words,
                 const GError        *problem,
                 GError             **error)
{
  const char *name = command_get_name (command);

  if (problem->domain == WF_ERROR || problem->domain == TOOL_ERROR)
    g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE, problem->message);
  else if (problem->domain == G_CONVERT_ERROR)
    {
      g_autofree char *word = g_filename_display_name (find_unreadable (words));

      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("“%s” is not valid text in the encoding of this locale."), word);
    }
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("%s; see “wavefront %s --help”."), problem->message, name);
}

/* GOption drops the value in --lines=no, and would draw the lines. */
static gboolean
check_flags (GPtrArray           *sections,
             const char * const  *words,
             GError             **error)
{
  for (int i = 1; words[i] && strcmp (words[i], "--") != 0; i++)
    {
      const char *equals = strchr (words[i], '=');

      if (! equals || ! g_str_has_prefix (words[i], "--"))
        continue;
      for (guint section = 0; section < sections->len; section++)
        {
          const GArray *entries = ((OptionSection *) sections->pdata[section])->entries;

          for (guint k = 0; k < entries->len; k++)
            {
              const GOptionEntry *entry = &g_array_index (entries, GOptionEntry, k);
              g_autofree char    *flag  = g_strdup_printf ("--%s=", entry->long_name);

              if (option_takes_value (entry) || ! g_str_has_prefix (words[i], flag))
                continue;
              g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                           _("The option --%s takes no value."), entry->long_name);
              return FALSE;
            }
        }
    }
  return TRUE;
}

static gboolean
refuse (const Command  *command,
        const char     *reason,
        GError        **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("%s: usage is “wavefront %s%s%s”."), reason, command_get_name (command),
               command->usage[0] ? " " : "", command->usage);
  return FALSE;
}

static gboolean
check_files (Arguments  *arguments,
             GError    **error)
{
  const Command *command = arguments->command;

  if (arguments->n_files < command->n_files)
    return refuse (command,
                   command->n_files == 1 ? _("The input file is missing")
                                         : _("Two input files are needed"),
                   error);
  if (arguments->n_files > command->n_files)
    {
      g_autofree char *name   = g_filename_display_name (arguments->files[command->n_files]);
      g_autofree char *reason = g_strdup_printf (_("Unexpected argument “%s”"), name);

      return refuse (command, reason, error);
    }
  if (command->operation < 0)
    return TRUE;
  if (! arguments->output)
    return refuse (command, _("The output file is missing"), error);

  for (guint i = 0; i < arguments->n_files; i++)
    if (! input_check_name (arguments->files[i], arguments->raw, error))
      return FALSE;
  return TRUE;
}

static gpointer
new_options (const WfOptionGroup *group)
{
  gpointer options = g_malloc0 (group->size);

  wf_option_group_init (group, options);
  return options;
}

/**
 * arguments_parse:
 * @arguments: filled; to be cleared whatever the result
 * @command: the subcommand
 * @words: the command line from the subcommand's name on
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether the command line can be right; with --help or --version
 *   nothing else is looked at.
 */
gboolean
arguments_parse (Arguments           *arguments,
                 const Command       *command,
                 const char * const  *words,
                 GError             **error)
{
  g_auto (GStrv)              rest      = g_strdupv ((char **) words);
  g_autoptr (GStringChunk)    strings   = g_string_chunk_new (1024);
  g_autoptr (GPtrArray)       sections  = NULL;
  g_autoptr (GOptionContext)  context   = NULL;
  g_autoptr (GError)          problem   = NULL;
  GOptionEntry                remaining[] =
  {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->files, NULL, NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL }
  };

  memset (arguments, 0, sizeof *arguments);
  arguments->command = command;
  arguments->repeat  = 1;
  arguments->given   = g_hash_table_new (g_str_hash, g_str_equal);
  wf_option_group_init (wf_context_get_options (), &arguments->context);
  if (command->operation >= 0)
    arguments->options = new_options (wf_operation_get_options (command->operation));
  if (command->own)
    arguments->own = new_options (command->own);

  sections = arguments_describe (arguments, strings);
  context  = make_context (arguments, sections, remaining);
  if (! check_flags (sections, words, error))
    return FALSE;
  if (! g_option_context_parse_strv (context, &rest, &problem))
    {
      set_usage_error (command, words, problem, error);
      return FALSE;
    }

  arguments->n_files = arguments->files ? g_strv_length (arguments->files) : 0;
  return arguments->help || arguments->version || check_files (arguments, error);
}

/**
 * arguments_has_given:
 * @arguments: parsed arguments
 * @option: the name of an option of a table: the operation's, the context's or the
 *   subcommand's own
 *
 * Returns: whether it stood on the command line.
 */
gboolean
arguments_has_given (const Arguments *arguments,
                     const char      *option)
{
  return g_hash_table_contains (arguments->given, option);
}

void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->options);
  g_free (arguments->own);
  g_strfreev (arguments->files);
  g_free (arguments->output);
  g_free (arguments->other);
  g_free (arguments->table);
  g_clear_pointer (&arguments->given, g_hash_table_unref);
  memset (arguments, 0, sizeof *arguments);
}
