/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that cannot be read or written; a command that fails changes no file. */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "mounts.h"
#include "pixels.h"
#include "tests/support/tiers.h"


#define RAW " --raw 4x3:u8 "

static mode_t
mode_of (const Scratch *scratch,
         const char    *name)
{
  g_autofree char *path = scratch_path (scratch, name);
  struct stat      status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_mode & 07777;
}


/*  Inputs  */

static void
test_missing (Scratch       *scratch,
              gconstpointer  data)
{
  scratch_write_inputs (scratch);
  refuse (scratch, 1, "gone.raw", "distance gone.raw" RAW "-o out.raw");
  refuse (scratch, 1, "gone.raw", "reconstruct gone.raw marker.raw" RAW "-o out.raw");
  refuse (scratch, 1, "gone.raw", "reconstruct in.raw gone.raw" RAW "-o out.raw");
  refuse (scratch, 1, "gone.raw", "watershed in.raw --markers gone.raw" RAW "-o out.raw");
  refuse (scratch, 1, "No such file", "distance gone.raw" RAW "-o out.raw");
}

/* A raw file must have exactly the length that --raw implies; the message has both lengths. */
static void
test_length (Scratch       *scratch,
             gconstpointer  data)
{
  scratch_write_inputs (scratch);
  scratch_write (scratch, "short.raw", "12345678901", 11);
  scratch_write (scratch, "long.raw", "1234567890123", 13);
  scratch_write (scratch, "empty.raw", "", 0);

  refuse (scratch, 1, "short.raw", "distance short.raw" RAW "-o out.raw");
  refuse (scratch, 1, "11", "distance short.raw" RAW "-o out.raw");
  refuse (scratch, 1, "12", "distance short.raw" RAW "-o out.raw");
  refuse (scratch, 1, "13", "distance long.raw" RAW "-o out.raw");
  refuse (scratch, 1, "long.raw", "distance long.raw" RAW "-o out.raw");
  refuse (scratch, 1, "empty.raw", "distance empty.raw" RAW "-o out.raw");
  refuse (scratch, 1, "in.raw", "distance in.raw --raw 4x3:f32 -o out.raw");
  refuse (scratch, 1, "in.raw", "distance in.raw --raw 4x3x2:u8 -o out.raw");
  refuse (scratch, 1, "short.raw", "reconstruct in.raw short.raw" RAW "-o out.raw");
  refuse (scratch, 1, "short.raw", "reconstruct short.raw in.raw" RAW "-o out.raw");
  /* Labels need four bytes a pixel. */
  refuse (scratch, 1, "48", "watershed in.raw --markers marker.raw" RAW "-o out.raw");
  refuse (scratch, 1, "marker.raw", "watershed in.raw --markers marker.raw" RAW "-o out.raw");
  /* A valid size that exceeds the disk. */
  refuse (scratch, 1, "in.raw", "distance in.raw --raw 1073741824x1048576:u8 -o out.raw");
}

static void
test_not_a_file (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autofree char *folder = scratch_path (scratch, "folder");
  g_autofree char *pipe   = scratch_path (scratch, "pipe");

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  refuse (scratch, 1, "folder", "distance folder" RAW "-o out.raw");
  refuse (scratch, 1, "pipe", "distance pipe" RAW "-o out.raw");
  refuse (scratch, 1, "/dev/zero", "distance /dev/zero" RAW "-o out.raw");
}

static void
test_unreadable (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "in.raw");

  if (geteuid () == 0)
    {
      g_test_skip ("root may read every file");
      return;
    }
  scratch_write_inputs (scratch);
  g_chmod (path, 0);
  refuse (scratch, 1, "in.raw", "distance in.raw" RAW "-o out.raw");
}

