/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files of an image are moved together: all of them, or none.  A file that is replaced is set
 * aside first, beside the new one, and put back if a later move fails.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "moves.h"

#define ASIDE ".before"


static GFile *
find_aside (const WfFolderMove *move)
{
  g_autoptr (GFile) parent = g_file_get_parent (move->from);
  g_autofree char  *name   = g_file_get_basename (move->from);
  g_autofree char  *aside  = g_strconcat (name, ASIDE, NULL);

  return g_file_get_child (parent, aside);
}

/* Anything but a file, such as a folder, stays: it cannot be replaced. */
static gboolean
set_aside (const WfFolderMove  *move,
           GError             **error)
{
  const GFileType   type  = g_file_query_file_type (move->to, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS,
                                                    NULL);
  g_autoptr (GFile) aside = find_aside (move);

  if (type != G_FILE_TYPE_REGULAR && type != G_FILE_TYPE_SYMBOLIC_LINK)
    return TRUE;
  return g_file_move (move->to, aside, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error);
}

/* @error: set already; replaced if the file that was there is somewhere else now */
static void
put_back (const WfFolderMove  *move,
          GError             **error)
{
  g_autoptr (GFile)   aside  = find_aside (move);
  g_autoptr (GError)  reason = NULL;
  g_autofree char    *name   = NULL;
  g_autofree char    *place  = NULL;

  if (! g_file_query_exists (aside, NULL) ||
      g_file_move (aside, move->to, G_FILE_COPY_OVERWRITE | G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL,
                   NULL, NULL, &reason))
    return;
  name  = g_file_get_parse_name (move->to);
  place = g_file_get_parse_name (aside);
  g_clear_error (error);
  g_set_error (error, reason->domain, reason->code,
               _("“%s” as it was is now “%s”, and cannot be moved back: %s"), name, place,
               reason->message);
}

static gboolean
make_move (const WfFolderMove  *move,
           GError             **error)
{
  g_autoptr (GError)  reason = NULL;
  g_autofree char    *name   = NULL;

  if (set_aside (move, &reason) &&
      g_file_move (move->from, move->to, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &reason))
    return TRUE;
  name = g_file_get_parse_name (move->to);
  g_set_error (error, reason->domain, reason->code, _("The result “%s” cannot be written: %s"),
               name, reason->message);
  put_back (move, error);
  return FALSE;
}

static void
undo (const WfFolderMove  *move,
      GError             **error)
{
  g_file_delete (move->to, NULL, NULL);
  put_back (move, error);
}

static void
forget (const WfFolderMove *move)
{
  g_autoptr (GFile) aside = find_aside (move);

  g_file_delete (aside, NULL, NULL);
}

/**
 * wf_folder_moves_make:
 * @moves: (array length=n): files in one folder, with different names
 * @n: how many
 * @error: as GIO sets it
 *
 * Moves all files, or none.
 *
 * Returns: whether they were moved
 */
gboolean
wf_folder_moves_make (const WfFolderMove  *moves,
                      guint                n,
                      GError             **error)
{
  guint done = 0;

  while (done < n && make_move (&moves[done], error))
    done++;
  if (done == n)
    {
      for (guint i = 0; i < n; i++)
        forget (&moves[i]);
      return TRUE;
    }
  while (done > 0)
    undo (&moves[--done], error);
  return FALSE;
}
