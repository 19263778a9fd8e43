/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that several ranks write: their bytes lie where they should, whatever the system does with
 * pages that two ranks share, and a file that may not grow is an error.  Files of a program's own
 * links, and links of an older program, which has none.
 */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "engine/wavefront.h"
#include "tests/support/tiers.h"

#define N_RANKS  3
#define MAX_SIZE (40 << 20)

static gboolean
look (gpointer   state,
      GError   **error)
{
  return TRUE;
}

static void
end (gpointer state)
{
}

/* Every rank writes pieces of random sizes, in turn with the others. */
static void
write_pieces (const char *path,
              guint8     *bytes,
              gint64      n)
{
  static const WfRankLinks links = { .size = sizeof links, .look = look, .free = end };
  WfCommunicator          *ranks[N_RANKS];
  WfRankFile              *files[N_RANKS];
  const gint64             most     = g_test_rand_bit () ? 5000 : n;
  g_autofree guint8       *read     = g_malloc (n);
  g_autoptr (GError)       error    = NULL;

  for (guint i = 0; i < N_RANKS; i++)
    {
      ranks[i] = wf_communicator_new (&links, NULL, i, N_RANKS);
      files[i] = wf_rank_file_open (ranks[i], path, TRUE, &error);
      g_assert_no_error (error);
    }
  for (gint64 at = 0, size; at < n; at += size)
    {
      size = 1 + (gint64) (most * g_test_rand_double () * g_test_rand_double ());
      size = MIN (size, n - at);
      g_assert_true (wf_rank_file_write (files[g_test_rand_int_range (0, N_RANKS)], at, bytes + at,
                                         size, &error));
    }
  g_assert_true (wf_rank_file_read (files[0], 0, read, n, &error));
  g_assert_cmpmem (read, n, bytes, n);
  for (guint i = 0; i < N_RANKS; i++)
    {
      g_assert_true (wf_rank_file_close (files[i], &error));
      wf_communicator_unref (ranks[i]);
    }
}

/* A file of @n bytes that are not written yet, in a folder where there is one. */
static char *
make_file (const char *folder,
           gint64      n)
{
  char *path = g_build_filename (folder, "wavefront-test-XXXXXX", NULL);
  int   file = g_mkstemp (path);

  if (file >= 0 && ftruncate (file, n) == 0 && close (file) == 0)
    return path;
  g_free (path);
  return NULL;
}

static void
test_pieces (void)
{
  const char *folders[] = { g_get_tmp_dir (), "/dev/shm" };

  for (guint i = 0; i < test_count (6, 30); i++)
    {
      const gint64       n     = g_test_rand_int_range (1, i % 3 == 0 ? MAX_SIZE : 100000);
      g_autofree guint8 *bytes = g_malloc (n);
      g_autofree char   *path  = make_file (folders[i % 2], n);
      g_autofree char   *found = NULL;
      gsize              n_found;

      for (gint64 j = 0; j < n; j++)
        bytes[j] = j * 37 + j / 1021;
      if (! path)
        continue;
      write_pieces (path, bytes, n);
      g_assert_true (g_file_get_contents (path, &found, &n_found, NULL));
      g_assert_cmpmem (found, n_found, bytes, n);
      g_unlink (path);
    }
}

/* A mapping could be written beyond the limit. */
static void
test_limit (void)
{
  static const WfRankLinks links = { .size = sizeof links, .look = look, .free = end };
  g_autofree char         *path  = make_file (g_get_tmp_dir (), 100000);
  WfCommunicator          *ranks = wf_communicator_new (&links, NULL, 0, N_RANKS);
  WfRankFile              *file  = wf_rank_file_open (ranks, path, TRUE, NULL);
  g_autofree guint8       *bytes = g_malloc0 (60000);
  g_autoptr (GError)       error = NULL;
  struct rlimit            before, limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (getrlimit (RLIMIT_FSIZE, &before) == 0);
  limit          = before;
  limit.rlim_cur = 50000;
  g_assert_true (setrlimit (RLIMIT_FSIZE, &limit) == 0);
  g_assert_true (wf_rank_file_write (file, 0, bytes, 50000, NULL));
  g_assert_false (wf_rank_file_write (file, 40000, bytes, 60000, &error));
  g_assert_error (error, G_FILE_ERROR, g_file_error_from_errno (EFBIG));
  g_assert_true (setrlimit (RLIMIT_FSIZE, &before) == 0);
  g_assert_true (wf_rank_file_close (file, NULL));
  wf_communicator_unref (ranks);
  g_unlink (path);
}

/* Of WfRankLinks: a file in memory, which is the state. */
static gpointer
open_bytes (gpointer     state,
            const char  *path,
            gboolean     writable,
            GError     **error)
{
  g_assert_cmpstr (path, ==, "no file of the system");
  g_assert_true (writable);
  return state;
}

static gboolean
read_bytes (gpointer   file,
            gint64     offset,
            gpointer   data,
            gsize      n,
            GError   **error)
{
  memcpy (data, (guint8 *) file + offset, n);
  return TRUE;
}

static gboolean
write_bytes (gpointer        file,
             gint64          offset,
             gconstpointer   data,
             gsize           n,
             GError        **error)
{
  memcpy ((guint8 *) file + offset, data, n);
  return TRUE;
}

static gboolean
close_bytes (gpointer   file,
             GError   **error)
{
  return TRUE;
}

static void
test_own_files (void)
{
  static const WfRankLinks links =
    {
      .size = sizeof links, .look = look, .free = end, .open_file = open_bytes,
      .read_file = read_bytes, .write_file = write_bytes, .close_file = close_bytes,
    };
  guint8             memory[100] = { 0 };
  guint8             found[20];
  WfCommunicator    *ranks       = wf_communicator_new (&links, memory, 0, 1);
  WfRankFile        *file        = wf_rank_file_open (ranks, "no file of the system", TRUE, NULL);
  g_autoptr (GError) error       = NULL;

  g_assert_true (wf_rank_file_write (file, 50, "twenty bytes of ranks", 20, &error));
  g_assert_cmpmem (memory + 50, 20, "twenty bytes of ranks", 20);
  g_assert_true (wf_rank_file_read (file, 50, found, 20, &error));
  g_assert_cmpmem (found, 20, "twenty bytes of ranks", 20);
  g_assert_true (wf_rank_file_close (file, &error));
  wf_communicator_unref (ranks);
}

/* What follows in the struct is not the library's to read. */
static void
test_older_links (void)
{
  WfRankLinks         links =
    {
      .size = G_STRUCT_OFFSET (WfRankLinks, open_file), .look = look, .free = end,
      .open_file = open_bytes, .read_file = read_bytes,
    };
  g_autofree char    *path  = make_file (g_get_tmp_dir (), 20);
  WfCommunicator     *ranks = wf_communicator_new (&links, NULL, 0, 1);
  WfRankFile         *file  = wf_rank_file_open (ranks, path, TRUE, NULL);
  g_autoptr (GError)  error = NULL;
  g_autofree char    *found = NULL;

  g_assert_true (wf_rank_file_write (file, 0, "twenty bytes of ranks", 20, &error));
  g_assert_true (wf_rank_file_close (file, &error));
  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpmem (found, 20, "twenty bytes of ranks", 20);
  wf_communicator_unref (ranks);
  g_unlink (path);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/rank-files/pieces", test_pieces);
  g_test_add_func ("/rank-files/limit", test_limit);
  g_test_add_func ("/rank-files/own", test_own_files);
  g_test_add_func ("/rank-files/older-links", test_older_links);
  return g_test_run ();
}
