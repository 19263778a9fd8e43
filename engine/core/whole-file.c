/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that appears whole or not at all, even where the process is killed while it writes.
 *
 * GIO writes a new file in place, and what replaces another one in a temporary file beside
 * it: who is killed meanwhile leaves half of the one or all of the other behind.  A file of
 * Linux that was opened with O_TMPFILE has no name while it is written and goes with its
 * process; it is given its name when it is complete.  In the place of another file it cannot
 * be put at once, only beside it and from there by rename(): nothing but these two calls, no
 * writing, lies between.
 *
 * Elsewhere, and for what is no plain file of one name, GIO writes.
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

/* A link, a device, or one of several names of a file stays what it is. */
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

/* Gives the nameless file @path as its name, in place of what is there. */
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

/* Returns: whether @done tells how it ended; else GIO is to do it. */
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
 * @file: which
 * @contents: what is to be in it
 * @length: in bytes
 * @error: #GIOErrorEnum
 *
 * Writes @file, in place of what was there.
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
