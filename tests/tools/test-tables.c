/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of labelled regions: their exact text, their measurements compared with sums over the
 * labels that the command wrote, their depths compared with the library's, and that a table is
 * written completely or not at all.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


#define RAW " --raw 5x2:u8 "

/* Two valleys with their pass at level 7 in the last row. */
static const guint8 valleys[10] = { 1, 2, 9, 4, 3,
                                    2, 3, 7, 5, 4 };

static void
assert_table (const Scratch *scratch,
              const char    *name,
              const char    *expected)
{
  g_autofree char *path = scratch_path (scratch, name);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}


/* Asserts that the command printed the number @n and nothing else. */
static void
assert_counts (const Run *result,
               guint32    n)
{
  g_autofree char *line = g_strdup_printf ("%u\n", n);

  assert_success (result);
  g_assert_cmpstr (result->out, ==, line);
}


/*  Exact text  */

#define NAMES "index,area,centroid_x,centroid_y,left,top,width,height,minimum,mean"

static void
test_watershed (Scratch       *scratch,
                gconstpointer  data)
{
  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  succeed_counting (scratch, "watershed in.raw" RAW "-o labels.raw --table basins.csv "
                             "--connectivity 4");
  assert_table (scratch, "basins.csv",
                NAMES ",depth\n"
                "1,6,1.5,1,0,0,3,2,1,4,\n"
                "2,4,4,1,3,0,2,2,3,4,4\n");
  scratch_assert (scratch, "basins.csv in.raw labels.raw");
}

/* Regions are renumbered; with --saliency the table has the basins. */
static void
test_hierarchy (Scratch       *scratch,
                gconstpointer  data)
{
  static const guint32 labels[10] = { 8, 8, 8, 5, 5,
                                      8, 8, 0, 5, 5 };
  g_autoptr (Run)      one        = NULL;
  g_autoptr (Run)      map        = NULL;

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  one = run (scratch, "hierarchy in.raw labels.raw" RAW "-o out.raw --count 1 --table one.csv");
  assert_counts (one, 1);
  assert_table (scratch, "one.csv",
                NAMES ",depth\n"
                "1,10,2.5,1,0,0,5,2,1,4,\n");
  map = run (scratch, "hierarchy in.raw labels.raw" RAW "-o map.raw --saliency --table all.csv");
  assert_counts (map, 2);
  assert_table (scratch, "all.csv",
                NAMES ",depth\n"
                "5,4,4,1,3,0,2,2,3,4,4\n"
                "8,5,1.3,0.9,0,0,3,2,1,3.4,\n");
}

/* Components, unlike basins, have no depth. */
static void
test_label (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Run) some = NULL;
  g_autoptr (Run) none = NULL;

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  some = run (scratch, "label in.raw" RAW "-o out.raw --threshold 3 --table some.csv");
  assert_counts (some, 1);
  assert_table (scratch, "some.csv", NAMES "\n" "1,5,3.3,1.1,2,0,3,2,4,5.8\n");
  none = run (scratch, "label in.raw" RAW "-o out.raw --threshold 9 --table none.csv");
  assert_counts (none, 0);
  assert_table (scratch, "none.csv", NAMES "\n");
}


/*  Compared with sums and the library  */

typedef struct
{
  const char *name;
  const char *type;
  gint64      size[3];
  const char *options;
  int         connectivity;
  const char *filters[2];     /* filters that give the relief, in order */
} Case;

static const Case cases[] =
{
  { "u8",       "u8",  { 31, 23, 1 }, "", 8, { NULL } },
  { "u16",      "u16", { 31, 23, 1 }, "--tolerance 3000", 8, { NULL } },
  { "f32",      "f32", { 31, 23, 1 }, "--lines --connectivity 4", 4, { NULL } },
  { "stack",    "u8",  { 9, 8, 7 },   "--lines", 26, { NULL } },
  { "stack/6",  "u16", { 9, 8, 7 },   "--connectivity 6", 6, { NULL } },
  { "smoothed", "u8",  { 31, 23, 1 }, "--smoothing 1.2", 8, { "gaussian --sigma 1.2", NULL } },
  { "gradient", "u16", { 31, 23, 1 }, "--gradient 1", 8,
    { "gradient --element square --radius 1", NULL } },
  { "both",     "f32", { 31, 23, 1 }, "--lines --smoothing 0.8 --gradient 2", 8,
    { "gaussian --sigma 0.8", "gradient --element square --radius 2" } },
  { "both/stack", "u8", { 9, 8, 7 },  "--smoothing 0.8 --gradient 1", 26,
    { "gaussian --sigma 0.8", "gradient --element square --radius 1" } },
};

