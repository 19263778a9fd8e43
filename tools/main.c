/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The wavefront command: the operations of libwavefront on files. */

#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "arguments.h"
#include "command.h"
#include "help.h"
#include "message.h"
#include "signals.h"


enum
{
  STATUS_SUCCESS,
  STATUS_FAILED,
  STATUS_USAGE
};

static const Command * const commands[] =
{
  &command_reconstruct,
  &command_distance,
  &command_watershed,
  &command_devices,
  NULL
};


const char *
command_get_name (const Command *command)
{
  return command->operation >= 0 ? wf_operation_get_options (command->operation)->name
                                 : command->name;
}

const char *
command_get_blurb (const Command *command)
{
  return gettext (command->operation >= 0 ? wf_operation_get_options (command->operation)->blurb
                                          : command->blurb);
}

/* A command started without standard error would give its number to the file that
 * it opens next, and write its messages there.
 */
static void
hold_standard_streams (void)
{
  int descriptor;

  do
    descriptor = open ("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0)
    close (descriptor);
}

/* Numbers have a point in every language: options are written and read alike. */
static void
set_up_language (void)
{
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, WF_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

static int
finish (gboolean      success,
        const GError *error)
{
  if (success)
    return STATUS_SUCCESS;

  message_print (error->message);
  return g_error_matches (error, TOOL_ERROR, TOOL_ERROR_USAGE) ? STATUS_USAGE : STATUS_FAILED;
}

static gboolean
print_version (GError **error)
{
  g_autofree char *line = g_strdup_printf ("wavefront %s\n", wf_version ());

  text_print (stdout, line);
  return stdout_finish (error);
}

static const Command *
find_command (const char *name)
{
  for (const Command * const *command = commands; *command; command++)
    if (strcmp (name, command_get_name (*command)) == 0)
      return *command;

  return NULL;
}

static char *
list_commands (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (const Command * const *command = commands; *command; command++)
    g_ptr_array_add (names, (gpointer) command_get_name (*command));
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

/* What stands before any command. */
static gboolean
run_general (const char  *word,
             GError     **error)
{
  g_autofree char *list = list_commands ();
  g_autofree char *name = NULL;

  if (word && (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0))
    {
      help_print_overview (commands);
      return stdout_finish (error);
    }
  if (word && strcmp (word, "--version") == 0)
    return print_version (error);

  name = word ? g_filename_display_name (word) : NULL;
  if (! word)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("The command is missing: it is one of %s; see “wavefront --help”."), list);
  else if (word[0] == '-')
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("“%s” stands before the command, which comes first: one of %s."), name, list);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("Unknown command “%s”: it is one of %s."), name, list);
  return FALSE;
}

static gboolean
run_command (const Command       *command,
             const char * const  *words,
             GError             **error)
{
  g_auto (Arguments) arguments = { 0 };

  if (! arguments_parse (&arguments, command, words, error))
    return FALSE;
  if (arguments.help)
    {
      help_print_command (command);
      return stdout_finish (error);
    }
  if (arguments.version)
    return print_version (error);
  return command->run (&arguments, error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError)  error   = NULL;
  const Command      *command = NULL;
  gboolean            success;

  hold_standard_streams ();
  set_up_language ();
  signals_install ();
  g_set_prgname ("wavefront");

  if (argc > 1)
    command = find_command (argv[1]);
  if (command)
    success = run_command (command, (const char * const *) argv + 1, &error);
  else
    success = run_general (argc > 1 ? argv[1] : NULL, &error);

  return finish (success, error);
}
