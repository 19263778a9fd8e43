/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command geodesic-distance, and the option --compactness of watershed. */

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define RAW " --raw 4x3:u8 "

/* A wall with a gap below. */
static const guint8 mask[12]    = { 9, 9, 0, 9,
                                    9, 9, 0, 9,
                                    9, 9, 9, 9 };
static const guint8 markers[12] = { 0, 1, 0, 0,
                                    0, 0, 0, 0,
                                    0, 0, 0, 0 };
static const guint8 costs[12]   = { 1, 1, 1, 1,
                                    1, 1, 1, 1,
                                    1, 1, 5, 1 };

static const struct
{
  const char *line;
  float       out[12];
} cases[] =
{
  { "geodesic-distance mask.raw markers.raw" RAW "--metric city-block -o out.raw",
    { 1, 0, INFINITY, 6, 2, 1, INFINITY, 5, 3, 2, 3, 4 } },
  { "geodesic-distance mask.raw markers.raw" RAW "--metric chessboard -o out.raw",
    { 1, 0, INFINITY, 4, 1, 1, INFINITY, 3, 2, 2, 2, 3 } },
  { "geodesic-distance mask.raw markers.raw" RAW "--metric city-block --costs costs.raw -o out.raw",
    { 1, 0, INFINITY, 10, 2, 1, INFINITY, 9, 3, 2, 5, 8 } },
  { "geodesic-distance mask.raw markers.raw" RAW "--threshold 9 -o out.raw",
    { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
      INFINITY, INFINITY, INFINITY } },
};

static void
write_inputs (Scratch *scratch)
{
  scratch_write (scratch, "mask.raw", mask, sizeof mask);
  scratch_write (scratch, "markers.raw", markers, sizeof markers);
  scratch_write (scratch, "costs.raw", costs, sizeof costs);
}

static void
test_results (Scratch       *scratch,
              gconstpointer  data)
{
  write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gpointer out = NULL;

      succeed (scratch, "%s", cases[i].line);
      out = scratch_read (scratch, "out.raw", sizeof cases[i].out);
      g_assert_cmpmem (out, sizeof cases[i].out, cases[i].out, sizeof cases[i].out);
    }
}

static void
test_compact (Scratch       *scratch,
              gconstpointer  data)
{
  static const guint32 seeds[12]    = { 70000 };
  static const guint32 expected[12] = { 70000, 70000, 70000, 70000, 70000, 70000,
                                        70000, 70000, 70000, 70000, 70000, 70000 };
  g_autofree gpointer  out          = NULL;

  write_inputs (scratch);
  scratch_write (scratch, "seeds.raw", seeds, sizeof seeds);
  g_assert_cmpuint (succeed_counting (scratch, "watershed costs.raw" RAW
                                      "--markers seeds.raw --compactness 3 -o out.raw"), ==, 1);
  out = scratch_read (scratch, "out.raw", sizeof expected);
  g_assert_cmpmem (out, sizeof expected, expected, sizeof expected);
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  write_inputs (scratch);
  refuse (scratch, 2, "MARKERS", "geodesic-distance mask.raw" RAW "-o out.raw");
  refuse (scratch, 2, "metric", "geodesic-distance mask.raw markers.raw" RAW
          "--metric straight -o out.raw");
  refuse (scratch, 1, "gone.raw", "geodesic-distance mask.raw markers.raw" RAW
          "--costs gone.raw -o out.raw");
  refuse (scratch, 2, "--compactness", "watershed mask.raw" RAW "--compactness 2 -o out.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/results", NULL, test_results);
  add_test ("/compact", NULL, test_compact);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