static void
test_nan (Scratch       *scratch,
          gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("f32", 4, 3, 1, 5);

  pixels_write (scratch, "good.raw", image);
  image->values[7] = NAN;
  pixels_write (scratch, "bad.raw", image);
  refuse (scratch, 1, "bad.raw", "distance bad.raw --raw 4x3:f32 -o out.raw");
  refuse (scratch, 1, "NaN", "watershed bad.raw --raw 4x3:f32 -o out.raw");
  refuse (scratch, 1, "wavefront: “bad.raw” holds a pixel that is not a number (NaN), at 3, 1, 0.",
          "reconstruct good.raw bad.raw --raw 4x3:f32 -o out.raw");
  refuse (scratch, 1, "wavefront: “bad.raw” holds",
          "reconstruct bad.raw good.raw --raw 4x3:f32 -o out.raw");
}

static void
test_does_not_fit (Scratch       *scratch,
                   gconstpointer  data)
{
  static const char zeros[48] = "";

  scratch_write_inputs (scratch);
  refuse (scratch, 1, "connectivity of 6", "watershed in.raw" RAW "-o out.raw --connectivity 6");
  refuse (scratch, 1, "in.raw", "reconstruct in.raw in.raw" RAW "-o out.raw --connectivity 26");
  refuse (scratch, 1, "connectivity of 4",
          "watershed in.raw --raw 2x3x2:u8 -o out.raw --connectivity 4");
  refuse (scratch, 1, "connectivity of 8",
          "distance in.raw --raw 2x3x2:u8 -o out.raw --connectivity 8");
  refuse (scratch, 1, "cuda:9999", "distance in.raw" RAW "-o out.raw --device cuda:9999");
  refuse (scratch, 1, "cuda:9999",
          "distance in.raw" RAW "-o out.raw --device cuda:9999 --fallback none");
  refuse (scratch, 1, "“scan”",
          "distance in.raw" RAW "-o out.raw --device cpu --algorithm scan --spacing 1,2");
  refuse (scratch, 1, "on cpu.",
          "distance in.raw" RAW "-o out.raw --device cpu --algorithm local --spacing 1,2");
  /* No machine could do it. */
  refuse (scratch, 1, "The algorithm “local” of distance cannot do this task.",
          "distance in.raw" RAW "-o out.raw --algorithm local --spacing 1,2");

  scratch_write (scratch, "markers.raw", zeros, sizeof zeros);
  refuse (scratch, 1, "markers.raw", "watershed in.raw --markers markers.raw" RAW "-o out.raw");
}


/*  Outputs  */

static void
test_no_folder (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree char *folder = scratch_path (scratch, "folder.raw");

  scratch_write_inputs (scratch);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);

  /* Nothing is computed first: no progress precedes the message. */
  refuse (scratch, 1, "nowhere/out.raw", "distance in.raw" RAW "-o nowhere/out.raw --progress");
  refuse (scratch, 1, "in.raw/out.raw", "distance in.raw" RAW "-o in.raw/out.raw --progress");
  refuse (scratch, 1, "folder.raw", "distance in.raw" RAW "-o folder.raw --progress");
  refuse (scratch, 1, "folder.raw/", "distance in.raw" RAW "-o folder.raw/ --progress");
  refuse (scratch, 1, "nowhere/near.raw",
          "distance in.raw" RAW "-o out.raw --nearest nowhere/near.raw --progress");
  refuse (scratch, 1, "nowhere/out.raw",
          "reconstruct in.raw marker.raw" RAW "-o nowhere/out.raw --progress");
  refuse (scratch, 1, "nowhere/out.raw", "watershed in.raw" RAW "-o nowhere/out.raw --progress");
}

static void
test_suffix (Scratch       *scratch,
             gconstpointer  data)
{
  scratch_write_inputs (scratch);
  refuse (scratch, 1, "out.xyz", "distance in.raw" RAW "-o out.xyz --progress");
  refuse (scratch, 1, "“out”", "distance in.raw" RAW "-o out --progress");
  refuse (scratch, 1, "“raw”", "distance in.raw" RAW "-o raw --progress");
  succeed (scratch, "distance in.raw" RAW "-o OUT.RAW");
  scratch_assert (scratch, "OUT.RAW in.raw marker.raw markers.raw");
}

