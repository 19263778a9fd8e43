/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a file will fit is asked before anything is computed.  Another process may take the room
 * meanwhile, so writing can fail all the same.
 */

#include "config.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "space.h"


/* A command writes three files at most: the result, another one and a table. */
#define MAX_CLAIMS 4

/* What earlier outputs of this command will take. */
static struct
{
  dev_t   device;
  guint64 bytes;
} claims[MAX_CLAIMS];

static guint n_claims;


static guint64
count_claimed (dev_t device)
{
  guint64 bytes = 0;

  for (guint i = 0; i < n_claims; i++)
    if (claims[i].device == device)
      bytes += claims[i].bytes;
  return bytes;
}

/**
 * space_claim:
 * @path: a file that is about to be made
 * @bytes: that it will have at least
 *
 * A file that will be replaced takes its room until then.  Some network file systems do not say
 * how large they are; there nothing is refused.
 *
 * Returns: (nullable) (transfer full): %NULL if there is room, or the reason why not, no sentence.
 */
char *
space_claim (const char *path,
             guint64     bytes)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *needed = NULL;
  g_autofree char *there  = NULL;
  struct statvfs   disk;
  struct stat      status;
  struct rlimit    most;
  guint64          left;

  if (getrlimit (RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
      bytes > most.rlim_cur)
    return g_strdup (g_strerror (EFBIG));
  if (statvfs (folder, &disk) != 0 || disk.f_blocks == 0 || stat (folder, &status) != 0)
    return NULL;

  left = (guint64) (geteuid () == 0 ? disk.f_bfree : disk.f_bavail) * disk.f_frsize;
  left -= MIN (left, count_claimed (status.st_dev));
  if (bytes <= left)
    {
      if (n_claims < MAX_CLAIMS)
        {
          claims[n_claims].device  = status.st_dev;
          claims[n_claims++].bytes = bytes;
        }
      return NULL;
    }

  needed = g_format_size (bytes);
  there  = g_format_size (left);
  /* TRANSLATORS: the first text is the system's "No space left on device" */
  return g_strdup_printf (_("%s: it takes %s, and %s are free"), g_strerror (ENOSPC), needed,
                          there);
}
