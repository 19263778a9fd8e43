/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The wavefront command: the operations of libwavefront on files. */

#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "arguments.h"
#include "batch.h"
#include "tools/commands/commands.h"
#include "help-command.h"
#include "message.h"
#include "ranks.h"
#include "signals.h"


enum
{
  STATUS_SUCCESS,
  STATUS_FAILED,
  STATUS_USAGE
};


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
finish (gboolean  success,
        GError   *error)
{
  if (success)
    return STATUS_SUCCESS;

  if (ranks_tell_failure (error))
    message_print (error->message);
  return g_error_matches (error, TOOL_ERROR, TOOL_ERROR_USAGE) ? STATUS_USAGE : STATUS_FAILED;
}

/* Of several processes the first one prints. */
static gboolean
print_version (GError **error)
{
  g_autofree char *line = g_strdup_printf ("wavefront %s\n", wf_version ());

  if (ranks_is_first ())
    text_print (stdout, line);
  return stdout_finish (error);
}

/* @words: of help_command_run() */
static gboolean
print_help (const char * const  *words,
            GError             **error)
{
  return ! ranks_is_first () ||
         (help_command_run (words, error) && stdout_finish (error));
}

/* What is no command.  @words: ended by %NULL */
static gboolean
run_general (const char * const  *words,
             GError             **error)
{
  static const char * const none[] = { NULL };
  const char               *word   = words[0];
  g_autofree char          *name   = NULL;

  if (word && (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0))
    return print_help (none, error);
  if (word && strcmp (word, "help") == 0)
    return print_help (words + 1, error);
  if (word && strcmp (word, "--version") == 0)
    return print_version (error);

  name = word ? g_filename_display_name (word) : NULL;
  if (! word)
    refuse_usage (_("The command is missing; “wavefront --help” lists the commands."), error);
  else if (word[0] == '-')
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("“%s” precedes the command, which must come first; “wavefront --help” lists the "
                   "commands."), name);
  else
    help_command_find (word, error);
  return FALSE;
}

/* Without this, each of several processes would do all the work and write the same file. */
static gboolean
join_ranks (const Command  *command,
            GError        **error)
{
  if (! ranks_open (error))
    return FALSE;
  if (! ranks_are_several () || command->blocks)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("“%s” cannot be divided among several processes: start it without an MPI "
                 "launcher, or with --distributed no."), command_get_name (command));
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
  if (! arguments.help && ! arguments.version && ! join_ranks (command, error))
    return FALSE;
  if (arguments.help)
    return print_help ((const char *[]) { command_get_name (command), NULL }, error);
  if (arguments.version)
    return print_version (error);
  return command_takes_several (command) ? batch_run (&arguments, error)
                                         : command->run (&arguments, error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError)  error   = NULL;
  const Command      *command = NULL;
  gboolean            success;
  int                 status;

  hold_standard_streams ();
  set_up_language ();
  signals_install (message_format (_("A file has become shorter while it was read, or its disk has "
                                     "failed.")));
  g_set_prgname ("wavefront");

  if (argc > 1)
    command = command_find (argv[1]);
  if (command)
    success = run_command (command, (const char * const *) argv + 1, &error);
  else
    success = run_general ((const char * const *) argv + MIN (argc, 1), &error);

  status = finish (success, error);
  ranks_close ();
  return status;
}
