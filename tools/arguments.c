/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of one subcommand is parsed, and checked as far as no file is opened. */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "arguments.h"
#include "chain.h"
#include "command.h"
#include "tools/files/format.h"
#include "tools/files/input.h"
#include "tools/files/stream.h"
#include "message.h"
#include "nearest-word.h"
#include "option-sections.h"


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
        g_option_context_add_group (context, option_section_new_group (section, arguments));
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

static GPtrArray *
list_options (const GPtrArray *sections)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < sections->len; i++)
    {
      const GArray *entries = ((const OptionSection *) sections->pdata[i])->entries;

      for (guint k = 0; k < entries->len; k++)
        g_ptr_array_add (names, (gpointer) g_array_index (entries, GOptionEntry, k).long_name);
    }
  return names;
}

/* The first option that there is not. */
static char *
find_unknown (GPtrArray           *names,
              const char * const  *words)
{
  for (int i = 1; words[i] && strcmp (words[i], "--") != 0; i++)
    {
      g_autofree char *name = g_str_has_prefix (words[i], "--")
                              ? g_strndup (words[i] + 2, strcspn (words[i] + 2, "=")) : NULL;

      if (name && ! g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        return g_steal_pointer (&name);
    }
  return NULL;
}

/* Words of other programs, or of the dialogs, for what an option does. */
static const struct
{
  const char *word;
  const char *option;
} other_words[] =
{
  { "below", "invert" },
};

/* The name of an option that @unknown may have been meant for, or %NULL. */
static const char *
find_meant (const char *unknown,
            GPtrArray  *names)
{
  for (guint i = 0; i < G_N_ELEMENTS (other_words); i++)
    if (g_str_equal (unknown, other_words[i].word) &&
        g_ptr_array_find_with_equal_func (names, other_words[i].option, g_str_equal, NULL))
      return other_words[i].option;
  return nearest_word (unknown, names);
}

/* Names the option that may have been meant. */
static void
set_unknown_error (const Command       *command,
                   const GPtrArray     *sections,
                   const char * const  *words,
                   const GError        *problem,
                   GError             **error)
{
  g_autoptr (GPtrArray)  names   = list_options (sections);
  g_autofree char       *unknown = find_unknown (names, words);
  const char            *meant   = unknown ? find_meant (unknown, names) : NULL;

  if (meant)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("Unknown option --%s; the nearest is --%s."), unknown, meant);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE, _("%s; see “wavefront %s --help”."),
                 problem->message, command_get_name (command));
}

/* GOption's own sentences name the option, but have no end and no advice. */
static void
set_usage_error (const Command       *command,
                 const GPtrArray     *sections,
                 const char * const  *words,
                 const GError        *problem,
                 GError             **error)
{

  if (problem->domain == WF_ERROR || problem->domain == TOOL_ERROR)
    refuse_usage (problem->message, error);
  else if (problem->domain == G_CONVERT_ERROR)
    {
      g_autofree char *word = g_filename_display_name (find_unreadable (words));

      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("“%s” is not valid text in the encoding of this locale."), word);
    }
  else
    set_unknown_error (command, sections, words, problem, error);
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

/* The first argument has the steps. */
static gboolean
take_steps (Arguments  *arguments,
            GError    **error)
{
  g_autofree char *steps = NULL;

  if (arguments->n_files == 0)
    return refuse (arguments->command, _("The steps are missing"), error);
  steps = arguments->files[0];
  memmove (arguments->files, arguments->files + 1, arguments->n_files * sizeof (char *));
  arguments->n_files--;
  arguments->chain      = chain_parse (steps, arguments, error);
  arguments->owns_chain = TRUE;
  return arguments->chain != NULL;
}

/* Without a name the format is that of --format, or TIFF. */
static gboolean
is_tiff (const Arguments *arguments,
         const char      *name)
{
  const Format *format = ! stream_is_named (name) ? format_find (name)
                         : arguments->format      ? format_find_name (arguments->format)
                                                  : format_find_name ("tif");

  return format && format_is_tiff (format);
}

