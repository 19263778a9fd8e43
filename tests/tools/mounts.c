/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "mounts.h"


/* In a chroot the mount that contains the root cannot be made private; there it is private if all
 * visible mounts are.
 */
static gboolean
are_mounts_private (void)
{
  g_autofree char *mounts = NULL;

  if (mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
    return TRUE;
  return errno == EINVAL &&
         g_file_get_contents ("/proc/self/mountinfo", &mounts, NULL, NULL) &&
         mounts[0] != '\0' && ! strstr (mounts, " shared:");
}

/* Gives the child a mount namespace of its own, which ends with it. */
gboolean
mounts_are_own (void)
{
  uid_t            user  = geteuid ();
  g_autofree char *users = g_strdup_printf ("%u %u 1", user, user);
  int              file;

  if (unshare (CLONE_NEWNS) != 0)
    {
      if (unshare (CLONE_NEWNS | CLONE_NEWUSER) != 0)
        return FALSE;
      file = open ("/proc/self/uid_map", O_WRONLY);
      if (file < 0 || write (file, users, strlen (users)) < 0)
        return FALSE;
      close (file);
    }
  return are_mounts_private ();
}

/* Mounts a file or folder over itself. */
gboolean
mounts_bind (const char *path)
{
  return mount (path, path, NULL, MS_BIND, NULL) == 0;
}
