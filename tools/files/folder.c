/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder is made beside its target and takes its name when it is complete, as a file does. */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"

/* Bytes of names that are read at a time; of each folder they lie on the stack. */
#define NAMES 2048

/* How deep folders are removed, and how often the outermost one is looked through, in which another
 * thread may make files meanwhile.
 */
#define MAX_DEPTH 64
#define MAX_TURNS 100


/**
 * folder_make:
 * @path: a folder that does not exist
 *
 * Nobody else can read it until it is complete.
 *
 * Returns: a descriptor of it, or −1 with errno
 */
int
folder_make (const char *path)
{
  return mkdir (path, 0700) == 0 ? open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

/**
 * folder_is_zarr:
 * @path: a folder
 *
 * Returns: whether it holds an array or a group of Zarr
 */
gboolean
folder_is_zarr (const char *path)
{
  static const char * const names[] = { ".zgroup", ".zarray", "zarr.json" };
  gboolean                  is      = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names) && ! is; i++)
    {
      g_autofree char *file = g_build_filename (path, names[i], NULL);

      is = g_file_test (file, G_FILE_TEST_IS_REGULAR);
    }
  return is;
}

/**
 * folder_is_input:
 * @path: an input
 *
 * Returns: whether it is a folder of Zarr, by its files, or would be, by its name
 */
gboolean
folder_is_input (const char *path)
{
  g_autofree char *plain  = g_strdup (path);
  gsize            length = strlen (plain);
  gboolean         named;
  struct stat      status;

  while (length > 1 && plain[length - 1] == '/')
    plain[--length] = '\0';
  named = length >= 5 && g_ascii_strcasecmp (plain + length - 5, ".zarr") == 0;
  if (stat (path, &status) != 0)
    return named;
  return S_ISDIR (status.st_mode) && (named || folder_is_zarr (path));
}

/* Of a file system that cannot exchange two names. */
static gboolean
replace_in_turn (const char *path,
                 const char *target)
{
  g_autofree char *old    = g_strconcat (path, ".old", NULL);
  int              reason;

  if (rename (target, old) != 0)
    return FALSE;
  if (rename (path, target) == 0)
    {
      folder_remove (old);
      return TRUE;
    }
  reason = errno;
  if (rename (old, target) != 0)
    g_debug ("What was %s is now %s.", target, old);
  errno = reason;
  return FALSE;
}

/**
 * folder_replace:
 * @path: a complete folder
 * @target: its name from now on; a folder of that name is removed
 *
 * Returns: success; if not, errno has the reason
 */
gboolean
folder_replace (const char *path,
                const char *target)
{
  if (renameat2 (AT_FDCWD, path, AT_FDCWD, target, RENAME_EXCHANGE) == 0)
    {
      folder_remove (path);
      return TRUE;
    }
  if (errno == ENOENT)
    return rename (path, target) == 0;
  return (errno == EINVAL || errno == ENOSYS) && replace_in_turn (path, target);
}

static gboolean
remove_at (int         folder,
           const char *name,
           int         depth);

/* Removes what is in a folder. */
static void
remove_contents (int descriptor,
                 int depth)
{
  char   names[NAMES] __attribute__ ((aligned (8)));
  gssize n;

  while ((n = getdents64 (descriptor, names, sizeof names)) > 0)
    for (gssize at = 0; at < n;)
      {
        const struct dirent64 *entry = (const struct dirent64 *) (names + at);

        at += entry->d_reclen;
        if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
          remove_at (descriptor, entry->d_name, depth);
      }
}

/* A file, a link, or a folder with all that is in it. */
static gboolean
remove_at (int         folder,
           const char *name,
           int         depth)
{
  const int max_turns = depth == MAX_DEPTH ? MAX_TURNS : 2;
  int       descriptor;

  if (unlinkat (folder, name, 0) == 0)
    return TRUE;
  if ((errno != EISDIR && errno != EPERM) || depth == 0)
    return FALSE;
  for (int turn = 0; unlinkat (folder, name, AT_REMOVEDIR) != 0; turn++)
    {
      if (turn == max_turns || (errno != ENOTEMPTY && errno != EEXIST))
        return FALSE;
      descriptor = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (descriptor < 0)
        return FALSE;
      remove_contents (descriptor, depth - 1);
      close (descriptor);
    }
  return TRUE;
}

/**
 * folder_remove:
 * @path: a folder, or a file
 *
 * Removes it with all that is in it.  Only functions that may be called in a signal handler are
 * called.
 *
 * Returns: success
 */
gboolean
folder_remove (const char *path)
{
  return remove_at (AT_FDCWD, path, MAX_DEPTH);
}
