/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies of basins, and tables of basins and components, in blocks against the same command
 * with the whole image in memory.
 */

#include "config.h"

#include <string.h>

#include "block-files.h"
#include "tests/support/tiers.h"

#define FLAT  "--raw 120x2000:u8"
#define STACK "--raw 10x12x2000:u8"

/**
 * Work:
 * @line: with files and options
 * @limit: of memory, for several blocks; %NULL: that of most
 */
typedef struct
{
  const char *line;
  const char *limit;
} Work;

static const Work works[] =
{
  { "hierarchy in.raw lines.raw " FLAT " --count 40",                                   NULL },
  { "hierarchy in.raw lines.raw " FLAT " --depth 9 --invert",                           NULL },
  { "hierarchy in.raw basins.raw " FLAT " --measure volume --saliency",                 NULL },
  { "hierarchy in.raw basins.raw " FLAT " --measure area --depth 50 --connectivity 4",  NULL },
  { "hierarchy in.raw lines.raw " FLAT " --measure volume --count 9 --invert",          NULL },
  { "hierarchy in.raw stack.raw " STACK " --count 30",                                  NULL },
  { "hierarchy in.raw stack.raw " STACK " --saliency --measure area",                   NULL },
  { "watershed in.raw " FLAT " --lines",                                                NULL },
  { "watershed in.raw " FLAT " --smoothing 1 --gradient 1",                             NULL },
  { "watershed in.raw " FLAT " --tolerance 9 --smoothing 0.8",                          NULL },
  { "watershed in.raw " STACK " --connectivity 6",                                      NULL },
  { "watershed in.raw " FLAT " --markers seeds.raw --lines",                            NULL },
  { "watershed in.raw " FLAT " --invert --smoothing 0.8",                               NULL },
  { "watershed in.raw " FLAT " --input objects --threshold otsu --lines",               NULL },
  { "watershed in.raw " FLAT " --input objects --threshold 120 --markers seeds.raw",    NULL },
  { "label in.raw " FLAT " --threshold 140",                                            NULL },
  { "label in.raw " STACK " --threshold otsu --invert",                                 NULL },
};


/* Basins some pixels wide. */
static void
write_inputs (const Scratch *scratch)
{
  g_autofree guint8  *levels = make_spots (120, 2000);
  g_autofree guint32 *seeds  = g_new0 (guint32, 120 * 2000);
  g_autoptr (Run)     smooth = NULL;

  for (guint32 p = 50; p < 120 * 2000; p += 1777)
    seeds[p] = GUINT32_TO_LE (p << 12);
  scratch_write (scratch, "spots.raw", levels, 120 * 2000);
  smooth = run (scratch, "gaussian spots.raw " FLAT " --sigma 3 -o in.raw");
  assert_success (smooth);
  scratch_write (scratch, "seeds.raw", seeds, 120 * 2000 * sizeof *seeds);
  succeed_counting (scratch, "watershed in.raw " FLAT " -o basins.raw");
  succeed_counting (scratch, "watershed in.raw " FLAT " --lines -o lines.raw");
  succeed_counting (scratch, "watershed in.raw " STACK " --lines -o stack.raw");
}

/* It may say which threshold was found. */
static void
check_done (const Run  *done,
            const Work *work)
{
  g_test_message ("%s: %s%s", work->line, done->err, done->out);
  g_assert_cmpint (done->status, ==, 0);
}

/* Result, table and number of regions. */
static void
test_raw (Scratch       *scratch,
          gconstpointer  data)
{
  const Work *work = data;

  write_inputs (scratch);
  {
    g_autoptr (Run) whole  = run (scratch, "%s -o whole.raw --table whole.csv --stats", work->line);
    g_autoptr (Run) blocks = run (scratch, "%s -o out.raw --table out.csv --stats --threads 2 "
                                           "--memory-limit %s --blocks auto", work->line,
                                  work->limit ? work->limit : "1400K");
    g_autoptr (Run) alone  = run (scratch, "%s -o alone.raw --blocks auto", work->line);

    check_done (whole, work);
    check_done (blocks, work);
    check_done (alone, work);
    g_assert_cmpfloat (find_number (blocks, "blocks"), >, 1);
    assert_same_files (scratch, "out.raw", "whole.raw");
    assert_same_files (scratch, "alone.raw", "whole.raw");
    assert_same_files (scratch, "out.csv", "whole.csv");
  }
  {
    g_autoptr (Run) blocks = run (scratch, "%s -o out.raw --table - --blocks auto", work->line);
    g_autoptr (Run) table  = run (scratch, "%s -o out.raw --table -", work->line);

    g_assert_cmpint (blocks->status, ==, 0);
    g_assert_cmpstr (blocks->out, ==, table->out);
    g_assert_cmpstr (blocks->err, ==, table->err);
  }
}