/* Renaming a temporary file to the output would replace the device with a regular file. */
static void
test_device_as_output (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree char *link   = scratch_path (scratch, "null.raw");
  struct stat      status;

  scratch_write_inputs (scratch);
  g_assert_cmpint (symlink ("/dev/null", link), ==, 0);
  refuse (scratch, 1, "null.raw", "distance in.raw" RAW "-o null.raw --progress");
  g_assert_cmpint (stat ("/dev/null", &status), ==, 0);
  g_assert_true (S_ISCHR (status.st_mode));
}

static void
test_protected_output (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "out.raw");
  g_autofree char *kept = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may write to every file");
      return;
    }
  scratch_write_inputs (scratch);
  scratch_write (scratch, "out.raw", "mine", 4);
  g_chmod (path, 0400);
  refuse (scratch, 1, "out.raw", "distance in.raw" RAW "-o out.raw --progress");
  kept = scratch_read (scratch, "out.raw", 4);
  g_assert_cmpmem (kept, 4, "mine", 4);
}

static void
test_replaces (Scratch       *scratch,
               gconstpointer  data)
{
  g_autofree char     *path     = scratch_path (scratch, "out.raw");
  g_autofree char     *link     = scratch_path (scratch, "link.raw");
  g_autofree gpointer  expected = NULL;
  g_autofree gpointer  found    = NULL;

  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw" RAW "-o fresh.raw");
  expected = scratch_read (scratch, "fresh.raw", 48);

  scratch_write (scratch, "out.raw", "an older file, which is longer than the new one is, "
                                     "much longer", 63);
  g_chmod (path, 0640);
  g_assert_cmpint (symlink ("out.raw", link), ==, 0);
  succeed (scratch, "distance in.raw" RAW "-o link.raw");

  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  found = scratch_read (scratch, "out.raw", 48);
  g_assert_cmpmem (found, 48, expected, 48);
  g_assert_cmpint (mode_of (scratch, "out.raw"), ==, 0640);
}

static void
set_mask (gpointer data)
{
  umask (GPOINTER_TO_UINT (data));
}

static void
test_permissions (Scratch       *scratch,
                  gconstpointer  data)
{
  const Surroundings strict = { .prepare = set_mask, .data = GUINT_TO_POINTER (027) };
  const Surroundings open   = { .prepare = set_mask, .data = GUINT_TO_POINTER (002) };
  g_autoptr (Run)    first  = NULL;
  g_autoptr (Run)    second = NULL;

  scratch_write_inputs (scratch);
  first = run_in (scratch, &strict, "distance in.raw" RAW "-o strict.raw");
  assert_success (first);
  g_assert_cmpint (mode_of (scratch, "strict.raw"), ==, 0640);
  second = run_in (scratch, &open, "distance in.raw" RAW "-o open.raw");
  assert_success (second);
  g_assert_cmpint (mode_of (scratch, "open.raw"), ==, 0664);
}

static void
test_output_is_input (Scratch       *scratch,
                      gconstpointer  data)
{
  g_autofree gpointer expected = NULL;
  g_autofree gpointer found    = NULL;
  g_autofree gpointer labels   = NULL;
  g_autofree gpointer markers  = NULL;

  scratch_write_inputs (scratch);
  succeed_counting (scratch, "watershed in.raw" RAW "-o labels.raw --markers markers.raw");
  labels = scratch_read (scratch, "labels.raw", 48);
  succeed_counting (scratch, "watershed in.raw" RAW "-o markers.raw --markers markers.raw");
  markers = scratch_read (scratch, "markers.raw", 48);
  g_assert_cmpmem (markers, 48, labels, 48);

  succeed (scratch, "distance in.raw" RAW "-o out.raw");
  expected = scratch_read (scratch, "out.raw", 48);
  succeed (scratch, "distance in.raw" RAW "-o in.raw");
  found = scratch_read (scratch, "in.raw", 48);
  g_assert_cmpmem (found, 48, expected, 48);
}


/*  Full disks  */