/* Of several results, one is enough. */
static gboolean
check_compression (const Arguments  *arguments,
                   GError          **error)
{
  g_autoptr (GArray) outputs = arguments_list_outputs (arguments);

  if (arguments->compression == TIFF_COMPRESSION_USUAL)
    return TRUE;
  for (guint i = 0; i < outputs->len; i++)
    {
      const OutputName *output = &g_array_index (outputs, OutputName, i);

      if (! output->is_table && is_tiff (arguments, output->pattern))
        return TRUE;
    }
  return refuse_usage (_("--compression is for .tif files: no result is one."), error);
}

static gboolean
check_stain (const Arguments  *arguments,
             GError          **error)
{
  if (arguments->choice.stain && arguments->choice.channel >= 0)
    return refuse_usage (_("--stain takes colors, and --channel one band of them: give one of the "
                           "two."), error);
  return TRUE;
}

static gboolean
check_files (Arguments  *arguments,
             GError    **error)
{
  const Command *command = arguments->command;

  if (command->takes_steps && ! take_steps (arguments, error))
    return FALSE;
  if (arguments->n_files < command->n_files)
    return refuse (command,
                   command->n_files == 1 ? _("The input file is missing")
                                         : _("Two input files are needed"),
                   error);
  if (arguments->n_files > command->n_files && ! command_takes_several (command))
    {
      g_autofree char *name   = g_filename_display_name (arguments->files[command->n_files]);
      g_autofree char *reason = g_strdup_printf (_("Unexpected argument “%s”"), name);

      return refuse (command, reason, error);
    }
  if (! command_computes (command))
    return TRUE;
  if (! arguments->output && ! arguments->chain)
    return refuse (command, _("The output file is missing"), error);

  if (arguments->format && ! stream_is_named (arguments->output) &&
      ! (arguments->other && stream_is_named (arguments->other)))
    return refuse_usage (_("--format is for a result on standard output (“-”): the suffix of a "
                           "name selects the format."), error);

  for (guint i = 0; i < arguments->n_files; i++)
    if (! input_check_name (arguments->files[i], arguments->raw, error))
      return FALSE;
  return check_compression (arguments, error) && check_stain (arguments, error);
}

/* What has no default: which height or area means something depends on the image. */
static gboolean
check_required (const Arguments      *arguments,
                const WfOptionGroup  *group,
                GError              **error)
{
  for (guint i = 0; group && i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];

      if (! option->required || arguments_has_given (arguments, option->name))
        continue;
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The option --%s is missing: wavefront %s takes --%s %s."), option->name,
                   command_get_name (arguments->command), option->name, option->placeholder);
      return FALSE;
    }
  return TRUE;
}

/* What reads or writes one level of each pixel. */
static const char *
find_levels_option (const Arguments *arguments)
{
  return arguments->raw                             ? "raw"
         : arguments->stain                         ? "stain"
         : arguments->choice.channel >= 0           ? "channel"
         : arguments->overviews == OVERVIEWS_YES    ? "overviews"
         : arguments->blocks                        ? "blocks"
         : arguments->resume                        ? "resume"
                                                    : NULL;
}

/**
 * arguments_check_colors:
 * @arguments: of a command or a step
 * @given: with the options of its input and its result: @arguments, or those of the chain
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether it can keep colors, if it is to
 */
gboolean
arguments_check_colors (const Arguments  *arguments,
                        const Arguments  *given,
                        GError          **error)
{
  const WfOption  *option  = wf_option_group_find (wf_colors_get_options (), "colors");
  const char      *culprit = find_levels_option (given);
  g_autofree char *way     = wf_option_format (option, &arguments->colors);

  if (arguments->colors.colors == WF_COLORS_GRAY || ! culprit)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("--colors %s cannot be combined with --%s: leave out one of them."), way, culprit);
  return FALSE;
}

