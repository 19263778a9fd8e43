/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outputs that replace a file: what the new file keeps of the old one, what the user is notified
 * of, and what is refused before anything is computed.
 */

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "harness.h"
#include "mounts.h"
#include "tests/support/tiers.h"


#define LINE "distance in.raw --raw 4x3:u8 -o "

/* An owner and a group that are not root's. */
#define SOMEBODY 12345
#define GROUP    23456

static struct stat
status_of (const Scratch *scratch,
           const char    *name)
{
  g_autofree char *path = scratch_path (scratch, name);
  struct stat      status;

  g_assert_cmpint (lstat (path, &status), ==, 0);
  return status;
}

static gboolean
is_root (void)
{
  if (geteuid () == 0)
    return TRUE;
  g_test_skip ("only root may give files away");
  return FALSE;
}

/* The other user may write to the folder. */
static void
become_somebody (gpointer unused)
{
  if (setgroups (0, NULL) != 0 || setgid (GROUP) != 0 || setuid (SOMEBODY) != 0)
    _exit (77);
}

static void
write_old (const Scratch *scratch,
           mode_t         mode)
{
  g_autofree char *path = scratch_path (scratch, "out.raw");

  scratch_write_inputs (scratch);
  scratch_write (scratch, "out.raw", "mine", 4);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

static void
assert_kept (const Scratch *scratch)
{
  g_autofree char *kept = scratch_read (scratch, "out.raw", 4);

  g_assert_cmpmem (kept, 4, "mine", 4);
}

/* Root keeps the owner and the group of the file. */
static void
test_owner (Scratch       *scratch,
            gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "out.raw");
  struct stat      status;

  if (! is_root ())
    return;
  write_old (scratch, 0640);
  g_assert_cmpint (chown (path, SOMEBODY, GROUP), ==, 0);
  succeed (scratch, LINE "out.raw");
  status = status_of (scratch, "out.raw");
  g_assert_cmpint (status.st_size, ==, 48);
  g_assert_cmpint (status.st_uid, ==, SOMEBODY);
  g_assert_cmpint (status.st_gid, ==, GROUP);
  g_assert_cmpint (status.st_mode & 07777, ==, 0640);
}

/* A user who may write to the file of another, but not give files away. */
static void
test_owner_lost (Scratch       *scratch,
                 gconstpointer  data)
{
  const Surroundings somebody = { .prepare = become_somebody };
  g_autoptr (Run)    result   = NULL;
  struct stat        status;

  if (! is_root ())
    return;
  write_old (scratch, 0662);
  g_chmod (scratch->folder, 0777);
  result = run_in (scratch, &somebody, LINE "out.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "“out.raw” has another owner or group now");
  status = status_of (scratch, "out.raw");
  g_assert_cmpint (status.st_size, ==, 48);
  g_assert_cmpint (status.st_uid, ==, SOMEBODY);
  /* The mode's rights of the old group are not given to the new one. */
  g_assert_cmpint (status.st_mode & 07777, ==, 0622);
}

static void
test_hard_links (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autofree char *path   = scratch_path (scratch, "out.raw");
  g_autofree char *second = scratch_path (scratch, "second.raw");
  g_autofree char *kept   = NULL;
  g_autoptr (Run)  result = NULL;

  write_old (scratch, 0600);
  g_assert_cmpint (link (path, second), ==, 0);
  result = run (scratch, LINE "out.raw");
  g_assert_cmpint (result->status, ==, 0);
  assert_message (result->err, "“out.raw” had other names (hard links)");
  g_assert_cmpint (status_of (scratch, "out.raw").st_size, ==, 48);
  kept = scratch_read (scratch, "second.raw", 4);
  g_assert_cmpmem (kept, 4, "mine", 4);
}

/* A link to a file that does not exist yet stays a link, too. */
static void
test_dangling_link (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autofree char *folder = scratch_path (scratch, "folder");
  g_autofree char *link   = scratch_path (scratch, "link.raw");
  g_autofree char *chain  = scratch_path (scratch, "chain.raw");

  scratch_write_inputs (scratch);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (symlink ("folder/new.raw", link), ==, 0);
  g_assert_cmpint (symlink ("link.raw", chain), ==, 0);
  succeed (scratch, LINE "chain.raw");
  g_assert_true (S_ISLNK (status_of (scratch, "chain.raw").st_mode));
  g_assert_true (S_ISLNK (status_of (scratch, "link.raw").st_mode));
  g_assert_cmpint (status_of (scratch, "folder/new.raw").st_size, ==, 48);
}

/* In a folder such as /tmp nobody replaces the file of another user. */
static void
test_sticky_folder (Scratch       *scratch,
                    gconstpointer  data)
{
  const Surroundings somebody = { .prepare = become_somebody };
  g_autoptr (Run)    result   = NULL;

  if (! is_root ())
    return;
  write_old (scratch, 0666);
  g_chmod (scratch->folder, 01777);
  result = run_in (scratch, &somebody, LINE "out.raw --progress");
  assert_refused (result, 1, "it belongs to another user");
  assert_kept (scratch);
}

static void
mount_file (gpointer path)
{
  if (! mounts_are_own () || ! mounts_bind (path))
    _exit (77);
}

/* Containers mount files, which cannot be renamed over. */
static void
test_mount_point (Scratch       *scratch,
                  gconstpointer  data)
{
  g_autofree char    *path    = scratch_path (scratch, "out.raw");
  const Surroundings  mounted = { .prepare = mount_file, .data = path };
  g_autoptr (Run)     result  = NULL;

  write_old (scratch, 0600);
  result = run_in (scratch, &mounted, LINE "out.raw --progress");
  if (result->status == 77)
    {
      g_test_skip ("this machine allows no mounts");
      return;
    }
  assert_refused (result, 1, "it is a mount point");
  assert_kept (scratch);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/owner/kept", NULL, test_owner);
  add_test ("/owner/lost", NULL, test_owner_lost);
  add_test ("/links/hard", NULL, test_hard_links);
  add_test ("/links/dangling", NULL, test_dangling_link);
  add_test ("/refused/sticky-folder", NULL, test_sticky_folder);
  add_test ("/refused/mount-point", NULL, test_mount_point);
  return run_tests (argc, argv);
}
