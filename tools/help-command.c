/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands/commands.h"
#include "completions.h"
#include "help.h"
#include "help-command.h"
#include "manual.h"
#include "message.h"
#include "nearest-word.h"

/* No subcommand of the list, but named as one. */
#define HELP "help"


/* The name of a subcommand that @word may have been meant for, or %NULL. */
static const char *
find_meant (const char *word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (const CommandGroup *group = command_groups (); group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      g_ptr_array_add (names, (gpointer) command_get_name (*command));
  g_ptr_array_add (names, (gpointer) HELP);
  return nearest_word (word, names);
}

/**
 * help_command_find:
 * @word: what stands for a subcommand
 * @error: %TOOL_ERROR_USAGE, with the subcommand that may have been meant
 *
 * Returns: (nullable): the subcommand
 */
const Command *
help_command_find (const char  *word,
                   GError     **error)
{
  const Command   *command = command_find (word);
  g_autofree char *name    = g_filename_display_name (word);
  const char      *meant   = command ? NULL : find_meant (word);

  if (meant && strcmp (meant, word) != 0)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("Unknown command “%s”; the nearest is “%s”."), name, meant);
  else if (! command)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("Unknown command “%s”; “wavefront --help” lists the commands."), name);
  return command;
}

/* @command: (nullable): a subcommand */
static void
print_manual (const Command *command)
{
  g_autofree char *page = command ? manual_format_command (command)
                                  : manual_format_overview (command_groups ());

  text_print (stdout, page);
}

/* @word: (nullable): a subcommand, or “help” */
static gboolean
print_about (const char  *word,
             gboolean     manual,
             GError     **error)
{
  const gboolean  general = ! word || strcmp (word, HELP) == 0;
  const Command  *command = general ? NULL : help_command_find (word, error);

  if (! general && ! command)
    return FALSE;
  if (manual)
    print_manual (command);
  else if (command)
    help_print_command (command);
  else
    help_print_overview (command_groups ());
  return TRUE;
}

/**
 * help_command_run:
 * @words: after “help”, ended by %NULL: [--man] [COMMAND], --man-pages FOLDER, or --completion
 *   SHELL
 * @error: %TOOL_ERROR_USAGE
 *
 * Prints help, a manual page or a script for a shell on standard output, or writes all manual
 * pages.
 *
 * Returns: success
 */
gboolean
help_command_run (const char * const  *words,
                  GError             **error)
{
  const gboolean manual = words[0] && strcmp (words[0], "--man") == 0;
  const guint    n      = g_strv_length ((char **) words);

  if (n == 2 && strcmp (words[0], "--completion") == 0)
    return completions_print (words[1], command_groups (), error);
  if (n == 2 && strcmp (words[0], "--man-pages") == 0)
    return manual_write_pages (words[1], command_groups (), error);
  if (n > (manual ? 2 : 1) || (n > 0 && words[n - 1][0] == '-' && ! (manual && n == 1)))
    return refuse_usage (_("“wavefront help” takes a command, --man and a command, --man-pages and "
                           "a folder, or --completion and bash, zsh or fish."), error);
  return print_about (manual ? words[1] : words[0], manual, error);
}
