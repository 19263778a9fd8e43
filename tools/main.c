/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The wavefront command: the operations of libwavefront on files. */

#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "arguments.h"
#include "tools/commands/command.h"
#include "help.h"
#include "message.h"
#include "signals.h"


enum
{
  STATUS_SUCCESS,
  STATUS_FAILED,
  STATUS_USAGE
};

static const Command * const operations[] =
{
  &command_reconstruct,
  &command_distance,
  &command_watershed,
  &command_label,
  &command_hierarchy,
  NULL
};

static const Command * const on_reconstruction[] =
{
  &command_fill_holes,
  &command_clear_border,
  &command_opening,
  &command_closing,
  &command_white_top_hat,
  &command_black_top_hat,
  NULL
};

static const Command * const extrema[] =
{
  &command_h_maxima,
  &command_h_minima,
  &command_h_dome,
  &command_h_basin,
  &command_regional_maxima,
  &command_regional_minima,
  &command_extended_maxima,
  &command_extended_minima,
  &command_impose_minima,
  NULL
};

static const Command * const filters[] =
{
  &command_gaussian,
  &command_gradient,
  NULL
};

static const Command * const others[] =
{
  &command_devices,
  NULL
};

/* In the order of the overview. */
static const CommandGroup groups[] =
{
  { N_("Operations"),              operations },
  { N_("Built on reconstruction"), on_reconstruction },
  { N_("Minima and maxima"),       extrema },
  { N_("Filters"),                 filters },
  { N_("Devices"),                 others },
  { NULL,                          NULL }
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
  for (const CommandGroup *group = groups; group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      if (strcmp (name, command_get_name (*command)) == 0)
        return *command;

  return NULL;
}

/* What stands before any command. */
static gboolean
run_general (const char  *word,
             GError     **error)
{
  g_autofree char *name = NULL;

  if (word && (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0))
    {
      help_print_overview (groups);
      return stdout_finish (error);
    }
  if (word && strcmp (word, "--version") == 0)
    return print_version (error);

  name = word ? g_filename_display_name (word) : NULL;
  if (! word)
    g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                         _("The command is missing; “wavefront --help” lists the commands."));
  else if (word[0] == '-')
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("“%s” stands before the command, which comes first; “wavefront --help” lists "
                   "the commands."), name);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("Unknown command “%s”; “wavefront --help” lists the commands."), name);
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
