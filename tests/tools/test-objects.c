/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The limits of objects in the command watershed: labels, count and table; refusals. */

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define RAW     " --raw 9x5:u8 "
#define OBJECTS "watershed in.raw" RAW "--input objects --threshold 5 "

/* One at the left edge, a square, a bright point. */
static const guint8 levels[45] = { 0, 0, 0,  0,  0,  0, 0, 0,   0,
                                   9, 0, 20, 20, 20, 0, 0, 0,   0,
                                   9, 0, 20, 20, 20, 0, 0, 200, 0,
                                   0, 0, 20, 20, 20, 0, 0, 0,   0,
                                   0, 0, 0,  0,  0,  0, 0, 0,   0 };

/* Of the edge, the square and the point. */
static const struct
{
  const char *limits;
  guint32     labels[3];
} cases[] =
{
  { "", { 1, 2, 3 } },
  { "--min-area 1", { 1, 2, 3 } },
  { "--min-area 2", { 1, 2, 0 } },
  { "--max-area 8.5", { 1, 0, 2 } },
  { "--min-area 2 --max-area 2", { 1, 0, 0 } },
  { "--inside", { 0, 1, 2 } },
  { "--min-mean 20", { 0, 1, 2 } },
  { "--max-mean 9", { 1, 0, 0 } },
  { "--min-mean 20 --max-mean 20 --inside", { 0, 1, 0 } },
  { "--min-area 100", { 0, 0, 0 } },
  { "--max-circularity 0", { 0, 0, 0 } },
};

static guint32
expected_label (const guint32 *labels,
                guint          i)
{
  return levels[i] == 9 ? labels[0] : levels[i] == 20 ? labels[1] : levels[i] ? labels[2] : 0;
}

static void
test_limits (Scratch       *scratch,
             gconstpointer  data)
{
  scratch_write (scratch, "in.raw", levels, sizeof levels);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint32      *labels = cases[i].labels;
      const guint32       count  = (labels[0] > 0) + (labels[1] > 0) + (labels[2] > 0);
      g_autofree guint32 *out    = NULL;
      g_autofree char    *path   = NULL;
      g_autofree char    *table  = NULL;
      guint               lines  = 0;

      g_assert_cmpuint (succeed_counting (scratch, OBJECTS "%s -o out.raw --table t.csv",
                                          cases[i].limits), ==, count);
      out = scratch_read (scratch, "out.raw", sizeof *out * G_N_ELEMENTS (levels));
      for (guint p = 0; p < G_N_ELEMENTS (levels); p++)
        g_assert_cmpuint (out[p], ==, expected_label (labels, p));
      path = scratch_path (scratch, "t.csv");
      g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
      for (const char *c = table; *c; c++)
        lines += *c == '\n';
      g_assert_cmpuint (lines, ==, count + 1);
      for (guint k = 1; k <= count; k++)
        {
          g_autofree char *begin = g_strdup_printf ("\n%u,", k);

          g_assert_nonnull (strstr (table, begin));
        }
    }
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  scratch_write (scratch, "in.raw", levels, sizeof levels);
  refuse (scratch, 2, "min-area", OBJECTS "--min-area -1 -o out.raw");
  refuse (scratch, 2, "--min-area", "watershed in.raw" RAW "--min-area 3 --blocks auto -o out.raw");
  refuse (scratch, 2, "--inside", "watershed in.raw" RAW "--inside --blocks auto -o out.raw");
  scratch_write (scratch, "stack.raw", levels, sizeof levels);
  refuse (scratch, 1, "circularity",
          "watershed stack.raw --raw 3x5x3:u8 --min-circularity 0.5 -o out.raw");
  scratch_assert (scratch, "in.raw stack.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/limits", NULL, test_limits);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
