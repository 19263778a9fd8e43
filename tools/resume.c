/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "files/sequence.h"
#include "files/stream.h"
#include "message.h"
#include "resume.h"

/* Of the folders of an input that are looked through. */
#define MAX_DEPTH 16


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

/* What tells whether files are the same as before. */
typedef struct
{
  gint64 n_files;
  gint64 size;
  gint64 changed;   /* ns, of the last one */
} Files;

static gint64
find_change (const struct stat *status)
{
  return (gint64) status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

static void
count_files (Files      *files,
             const char *path,
             int         depth)
{
  struct stat       status;
  g_autoptr (GDir)  folder = NULL;
  const char       *name;

  if (stat (path, &status) != 0)
    return;
  files->n_files++;
  files->size   += S_ISDIR (status.st_mode) ? 0 : (gint64) status.st_size;
  files->changed = MAX (files->changed, find_change (&status));
  if (S_ISDIR (status.st_mode) && depth > 0)
    folder = g_dir_open (path, 0, NULL);
  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      count_files (files, file, depth - 1);
    }
}

/* The file of a name that may end in options of libvips, such as image.tif[page=2]. */
static char *
find_file (const char *path)
{
  const char *options;
  struct stat status;

  return stat (path, &status) == 0 ? g_strdup (path) : sequence_split_options (path, &options);
}

/* A file is the same while its size and the time of its last change are; a folder, such as one of
 * Zarr, while those of all files in it are.  A pipe is never the same.
 */
static void
add_file (GString    *text,
          const char *path)
{
  const gboolean   stream = stream_is_named (path);
  g_autofree char *whole  = stream ? g_strdup (path) : g_canonicalize_filename (path, NULL);
  g_autofree char *file   = stream ? NULL : find_file (path);
  Files            files  = { 0 };
  struct stat      status;

  if (! stream)
    count_files (&files, file, MAX_DEPTH);
  else if (fstat (STDIN_FILENO, &status) == 0)
    files = (Files) { (gint64) status.st_ino, (gint64) status.st_size, find_change (&status) };
  g_string_append_printf (text, "file %s %" PRId64 " %" PRId64 " %" PRId64 "\n", whole,
                          files.n_files, files.size, files.changed);
}

/* Of an input, which may stand for several files. */
static void
add_input (GString    *text,
           const char *path)
{
  g_autoptr (GPtrArray) files = sequence_is_named (path) ? sequence_list_files (path, NULL) : NULL;

  if (! files)
    add_file (text, path);
  for (guint i = 0; files && i < files->len; i++)
    add_file (text, files->pdata[i]);
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
  char           percent[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "wavefront %s\ncommand %s\n", wf_version (),
                          command_get_name (command));
  if (command->operation >= 0)
    add_options (text, wf_operation_get_options ((WfOperation) command->operation),
                 arguments->options);
  add_options (text, command->own, arguments->own);
  if (command->selects_objects)
    add_options (text, wf_objects_get_options (), arguments->objects);
  g_string_append_printf (text, "invert %d\nfind %d %d %s\noverviews %d\n", arguments->invert,
                          arguments->finds_threshold, arguments->threshold.method,
                          g_ascii_dtostr (percent, sizeof percent, arguments->threshold.percent),
                          arguments->overviews);
  g_string_append_printf (text, "choice %d %d %d %d\n", arguments->choice.channel,
                          arguments->choice.series, arguments->choice.level,
                          arguments->choice.slice);
  if (arguments->stain_text)
    g_string_append_printf (text, "stain %s\n", arguments->stain_text);
  for (guint i = 0; command->texts[i].name; i++)
    if (arguments->texts[i])
      g_string_append_printf (text, "%s %s\n", command->texts[i].name, arguments->texts[i]);
  if (raw)
    g_string_append_printf (text, "raw %d %" PRId64 " %" PRId64 " %" PRId64 "\n", raw->type,
                            raw->width, raw->height, raw->depth);
  for (guint i = 0; i < arguments->n_files; i++)
    add_input (text, arguments->files[i]);
  if (arguments->other)
    add_input (text, arguments->other);
  if (arguments->mask)
    add_input (text, arguments->mask);
  return g_string_free (text, FALSE);
}

/**
 * resume_refuse:
 * @option: on the command line, without its hyphens
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: %FALSE
 */
gboolean
resume_refuse (const char  *option,
               GError     **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("--resume cannot be combined with --%s: leave out one of them."), option);
  return FALSE;
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
  return ! arguments->resume || g_strcmp0 (arguments->blocks, "queue") != 0 ||
         resume_refuse ("blocks queue", error);
}
