/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files of one run are written together: all of them, or none.
 *
 * Each of several waits in a hidden file beside its own until all are complete; then they are
 * moved.  A file that a move cannot replace, such as a link or a pipe, and one whose folder takes
 * no other files, is written itself, before the others are moved: its error is that of the file.
 * So is the only file of a run, which is complete or as it was by itself.
 */

#include "config.h"

#include "result-writing.h"
#include "plugins/common/folder/moves.h"


/* A hidden file in the same folder, of the same suffix. */
static GFile *
find_beside (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char  *name   = g_file_get_basename (file);
  g_autofree char  *hidden = g_strdup_printf (".wavefront-%08x-%s", g_random_int (), name);

  return folder ? g_file_get_child (folder, hidden) : NULL;
}

static gboolean
may_be_replaced (GFile *file)
{
  const GFileType type = g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL);

  return type == G_FILE_TYPE_REGULAR || ! g_file_query_exists (file, NULL);
}

/* Who may read and write it stays as it is. */
static void
take_mode (GFile *from,
           GFile *to)
{
  g_autoptr (GFileInfo) info = g_file_query_info (to, G_FILE_ATTRIBUTE_UNIX_MODE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);

  if (info && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_UNIX_MODE))
    g_file_set_attribute_uint32 (from, G_FILE_ATTRIBUTE_UNIX_MODE,
                                 g_file_info_get_attribute_uint32 (info,
                                                                   G_FILE_ATTRIBUTE_UNIX_MODE),
                                 G_FILE_QUERY_INFO_NONE, NULL, NULL);
}

/* Returns: (transfer full) (nullable): the hidden file, if it could be written */
static GFile *
write_beside (const WfResultToWrite *result)
{
  g_autoptr (GFile) hidden = may_be_replaced (result->file) ? find_beside (result->file) : NULL;

  if (! hidden)
    return NULL;
  if (! result->write (hidden, result->data, NULL))
    {
      g_file_delete (hidden, NULL, NULL);
      return NULL;
    }
  take_mode (hidden, result->file);
  return g_steal_pointer (&hidden);
}

/* @waiting: set to the hidden files */
static gboolean
write_all (const WfResultToWrite  *results,
           guint                   n,
           GFile                 **waiting,
           GError                **error)
{
  WfFolderMove moves[WF_MAX_RESULTS_TO_WRITE] = { { NULL } };
  guint        n_moves                        = 0;
  guint        n_files                        = 0;

  for (guint i = 0; i < n; i++)
    n_files += results[i].file != NULL;
  for (guint i = 0; i < n && n_files > 1; i++)
    if (results[i].file)
      waiting[i] = write_beside (&results[i]);
  for (guint i = 0; i < n; i++)
    if (results[i].file && ! waiting[i] &&
        ! results[i].write (results[i].file, results[i].data, error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (waiting[i])
      moves[n_moves++] = (WfFolderMove) { waiting[i], results[i].file };
  return n_moves == 0 || wf_folder_moves_make (moves, n_moves, error);
}

/**
 * wf_results_write:
 * @results: (array length=n): what is written
 * @n: how many there are, at most %WF_MAX_RESULTS_TO_WRITE
 * @error: as the functions of @results, and GIO, set it
 *
 * Writes all files; if one cannot be written, those that can be replaced stay as they were.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_results_write (const WfResultToWrite  *results,
                  guint                   n,
                  GError                **error)
{
  GFile    *waiting[WF_MAX_RESULTS_TO_WRITE] = { NULL };
  gboolean  written;

  g_return_val_if_fail (n <= WF_MAX_RESULTS_TO_WRITE, FALSE);

  written = write_all (results, n, waiting, error);
  for (guint i = 0; i < n; i++)
    {
      if (! waiting[i])
        continue;
      if (! written)
        g_file_delete (waiting[i], NULL, NULL);
      g_object_unref (waiting[i]);
    }
  return written;
}
