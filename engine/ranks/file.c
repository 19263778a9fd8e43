/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "communicator.h"

/**
 * WfRankFile:
 * @file: of the links, where they have files
 * @descriptor: else
 */
struct _WfRankFile
{
  const WfRankLinks *links;
  gpointer           file;
  int                descriptor;
  gboolean           writable;
};


static gboolean
refuse (GError **error)
{
  const int reason = errno;

  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (reason), g_strerror (reason));
  return FALSE;
}

/**
 * wf_rank_file_open:
 * @communicator: a communicator
 * @path: of a file that there is
 * @writable: whether it is written as well
 * @error: of the file, or of MPI
 *
 * Opens a file for this rank; others may have opened it, too.
 *
 * Returns: (transfer full): the file, or %NULL.
 */
WfRankFile *
wf_rank_file_open (const WfCommunicator  *communicator,
                   const char            *path,
                   gboolean               writable,
                   GError               **error)
{
  WfRankFile *file;

  g_return_val_if_fail (communicator != NULL && path != NULL, NULL);

  file             = g_new0 (WfRankFile, 1);
  file->links      = wf_communicator_get_links (communicator);
  file->descriptor = -1;
  file->writable   = writable;
  if (file->links->open_file)
    file->file = file->links->open_file (path, writable, error);
  else if ((file->descriptor = open (path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC)) < 0)
    refuse (error);
  if (! file->file && file->descriptor < 0)
    g_clear_pointer (&file, g_free);
  return file;
}

/**
 * wf_rank_file_read:
 * @file: an open file
 * @offset: of the first byte
 * @data: takes them
 * @n: how many
 * @error: of the file, or of MPI
 *
 * Reads all of the bytes, or fails.
 *
 * Returns: success.
 */
gboolean
wf_rank_file_read (WfRankFile  *file,
                   gint64       offset,
                   gpointer     data,
                   gsize        n,
                   GError     **error)
{
  g_return_val_if_fail (file != NULL && data != NULL && offset >= 0, FALSE);

  if (file->file)
    return file->links->read_file (file->file, offset, data, n, error);
  for (gsize at = 0; at < n; )
    {
      const ssize_t part = pread (file->descriptor, (char *) data + at, n - at, offset + at);

      if (part < 0 && errno != EINTR)
        return refuse (error);
      if (part == 0)
        {
          g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                               _("The file is too short."));
          return FALSE;
        }
      at += MAX (part, 0);
    }
  return TRUE;
}

/**
 * wf_rank_file_write:
 * @file: an open file, writable
 * @offset: of the first byte
 * @data: the bytes
 * @n: how many
 * @error: of the file, or of MPI
 *
 * Writes bytes that no other rank writes.
 *
 * Returns: success.
 */
gboolean
wf_rank_file_write (WfRankFile     *file,
                    gint64          offset,
                    gconstpointer   data,
                    gsize           n,
                    GError        **error)
{
  g_return_val_if_fail (file != NULL && data != NULL && offset >= 0, FALSE);

  if (file->file)
    return file->links->write_file (file->file, offset, data, n, error);
  for (gsize at = 0; at < n; )
    {
      const ssize_t part = pwrite (file->descriptor, (const char *) data + at, n - at,
                                   offset + at);

      if (part < 0 && errno != EINTR)
        return refuse (error);
      at += MAX (part, 0);
    }
  return TRUE;
}

/**
 * wf_rank_file_close:
 * @file: (transfer full): a file
 * @error: of the file, or of MPI
 *
 * Closes a file, and frees it in any case.
 *
 * Returns: whether all that was written is on the disk.
 */
gboolean
wf_rank_file_close (WfRankFile  *file,
                    GError     **error)
{
  gboolean done = TRUE;

  g_return_val_if_fail (file != NULL, FALSE);

  if (file->file)
    done = file->links->close_file (file->file, error);
  else
    {
      if (file->writable && fsync (file->descriptor) != 0 && errno != EINVAL)
        done = refuse (error);
      if (close (file->descriptor) != 0 && done)
        done = refuse (error);
    }
  g_free (file);
  return done;
}
