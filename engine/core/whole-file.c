/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that appears complete or not at all, even if the process is killed while it writes.
 *
 * GIO writes a new file in place, and the replacement of a file in a temporary file beside it:
 * a killed process would leave a truncated file or a stray temporary one.  On Linux a file
 * that is opened with O_TMPFILE has no name while it is written, and vanishes with its
 * process; linkat() names it when it is complete.  linkat() cannot replace another file, so
 * in that case the new file gets a temporary name first, and rename() follows at once.
 *
 * On other systems, and for anything but a plain file with one name, GIO writes.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "whole-file.h"


#ifdef O_TMPFILE

static gboolean
set_error (GError **error)
{
  int code = errno;

  g_set_error_literal (error, G_IO_ERROR, (gint) g_io_error_from_errno (code),
                       g_strerror (code));
  return FALSE;
}

/* Links, devices and files with several names are not replaced. */
static gboolean
can_be_replaced (const char *path,
                 mode_t     *mode)
{
  struct stat there;

  if (lstat (path, &there) != 0)
    return errno == ENOENT;
  *mode = there.st_mode & 07777;
  return S_ISREG (there.st_mode) && there.st_nlink == 1 && there.st_uid == geteuid () &&
         access (path, W_OK) == 0;
}

static gboolean
write_all (int         file,
           const char *contents,
           gsize       length)
{
  while (length > 0)
    {
      gssize n = write (file, contents, length);

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n > 0)
        {
          contents += n;
          length   -= (gsize) n;
        }
    }
  return TRUE;
}

/* Names the file @path, which may replace another one. */
static gboolean
name_file (int         file,
           const char *path)
{
  g_autofree char *descriptor = g_strdup_printf ("/proc/self/fd/%d", file);
  g_autofree char *beside     = NULL;

  if (linkat (AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
    return TRUE;
  if (errno != EEXIST)
    return FALSE;

  beside = g_strdup_printf ("%s.%d-%08x", path, (int) getpid (), g_random_int ());
  if (linkat (AT_FDCWD, descriptor, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) != 0)
    return FALSE;
  if (g_rename (beside, path) != 0)
    {
      int code = errno;

      g_unlink (beside);
      errno = code;
      return FALSE;
    }
  return TRUE;
}

/* Returns: FALSE if GIO has to write; else @done is whether writing succeeded. */
static gboolean
write_nameless (const char  *path,
                const char  *contents,
                gsize        length,
                gboolean    *done,
                GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  mode_t           mode   = 0;
  int              file;

  if (! can_be_replaced (path, &mode))
    return FALSE;
  file = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0)
    return FALSE;

  *done = (mode == 0 || fchmod (file, mode) == 0) && write_all (file, contents, length) &&
          name_file (file, path);
  if (! *done)
    set_error (error);
  close (file);
  return TRUE;
}

#endif

/**
 * wf_whole_file_write:
 * @file: the file
 * @contents: its new contents
 * @length: in bytes
 * @error: #GIOErrorEnum
 *
 * Writes @file, or replaces it.
 *
 * Returns: %FALSE with @error set; then @file is as it was.
 */
gboolean
wf_whole_file_write (GFile       *file,
                     const char  *contents,
                     gsize        length,
                     GError     **error)
{
#ifdef O_TMPFILE
  g_autofree char *path = g_file_get_path (file);
  gboolean         done = FALSE;

  if (path && write_nameless (path, contents, length, &done, error))
    return done;
#endif

  return g_file_replace_contents (file, contents, length, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                  NULL, error);
}
