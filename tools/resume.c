/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gi18n.h>

#include "message.h"
#include "resume.h"


/* Options whose values do not change the result. */
static gboolean
is_neutral (const WfOption *option)
{
  return strcmp (option->name, "algorithm") == 0;
}

static void
add_options (GString             *text,
             const WfOptionGroup *group,
             gconstpointer        options)
{
  for (guint i = 0; group && i < group->n_options; i++)
    {
      const WfOption  *option = &group->options[i];
      g_autofree char *value  = wf_option_format (option, options);

      if (! is_neutral (option))
        g_string_append_printf (text, "%s %s\n", option->name, value);
    }
}

/* A file is the same while its size and the time of its last change are. */
static void
add_file (GString    *text,
          const char *path)
{
  g_autofree char *whole  = g_canonicalize_filename (path, NULL);
  struct stat      status = { 0 };

  if (stat (path, &status) == 0)
    g_string_append_printf (text, "file %s %" PRId64 " %" PRId64 ".%09ld\n", whole,
                            (gint64) status.st_size, (gint64) status.st_mtim.tv_sec,
                            status.st_mtim.tv_nsec);
}

/**
 * resume_describe_task:
 * @arguments: what the user wants
 *
 * Returns: (transfer full): all that the result depends on, as text
 */
char *
resume_describe_task (const Arguments *arguments)
{
  const Command *command = arguments->command;
  const RawSpec *raw     = arguments->raw;
  GString       *text    = g_string_new (NULL);

  g_string_append_printf (text, "wavefront %s\ncommand %s\n", wf_version (),
                          command_get_name (command));
  if (command->operation >= 0)
    add_options (text, wf_operation_get_options ((WfOperation) command->operation),
                 arguments->options);
  add_options (text, command->own, arguments->own);
  g_string_append_printf (text, "invert %d\nfind %d %d %g\noverviews %d\n", arguments->invert,
                          arguments->finds_threshold, arguments->threshold.method,
                          arguments->threshold.percent, arguments->overviews);
  g_string_append_printf (text, "choice %d %d %d %d\n", arguments->choice.channel,
                          arguments->choice.series, arguments->choice.level,
                          arguments->choice.slice);
  if (raw)
    g_string_append_printf (text, "raw %d %" PRId64 " %" PRId64 " %" PRId64 "\n", raw->type,
                            raw->width, raw->height, raw->depth);
  for (guint i = 0; i < arguments->n_files; i++)
    add_file (text, arguments->files[i]);
  if (arguments->other)
    add_file (text, arguments->other);
  return g_string_free (text, FALSE);
}

/**
 * resume_check:
 * @arguments: what the user wants
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether --resume, if it is given, can be combined with the rest
 */
gboolean
resume_check (const Arguments  *arguments,
              GError          **error)
{
  if (! arguments->resume || g_strcmp0 (arguments->blocks, "queue") != 0)
    return TRUE;
  return refuse_usage (_("--resume cannot be combined with --blocks queue: leave out one of "
                         "them."), error);
}