/* Computes the relief with one command for each filter. */
static Pixels *
make_relief (const Scratch *scratch,
             const Case    *item,
             const Pixels  *image,
             const char    *spec)
{
  pixels_write (scratch, "relief.raw", image);
  for (guint i = 0; i < G_N_ELEMENTS (item->filters) && item->filters[i]; i++)
    succeed (scratch, "%s relief.raw --raw %s -o relief.raw", item->filters[i], spec);
  return pixels_read (scratch, "relief.raw", item->type, &image->size);
}

/* Returns an image of the pixels in @bytes, to be freed by the caller. */
static WfImage
view (const Pixels  *pixels,
      gpointer      *bytes)
{
  gsize   length;
  WfType  type = strcmp (pixels->type, "u8") == 0 ? WF_TYPE_U8
                 : strcmp (pixels->type, "u16") == 0 ? WF_TYPE_U16
                 : strcmp (pixels->type, "f32") == 0 ? WF_TYPE_F32 : WF_TYPE_U32;
  WfImage image;

  *bytes = pixels_to_bytes (pixels, &length);
  g_assert_true (wf_image_init (&image, type, pixels->size.width, pixels->size.height,
                                pixels->size.depth, *bytes, NULL));
  return image;
}

static char *
format_as_library (const Case   *item,
                   const Pixels *image,
                   const Pixels *relief,
                   const Pixels *labels)
{
  const WfTablePlace   place = { .size = sizeof (WfTablePlace), .stack = item->size[2] > 1 };
  g_autofree gpointer  levels_bytes = NULL;
  g_autofree gpointer  relief_bytes = NULL;
  g_autofree gpointer  labels_bytes = NULL;
  g_autofree WfBasin  *basins       = NULL;
  WfImage              levels       = view (image, &levels_bytes);
  WfImage              flooded      = view (relief, &relief_bytes);
  WfImage              labelled     = view (labels, &labels_bytes);
  g_autoptr (GError)   error        = NULL;
  guint32              n;

  wf_basins_measure (NULL, &levels, &flooded, &labelled, item->connectivity, &basins, &n, &error);
  g_assert_no_error (error);
  return wf_basin_table_format (basins, n, &place);
}

/* Compares area, centroid, minimum and mean in a line with those of the basin's pixels. */
static void
check_line (const char   *line,
            const Pixels *image,
            const Pixels *labels)
{
  g_auto (GStrv) columns = g_strsplit (line, ",", -1);
  const int      n_axes  = image->size.depth > 1 ? 3 : 2;
  double         area    = 0;
  double         sum     = 0;
  double         least   = INFINITY;
  double         at[3]   = { 0 };

  for (gint64 i = 0; i < image->n; i++)
    if (labels->values[i] == g_ascii_strtod (columns[0], NULL))
      {
        area++;
        sum  += image->values[i];
        least = MIN (least, image->values[i]);
        at[0] += i % image->size.width + 0.5;
        at[1] += i / image->size.width % image->size.height + 0.5;
        at[2] += i / image->size.width / image->size.height;
      }
  g_assert_cmpfloat (area, >, 0);
  g_assert_cmpfloat (g_ascii_strtod (columns[1], NULL), ==, area);
  for (int i = 0; i < n_axes; i++)
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[2 + i], NULL), at[i] / area, 1e-6);
  g_assert_cmpfloat (g_ascii_strtod (columns[2 + 3 * n_axes], NULL), ==, least);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[3 + 3 * n_axes], NULL), sum / area,
                                  1e-6 * fmax (1, fabs (sum / area)));
}

