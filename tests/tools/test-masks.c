/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option --mask of watershed and hierarchy, from file to file. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define RAW " --raw 4x3:u8 "

/* A wall, and one side of it has a marker. */
static const guint8 levels[12]  = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 1 };
static const guint8 divided[12] = { 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1 };


/*  Watershed  */

static void
write_wall (const Scratch *scratch)
{
  static const guint32 seeds[12] = { 70000 };

  scratch_write (scratch, "in.raw", levels, sizeof levels);
  scratch_write (scratch, "divided.raw", divided, sizeof divided);
  scratch_write (scratch, "seeds.raw", seeds, sizeof seeds);
}

static void
test_watershed (Scratch       *scratch,
                gconstpointer  data)
{
  static const guint32 expected[12] = { 70000, 70000, 0, 0, 70000, 70000, 0, 0, 70000, 70000 };
  g_autofree gpointer  out          = NULL;

  write_wall (scratch);
  g_assert_cmpuint (succeed_counting (scratch, "watershed in.raw" RAW
                                      "--mask divided.raw --markers seeds.raw -o out.raw"), ==, 1);
  out = scratch_read (scratch, "out.raw", sizeof expected);
  g_assert_cmpmem (out, sizeof expected, expected, sizeof expected);
  g_assert_cmpuint (succeed_counting (scratch, "watershed in.raw" RAW
                                      "--mask divided.raw -o out.raw"), ==, 2);
}

/* Bright regions are the basins of the inverted image, and nothing else changes. */
static void
test_inverted (Scratch       *scratch,
               gconstpointer  data)
{
  static const char * const options[] = { "", "--lines", "--tolerance 20", "--connectivity 4",
                                          "--markers seeds.raw" };
  g_autoptr (Pixels)        image     = pixels_random ("u8", 23, 17, 1, 60);
  g_autoptr (Pixels)        mask      = pixels_random ("u8", 23, 17, 1, 4);
  g_autoptr (Pixels)        seeds     = pixels_random ("u32", 23, 17, 1, 30);

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "mask.raw", mask);
  pixels_write (scratch, "seeds.raw", seeds);
  for (gint64 p = 0; p < image->n; p++)
    image->values[p] = 255 - image->values[p];
  pixels_write (scratch, "bright.raw", image);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const gsize          n        = (gsize) image->n * sizeof (guint32);
      g_autofree gpointer  found    = NULL;
      g_autofree gpointer  expected = NULL;

      g_assert_cmpuint (succeed_counting (scratch, "watershed in.raw --raw 23x17:u8 --invert "
                                          "--mask mask.raw %s -o out.raw", options[i]), ==,
                        succeed_counting (scratch, "watershed bright.raw --raw 23x17:u8 "
                                          "--mask mask.raw %s -o other.raw", options[i]));
      found    = scratch_read (scratch, "out.raw", n);
      expected = scratch_read (scratch, "other.raw", n);
      g_assert_cmpmem (found, n, expected, n);
    }
}

/* What is flooded is that inside a mask of the same pixels, on either side of the threshold. */
static void
test_background (Scratch       *scratch,
                 gconstpointer  data)
{
  static const char * const options[] = { "", "--lines", "--tolerance 20", "--invert",
                                          "--input gradient --connectivity 4", "--merge-count 5",
                                          "--markers seeds.raw", "--min-area 9" };
  g_autoptr (Pixels)        image     = pixels_random ("u8", 23, 17, 1, 60);
  g_autoptr (Pixels)        seeds     = pixels_random ("u32", 23, 17, 1, 30);

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "seeds.raw", seeds);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (options); i++)
    {
      const gboolean       dark     = i % 2;
      const char          *more     = options[i / 2];
      const gsize          n        = (gsize) image->n * sizeof (guint32);
      g_autofree gpointer  found    = NULL;
      g_autofree gpointer  expected = NULL;

      succeed (scratch, "threshold in.raw --raw 23x17:u8 --threshold 25 %s -o mask.raw",
               dark ? "" : "--below");
      g_assert_cmpuint (succeed_counting (scratch, "watershed in.raw --raw 23x17:u8 %s "
                                          "--background %s --threshold 25 -o out.raw", more,
                                          dark ? "dark" : "bright"), ==,
                        succeed_counting (scratch, "watershed in.raw --raw 23x17:u8 %s "
                                          "--mask mask.raw -o other.raw", more));
      found    = scratch_read (scratch, "out.raw", n);
      expected = scratch_read (scratch, "other.raw", n);
      g_assert_cmpmem (found, n, expected, n);
    }
}


