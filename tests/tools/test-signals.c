/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ctrl-C, a closed terminal and kill: at any time they leave no files behind, and the exit status
 * is that of a process ended by the signal.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "harness.h"
#include "tests/support/tiers.h"


typedef struct
{
  GPid pid;
  int  err;
} Child;

static Child
start (const Scratch        *scratch,
       GSpawnChildSetupFunc  prepare,
       const char           *line)
{
  g_auto (GStrv)      words       = command_words (line);
  g_auto (GStrv)      environment = command_environment (NULL);
  g_autoptr (GError)  error       = NULL;
  Child               child;

  g_spawn_async_with_pipes (scratch->folder, words, environment, G_SPAWN_DO_NOT_REAP_CHILD,
                            prepare, NULL, &child.pid, NULL, NULL, &child.err, &error);
  g_assert_no_error (error);
  return child;
}

/* Waits for the child.  Returns its exit status, or minus the number of the signal. */
static int
finish (Child *child)
{
  int status;

  while (waitpid (child->pid, &status, 0) < 0)
    g_assert_cmpint (errno, ==, EINTR);
  close (child->err);
  g_spawn_close_pid (child->pid);
  return WIFSIGNALED (status) ? -WTERMSIG (status) : WEXITSTATUS (status);
}

/* Waits for the first line of progress, after which the work has begun. */
static void
wait_for_progress (Child *child)
{
  char c;

  do
    g_assert_cmpint (read (child->err, &c, 1), ==, 1);
  while (c != '\n');
}

#define LONG_WORK "distance in.raw --raw 300x300:u8 -o out.raw --repeat 1000000 --progress"

static void
write_small_input (const Scratch *scratch)
{
  g_autofree guint8 *levels = g_malloc (300 * 300);

  for (int i = 0; i < 300 * 300; i++)
    levels[i] = i % 7 != 0;
  scratch_write (scratch, "in.raw", levels, 300 * 300);
  scratch_write (scratch, "out.raw", "mine", 4);
}

static void
assert_untouched (const Scratch *scratch)
{
  g_autofree char *kept = scratch_read (scratch, "out.raw", 4);

  g_assert_cmpmem (kept, 4, "mine", 4);
  scratch_assert (scratch, "in.raw out.raw");
}

static void
test_computing (Scratch       *scratch,
                gconstpointer  data)
{
  int   number = GPOINTER_TO_INT (data);
  Child child;

  write_small_input (scratch);
  child = start (scratch, NULL, LONG_WORK);
  wait_for_progress (&child);
  g_usleep (G_USEC_PER_SEC / 50);
  kill (child.pid, number);
  g_assert_cmpint (finish (&child), ==, -number);
  assert_untouched (scratch);
}

static void
ignore_hangup (gpointer unused)
{
  signal (SIGHUP, SIG_IGN);
}

/* SIGHUP is ignored if the command started with it ignored, as by nohup. */
static void
test_ignored (Scratch       *scratch,
              gconstpointer  data)
{
  Child child;

  write_small_input (scratch);
  child = start (scratch, ignore_hangup, LONG_WORK);
  wait_for_progress (&child);
  kill (child.pid, SIGHUP);
  g_usleep (G_USEC_PER_SEC / 10);
  g_assert_cmpint (waitpid (child.pid, NULL, WNOHANG), ==, 0);
  kill (child.pid, SIGTERM);
  g_assert_cmpint (finish (&child), ==, -SIGTERM);
  assert_untouched (scratch);
}

/* A mapped input that another process truncates. */
static void
test_truncated (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree char    *path   = scratch_path (scratch, "in.raw");
  g_autoptr (GString) err    = g_string_new (NULL);
  Child               child;
  char                c;
  int                 status;

  write_small_input (scratch);
  child = start (scratch, NULL, LONG_WORK);
  wait_for_progress (&child);
  g_assert_cmpint (truncate (path, 5000), ==, 0);
  while (read (child.err, &c, 1) == 1)
    g_string_append_c (err, c);
  status = finish (&child);
  g_test_message ("status %d\n%s", status, err->str);
  g_assert_cmpint (status, ==, 1);
  g_assert_true (g_str_has_suffix (err->str,
                                   "wavefront: Cannot read “in.raw”: it has become shorter "
                                   "while it was read, or its disk has failed.\n"));
  assert_untouched (scratch);
}