/**
 * arguments_check:
 * @arguments: parsed arguments of a command or a step
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether its options are complete, and can be together
 */
gboolean
arguments_check (const Arguments  *arguments,
                 GError          **error)
{
  const Command       *command = arguments->command;
  const WfOptionGroup *group   = command->operation >= 0
                                 ? wf_operation_get_options (command->operation) : NULL;
  const char          *other   = command->other_is_output ? NULL : arguments->other;

  return check_required (arguments, group, error) &&
         check_required (arguments, command->own, error) &&
         (! other || input_check_name (other, arguments->raw, error)) &&
         (! arguments->mask || input_check_name (arguments->mask, arguments->raw, error)) &&
         (! command->check || command->check (arguments, error)) &&
         arguments_check_colors (arguments, arguments, error);
}

static gpointer
new_options (const WfOptionGroup *group)
{
  gpointer options = g_malloc0 (group->size);

  wf_option_group_init (group, options);
  return options;
}

static gboolean
parse_words (Arguments           *arguments,
             const Command       *command,
             gboolean             is_step,
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
  arguments->is_step = is_step;
  arguments->repeat  = 1;
  arguments->jobs    = 1;
  arguments->choice  = (Choice) CHOICE_NONE;
  arguments->given   = g_hash_table_new (g_str_hash, g_str_equal);
  wf_option_group_init (wf_context_get_options (), &arguments->context);
  wf_option_group_init (wf_colors_get_options (), &arguments->colors);
  if (command->operation >= 0)
    arguments->options = new_options (wf_operation_get_options (command->operation));
  if (command->own)
    arguments->own = new_options (command->own);
  if (command->selects_objects)
    arguments->objects = new_options (wf_objects_get_options ());

  sections = option_sections_new (arguments, strings);
  context  = make_context (arguments, sections, remaining);
  if (! check_flags (sections, words, error))
    return FALSE;
  if (! g_option_context_parse_strv (context, &rest, &problem))
    {
      set_usage_error (command, sections, words, problem, error);
      return FALSE;
    }

  arguments->n_files = arguments->files ? g_strv_length (arguments->files) : 0;
  return ! command->complete || arguments->help || arguments->version ||
         command->complete (arguments, error);
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
  return parse_words (arguments, command, FALSE, words, error) &&
         (arguments->help || arguments->version ||
          (check_files (arguments, error) && arguments_check (arguments, error)));
}

/**
 * arguments_parse_step:
 * @arguments: filled; to be cleared whatever the result
 * @command: the subcommand
 * @words: its name, options and inputs
 * @error: %TOOL_ERROR_USAGE
 *
 * The same of a step of a chain, which has fewer options; its inputs and outputs are not looked at.
 *
 * Returns: whether the options can be right
 */
