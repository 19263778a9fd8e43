/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result replaces a file by rename(), which gives the name to another file.  What the old file
 * had beside its contents is given to the new one as far as the system allows; the user is
 * notified of the rest.  Where rename() would fail, or would harm something that is no plain
 * file, the output is refused before anything is computed.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "existing.h"
#include "folder.h"
#include "stream.h"
#include "tools/message.h"


/* As many links as Linux follows. */
#define MAX_LINKS 40

#define ACCESS_ACL  "system.posix_acl_access"
#define DEFAULT_ACL "system.posix_acl_default"


/**
 * existing_resolve:
 * @path: an output
 *
 * A link stays a link: the file that it leads to is replaced, or made.
 *
 * Returns: (transfer full): the path without links in its last part.
 */
char *
existing_resolve (const char *path)
{
  g_autofree char *at       = g_strdup (path);
  char            *resolved = realpath (path, NULL);
  char            *copy;

  for (int i = 0; ! resolved && i < MAX_LINKS; i++)
    {
      g_autofree char *link   = g_file_read_link (at, NULL);
      g_autofree char *folder = g_path_get_dirname (at);

      if (! link)
        return g_steal_pointer (&at);
      g_free (at);
      at = g_path_is_absolute (link) ? g_steal_pointer (&link)
                                     : g_build_filename (folder, link, NULL);
    }

  copy = g_strdup (resolved ? resolved : path);
  free (resolved);
  return copy;
}

/* A folder in /proc has the open files of a process as links: renaming would replace the file
 * behind one of them.
 */
static gboolean
is_in_proc (const char *path)
{
  g_autofree char *folder   = g_path_get_dirname (path);
  char            *resolved = realpath (folder, NULL);
  gboolean         is       = resolved && g_str_has_prefix (resolved, "/proc/");

  free (resolved);
  return is;
}

/* In a folder such as /tmp only the owner of a file may replace it. */
static gboolean
is_kept_by_folder (const char        *path,
                   const struct stat *status)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat      around;

  return stat (folder, &around) == 0 && (around.st_mode & S_ISVTX) &&
         geteuid () != 0 && around.st_uid != geteuid () && status->st_uid != geteuid ();
}

/* What rename() fails for: a file that another one is mounted on, as containers do, and one
 * that may only grow.  Returns 0, or the system's reason.
 */
static int
find_obstacle (const char *path)
{
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx status;

  if (statx (AT_FDCWD, path, 0, STATX_BASIC_STATS, &status) == 0)
    {
      if (status.stx_attributes & STATX_ATTR_MOUNT_ROOT)
        return EBUSY;
      if (status.stx_attributes & (STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE))
        return EPERM;
    }
#endif
  return 0;
}

/* Only a Zarr folder is replaced by one. */
static gboolean
check_kind (const char         *path,
            const char         *name,
            const struct stat  *status,
            gboolean            folder,
            GError            **error)
{
  if (folder && ! S_ISDIR (status->st_mode))
    return refuse_to_write (name, _("it is not a folder"), error);
  if (folder && ! folder_is_zarr (path))
    return refuse_to_write (name, _("it is a folder, but not one of Zarr"), error);
  if (! folder && S_ISDIR (status->st_mode))
    return refuse_to_write (name, _("it is a folder"), error);
  return S_ISDIR (status->st_mode) || S_ISREG (status->st_mode) ||
         refuse_to_write (name, _("it is not a regular file"), error);
}

/**
 * existing_check:
 * @given: an output as given on the command line
 * @path: the same, resolved
 * @name: to be shown
 * @folder: whether it is to be a Zarr folder, not a file
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether there is no such file, or it can be replaced.
 */