/*  Signals during writing  */

#define SIDE 5000

static void
write_large_input (const Scratch *scratch)
{
  g_autofree char *path = scratch_path (scratch, "in.raw");
  int              file = open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (ftruncate (file, (off_t) SIDE * SIDE), ==, 0);
  close (file);
}

static gboolean
has_begun_to_write (const Scratch *scratch)
{
  g_autoptr (GDir)  files = g_dir_open (scratch->folder, 0, NULL);
  const char       *name;

  while ((name = g_dir_read_name (files)))
    if (g_str_has_prefix (name, ".wavefront-"))
      {
        g_autofree char *path = scratch_path (scratch, name);
        struct stat      status;

        if (stat (path, &status) != 0 || status.st_size == 0)
          continue;
        /* Nobody else may read a file that is not complete. */
        if (status.st_size < 8 * (off_t) SIDE * SIDE)
          g_assert_cmpint (status.st_mode & 0777, ==, 0600);
        return TRUE;
      }
  return FALSE;
}

/* Returns FALSE if the file was complete before the signal came; then the caller tries again. */
static gboolean
interrupt_writing (const Scratch *scratch,
                   const char    *out,
                   int            number)
{
  g_autofree char *line  = g_strconcat ("distance in.raw --raw " G_STRINGIFY (SIDE) "x"
                                        G_STRINGIFY (SIDE) ":u8 --metric squared -o ", out, NULL);
  Child            child = start (scratch, NULL, line);
  siginfo_t        ended = { 0 };
  gboolean         seen  = FALSE;
  int              status;

  while (! seen && ended.si_pid == 0)
    {
      seen = has_begun_to_write (scratch);
      waitid (P_PID, child.pid, &ended, WEXITED | WNOHANG | WNOWAIT);
      g_usleep (200);
    }
  kill (child.pid, number);
  status = finish (&child);
  if (status == 0)
    {
      scratch_remove (scratch, out);
      return FALSE;
    }
  g_assert_cmpint (status, ==, -number);
  scratch_assert (scratch, "in.raw");
  return seen;
}

static void
try_writing (const Scratch *scratch,
             const char    *out,
             int            number)
{
  int      attempts = 30;
  gboolean done     = FALSE;

  write_large_input (scratch);
  while (! done && attempts-- > 0)
    done = interrupt_writing (scratch, out, number);
  g_assert_true (done);
}

static void
test_writing (Scratch       *scratch,
              gconstpointer  data)
{
  try_writing (scratch, "out.raw", GPOINTER_TO_INT (data));
}

static void
test_writing_tiff (Scratch       *scratch,
                   gconstpointer  data)
{
#ifdef HAVE_VIPS
  try_writing (scratch, "out.tif", SIGTERM);
#else
  g_test_skip ("this build has no libvips");
#endif
}


/*  Blocks  */

#define IN_BLOCKS "label in.raw --raw " G_STRINGIFY (SIDE) "x" G_STRINGIFY (SIDE) ":u8 " \
                  "--threshold otsu --invert --blocks auto --memory-limit 8M --threads 1 " \
                  "--progress -o "

/* Whether part of a result is in the folder. */
static gboolean
is_begun (const Scratch *scratch)
{
  g_autofree char *list  = scratch_list (scratch);
  g_auto (GStrv)   names = g_strsplit (list, " ", -1);

  for (guint i = 0; names[i]; i++)
    {
      g_autofree char *path = scratch_path (scratch, names[i]);
      struct stat      status;

      if (g_str_has_prefix (names[i], ".wavefront-") && stat (path, &status) == 0 &&
          status.st_size > 0)
        return TRUE;
    }
  return FALSE;
}