static void
test_file_limit (Scratch       *scratch,
                 gconstpointer  data)
{
  const Surroundings  narrow  = { .prepare = limit_files, .data = GUINT_TO_POINTER (47) };
  const Surroundings  between = { .prepare = limit_files, .data = GUINT_TO_POINTER (50) };
  const Surroundings  enough  = { .prepare = limit_files, .data = GUINT_TO_POINTER (48) };
  g_autoptr (Run)     refused = NULL;
  g_autoptr (Run)     second  = NULL;
  g_autoptr (Run)     done    = NULL;
  g_autofree char    *kept    = NULL;

  scratch_write_inputs (scratch);
  scratch_write (scratch, "out.raw", "mine", 4);

  refused = run_in (scratch, &narrow, "distance in.raw" RAW "-o out.raw --progress");
  assert_refused (refused, 1, "out.raw");
  kept = scratch_read (scratch, "out.raw", 4);
  g_assert_cmpmem (kept, 4, "mine", 4);
  scratch_assert (scratch, "in.raw marker.raw markers.raw out.raw");

  /* The distances fit within the limit, the nearest pixels do not: neither file appears. */
  second = run_in (scratch, &between,
                   "distance in.raw" RAW "-o new.raw --nearest near.raw --progress");
  assert_refused (second, 1, "near.raw");
  scratch_assert (scratch, "in.raw marker.raw markers.raw out.raw");

  done = run_in (scratch, &enough, "distance in.raw" RAW "-o out.raw");
  assert_success (done);
  g_free (scratch_read (scratch, "out.raw", 48));
}

static void
mount_small_disk (gpointer folder)
{
  if (! mounts_are_own () || mount ("tmpfs", folder, "tmpfs", 0, "size=64k") != 0)
    _exit (77);
}

static void
mount_read_only (gpointer folder)
{
  if (! mounts_are_own () || ! mounts_bind (folder) ||
      mount (folder, folder, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) != 0)
    _exit (77);
}

static void
test_full_disk (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree char    *folder = scratch_path (scratch, "disk");
  const Surroundings  small  = { .prepare = mount_small_disk, .data = folder,
                                 .through = "echo mine >disk/out.raw; "
                                            "\"$@\"; status=$?; "
                                            "ls -A disk; cat disk/out.raw; exit $status" };
  g_autoptr (Pixels)  image  = pixels_random ("u8", 200, 200, 1, 5);
  g_autoptr (Run)     result = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  pixels_write (scratch, "in.raw", image);
  /* Nothing is computed: there is no progress before the message. */
  result = run_in (scratch, &small, "distance in.raw --raw 200x200:u8 -o disk/out.raw --progress");
  if (result->status == 77)
    {
      g_test_skip ("this machine allows no mounts, so no small disk");
      return;
    }
  assert_message (result->err, "disk/out.raw");
  g_assert_nonnull (strstr (result->err, g_strerror (ENOSPC)));
  g_assert_cmpstr (result->out, ==, "out.raw\nmine\n");
  g_assert_cmpint (result->status, ==, 1);
}

/* Each of the two results would fit alone. */
static void
test_disk_for_two (Scratch       *scratch,
                   gconstpointer  data)
{
  g_autofree char    *folder = scratch_path (scratch, "disk");
  const Surroundings  small  = { .prepare = mount_small_disk, .data = folder };
  g_autoptr (Pixels)  image  = pixels_random ("u8", 80, 80, 1, 5);
  g_autoptr (Run)     one    = NULL;
  g_autoptr (Run)     two    = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  pixels_write (scratch, "in.raw", image);
  one = run_in (scratch, &small, "distance in.raw --raw 80x80:u8 -o out.raw --nearest disk/b.raw");
  if (one->status == 77)
    {
      g_test_skip ("this machine allows no mounts, so no small disk");
      return;
    }
  assert_success (one);
  two = run_in (scratch, &small,
                "distance in.raw --raw 80x80:u8 -o disk/a.raw --nearest disk/b.raw --progress");
  assert_refused (two, 1, "disk/b.raw");
}

