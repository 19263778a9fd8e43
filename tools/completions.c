/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All three scripts are made of the same walk over the subcommands and their options: a shell has
 * functions that write the head, what is said of a subcommand, what is said of an option, and the
 * tail.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "completions.h"
#include "message.h"
#include "option-sections.h"

/* Letters of a description, about. */
#define BRIEF 70

/**
 * Shell:
 * @begin: the head
 * @add_command: begins a subcommand
 * @add_option: an option of it; @values: words, or %NULL
 * @end_command: ends it
 * @end: the tail
 */
typedef struct
{
  const char *name;
  void     (* begin)       (GString *out, const CommandGroup *groups);
  void     (* add_command) (GString *out, const Command *command);
  void     (* add_option)  (GString *out, const Command *command, const GOptionEntry *entry,
                            char **values);
  void     (* end_command) (GString *out, const Command *command);
  void     (* end)         (GString *out);
} Shell;


/*  Texts  */

/* The words that an option takes, as far as its placeholder lists them: capitals stand for
 * something else, such as a number.
 */
static char **
find_values (const GOptionEntry *entry)
{
  g_auto (GStrv)           words  = NULL;
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  gboolean                 any    = FALSE;

  if (! option_takes_value (entry) || ! strchr (entry->arg_description, '|'))
    return NULL;
  words = g_strsplit (entry->arg_description, "|", -1);
  for (char **word = words; *word; word++)
    if (**word &&
        strspn (*word, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen (*word))
      {
        g_strv_builder_add (values, *word);
        any = TRUE;
      }
  return any ? g_strv_builder_end (values) : NULL;
}

/* The begin of a description, in single quotes; characters of @special are left out. */
static char *
quote_brief (const char *text,
             const char *special)
{
  const gsize      clause = strcspn (text, ";:(");
  g_autofree char *brief  = g_strndup (text, clause);
  GString         *quoted = g_string_new ("'");

  if (g_utf8_strlen (brief, -1) > BRIEF)
    {
      char *end = g_utf8_offset_to_pointer (brief, BRIEF);

      while (end > brief && *end != ' ')
        end--;
      *end = '\0';
    }
  g_strchomp (brief);
  for (const char *c = brief; *c; c++)
    if (*c == '\'')
      g_string_append (quoted, "’");
    else if (! strchr (special, *c))
      g_string_append_c (quoted, *c);
  g_string_append_c (quoted, '\'');
  return g_string_free (quoted, FALSE);
}

static char *
join_commands (const CommandGroup *groups)
{
  GString *words = g_string_new (NULL);

  for (const CommandGroup *group = groups; group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      g_string_append_printf (words, "%s ", command_get_name (*command));
  g_string_append (words, "help");
  return g_string_free (words, FALSE);
}


/*  bash  */

static void
begin_bash (GString            *out,
            const CommandGroup *groups)
{
  g_autofree char *commands = join_commands (groups);

  g_string_append_printf (out,
    "# SPDX-License-Identifier: GPL-3.0-or-later\n"
    "# bash completes command lines of wavefront with this.\n"
    "_wavefront ()\n"
    "{\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  local commands='%s' options='' values=''\n"
    "  COMPREPLY=()\n"
    "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$commands --help --version\" -- \"$word\")\n"
    "    return\n"
    "  fi\n"
    "  case ${COMP_WORDS[1]} in\n"
    "    help) mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\"); return ;;\n",
    commands);
}

static void
begin_bash_command (GString       *out,
                    const Command *command)
{
  g_string_append_printf (out, "    %s)\n", command_get_name (command));
}

static void
add_bash_option (GString             *out,
                 const Command       *command,
                 const GOptionEntry  *entry,
                 char               **values)
{
  g_autofree char *words = values ? g_strjoinv (" ", values) : NULL;

  g_string_append_printf (out, "      options+=' --%s'\n", entry->long_name);
  if (words)
    g_string_append_printf (out, "      [ \"$before\" != --%s ] || values='%s'\n", entry->long_name,
                            words);
}

static void
end_bash_command (GString       *out,
                  const Command *command)
{
  g_string_append (out, "      ;;\n");
}

static void
end_bash (GString *out)
{
  g_string_append (out,
    "  esac\n"
    "  if [ -n \"$values\" ]; then\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
    "  elif [[ $word == -* ]]; then\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
    "  fi\n"
    "}\n"
    "complete -o default -F _wavefront wavefront\n");
}


/*  zsh  */

static void
begin_zsh (GString            *out,
           const CommandGroup *groups)
{
  g_string_append (out,
    "#compdef wavefront\n"
    "# SPDX-License-Identifier: GPL-3.0-or-later\n"
    "# zsh completes command lines of wavefront with this.\n"
    "local -a names\n"
    "names=(\n");
  for (const CommandGroup *group = groups; group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      {
        g_autofree char *blurb = quote_brief (command_get_blurb (*command), ":");

        g_string_append_printf (out, "  %s:%s\n", command_get_name (*command), blurb);
      }
  g_string_append (out,
    "  help:'the options of a command'\n"
    ")\n"
    "if (( CURRENT == 2 )); then\n"
    "  _describe command names\n"
    "  return\n"
    "fi\n"
    "local name=$words[2]\n"
    "shift words\n"
    "(( CURRENT-- ))\n"
    "case $name in\n"
    "  help) _describe command names ;;\n");
}

static void
begin_zsh_command (GString       *out,
                   const Command *command)
{
  g_string_append_printf (out, "  %s)\n    _arguments -S", command_get_name (command));
}

static void
add_zsh_option (GString             *out,
                const Command       *command,
                const GOptionEntry  *entry,
                char               **values)
{
  g_autofree char *blurb = quote_brief (entry->description, "[]:\\");
  g_autofree char *words = values ? g_strjoinv (" ", values) : NULL;

  g_string_append_printf (out, " \\\n      '--%s%s['%s']", entry->long_name,
                          option_takes_value (entry) ? "=" : "", blurb);
  if (words)
    g_string_append_printf (out, ":%s:(%s)", entry->long_name, words);
  else if (entry->arg == G_OPTION_ARG_FILENAME)
    g_string_append_printf (out, ":%s:_files", entry->long_name);
  else if (option_takes_value (entry))
    g_string_append_printf (out, ":%s: ", entry->long_name);
  g_string_append_c (out, '\'');
}

static void
end_zsh_command (GString       *out,
                 const Command *command)
{
  g_string_append (out, " \\\n      '-o+[the result]:output:_files' '*:file:_files'\n    ;;\n");
}

static void
end_zsh (GString *out)
{
  g_string_append (out, "esac\n");
}


/*  fish  */

static void
begin_fish (GString            *out,
            const CommandGroup *groups)
{
  g_autofree char *commands = join_commands (groups);

  g_string_append_printf (out,
    "# SPDX-License-Identifier: GPL-3.0-or-later\n"
    "# fish completes command lines of wavefront with this.\n"
    "set -l commands %s\n"
    "complete -c wavefront -n \"__fish_seen_subcommand_from help\" -f -a \"$commands\"\n"
    "complete -c wavefront -n \"not __fish_seen_subcommand_from $commands\" -f -a help\n",
    commands);
}

static void
begin_fish_command (GString       *out,
                    const Command *command)
{
  g_autofree char *blurb = quote_brief (command_get_blurb (command), "");

  g_string_append_printf (out,
    "complete -c wavefront -n \"not __fish_seen_subcommand_from $commands\" -f -a %s -d %s\n",
    command_get_name (command), blurb);
}

static void
add_fish_option (GString             *out,
                 const Command       *command,
                 const GOptionEntry  *entry,
                 char               **values)
{
  g_autofree char *blurb = quote_brief (entry->description, "\\");
  g_autofree char *words = values ? g_strjoinv (" ", values) : NULL;

  g_string_append_printf (out, "complete -c wavefront -n \"__fish_seen_subcommand_from %s\" -l %s",
                          command_get_name (command), entry->long_name);
  if (entry->short_name)
    g_string_append_printf (out, " -s %c", entry->short_name);
  if (words)
    g_string_append_printf (out, " -x -a '%s'", words);
  else if (option_takes_value (entry))
    g_string_append (out, entry->arg == G_OPTION_ARG_FILENAME ? " -r -F" : " -x");
  g_string_append_printf (out, " -d %s\n", blurb);
}

static void
end_fish_command (GString       *out,
                  const Command *command)
{
}

static void
end_fish (GString *out)
{
}


/*  All  */

static const Shell shells[] =
{
  { "bash", begin_bash, begin_bash_command, add_bash_option, end_bash_command, end_bash },
  { "zsh", begin_zsh, begin_zsh_command, add_zsh_option, end_zsh_command, end_zsh },
  { "fish", begin_fish, begin_fish_command, add_fish_option, end_fish_command, end_fish },
};

static void
append_command (GString       *out,
                const Shell   *shell,
                const Command *command)
{
  g_autoptr (GStringChunk)  strings   = g_string_chunk_new (1024);
  Arguments                 arguments = { .command = command };
  g_autoptr (GPtrArray)     sections  = option_sections_new (&arguments, strings);

  shell->add_command (out, command);
  for (guint i = 0; i < sections->len; i++)
    {
      const OptionSection *section = sections->pdata[i];

      for (guint k = 0; k < section->entries->len; k++)
        {
          const GOptionEntry *entry  = &g_array_index (section->entries, GOptionEntry, k);
          g_auto (GStrv)      values = find_values (entry);

          shell->add_option (out, command, entry, values);
        }
    }
  shell->end_command (out, command);
}

/**
 * completions_print:
 * @name: bash, zsh or fish
 * @groups: the subcommands, ended by a group without title
 * @error: %TOOL_ERROR_USAGE
 *
 * Prints the shell's script on standard output.
 *
 * Returns: whether there is such a shell
 */
gboolean
completions_print (const char          *name,
                   const CommandGroup  *groups,
                   GError             **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (shells); i++)
    {
      const Shell *shell = &shells[i];
      GString     *out;

      if (strcmp (shell->name, name) != 0)
        continue;
      out = g_string_new (NULL);
      shell->begin (out, groups);
      for (const CommandGroup *group = groups; group->title; group++)
        for (const Command * const *command = group->commands; *command; command++)
          append_command (out, shell, *command);
      shell->end (out);
      text_print (stdout, out->str);
      g_string_free (out, TRUE);
      return TRUE;
    }
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --completion: it takes %s."), name, "bash, zsh, fish");
  return FALSE;
}
