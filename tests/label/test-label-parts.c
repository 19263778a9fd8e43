/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels of rows written in parts: the same as those of whole rows, and nothing outside a part. */

#include "config.h"

#include <string.h>

#include "engine/core/run.h"
#include "engine/label/cpu/runs.h"
#include "tests/support/tiers.h"

#define UNWRITTEN 0xdeadbeefu

/* Long and short runs, by rows. */
static void
set_random_bits (WfRuns *runs)
{
  for (gint64 row = 0; row < runs->n_rows; row++)
    {
      guint64   *bits   = wf_runs_row (runs, row);
      const int  chance = 1 << g_test_rand_int_range (0, 9);
      gboolean   inside = FALSE;

      memset (bits, 0, runs->n_words * sizeof *bits);
      for (gint64 x = 0; x < runs->shape.width; x++)
        {
          inside ^= g_test_rand_int_range (0, chance) == 0;
          if (inside)
            bits[x / WF_BITS_A_WORD] |= G_GUINT64_CONSTANT (1) << x % WF_BITS_A_WORD;
        }
      wf_runs_count_row (runs, row);
    }
}

static void
check_row (const WfRuns *runs,
           gint64        row)
{
  const gint64         width = runs->shape.width;
  g_autofree guint32  *whole = g_new (guint32, width);
  g_autofree guint32  *parts = g_new (guint32, width);
  gint64               end;

  for (gint64 x = 0; x < width; x++)
    parts[x] = UNWRITTEN;
  wf_runs_fill_row (runs, row, whole);
  for (gint64 start = 0; start < width; start = end)
    {
      end = start + g_test_rand_int_range (1, 4) * WF_BITS_A_WORD;
      end = MIN (end, width);
      wf_runs_fill_part (runs, row, start, end, parts);
      for (gint64 x = end; x < width; x++)
        g_assert_cmpuint (parts[x], ==, UNWRITTEN);
    }
  g_assert_cmpmem (whole, width * sizeof *whole, parts, width * sizeof *parts);
}

static void
check_image (guint n_threads)
{
  const WfShape shape = { g_test_rand_int_range (1, 700), g_test_rand_int_range (1, 20), 1 };
  WfRuns        runs  = { 0 };
  WfRun         run;
  guint32       n;

  wf_run_init (&run, NULL, NULL, NULL, 0);
  run.n_threads = n_threads;
  g_assert_true (wf_runs_init (&runs, &shape, 8, &run, NULL));
  set_random_bits (&runs);
  wf_run_begin (&run, 1.0, 3 * shape.width * shape.height);
  g_assert_true (wf_runs_connect (&runs, &run, &n, NULL));
  for (gint64 row = 0; row < runs.n_rows; row++)
    check_row (&runs, row);
  wf_runs_clear (&runs);
}

static void
test_parts (void)
{
  for (int i = 0; i < 200; i++)
    check_image (1 + i % 3);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/label-parts/random", test_parts);

  return g_test_run ();
}