/*  Hierarchy  */

typedef struct
{
  const char *name;
  const char *type;
  const char *mask_type;
  gint64      size[3];
  const char *options;
  RefMeasure  measure;
  int         connectivity;
  int         share;       /* one pixel of this many is outside, but the first; 0: none */
  const char *flood;       /* options of the watershed that makes the labels */
} Case;

static const Case cases[] =
{
  { "u8",       "u8",  "u8",  { 33, 27, 1 }, "",                    REF_DYNAMICS, 8,  3, "" },
  { "u16",      "u16", "u32", { 33, 27, 1 }, "--measure area",      REF_AREA,     8,  2, "" },
  { "f32",      "f32", "u16", { 33, 27, 1 }, "--measure volume",    REF_VOLUME,   8,  3, "" },
  { "lines",    "u8",  "u8",  { 33, 27, 1 }, "--connectivity 4",    REF_DYNAMICS, 4,  9,
    "--lines --connectivity 4" },
  { "stack",    "u8",  "u16", { 9, 8, 7 },   "",                    REF_DYNAMICS, 26, 2,
    "--lines" },
  { "stack-6",  "u16", "u8",  { 9, 8, 7 },   "--connectivity 6",    REF_DYNAMICS, 6,  3,
    "--connectivity 6" },
  { "all",      "u8",  "u8",  { 33, 27, 1 }, "",                    REF_DYNAMICS, 8,  0,
    "--lines" },
  { "one",      "f32", "u8",  { 33, 27, 1 }, "",                    REF_DYNAMICS, 8,  1, "" },
};

/**
 * Inputs:
 * @inside: of each pixel, whether it is inside the mask
 * @labels: the basins inside, 0 outside
 */
typedef struct
{
  Pixels       *image;
  char         *spec;
  gboolean     *inside;
  guint32      *labels;
  RefHierarchy *expected;
} Inputs;

