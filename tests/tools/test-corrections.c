/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option --corrections of the hierarchy: regions that were merged are corrected, and numbered
 * again, in the result and in the table; and where it is refused.
 */

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define N     7
#define LINE  " --raw 7x1:u8 "
#define HERE  "hierarchy levels.raw labels.raw" LINE

static const guint8  levels[N] = { 0, 9, 1, 9, 2, 5, 3 };
static const guint32 labels[N] = { 1, 1, 2, 2, 3, 3, 4 };

static const struct
{
  const char *line;
  guint32     count;
  guint32     out[N];
} cases[] =
{
  { "--depth 5 -o out.raw", 3, { 1, 1, 2, 2, 3, 3, 3 } },
  { "--depth 0 --corrections '[{\"join\": [[0, 0], [2, 0]]}]' -o out.raw", 3,
    { 1, 1, 1, 1, 2, 2, 3 } },
  { "--depth 0 --corrections '[{\"delete\": [[2, 0]]}]' -o out.raw", 3,
    { 1, 1, 0, 0, 2, 2, 3 } },
  { "--depth 5 --corrections '[{\"join\": [[6, 0], [2, 0]]}]' -o out.raw", 2,
    { 1, 1, 2, 2, 2, 2, 2 } },
  { "--count 3 --corrections '[{\"delete\": [[6, 0]]}, {\"join\": [[0, 0], [3, 0]]}]' -o out.raw",
    1, { 1, 1, 1, 1, 0, 0, 0 } },
};

static void
write_inputs (Scratch *scratch)
{
  scratch_write (scratch, "levels.raw", levels, sizeof levels);
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
}

static void
test_regions (Scratch       *scratch,
              gconstpointer  data)
{
  write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gpointer out = NULL;

      g_assert_cmpuint (succeed_counting (scratch, HERE "%s", cases[i].line), ==, cases[i].count);
      out = scratch_read (scratch, "out.raw", sizeof cases[i].out);
      g_assert_cmpmem (out, sizeof cases[i].out, cases[i].out, sizeof cases[i].out);
    }
  scratch_assert (scratch, "labels.raw levels.raw out.raw");
}

/* The table has the regions that stay, with their numbers. */
static void
test_table (Scratch       *scratch,
            gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "table.csv");
  g_autofree char *text = NULL;

  write_inputs (scratch);
  succeed_counting (scratch, HERE "--depth 5 --corrections '[{\"delete\": [[2, 0]]}]' -o out.raw "
                    "--table table.csv");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\n1,2,"));
  g_assert_nonnull (strstr (text, "\n2,3,"));
  g_assert_null (strstr (text, "\n3,"));
}

/* What has no effect is reported. */
static void
test_no_effect (Scratch       *scratch,
                gconstpointer  data)
{
  g_autoptr (Run) result = NULL;

  write_inputs (scratch);
  result = run (scratch, HERE "--depth 5 --corrections '[{\"delete\": [[90, 0]]}]' -o out.raw");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_nonnull (strstr (result->err, "1 of 1 correction had no effect."));
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  write_inputs (scratch);
  refuse (scratch, 2, "--saliency", HERE "--saliency --corrections '[]' -o out.raw");
  refuse (scratch, 2, "corrections", HERE "--depth 1 --corrections '[{]' -o out.raw");
  refuse (scratch, 2, "--corrections",
          HERE "--depth 1 --corrections '[]' --blocks auto -o out.raw");
  scratch_assert (scratch, "labels.raw levels.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/regions", NULL, test_regions);
  add_test ("/table", NULL, test_table);
  add_test ("/no-effect", NULL, test_no_effect);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
