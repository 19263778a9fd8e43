/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that several ranks read and write at once.
 *
 * Linux lets one process at a time write to a file, and 32 that write results to one file in memory
 * would share the 2 GB/s of one.  So where all ranks are on one host, and the file system is one of
 * its own, bytes are written through a mapping, which takes no lock of the file.  Some megabytes at
 * a time are mapped, so that the process does not grow, and their pages are made before they are
 * written: a full disk is an error then, and no signal.  Whatever stands in the way of that leads
 * to the ordinary way, which says what is wrong.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "communicator.h"

/* Of Linux 5.14, which older headers do not know. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Bytes that are mapped at a time. */
#define WINDOW ((gint64) 8 << 20)

/* Of ext2 to ext4, XFS and files in memory, from <linux/magic.h>. */
#define EXT_MAGIC   0xef53
#define XFS_MAGIC   0x58465342
#define TMPFS_MAGIC 0x01021994

/**
 * WfRankFile:
 * @file: of the links, where they have files
 * @descriptor: else
 * @mapped: a descriptor of what is written through a mapping; -1 where it is not
 */
struct _WfRankFile
{
  const WfRankLinks *links;
  gpointer           file;
  int                descriptor;
  int                mapped;
  gboolean           writable;
};


static gboolean
refuse (GError **error)
{
  const int reason = errno;

  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (reason), g_strerror (reason));
  return FALSE;
}


static gboolean
close_descriptor (int      descriptor,
                  gboolean writable,
                  GError **error)
{
  gboolean done = TRUE;

  if (writable && fsync (descriptor) != 0 && errno != EINVAL)
    done = refuse (error);
  if (close (descriptor) != 0 && done)
    done = refuse (error);
  return done;
}


/*  Mappings  */

/* A descriptor of a file that can be written through mappings, or -1. */
static int
open_mapped (const WfCommunicator *communicator,
             const char           *path)
{
  struct statfs system;
  guint         n_host;
  int           descriptor;

  wf_communicator_get_host_rank (communicator, &n_host);
  if (n_host < wf_communicator_get_n_ranks (communicator))
    return -1;
  descriptor = open (path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0 ||
      (fstatfs (descriptor, &system) == 0 &&
       (system.f_type == EXT_MAGIC || system.f_type == XFS_MAGIC ||
        system.f_type == TMPFS_MAGIC)))
    return descriptor;
  close (descriptor);
  return -1;
}

/* Whether a process may write the bytes: a mapping knows no limit of a file's size. */
static gboolean
is_within (int    descriptor,
           gint64 end)
{
  struct rlimit limit;
  struct stat   state;

  return fstat (descriptor, &state) == 0 && state.st_size >= end &&
         getrlimit (RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= (guint64) end);
}

/* The first @before bytes of the pages from @offset on are not written. */
static gboolean
write_window (int           descriptor,
              gint64        offset,
              gint64        before,
              const guint8 *data,
              gint64        n)
{
  guint8  *window = mmap (NULL, before + n, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
  gboolean made;

  if (window == MAP_FAILED)
    return FALSE;
  made = madvise (window, before + n, MADV_POPULATE_WRITE) == 0;
  if (made)
    memcpy (window + before, data, n);
  munmap (window, before + n);
  return made;
}

/* Whether the bytes could be written so. */
static gboolean
write_mapped (int           descriptor,
              gint64        offset,
              const guint8 *data,
              gint64        n)
{
  const gint64 page = sysconf (_SC_PAGESIZE);
  gint64       part;

  if (descriptor < 0 || ! is_within (descriptor, offset + n))
    return FALSE;
  for (gint64 at = 0; at < n; at += part)
    {
      const gint64 before = (offset + at) % page;

      part = MIN (n - at, WINDOW - before);
      if (! write_window (descriptor, offset + at - before, before, data + at, part))
        return FALSE;
    }
  return TRUE;
}


/*  Files  */

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
  gpointer    state;

  g_return_val_if_fail (communicator != NULL && path != NULL, NULL);

  file             = g_new0 (WfRankFile, 1);
  file->links      = wf_communicator_get_links (communicator, &state);
  file->descriptor = -1;
  file->writable   = writable;
  if (file->links->open_file)
    file->file = file->links->open_file (state, path, writable, error);
  else if ((file->descriptor = open (path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC)) < 0)
    refuse (error);
  if (! file->file && file->descriptor < 0)
    {
      g_free (file);
      return NULL;
    }
  file->mapped = writable ? open_mapped (communicator, path) : -1;
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

  if (write_mapped (file->mapped, offset, data, n))
    return TRUE;
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

  if (file->mapped >= 0)
    done = close_descriptor (file->mapped, TRUE, error);
  if (file->file)
    done = file->links->close_file (file->file, done ? error : NULL) && done;
  else
    done = close_descriptor (file->descriptor, file->writable, done ? error : NULL) && done;
  g_free (file);
  return done;
}