static void
inputs_clear (Inputs *inputs)
{
  pixels_free (inputs->image);
  g_free (inputs->spec);
  g_free (inputs->inside);
  g_free (inputs->labels);
  ref_hierarchy_free (inputs->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Inputs, inputs_clear)

static void
make_mask (const Scratch *scratch,
           const Case    *item,
           Inputs        *inputs)
{
  g_autoptr (Pixels) mask = pixels_new (item->mask_type, item->size[0], item->size[1],
                                        item->size[2]);

  inputs->inside = g_new (gboolean, mask->n);
  for (gint64 p = 0; p < mask->n; p++)
    {
      inputs->inside[p] = p == 0 || item->share == 0 ||
                          g_test_rand_int_range (0, item->share) > 0;
      mask->values[p]   = inputs->inside[p] ? g_test_rand_int_range (1, 200) : 0;
    }
  pixels_write (scratch, "mask.raw", mask);
}

/* The basins are those of the whole image, so that labels and lines are outside, too. */
static void
make_inputs (const Scratch *scratch,
             const Case    *item,
             Inputs        *inputs)
{
  g_autoptr (Pixels) basins = NULL;

  inputs->image = pixels_random (item->type, item->size[0], item->size[1], item->size[2], 101);
  inputs->spec  = pixels_spec (inputs->image);
  pixels_write (scratch, "in.raw", inputs->image);
  make_mask (scratch, item, inputs);
  succeed_counting (scratch, "watershed in.raw --raw %s -o labels.raw %s", inputs->spec,
                    item->flood);
  basins         = pixels_read (scratch, "labels.raw", "u32", &inputs->image->size);
  inputs->labels = g_new (guint32, basins->n);
  for (gint64 p = 0; p < basins->n; p++)
    inputs->labels[p] = inputs->inside[p] ? (guint32) basins->values[p] : 0;
  ref_limit (inputs->inside);
  inputs->expected = ref_hierarchy_new (&inputs->image->size, item->connectivity, item->measure,
                                        inputs->image->values, inputs->labels);
  ref_limit (NULL);
}

/* Writes what @cut, with @n_merges, leaves; returns what the command says on standard error. */
static char *
check_partition (const Scratch *scratch,
                 const Case    *item,
                 const Inputs  *inputs,
                 const char    *cut,
                 guint32        n_merges)
{
  const gint64          n       = inputs->image->n;
  const RefHierarchy   *tree    = inputs->expected;
  g_autofree guint32   *regions = g_new (guint32, tree->n_basins);
  g_autofree guint32   *wanted  = g_new (guint32, n);
  g_autofree gpointer   found   = NULL;
  g_autoptr (Run)       done    = NULL;
  guint32               n_left;

  ref_limit (inputs->inside);
  n_left = ref_hierarchy_cut (tree, MIN (n_merges, tree->n_basins - tree->n_parts), regions);
  ref_hierarchy_relabel (tree, regions, inputs->labels, wanted);
  ref_limit (NULL);
  done = run (scratch, "hierarchy in.raw labels.raw --raw %s --mask mask.raw -o out.raw %s %s",
              inputs->spec, cut, item->options);
  g_assert_cmpint (done->status, ==, 0);
  g_assert_cmpuint (g_ascii_strtoull (done->out, NULL, 10), ==, n_left);
  found = scratch_read (scratch, "out.raw", (gsize) n * sizeof (guint32));
  g_assert_cmpmem (found, n * sizeof (guint32), wanted, n * sizeof (guint32));
  return g_strdup (done->err);
}

/* More regions than asked for are left only where there are more parts; the command says so. */
static void
check_count (const Scratch *scratch,
             const Case    *item,
             const Inputs  *inputs,
             guint32        count)
{
  const RefHierarchy *tree  = inputs->expected;
  g_autofree char    *cut   = g_strdup_printf ("--count %u", count);
  g_autofree char    *said  = check_partition (scratch, item, inputs, cut,
                                               tree->n_basins - MIN (count, tree->n_basins));
  g_autofree char    *parts = g_strdup_printf ("--count %u: %u ", count, tree->n_parts);

  if (count >= tree->n_parts)
    g_assert_cmpstr (said, ==, "");
  else
    {
      g_assert_nonnull (strstr (said, parts));
      assert_message (said, "mask.raw");
    }
}

static void
check_saliency (const Scratch *scratch,
                const Case    *item,
                const Inputs  *inputs)
{
  g_autofree double  *wanted = g_new (double, inputs->image->n);
  g_autoptr (Pixels)  found  = NULL;

  ref_limit (inputs->inside);
  ref_hierarchy_saliency (inputs->expected, inputs->labels, wanted);
  ref_limit (NULL);
  for (gint64 p = 0; p < inputs->image->n; p++)
    {
      float above = (float) wanted[p];

      wanted[p] = above < wanted[p] ? nextafterf (above, INFINITY) : above;
    }
  g_assert_cmpuint (succeed_counting (scratch, "hierarchy in.raw labels.raw --raw %s "
                                      "--mask mask.raw -o map.raw --saliency %s", inputs->spec,
                                      item->options), ==, inputs->expected->n_basins);
  found = pixels_read (scratch, "map.raw", "f32", &inputs->image->size);
  pixels_assert_equal (found, wanted);
}

/* One that occurs, as a float where the command takes floats; or more than all inside. */
static double
random_depth (const Case         *item,
              const RefHierarchy *tree)
{
  const double depth = tree->n_basins > 1
                       ? tree->depths[g_test_rand_int_range (0, (gint32) tree->n_basins - 1)] : 7;

  if (isinf (depth))
    return 1e30;
  return strcmp (item->type, "f32") == 0 && item->measure != REF_AREA ? (float) depth : depth;
}

static void
test_hierarchy (Scratch       *scratch,
                gconstpointer  data)
{
  const Case      *item   = data;
  g_auto (Inputs)  inputs = { 0 };
  guint32          n;

  make_inputs (scratch, item, &inputs);
  n = inputs.expected->n_basins;
  check_count (scratch, item, &inputs, 1);
  check_count (scratch, item, &inputs, inputs.expected->n_parts);
  check_count (scratch, item, &inputs, g_test_rand_int_range (1, (gint32) n + 2));
  for (int i = 0; i < 3; i++)
    {
      const double     depth    = random_depth (item, inputs.expected);
      g_autofree char *cut      = g_strdup_printf ("--depth %.17g", depth);
      g_autofree char *said     = NULL;
      guint32          n_merges = 0;

      while (n_merges + 1 < n && inputs.expected->depths[n_merges] <= depth)
        n_merges++;
      said = check_partition (scratch, item, &inputs, cut, n_merges);
      g_assert_cmpstr (said, ==, "");
    }
  check_saliency (scratch, item, &inputs);
}

/* The labels are those of the watershed inside the same mask. */
static void
test_both (Scratch       *scratch,
           gconstpointer  data)
{
  static const guint32 expected[12] = { 1, 1, 0, 2, 1, 1, 0, 2, 1, 1, 0, 2 };
  g_autofree gpointer  out          = NULL;
  g_autoptr (Run)      done         = NULL;

  write_wall (scratch);
  succeed_counting (scratch, "watershed in.raw" RAW "--mask divided.raw -o labels.raw");
  done = run (scratch, "hierarchy in.raw labels.raw" RAW "--mask divided.raw --count 1 --invert "
              "-o out.raw");
  g_assert_cmpstr (done->out, ==, "2\n");
  assert_message (done->err, "divided.raw");
  out = scratch_read (scratch, "out.raw", sizeof expected);
  g_assert_cmpmem (out, sizeof expected, expected, sizeof expected);
}


/*  Tables  */

#define NAMES "index,area,centroid_x,centroid_y,left,top,width,height,minimum,mean,depth\n"

static void
assert_table (const Scratch *scratch,
              const char    *lines)
{
  g_autofree char *path     = scratch_path (scratch, "t.csv");
  g_autofree char *text     = NULL;
  g_autofree char *expected = g_strconcat (NAMES, lines, NULL);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* Water stays in its part of the mask: the deepest basin of each has no depth. */
static void
test_tables (Scratch       *scratch,
             gconstpointer  data)
{
  static const guint8  valleys[14] = { 1, 2, 9, 4, 3, 6, 2,
                                       2, 3, 7, 5, 4, 6, 5 };
  static const guint8  gap[14]     = { 1, 1, 0, 1, 1, 1, 1,
                                       1, 1, 0, 1, 1, 1, 1 };
  static const guint32 labels[14]  = { 8, 8, 8, 5, 5, 5, 6,
                                       8, 8, 9, 5, 5, 6, 6 };

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  scratch_write (scratch, "gap.raw", gap, sizeof gap);
  scratch_write (scratch, "basins.raw", labels, sizeof labels);
  g_assert_cmpuint (succeed_counting (scratch, "watershed in.raw --raw 7x2:u8 --mask gap.raw "
                                      "-o out.raw --table t.csv --connectivity 4"), ==, 3);
  assert_table (scratch, "1,4,1,1,0,0,2,2,1,2,\n"
                         "2,5,4.3,1.1,3,0,3,2,3,4.4,3\n"
                         "3,3,6.16666667,0.833333333,5,0,2,2,2,4.33333333,\n");
  g_assert_cmpuint (succeed_counting (scratch, "hierarchy in.raw basins.raw --raw 7x2:u8 "
                                      "--mask gap.raw -o out.raw --saliency --table t.csv"), ==, 3);
  assert_table (scratch, "5,5,4.3,0.9,3,0,3,2,3,4.4,3\n"
                         "6,3,6.16666667,1.16666667,5,0,2,2,2,4.33333333,\n"
                         "8,4,1,1,0,0,2,2,1,2,\n");
  g_assert_cmpuint (succeed_counting (scratch, "hierarchy in.raw basins.raw --raw 7x2:u8 "
                                      "--mask gap.raw -o out.raw --depth 3 --table t.csv"), ==, 2);
  assert_table (scratch, "1,8,5,1,3,0,4,2,2,4.375,\n"
                         "2,4,1,1,0,0,2,2,1,2,\n");
}


/*  Refusals  */

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  static const guint8  none[12]   = { 0 };
  static const guint32 labels[12] = { 1, 1, 0, 2, 1, 1, 0, 2, 1, 1, 0, 2 };
  static const float   high[12]   = { INFINITY };

  write_wall (scratch);
  scratch_write (scratch, "none.raw", none, sizeof none);
  scratch_write (scratch, "small.raw", none, 6);
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  scratch_write (scratch, "high.raw", high, sizeof high);
#define HIERARCHY "hierarchy in.raw labels.raw" RAW "-o out.raw --count 2 "
#define WATERSHED "watershed in.raw" RAW "-o out.raw "
  refuse (scratch, 1, "gone.raw", HIERARCHY "--mask gone.raw");
  refuse (scratch, 1, "small.raw", HIERARCHY "--mask small.raw");
  refuse (scratch, 1, "none.raw", HIERARCHY "--mask none.raw");
  refuse (scratch, 1, "high.raw", "hierarchy high.raw labels.raw --raw 4x3:f32 --depth 1 "
          "--mask divided.raw -o out.raw --table t.csv");
  refuse (scratch, 2, "--mask", HIERARCHY "--mask divided.raw --blocks auto --table t.csv");
  refuse (scratch, 2, "--resume cannot be combined with --mask",
          HIERARCHY "--mask divided.raw --resume");
  refuse (scratch, 2, "divided.raw", "hierarchy in.pfm labels.pfm --mask divided.raw --count 2 "
          "-o out.raw");
  refuse (scratch, 2, "--count", "hierarchy in.raw labels.raw" RAW "--mask divided.raw "
          "-o out.raw");
  refuse (scratch, 1, "gone.raw", WATERSHED "--mask gone.raw");
  refuse (scratch, 1, "No marker", WATERSHED "--mask none.raw --markers seeds.raw");
  refuse (scratch, 2, "--mask", WATERSHED "--mask divided.raw --blocks auto --table t.csv");
  refuse (scratch, 2, "--resume cannot be combined with --mask",
          WATERSHED "--mask divided.raw --resume");
  refuse (scratch, 2, "--mask", WATERSHED "--mask divided.raw --input objects");
  refuse (scratch, 2, "--background", WATERSHED "--mask divided.raw --background dark");
  refuse (scratch, 2, "--background", WATERSHED "--input objects --background bright");
  refuse (scratch, 2, "--background", WATERSHED "--background dark --blocks auto");
  refuse (scratch, 2, "--background", WATERSHED "--threshold 3");
  scratch_assert (scratch, "divided.raw high.raw in.raw labels.raw none.raw seeds.raw small.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/watershed", NULL, test_watershed);
  add_test ("/inverted", NULL, test_inverted);
  add_test ("/background", NULL, test_background);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/hierarchy/", cases[i].name, &cases[i], test_hierarchy);
  add_test ("/both", NULL, test_both);
  add_test ("/tables", NULL, test_tables);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
