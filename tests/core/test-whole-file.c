/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that are written completely or not at all: what is kept of a replaced file, files that
 * cannot be written, and writers that are killed.
 */

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "engine/core/whole-file.h"
#include "tests/support/tiers.h"

#define LONG_FILE (4 << 20)

typedef struct
{
  char *folder;
} Fixture;


static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = g_dir_make_tmp ("wavefront-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
}

static char *
path_of (const Fixture *fixture,
         const char    *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

/* Removes all files in the folder and returns their names. */
static char *
take_names (const Fixture *fixture)
{
  g_autoptr (GDir)    dir   = g_dir_open (fixture->folder, 0, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  const char         *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = path_of (fixture, name);

      g_string_append_printf (names, "%s ", name);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *names = take_names (fixture);

  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static gboolean
write_text (const char  *path,
            const char  *text,
            GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return wf_whole_file_write (file, text, strlen (text), error);
}

static void
assert_contents (const char *path,
                 const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static mode_t
mode_of (const char *path)
{
  GStatBuf there;

  g_assert_cmpint (g_lstat (path, &there), ==, 0);
  return there.st_mode & 0777;
}

static void
test_new_file (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *path  = path_of (fixture, "new");
  g_autofree char *names = NULL;
  mode_t           mask  = umask (027);

  g_assert_true (write_text (path, "some text", NULL));
  umask (mask);
  assert_contents (path, "some text");
  g_assert_cmpint (mode_of (path), ==, 0640);
  names = take_names (fixture);
  g_assert_cmpstr (names, ==, "new ");
}

static void
test_replaced (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *path  = path_of (fixture, "old");
  g_autofree char *names = NULL;

  g_assert_true (g_file_set_contents (path, "a text that is longer", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0604), ==, 0);
  g_assert_true (write_text (path, "short", NULL));
  assert_contents (path, "short");
  g_assert_cmpint (mode_of (path), ==, 0604);
  g_assert_true (write_text (path, "", NULL));
  assert_contents (path, "");
  names = take_names (fixture);
  g_assert_cmpstr (names, ==, "old ");
}

/* Writing to a symbolic link replaces the file that it points to; the link remains. */
static void
test_link (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *path  = path_of (fixture, "file");
  g_autofree char *link  = path_of (fixture, "link");
  g_autofree char *other = path_of (fixture, "other");

  g_assert_true (g_file_set_contents (path, "before", -1, NULL));
  g_assert_cmpint (symlink ("file", link), ==, 0);
  g_assert_true (write_text (link, "after", NULL));
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  assert_contents (path, "after");

  g_assert_cmpint (linkat (AT_FDCWD, path, AT_FDCWD, other, 0), ==, 0);
  g_assert_true (write_text (other, "both", NULL));
  assert_contents (other, "both");
}

static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char    *gone   = g_build_filename (fixture->folder, "no", "such", NULL);
  g_autofree char    *folder = path_of (fixture, "folder");
  g_autofree char    *names  = NULL;
  g_autoptr (GError)  error  = NULL;

  g_assert_false (write_text (gone, "text", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_false (write_text (folder, "text", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  names = take_names (fixture);
  g_assert_cmpstr (names, ==, "");
}

static G_NORETURN void
write_for_ever (const Fixture *fixture)
{
  g_autofree char *text = g_malloc (LONG_FILE + 1);

  memset (text, 'x', LONG_FILE);
  text[LONG_FILE] = '\0';
  for (int i = 0;; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", i);
      g_autofree char *path = path_of (fixture, name);

      if (! write_text (path, text, NULL))
        _exit (1);
      g_unlink (path);
    }
}

static gboolean
has_nameless_files (const Fixture *fixture)
{
#ifdef O_TMPFILE
  int file = open (fixture->folder, O_TMPFILE | O_WRONLY, 0600);

  if (file >= 0)
    close (file);
  return file >= 0;
#else
  return FALSE;
#endif
}

static void
assert_whole (const Fixture *fixture,
              const char    *name)
{
  g_autofree char *path = path_of (fixture, name);
  GStatBuf         there;

  g_assert_cmpint (g_stat (path, &there), ==, 0);
  g_assert_cmpint (there.st_size, ==, LONG_FILE);
}

/* After a writer is killed at any moment, there is one complete file or none. */
static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  if (! has_nameless_files (fixture))
    {
      g_test_skip ("the folder for temporary files has no files without a name");
      return;
    }

  for (int round = 0; round < 40; round++)
    {
      g_autoptr (GDir)  dir   = NULL;
      g_autofree char  *names = NULL;
      const char       *name;
      pid_t             child = fork ();
      int               status;

      g_assert_cmpint (child, >=, 0);
      if (child == 0)
        write_for_ever (fixture);
      g_usleep ((gulong) g_test_rand_int_range (0, 20000));
      g_assert_cmpint (kill (child, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFSIGNALED (status));

      dir = g_dir_open (fixture->folder, 0, NULL);
      if ((name = g_dir_read_name (dir)))
        assert_whole (fixture, name);
      g_assert_null (g_dir_read_name (dir));
      names = take_names (fixture);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add ("/whole-file/new", Fixture, NULL, set_up, test_new_file, tear_down);
  g_test_add ("/whole-file/replaced", Fixture, NULL, set_up, test_replaced, tear_down);
  g_test_add ("/whole-file/link", Fixture, NULL, set_up, test_link, tear_down);
  g_test_add ("/whole-file/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/whole-file/killed", Fixture, NULL, set_up, test_killed, tear_down);
  return g_test_run ();
}
