/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All names are looked at before anything is done: two inputs must not have one output, an output
 * must not be another input, and the folders must be there.  Only tables without a placeholder are
 * written once, for all inputs.
 */

#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include <glib/gi18n.h>

#include "batch-names.h"
#include "chain.h"
#include "command.h"
#include "file-names.h"
#include "files/existing.h"
#include "files/stream.h"
#include "message.h"

/* What the outputs have in common while they are compared; @inputs and @outputs: by their place */
typedef struct
{
  const Arguments *arguments;
  GHashTable      *inputs;
  GHashTable      *outputs;
  GHashTable      *folders;
} Comparison;


/* The same for each name of a file. */
static char *
find_place (const char *path)
{
  g_autofree char *resolved = existing_resolve (path);
  struct stat      status;

  if (stat (resolved, &status) == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) status.st_dev,
                            (guint64) status.st_ino);
  return g_canonicalize_filename (resolved, NULL);
}

static gboolean
check_folder (Comparison  *comparison,
              const char  *path,
              GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name   = NULL;

  if (g_hash_table_contains (comparison->folders, folder))
    return TRUE;
  if (! g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      name = g_filename_display_name (folder);
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("There is no folder “%s” to write to."),
                   name);
      return FALSE;
    }
  g_hash_table_add (comparison->folders, g_steal_pointer (&folder));
  return TRUE;
}

/* @file: the input that @path is an output of */
static gboolean
check_output (Comparison  *comparison,
              const char  *path,
              const char  *file,
              GError     **error)
{
  g_autofree char *place = find_place (path);
  const char      *other = g_hash_table_lookup (comparison->outputs, place);
  g_autofree char *name  = g_filename_display_name (path);
  g_autofree char *first = NULL;
  g_autofree char *last  = g_filename_display_name (file);

  if (other)
    {
      first = g_filename_display_name (other);
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The results of “%s” and “%s” would both be written to “%s”."), first, last,
                   name);
      return FALSE;
    }
  other = g_hash_table_lookup (comparison->inputs, place);
  if (other && strcmp (other, file) != 0)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The result of “%s” would be written to “%s”, which is another input."), last,
                   name);
      return FALSE;
    }
  g_hash_table_insert (comparison->outputs, g_steal_pointer (&place), (gpointer) file);
  return check_folder (comparison, path, error);
}

static gboolean
check_outputs (Comparison  *comparison,
               const char  *pattern,
               GError     **error)
{
  const Arguments *arguments = comparison->arguments;

  for (guint i = 0; i < arguments->n_files; i++)
    {
      const NamePlace  place = { arguments->files[i], i + 1, arguments->n_files, NULL };
      g_autofree char *path  = file_names_resolve (pattern, &place);

      if (! check_output (comparison, path, arguments->files[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Whether a further input of each is standard input, which one alone can read. */
static gboolean
takes_stream (const Arguments *arguments)
{
  const char *other = arguments->command->other_is_output ? NULL : arguments->other;

  return (other && stream_is_named (other)) ||
         (arguments->mask && stream_is_named (arguments->mask));
}

static gboolean
step_takes_stream (const ChainStep *step)
{
  for (guint i = 0; i < step->inputs->len; i++)
    if (stream_is_named (step->inputs->pdata[i]))
      return TRUE;
  return takes_stream (&step->arguments);
}

static gboolean
check_further_inputs (const Arguments  *arguments,
                      GError          **error)
{
  gboolean taken = takes_stream (arguments);

  for (guint i = 0; arguments->chain && i < arguments->chain->steps->len; i++)
    taken = taken || step_takes_stream (arguments->chain->steps->pdata[i]);
  return ! taken ||
         refuse_usage (_("Standard input (“-”) cannot be read for each of several inputs."), error);
}

static gboolean
check_inputs (Comparison  *comparison,
              GError     **error)
{
  const Arguments *arguments = comparison->arguments;

  for (guint i = 0; i < arguments->n_files; i++)
    {
      if (stream_is_named (arguments->files[i]))
        return refuse_usage (_("Standard input (“-”) cannot be one of several inputs."), error);
      g_hash_table_insert (comparison->inputs, find_place (arguments->files[i]),
                           arguments->files[i]);
    }
  return check_further_inputs (arguments, error);
}

static gboolean
take_output (Comparison         *comparison,
             BatchNames         *names,
             const OutputName   *output,
             GError            **error)
{
  g_autofree char *name = NULL;

  if (! file_names_check (output->pattern, error))
    return FALSE;
  if (file_names_has_placeholder (output->pattern))
    return check_outputs (comparison, output->pattern, error);
  if (output->is_table)
    {
      if (g_ptr_array_find_with_equal_func (names->tables, output->pattern, g_str_equal, NULL))
        {
          name = g_filename_display_name (output->pattern);
          g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                       _("Two tables cannot both be written to “%s”."), name);
          return FALSE;
        }
      g_ptr_array_add (names->tables, g_strdup (output->pattern));
      return TRUE;
    }
  name = g_filename_display_name (output->pattern);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The results of %u inputs cannot all be written to “%s”: give a name with {name}, "
                 "as in “out/{name}.tif”; or, to read them as one stack, a pattern in quotes, as "
                 "in 'z*.tif'."), comparison->arguments->n_files, name);
  return FALSE;
}

/**
 * batch_names_find:
 * @names: filled; to be cleared whatever the result
 * @arguments: with several inputs
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Returns: whether each input can have its outputs
 */
gboolean
batch_names_find (BatchNames       *names,
                  const Arguments  *arguments,
                  GError          **error)
{
  g_autoptr (GHashTable) inputs  = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) outputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray)     list    = arguments_list_outputs (arguments);
  Comparison             all     = { arguments, inputs, outputs, folders };

  names->tables = g_ptr_array_new_with_free_func (g_free);
  if (! check_inputs (&all, error))
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    if (! take_output (&all, names, &g_array_index (list, OutputName, i), error))
      return FALSE;
  return TRUE;
}

void
batch_names_clear (BatchNames *names)
{
  g_clear_pointer (&names->tables, g_ptr_array_unref);
}