#ifdef HAVE_VIPS
/* TIFF is not read back: the result is measured before it is copied. */
static void
test_tiff (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const lines[] =
  {
    "hierarchy in.raw lines.raw " FLAT " --count 40",
    "watershed in.raw " FLAT " --smoothing 1 --tolerance 3",
    "label in.raw " STACK " --threshold 120",
  };
  g_autoptr (Run) done = NULL;

  write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const int n = 120 * 2000;

      succeed_counting (scratch, "%s -o whole.raw --table whole.csv", lines[i]);
      succeed_counting (scratch, "%s -o out.tif --table out.csv --blocks auto --memory-limit 12M",
                        lines[i]);
      assert_same_pixels (scratch, "out.tif", "whole.raw", "u32", n);
      assert_same_files (scratch, "out.csv", "whole.csv");
    }

  /* from TIFF in tiles and in strips */
  succeed_counting (scratch, "hierarchy in.raw lines.raw " FLAT " --count 40 -o whole.raw");
  succeed_counting (scratch, "watershed in.raw " FLAT " --lines -o lines.tif --blocks auto "
                             "--overviews no");
  done = run (scratch, "gaussian in.raw " FLAT " --sigma 0 -o in.tif --blocks auto --overviews no");
  assert_success (done);
  succeed_counting (scratch, "hierarchy in.tif lines.tif --count 40 -o out.raw --blocks auto "
                             "--memory-limit 6M");
  assert_same_files (scratch, "out.raw", "whole.raw");
}
#endif

/* It is done in blocks unasked where the limit is too low for the whole, and refused where it is
 * too low for the basins.
 */
static void
test_limits (Scratch       *scratch,
             gconstpointer  data)
{
  const char      *line = "hierarchy in.raw few.raw " FLAT " --count 4";
  g_autoptr (Run)  done = NULL;

  write_inputs (scratch);
  succeed_counting (scratch, "watershed in.raw " FLAT " --tolerance 60 -o few.raw");
  succeed_counting (scratch, "%s -o whole.raw", line);
  done = run (scratch, "%s -o out.raw --memory-limit 2M --stats", line);
  assert_success (done);
  g_assert_cmpfloat (find_number (done, "blocks"), ==, 1);
  assert_same_files (scratch, "out.raw", "whole.raw");
  scratch_remove (scratch, "out.raw");
  refuse (scratch, 1, "of memory", "%s -o out.raw --memory-limit 60K --blocks auto", line);
  refuse (scratch, 2, "exactly one of", "hierarchy in.raw lines.raw " FLAT
                                        " -o out.raw --blocks auto");
  refuse (scratch, 1, "too short", "hierarchy in.raw lines.raw --raw 120x2001:u8 --count 3 "
                                   "-o out.raw --blocks auto");
  refuse (scratch, 1, "whole.raw/t.csv", "%s -o out.raw --table whole.raw/t.csv --blocks auto",
          line);
}

static void
test_no_basins (Scratch       *scratch,
                gconstpointer  data)
{
  static const guint32 none[40] = { 0 };
  const guint8         levels[40] = { 3, 2, 1 };

  scratch_write (scratch, "in.raw", levels, sizeof levels);
  scratch_write (scratch, "none.raw", none, sizeof none);
  refuse (scratch, 1, "no basins", "hierarchy in.raw none.raw --raw 8x5:u8 --count 2 -o out.raw "
                                   "--table t.csv --blocks auto");
  scratch_assert (scratch, "in.raw none.raw");
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
#ifdef HAVE_VIPS
  if (VIPS_INIT (argv[0]) != 0)
    g_error ("libvips does not start.");
  vips_cache_set_max (0);
#endif
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autofree char *path = g_strdup_printf ("/raw/%u", i);

      add_test (path, &works[i], test_raw);
    }
#ifdef HAVE_VIPS
  add_test ("/tiff", NULL, test_tiff);
#endif
  add_test ("/limits", NULL, test_limits);
  add_test ("/no-basins", NULL, test_no_basins);
  return run_tests (argc, argv);
}
