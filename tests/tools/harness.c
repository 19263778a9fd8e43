/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <locale.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "harness.h"


static const char *
command (void)
{
  const char *path = g_getenv ("WAVEFRONT_COMMAND");

  if (! path)
    g_error ("Set WAVEFRONT_COMMAND to the command to be tested.");
  return path;
}


/*  The folder  */

static void
set_up (Scratch       *scratch,
        gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  scratch->folder = g_dir_make_tmp ("wavefront-test-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) files = NULL;
  const char      *name;

  g_chmod (folder, 0700);
  files = g_dir_open (folder, 0, NULL);
  while (files && (name = g_dir_read_name (files)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && ! g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        remove_folder (path);
      else
        g_unlink (path);
    }
  g_rmdir (folder);
}

static void
tear_down (Scratch       *scratch,
           gconstpointer  data)
{
  remove_folder (scratch->folder);
  g_free (scratch->folder);
}

void
add_test (const char    *path,
          gconstpointer  data,
          ScratchTest    test)
{
  g_test_add (path, Scratch, data, set_up, test, tear_down);
}

/* Adds one of several cases of the same test. */
void
add_case (const char    *folder,
          const char    *name,
          gconstpointer  data,
          ScratchTest    test)
{
  g_autofree char *path = g_strconcat (folder, name, NULL);

  add_test (path, data, test);
}

int
run_tests (int    argc,
           char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  command ();
  return g_test_run ();
}

char *
scratch_path (const Scratch *scratch,
              const char    *name)
{
  return g_build_filename (scratch->folder, name, NULL);
}

void
scratch_write (const Scratch *scratch,
               const char    *name,
               gconstpointer  bytes,
               gsize          n)
{
  g_autofree char    *path  = scratch_path (scratch, name);
  g_autoptr (GError)  error = NULL;

  g_file_set_contents (path, bytes, n, &error);
  g_assert_no_error (error);
}

/* Writes raw files of 4 × 3 pixels: in.raw with 8-bit levels 0 to 11, the same as marker.raw, and
 * markers.raw with a label in the first pixel.
 */
void
scratch_write_inputs (const Scratch *scratch)
{
  static const guint8 levels[12]  = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
  static const guint8 markers[48] = { 1 };

  scratch_write (scratch, "in.raw", levels, sizeof levels);
  scratch_write (scratch, "marker.raw", levels, sizeof levels);
  scratch_write (scratch, "markers.raw", markers, sizeof markers);
}

/* Returns the contents of a file and asserts that it has @n bytes. */
gpointer
scratch_read (const Scratch *scratch,
              const char    *name,
              gsize          n)
{
  g_autofree char    *path  = scratch_path (scratch, name);
  g_autoptr (GError)  error = NULL;
  char               *bytes = NULL;
  gsize               length;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, ==, n);
  return bytes;
}

void
scratch_remove (const Scratch *scratch,
                const char    *name)
{
  g_autofree char *path = scratch_path (scratch, name);

  g_assert_cmpint (g_unlink (path), ==, 0);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

/* Returns the names of all files in the folder, sorted and separated by spaces. */
char *
scratch_list (const Scratch *scratch)
{
  g_autoptr (GError)    error = NULL;
  g_autoptr (GDir)      files = g_dir_open (scratch->folder, 0, &error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char           *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (files)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

void
scratch_assert (const Scratch *scratch,
                const char    *names)
{
  g_autofree char *there = scratch_list (scratch);

  g_assert_cmpstr (there, ==, names);
}


/*  The command  */

/* Returns the command and its arguments; @line has the arguments, quoted as for a shell. */
char **
command_words (const char *line)
{
  g_autofree char    *whole = NULL;
  g_autofree char    *path  = g_shell_quote (command ());
  g_autoptr (GError)  error = NULL;
  char              **words = NULL;

  whole = g_strconcat (path, " ", line, NULL);
  g_shell_parse_argv (whole, NULL, &words, &error);
  g_assert_no_error (error);
  return words;
}

/* The environment with English messages, without language and debug settings of the user. */
char **
command_environment (const char * const *more)
{
  char **environment = g_get_environ ();

  environment = g_environ_setenv (environment, "LC_ALL", "C.UTF-8", TRUE);
  environment = g_environ_unsetenv (environment, "LANGUAGE");
  environment = g_environ_unsetenv (environment, "G_MESSAGES_DEBUG");
  for (; more && *more; more++)
    {
      g_auto (GStrv) pair = g_strsplit (*more, "=", 2);

      environment = g_environ_setenv (environment, pair[0], pair[1], TRUE);
    }
  return environment;
}

/* To prepare a run in which no file becomes larger.  @bytes: by GUINT_TO_POINTER() */
void
limit_files (gpointer bytes)
{
  struct rlimit limit = { GPOINTER_TO_UINT (bytes), GPOINTER_TO_UINT (bytes) };

  setrlimit (RLIMIT_FSIZE, &limit);
}

static char **
through_shell (const char  *script,
               char       **words)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_add (all, g_strdup ("/bin/sh"));
  g_ptr_array_add (all, g_strdup ("-c"));
  g_ptr_array_add (all, g_strdup (script));
  g_ptr_array_add (all, g_strdup ("sh"));
  for (char **word = words; *word; word++)
    g_ptr_array_add (all, g_strdup (*word));
  g_ptr_array_add (all, NULL);
  return g_memdup2 (all->pdata, all->len * sizeof (gpointer));
}

static Run *
run_line (const Scratch      *scratch,
          const Surroundings *surroundings,
          const char         *line)
{
  static const Surroundings  usual       = { NULL, NULL, NULL, NULL };
  Run                       *result      = g_new0 (Run, 1);
  g_auto (GStrv)             words       = command_words (line);
  g_auto (GStrv)             shell       = NULL;
  g_auto (GStrv)             environment = NULL;
  g_autoptr (GError)         error       = NULL;
  int                        wait_status;

  if (! surroundings)
    surroundings = &usual;
  environment = command_environment (surroundings->environment);
  if (surroundings->through)
    shell = through_shell (surroundings->through, words);

  g_spawn_sync (scratch->folder, shell ? shell : words, environment, G_SPAWN_DEFAULT,
                surroundings->prepare, surroundings->data,
                &result->out, &result->err, &wait_status, &error);
  g_assert_no_error (error);
  result->status = WIFSIGNALED (wait_status) ? -WTERMSIG (wait_status)
                                             : WEXITSTATUS (wait_status);
  g_test_message ("%s: status %d\n%s%s", line, result->status, result->out, result->err);
  return result;
}

#define FORMAT_LINE(line, format) \
  g_autofree char *line = NULL; \
  va_list          arguments; \
  va_start (arguments, format); \
  line = g_strdup_vprintf (format, arguments); \
  va_end (arguments)

Run *
run_in (const Scratch      *scratch,
        const Surroundings *surroundings,
        const char         *format,
        ...)
{
  FORMAT_LINE (line, format);

  return run_line (scratch, surroundings, line);
}

Run *
run (const Scratch *scratch,
     const char    *format,
     ...)
{
  FORMAT_LINE (line, format);

  return run_line (scratch, NULL, line);
}

void
run_free (Run *result)
{
  g_free (result->out);
  g_free (result->err);
  g_free (result);
}


/*  Results  */

void
assert_success (const Run *result)
{
  g_assert_cmpstr (result->err, ==, "");
  g_assert_cmpint (result->status, ==, 0);
}

/* Asserts that @text is one line, a sentence of the command that contains @culprit. */
void
assert_message (const char *text,
                const char *culprit)
{
  const char *end = strchr (text, '\n');

  g_assert_true (g_str_has_prefix (text, "wavefront: "));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (end);
  g_assert_cmpstr (end, ==, "\n");
  g_assert_cmpint (end[-1], ==, '.');
  g_assert_cmpint (end[-2], !=, '.');
  g_assert_nonnull (strstr (text, culprit));
}

void
assert_refused (const Run  *result,
                int         status,
                const char *culprit)
{
  assert_message (result->err, culprit);
  g_assert_cmpstr (result->out, ==, "");
  g_assert_cmpint (result->status, ==, status);
}

void
succeed (const Scratch *scratch,
         const char    *format,
         ...)
{
  g_autoptr (Run) result = NULL;
  FORMAT_LINE (line, format);

  result = run_line (scratch, NULL, line);
  assert_success (result);
  g_assert_cmpstr (result->out, ==, "");
}

/* Returns the number that is the only line of the output. */
guint32
printed_number (const Run *result)
{
  g_autofree char *again = NULL;
  char            *end;
  guint64          number;

  assert_success (result);
  number = g_ascii_strtoull (result->out, &end, 10);
  g_assert_cmpstr (end, ==, "\n");
  again = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", number);
  g_assert_cmpstr (result->out, ==, again);
  return (guint32) number;
}

/* As succeed(), for a command that prints a number, which is returned. */
guint32
succeed_counting (const Scratch *scratch,
                  const char    *format,
                  ...)
{
  g_autoptr (Run) result = NULL;
  FORMAT_LINE (line, format);

  result = run_line (scratch, NULL, line);
  return printed_number (result);
}

/* Asserts that the command refuses the line and leaves the names in the folder unchanged. */
void
refuse (const Scratch *scratch,
        int            status,
        const char    *culprit,
        const char    *format,
        ...)
{
  g_autofree char *before = scratch_list (scratch);
  g_autoptr (Run)  result = NULL;
  FORMAT_LINE (line, format);

  result = run_line (scratch, NULL, line);
  assert_refused (result, status, culprit);
  scratch_assert (scratch, before);
}