gboolean
existing_check (const char  *given,
                const char  *path,
                const char  *name,
                gboolean     folder,
                GError     **error)
{
  struct stat status;

  if (stat (path, &status) != 0)
    return errno == ENOENT || refuse_to_write (name, g_strerror (errno), error);
  if (! check_kind (path, name, &status, folder, error))
    return FALSE;
  if (stream_is_own (&status))
    return refuse_to_write (name, _("it is a standard stream of this command; “-” writes to "
                                    "standard output"), error);
  if (is_in_proc (given))
    return refuse_to_write (name, _("it is an open file of a process; give its own name"), error);
  if (access (path, W_OK) != 0)
    return refuse_to_write (name, g_strerror (errno), error);
  if (is_kept_by_folder (path, &status))
    return refuse_to_write (name, _("it belongs to another user, and its folder allows only "
                                    "owners to replace files"), error);
  switch (find_obstacle (path))
    {
    case 0:
      return TRUE;
    case EBUSY:
      return refuse_to_write (name, _("it is a mount point, which cannot be replaced"), error);
    default:
      return refuse_to_write (name, g_strerror (EPERM), error);
    }
}

/* The access list of a file in a folder with a default one is that one. */
static void
copy_access_list (const char *path,
                  const char *attribute,
                  int         descriptor)
{
  char   list[4096];
  gssize length = getxattr (path, attribute, list, sizeof list);

  if (length > 0 && fsetxattr (descriptor, ACCESS_ACL, list, (gsize) length, 0) != 0)
    g_debug ("The access list of %s cannot be kept.", path);
}

static mode_t
get_mask (void)
{
  mode_t mask = umask (077);

  umask (mask);
  return mask;
}

/* Gives a file or a folder the mode that open() or mkdir() would have given it. */
static void
open_up (const char *path,
         int         descriptor)
{
  g_autofree char *folder = g_path_get_dirname (path);
  mode_t           most   = 0666;
  struct stat      status;

  if (fstat (descriptor, &status) == 0 && S_ISDIR (status.st_mode))
    most = 0777;
  copy_access_list (folder, DEFAULT_ACL, descriptor);
  if (getxattr (folder, DEFAULT_ACL, NULL, 0) <= 0)
    fchmod (descriptor, most & ~get_mask ());
  else if (fstat (descriptor, &status) == 0)
    fchmod (descriptor, status.st_mode & most);
}

/* Of another group than before, a file gives the group no more than everybody. */
static mode_t
narrow (mode_t mode)
{
  return (mode & 0707) | (mode & 0070 & (mode & 0007) << 3);
}

/**
 * existing_hand_on:
 * @path: an output, resolved
 * @name: to be shown
 * @descriptor: of the complete file that gets its name, of mode 0600
 *
 * Gives the new file the mode, the access list and the owner of the one that it replaces, or
 * those of any new file.
 *
 * Returns: (nullable) (transfer full): what could not be kept, for the user, or %NULL.
 */
char *
existing_hand_on (const char *path,
                  const char *name,
                  int         descriptor)
{
  g_autofree char *owner = NULL;
  g_autofree char *links = NULL;
  struct stat      old;
  struct stat      new;

  if (stat (path, &old) != 0)
    {
      open_up (path, descriptor);
      return NULL;
    }

  if (fchown (descriptor, old.st_uid, old.st_gid) != 0 &&
      fchown (descriptor, (uid_t) -1, old.st_gid) != 0)
    g_debug ("The group of %s cannot be kept.", path);
  if (fstat (descriptor, &new) != 0)
    new = old;
  if (new.st_gid == old.st_gid)
    copy_access_list (path, ACCESS_ACL, descriptor);
  fchmod (descriptor, new.st_gid == old.st_gid ? old.st_mode & 0777 : narrow (old.st_mode & 0777));

  if (new.st_uid != old.st_uid || new.st_gid != old.st_gid)
    owner = g_strdup_printf (_("“%s” has another owner or group now: those of the file that it "
                               "replaced could not be kept."), name);
  if (old.st_nlink > 1 && ! S_ISDIR (old.st_mode))
    links = g_strdup_printf (_("“%s” had other names (hard links), which keep the former "
                               "contents."), name);
  if (owner && links)
    return g_strconcat (owner, " ", links, NULL);
  return owner ? g_steal_pointer (&owner) : g_steal_pointer (&links);
}