gboolean
arguments_parse_step (Arguments           *arguments,
                      const Command       *command,
                      const char * const  *words,
                      GError             **error)
{
  return parse_words (arguments, command, TRUE, words, error);
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

/* Texts of Arguments, which it owns; the first ones are names of files for each input. */
static const gsize owned[] =
{
  G_STRUCT_OFFSET (Arguments, output),
  G_STRUCT_OFFSET (Arguments, other),
  G_STRUCT_OFFSET (Arguments, mask),
  G_STRUCT_OFFSET (Arguments, table),
  G_STRUCT_OFFSET (Arguments, trace),
  G_STRUCT_OFFSET (Arguments, format),
  G_STRUCT_OFFSET (Arguments, blocks),
  G_STRUCT_OFFSET (Arguments, stain_text)
};

#define N_NAMES 5

static char **
find_owned (Arguments *arguments,
            guint      i)
{
  return &G_STRUCT_MEMBER (char *, arguments, owned[i]);
}

/**
 * arguments_copy:
 * @copy: filled; to be cleared before @all
 * @all: parsed arguments
 *
 * Copies all that a command may change, and all names.
 */
void
arguments_copy (Arguments       *copy,
                const Arguments *all)
{
  const Command *command = all->command;

  *copy         = *all;
  copy->files   = g_strdupv (all->files);
  copy->options = command->operation >= 0
                  ? g_memdup2 (all->options, wf_operation_get_options (command->operation)->size)
                  : NULL;
  copy->own     = command->own ? g_memdup2 (all->own, command->own->size) : NULL;
  copy->objects = g_memdup2 (all->objects, all->objects ? sizeof *all->objects : 0);
  for (guint i = 0; i < G_N_ELEMENTS (owned); i++)
    *find_owned (copy, i) = g_strdup (*find_owned (copy, i));
  for (guint i = 0; i < COMMAND_MAX_TEXTS; i++)
    copy->texts[i] = g_strdup (all->texts[i]);
  copy->raw        = all->raw ? &copy->raw_spec : NULL;
  copy->given      = g_hash_table_ref (all->given);
  copy->owns_chain = FALSE;
  copy->stain      = NULL;   /* its choice is that of @all */
}

static void
resolve (char            **name,
         const NamePlace  *place)
{
  g_autofree char *pattern = *name;

  *name = pattern ? file_names_resolve (pattern, place) : NULL;
}

/**
 * arguments_choose:
 * @one: filled; to be cleared before @all
 * @all: parsed arguments
 * @place: one of their inputs, to be kept as long as @one
 *
 * Names what is read and written for one input.
 */
void
arguments_choose (Arguments       *one,
                  const Arguments *all,
                  const NamePlace *place)
{
  arguments_copy (one, all);
  g_strfreev (one->files);
  one->files    = g_new0 (char *, 2);
  one->files[0] = g_strdup (place->file);
  one->n_files  = 1;
  for (guint i = 0; i < N_NAMES; i++)
    resolve (find_owned (one, i), place);
  one->place = place;
  if (place->n > 1)
    {
      one->shown    = place->file;
      one->progress = FALSE;
      if (one->context.threads == 0 && all->jobs > 1)
        one->context.threads = MAX (1, (int) g_get_num_processors () / all->jobs);
    }
}

static void
append_output (GArray     *outputs,
               const char *pattern,
               gboolean    is_table)
{
  const OutputName output = { pattern, is_table };

  if (pattern)
    g_array_append_val (outputs, output);
}

/**
 * arguments_list_outputs:
 * @arguments: parsed arguments
 *
 * Returns: (transfer full) (element-type OutputName): what is written for each input
 */
GArray *
arguments_list_outputs (const Arguments *arguments)
{
  const Command *command = arguments->command;
  GArray        *outputs = g_array_new (FALSE, FALSE, sizeof (OutputName));

  if (arguments->chain)
    {
      chain_list_outputs (arguments->chain, outputs, arguments);
      return outputs;
    }
  append_output (outputs, arguments->output, command->makes_table);
  append_output (outputs, arguments->table, TRUE);
  append_output (outputs, arguments->trace, FALSE);
  if (command->other_is_output)
    append_output (outputs, arguments->other, FALSE);
  return outputs;
}

void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->options);
  g_free (arguments->own);
  g_free (arguments->objects);
  g_strfreev (arguments->files);
  g_clear_pointer (&arguments->stain, wf_stain_free);
  for (guint i = 0; i < G_N_ELEMENTS (owned); i++)
    g_free (*find_owned (arguments, i));
  for (guint i = 0; i < COMMAND_MAX_TEXTS; i++)
    g_free (arguments->texts[i]);
  if (arguments->owns_chain)
    g_clear_pointer (&arguments->chain, chain_free);
  g_clear_pointer (&arguments->given, g_hash_table_unref);
  memset (arguments, 0, sizeof *arguments);
}