static void
test_read_only_folder (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree char    *folder    = scratch_path (scratch, "folder");
  const Surroundings  read_only = { .prepare = mount_read_only, .data = folder };
  g_autoptr (Run)     result    = NULL;

  scratch_write_inputs (scratch);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  result = run_in (scratch, &read_only, "distance in.raw" RAW "-o folder/out.raw --progress");
  if (result->status == 77)
    {
      g_test_skip ("this machine allows no mounts, so no read-only folder");
      return;
    }
  assert_refused (result, 1, "folder/out.raw");
}

static void
test_forbidden_folder (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree char *folder = scratch_path (scratch, "folder");

  if (geteuid () == 0)
    {
      g_test_skip ("root may write to every folder");
      return;
    }
  scratch_write_inputs (scratch);
  g_assert_cmpint (g_mkdir (folder, 0500), ==, 0);
  refuse (scratch, 1, "folder/out.raw", "distance in.raw" RAW "-o folder/out.raw --progress");
}

/* Standard output may be a full device. */
static void
test_full_stdout (Scratch       *scratch,
                  gconstpointer  data)
{
  static const char * const lines[] =
  {
    "--help", "--version", "devices", "distance --help", "distance --version",
    "distance in.raw" RAW "-o out.raw --stats",
  };
  const Surroundings full = { .through = "\"$@\" >/dev/full" };

  scratch_write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Run) result = run_in (scratch, &full, "%s", lines[i]);

      assert_refused (result, 1, "standard output");
    }
}

/* If standard streams are closed, the output file must not get their descriptors. */
static void
test_closed_streams (Scratch       *scratch,
                     gconstpointer  data)
{
  const Surroundings  no_errors = { .through = "\"$@\" 2>&-" };
  const Surroundings  none      = { .through = "\"$@\" <&- >&- 2>&-" };
  const Surroundings  no_output = { .through = "\"$@\" >&-" };
  g_autofree gpointer expected  = NULL;
  g_autofree gpointer first     = NULL;
  g_autofree gpointer second    = NULL;
  g_autoptr (Run)     quiet     = NULL;
  g_autoptr (Run)     silent    = NULL;
  g_autoptr (Run)     refused   = NULL;

  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw" RAW "-o expected.raw");
  expected = scratch_read (scratch, "expected.raw", 48);
  quiet  = run_in (scratch, &no_errors, "distance in.raw" RAW "-o first.raw --progress");
  silent = run_in (scratch, &none, "distance in.raw" RAW "-o second.raw --progress");
  assert_success (quiet);
  assert_success (silent);
  first  = scratch_read (scratch, "first.raw", 48);
  second = scratch_read (scratch, "second.raw", 48);
  g_assert_cmpmem (first, 48, expected, 48);
  g_assert_cmpmem (second, 48, expected, 48);

  refused = run_in (scratch, &no_output, "distance in.raw" RAW "-o out.raw --stats");
  assert_refused (refused, 1, "standard output");
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/input/missing", NULL, test_missing);
  add_test ("/input/length", NULL, test_length);
  add_test ("/input/not-a-file", NULL, test_not_a_file);
  add_test ("/input/unreadable", NULL, test_unreadable);
  add_test ("/input/nan", NULL, test_nan);
  add_test ("/input/does-not-fit", NULL, test_does_not_fit);
  add_test ("/output/no-folder", NULL, test_no_folder);
  add_test ("/output/suffix", NULL, test_suffix);
  add_test ("/output/device", NULL, test_device_as_output);
  add_test ("/output/protected", NULL, test_protected_output);
  add_test ("/output/replaces", NULL, test_replaces);
  add_test ("/output/permissions", NULL, test_permissions);
  add_test ("/output/is-input", NULL, test_output_is_input);
  add_test ("/full/file-limit", NULL, test_file_limit);
  add_test ("/full/disk", NULL, test_full_disk);
  add_test ("/full/disk-for-two", NULL, test_disk_for_two);
  add_test ("/full/stdout", NULL, test_full_stdout);
  add_test ("/streams/closed", NULL, test_closed_streams);
  add_test ("/folder/read-only", NULL, test_read_only_folder);
  add_test ("/folder/forbidden", NULL, test_forbidden_folder);
  return run_tests (argc, argv);
}
