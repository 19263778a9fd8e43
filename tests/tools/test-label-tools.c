/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The commands for labels: results, counts, and what they refuse. */

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define RAW " --raw 5x3:u8 "

static const guint32 labels[15] = { 7, 7, 0, 300, 300,
                                    7, 7, 0, 300, 300,
                                    0, 0, 0, 0,   70000 };

static const struct
{
  const char *line;
  guint32     count;
  guint32     out[15];
} cases[] =
{
  { "remove-small labels.raw" RAW "--area 2 -o out.raw", 2,
    { 7, 7, 0, 300, 300, 7, 7, 0, 300, 300, 0, 0, 0, 0, 0 } },
  { "remove-small labels.raw" RAW "--area 4.5 -o out.raw", 0, { 0 } },
  { "keep-largest labels.raw" RAW "-o out.raw", 1,
    { 7, 7, 0, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0 } },
  { "keep-largest labels.raw" RAW "--count 2 -o out.raw", 2,
    { 7, 7, 0, 300, 300, 7, 7, 0, 300, 300, 0, 0, 0, 0, 0 } },
  { "expand-labels labels.raw" RAW "--distance 1 -o out.raw", 3,
    { 7, 7, 7, 300, 300, 7, 7, 7, 300, 300, 7, 7, 0, 300, 70000 } },
  { "expand-labels labels.raw" RAW "-o out.raw", 3,
    { 7, 7, 7, 300, 300, 7, 7, 7, 300, 300, 7, 7, 7, 300, 70000 } },
  { "relabel labels.raw" RAW "-o out.raw", 3,
    { 1, 1, 0, 2, 2, 1, 1, 0, 2, 2, 0, 0, 0, 0, 3 } },
};

static void
test_results (Scratch       *scratch,
              gconstpointer  data)
{
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gpointer out = NULL;

      g_assert_cmpuint (succeed_counting (scratch, "%s", cases[i].line), ==, cases[i].count);
      out = scratch_read (scratch, "out.raw", sizeof labels);
      g_assert_cmpmem (out, sizeof labels, cases[i].out, sizeof labels);
    }
  scratch_assert (scratch, "labels.raw out.raw");
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  refuse (scratch, 2, "--area", "remove-small labels.raw" RAW "-o out.raw");
  refuse (scratch, 2, "area", "remove-small labels.raw" RAW "--area -1 -o out.raw");
  refuse (scratch, 2, "count", "keep-largest labels.raw" RAW "--count 0 -o out.raw");
  refuse (scratch, 2, "distance", "expand-labels labels.raw" RAW "--distance far -o out.raw");
  refuse (scratch, 2, "output", "relabel labels.raw" RAW);
  refuse (scratch, 2, "input", "relabel -o out.raw");
  refuse (scratch, 2, "--area", "relabel labels.raw" RAW "--area 3 -o out.raw");
  refuse (scratch, 2, "--stain", "relabel labels.raw" RAW "--stain dab -o out.raw");
  refuse (scratch, 2, "--stain", "outlines labels.raw" RAW "--stain dab -o out.geojson");
  refuse (scratch, 1, "gone.raw", "relabel gone.raw" RAW "-o out.raw");
  refuse (scratch, 1, "labels.pfm", "relabel labels.pfm -o out.raw");
  scratch_assert (scratch, "labels.raw");
}

static void
test_stats (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Run) result = NULL;

  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  result = run (scratch, "relabel labels.raw" RAW "-o out.raw --stats");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_nonnull (strstr (result->out, "\"operation\":\"relabel\""));
  g_assert_nonnull (strstr (result->out, "\"regions\":3"));
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/results", NULL, test_results);
  add_test ("/refusals", NULL, test_refusals);
  add_test ("/stats", NULL, test_stats);
  return run_tests (argc, argv);
}