/* Until the first rows of the result are in the file, while threads compress those that follow. */
static void
wait_for_rows (const Scratch *scratch,
               const Child   *child)
{
  siginfo_t info = { 0 };

  while (! is_begun (scratch) &&
         waitid (P_PID, (id_t) child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0)
    g_usleep (G_USEC_PER_SEC / 1000);
}

/* A signal while blocks are computed, when the temporary file is there already, or @begun.  Returns
 * FALSE if the work was done before it came.
 */
static gboolean
interrupt_blocks (const Scratch *scratch,
                  const char    *out,
                  gboolean       begun)
{
  g_autofree char *line  = g_strconcat (IN_BLOCKS, out, NULL);
  Child            child = start (scratch, NULL, line);
  g_autofree char *there = NULL;
  int              status;

  wait_for_progress (&child);
  if (begun)
    wait_for_rows (scratch, &child);
  there = scratch_list (scratch);
  kill (child.pid, SIGINT);
  status = finish (&child);
  if (status == 0)
    {
      scratch_remove (scratch, out);
      return FALSE;
    }
  g_assert_cmpint (status, ==, -SIGINT);
  g_assert_nonnull (strstr (there, ".wavefront-"));
  scratch_assert (scratch, "in.raw");
  return TRUE;
}

static void
test_blocks (Scratch       *scratch,
             gconstpointer  data)
{
  int      attempts = 30;
  gboolean done     = FALSE;

  write_large_input (scratch);
  while (! done && attempts-- > 0)
    done = interrupt_blocks (scratch, data, FALSE);
  g_assert_true (done);
}

#ifdef HAVE_VIPS
static void
test_begun (Scratch       *scratch,
            gconstpointer  data)
{
  int      attempts = 30;
  gboolean done     = FALSE;

  write_large_input (scratch);
  while (! done && attempts-- > 0)
    done = interrupt_blocks (scratch, data, TRUE);
  g_assert_true (done);
}
#endif

/* An input that another process truncates is an error of reading, not a signal.  Returns FALSE if
 * it was read before.
 */
static gboolean
truncate_blocks (const Scratch *scratch)
{
  g_autofree char    *path  = scratch_path (scratch, "in.raw");
  g_autoptr (GString) err   = g_string_new (NULL);
  Child               child = start (scratch, NULL, IN_BLOCKS "out.raw");
  char                c;
  int                 status;

  wait_for_progress (&child);
  g_assert_cmpint (truncate (path, (off_t) SIDE * SIDE / 2), ==, 0);
  while (read (child.err, &c, 1) == 1)
    g_string_append_c (err, c);
  status = finish (&child);
  g_test_message ("status %d\n%s", status, err->str);
  if (status == 0)
    {
      scratch_remove (scratch, "out.raw");
      return FALSE;
    }
  g_assert_cmpint (status, ==, 1);
  g_assert_true (g_str_has_suffix (err->str,
                                   "wavefront: Cannot read “in.raw”: it has become shorter "
                                   "while it was read, or its disk has failed.\n"));
  scratch_assert (scratch, "in.raw");
  return TRUE;
}

static void
test_truncated_blocks (Scratch       *scratch,
                       gconstpointer  data)
{
  int      attempts = 30;
  gboolean done     = FALSE;

  while (! done && attempts-- > 0)
    {
      write_large_input (scratch);
      done = truncate_blocks (scratch);
    }
  g_assert_true (done);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/computing/int", GINT_TO_POINTER (SIGINT), test_computing);
  add_test ("/computing/term", GINT_TO_POINTER (SIGTERM), test_computing);
  add_test ("/computing/hup", GINT_TO_POINTER (SIGHUP), test_computing);
  add_test ("/computing/ignored", NULL, test_ignored);
  add_test ("/computing/truncated", NULL, test_truncated);
  add_test ("/writing/int", GINT_TO_POINTER (SIGINT), test_writing);
  add_test ("/writing/term", GINT_TO_POINTER (SIGTERM), test_writing);
  add_test ("/writing/tiff", NULL, test_writing_tiff);
  add_test ("/blocks/raw", "out.raw", test_blocks);
#ifdef HAVE_VIPS
  add_test ("/blocks/tiff", "out.tif", test_blocks);
  add_test ("/blocks/begun", "out.tif", test_begun);
#endif
  add_test ("/blocks/truncated", NULL, test_truncated_blocks);
  return run_tests (argc, argv);
}