static void
test_measurements (Scratch       *scratch,
              gconstpointer  data)
{
  const Case         *item     = data;
  g_autoptr (Pixels)  image    = pixels_random (item->type, item->size[0], item->size[1],
                                                item->size[2], 61);
  g_autofree char    *spec     = pixels_spec (image);
  g_autofree char    *path     = scratch_path (scratch, "basins.csv");
  g_autoptr (Pixels)  relief   = make_relief (scratch, item, image, spec);
  g_autoptr (Pixels)  labels   = NULL;
  g_autofree char    *expected = NULL;
  g_autofree char    *text     = NULL;
  g_auto (GStrv)      lines    = NULL;

  pixels_write (scratch, "in.raw", image);
  succeed_counting (scratch, "watershed in.raw --raw %s -o labels.raw --table basins.csv %s", spec,
                    item->options);
  labels   = pixels_read (scratch, "labels.raw", "u32", &image->size);
  expected = format_as_library (item, image, relief, labels);
  assert_table (scratch, "basins.csv", expected);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 5);
  for (guint i = 1; lines[i + 1]; i++)
    check_line (lines[i], image, labels);
}

static void
test_markers (Scratch       *scratch,
              gconstpointer  data)
{
  static const guint32 markers[10] = { 0, 0, 0, 0, 0, 70, 0, 0, 0, 3 };

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  scratch_write (scratch, "markers.raw", markers, sizeof markers);
  succeed_counting (scratch, "watershed in.raw" RAW "--markers markers.raw -o out.raw "
                             "--table basins.csv --connectivity 4");
  assert_table (scratch, "basins.csv",
                NAMES ",depth\n"
                "3,4,4,1,3,0,2,2,3,4,4\n"
                "70,6,1.5,1,0,0,3,2,1,4,\n");
}


/*  Files  */

/* The labels fit within the limit, the table does not. */
static void
test_whole_or_not (Scratch       *scratch,
                   gconstpointer  data)
{
  const Surroundings  little = { .prepare = limit_files, .data = GUINT_TO_POINTER (100) };
  g_autoptr (Run)     result = NULL;
  g_autofree char    *labels = NULL;

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  scratch_write (scratch, "old.csv", "mine", 4);
  scratch_write (scratch, "out.raw", "mine", 4);
  result = run_in (scratch, &little, "watershed in.raw" RAW "-o out.raw --table old.csv");
  assert_refused (result, 1, "old.csv");
  assert_table (scratch, "old.csv", "mine");
  labels = scratch_read (scratch, "out.raw", 4);
  g_assert_cmpmem (labels, 4, "mine", 4);
  scratch_assert (scratch, "in.raw old.csv out.raw");

  succeed_counting (scratch, "watershed in.raw" RAW "-o out.raw --table old.csv");
  scratch_assert (scratch, "in.raw old.csv out.raw");
}

/* Refusals come before anything is computed. */
static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  scratch_write (scratch, "in.raw", valleys, sizeof valleys);

  refuse (scratch, 2, "out.raw", "watershed in.raw" RAW "-o out.raw --table ./out.raw");
  refuse (scratch, 2, "standard output",
          "label in.raw" RAW "-o - --format raw --table - --progress");
  refuse (scratch, 2, "output", "label in.raw" RAW "-o out.raw --table ''");
  refuse (scratch, 2, "--table", "distance in.raw" RAW "-o out.raw --table basins.csv");
  refuse (scratch, 1, "no/basins.csv",
          "hierarchy in.raw in.raw" RAW "-o out.raw --count 1 --table no/basins.csv --progress");
  refuse (scratch, 1, "folder", "watershed in.raw" RAW "-o out.raw --table . --progress");
}

/* Progress includes the measuring. */
static void
test_progress (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Run) result = NULL;

  scratch_write (scratch, "in.raw", valleys, sizeof valleys);
  result = run (scratch, "watershed in.raw" RAW "-o out.raw --table basins.csv --gradient 1 "
                         "--repeat 2 --progress --stats");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_nonnull (strstr (result->err, "watershed 25 %\n"));
  g_assert_nonnull (strstr (result->err, "watershed 50 %\n"));
  g_assert_nonnull (strstr (result->err, "watershed 75 %\n"));
  g_assert_true (g_str_has_suffix (result->err, "watershed 100 %\n"));
  g_assert_nonnull (strstr (result->out, "\"algorithm\":\"steepest\""));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/tables/watershed", NULL, test_watershed);
  add_test ("/tables/hierarchy", NULL, test_hierarchy);
  add_test ("/tables/label", NULL, test_label);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/tables/measurements/", cases[i].name, &cases[i], test_measurements);
  add_test ("/tables/markers", NULL, test_markers);
  add_test ("/tables/whole-or-not", NULL, test_whole_or_not);
  add_test ("/tables/refusals", NULL, test_refusals);
  add_test ("/tables/progress", NULL, test_progress);
  return run_tests (argc, argv);
}
