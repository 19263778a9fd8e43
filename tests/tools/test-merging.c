/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed that merges its basins at once has the regions, and their table, that the
 * hierarchy has of the same relief and the basins in a file.
 */

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define WIDTH  31
#define HEIGHT 23
#define SHAPE  " --raw 31x23:u8 "

/* What is flooded, and how: the options of the watershed, the relief as a file, and what the
 * hierarchy needs to know.
 */
static const struct
{
  const char *flood;
  const char *relief;
  const char *merge;
} floods[] =
{
  { "", NULL, "" },
  { "--connectivity 4 --lines", NULL, "--connectivity 4" },
  { "--invert", NULL, "--invert" },
  { "--mask mask.raw --lines", NULL, "--mask mask.raw" },
  { "--smoothing 0.7", "gaussian levels.raw --sigma 0.7", "" },
  { "--gradient 1", "gradient levels.raw --radius 1", "" },
};

static const struct
{
  const char *merging;
  const char *cut;
} merges[] =
{
  { "--merge-depth 30", "--depth 30" },
  { "--merge-area 12", "--measure area --depth 12" },
  { "--merge-volume 200", "--measure volume --depth 200" },
  { "--merge-count 5", "--count 5" },
};

static void
write_inputs (Scratch *scratch)
{
  guint8 levels[HEIGHT][WIDTH];
  guint8 mask[HEIGHT][WIDTH];

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        levels[y][x] = (guint8) g_test_rand_int_range (0, 120);
        mask[y][x]   = (x / 7 + y / 9) % 3 != 2;
      }
  scratch_write (scratch, "levels.raw", levels, sizeof levels);
  scratch_write (scratch, "mask.raw", mask, sizeof mask);
}

static char *
read_table (Scratch    *scratch,
            const char *name)
{
  g_autofree char *path = scratch_path (scratch, name);
  char            *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_same (Scratch       *scratch,
           gconstpointer  data)
{
  const gsize size = WIDTH * HEIGHT * sizeof (guint32);

  write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (floods); i++)
    {
      const char *relief = floods[i].relief ? "relief.raw" : "levels.raw";

      if (floods[i].relief)
        succeed (scratch, "%s" SHAPE "-o relief.raw", floods[i].relief);
      succeed_counting (scratch, "watershed levels.raw" SHAPE "%s -o basins.raw",
                        floods[i].flood);
      for (guint k = 0; k < G_N_ELEMENTS (merges); k++)
        {
          g_autofree gpointer made   = NULL;
          g_autofree gpointer wanted = NULL;
          guint32             n      = succeed_counting (scratch, "hierarchy %s basins.raw" SHAPE
                                                         "%s %s -o wanted.raw", relief,
                                                         floods[i].merge, merges[k].cut);

          g_assert_cmpuint (succeed_counting (scratch, "watershed levels.raw" SHAPE "%s %s -o "
                                              "made.raw", floods[i].flood, merges[k].merging),
                            ==, n);
          made   = scratch_read (scratch, "made.raw", size);
          wanted = scratch_read (scratch, "wanted.raw", size);
          g_assert_cmpmem (made, size, wanted, size);
        }
    }
}

/* Limits and corrections are of the merged basins, and so is the table. */
static void
test_after_merging (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autofree char *made   = NULL;
  g_autofree char *wanted = NULL;
  const guint32    all    = (write_inputs (scratch),
                             succeed_counting (scratch, "watershed levels.raw" SHAPE
                                               "--merge-count 9 -o a.raw --table made.csv"));

  g_assert_cmpuint (all, ==, 9);
  succeed_counting (scratch, "watershed levels.raw" SHAPE "-o basins.raw");
  succeed_counting (scratch, "hierarchy levels.raw basins.raw" SHAPE "--count 9 -o b.raw "
                    "--table wanted.csv");
  made   = read_table (scratch, "made.csv");
  wanted = read_table (scratch, "wanted.csv");
  g_assert_cmpstr (made, ==, wanted);

  g_assert_cmpuint (succeed_counting (scratch, "watershed levels.raw" SHAPE "--merge-count 9 "
                                      "--min-area 1 --corrections '[{\"delete\": [[4, 4]]}]' -o "
                                      "a.raw"), ==, 8);
  g_assert_cmpuint (succeed_counting (scratch, "watershed levels.raw" SHAPE "--merge-count 1 "
                                      "--min-area %d -o a.raw", WIDTH * HEIGHT), ==, 1);
}

/* Distances inside of objects: what lies between them is merged with nothing. */
static void
test_objects (Scratch       *scratch,
              gconstpointer  data)
{
  static const guint8  two[]    = { 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1 };
  static const guint32 merged[] = { 1, 1, 1, 0, 2, 2, 2, 2, 2, 2, 2 };
  g_autofree gpointer  out      = NULL;

  scratch_write (scratch, "two.raw", two, sizeof two);
  g_assert_cmpuint (succeed_counting (scratch, "watershed two.raw --raw 11x1:u8 --input objects "
                                      "--tolerance 0 --merge-count 1 -o out.raw"), ==, 2);
  out = scratch_read (scratch, "out.raw", sizeof merged);
  g_assert_cmpmem (out, sizeof merged, merged, sizeof merged);
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  write_inputs (scratch);
  refuse (scratch, 2, "--merge-depth and --merge-count",
          "watershed levels.raw" SHAPE "--merge-count 5 --merge-depth 3 -o out.raw");
  refuse (scratch, 2, "--merge-area",
          "watershed levels.raw" SHAPE "--merge-area 5 --blocks auto -o out.raw");
  refuse (scratch, 2, "merge-count", "watershed levels.raw" SHAPE "--merge-count 0 -o out.raw");
  scratch_assert (scratch, "levels.raw mask.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/same", NULL, test_same);
  add_test ("/after-merging", NULL, test_after_merging);
  add_test ("/objects", NULL, test_objects);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
