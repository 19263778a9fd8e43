/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components and the hierarchy of basins, from file to file: labels and their number on
 * standard output, partitions and saliency.
 */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


/*  Connected components  */

typedef struct
{
  const char *name;
  const char *type;
  gint64      size[3];
  const char *options;
  int         connectivity;
  double      threshold;
} LabelCase;

static const LabelCase label_cases[] =
{
  { "u8",             "u8",  { 31, 23, 1 }, "", 8, NAN },
  { "u16",            "u16", { 31, 23, 1 }, "", 8, NAN },
  { "f32",            "f32", { 31, 23, 1 }, "", 8, NAN },
  { "one-pixel",      "u8",  { 1, 1, 1 },   "", 8, NAN },
  { "connectivity-4", "u8",  { 31, 23, 1 }, "--connectivity 4 --threshold 1", 4, 1 },
  { "threshold",      "u8",  { 31, 23, 1 }, "--threshold 2", 8, 2 },
  { "threshold/f32",  "f32", { 31, 23, 1 }, "--threshold -0.1 --connectivity=4", 4, -0.1 },
  { "stack",          "u8",  { 9, 8, 7 },   "--threshold 3", 26, 3 },
  { "stack/6",        "u16", { 9, 8, 7 },   "--connectivity 6 --threshold 20000", 6, 20000 },
};

/* Labels components by a flood fill from each unlabelled pixel, in raster order. */
static guint32
label (const Pixels *image,
       int           connectivity,
       double        threshold,
       double       *labels)
{
  g_autofree gint64 *stack = g_new (gint64, image->n);
  guint32            n     = 0;

  memset (labels, 0, (gsize) image->n * sizeof *labels);
  for (gint64 start = 0; start < image->n; start++)
    {
      gint64 height = 0;

#define IS_FREE(i) \
  (labels[i] == 0 && (isnan (threshold) ? image->values[i] != 0 : image->values[i] > threshold))
      if (! IS_FREE (start))
        continue;
      labels[start]   = ++n;
      stack[height++] = start;
      while (height > 0)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (&image->size, connectivity, stack[--height],
                                                neighbours);

          for (int k = 0; k < n_neighbours; k++)
            if (IS_FREE (neighbours[k]))
              {
                labels[neighbours[k]] = n;
                stack[height++]       = neighbours[k];
              }
        }
    }
#undef IS_FREE
  return n;
}

static void
test_label (Scratch       *scratch,
            gconstpointer  data)
{
  const LabelCase *item = data;

  for (guint repeat = 0; repeat < test_count (1, 3); repeat++)
    {
      g_autoptr (Pixels)  image    = pixels_random (item->type, item->size[0], item->size[1],
                                                    item->size[2], 6);
      g_autoptr (Pixels)  found    = NULL;
      g_autoptr (Run)     result   = NULL;
      g_autofree char    *spec     = pixels_spec (image);
      g_autofree double  *expected = g_new (double, image->n);
      guint32             n        = label (image, item->connectivity, item->threshold, expected);

      pixels_write (scratch, "in.raw", image);
      result = run (scratch, "label in.raw --raw %s -o out.raw %s", spec, item->options);
      g_assert_cmpuint (printed_number (result), ==, n);
      found = pixels_read (scratch, "out.raw", "u32", &image->size);
      pixels_assert_equal (found, expected);
      scratch_assert (scratch, "in.raw out.raw");
    }
}

static void
test_no_component (Scratch       *scratch,
                   gconstpointer  data)
{
  static const guint8  zeros[12] = { 0 };
  g_autoptr (Run)      result    = NULL;
  g_autofree guint32  *labels    = NULL;

  scratch_write (scratch, "in.raw", zeros, sizeof zeros);
  result = run (scratch, "label in.raw --raw 4x3:u8 -o out.raw");
  g_assert_cmpuint (printed_number (result), ==, 0);
  labels = scratch_read (scratch, "out.raw", 48);
  for (int i = 0; i < 12; i++)
    g_assert_cmpuint (labels[i], ==, 0);
}


/*  Hierarchy  */

typedef struct
{
  const char *name;
  const char *type;
  gint64      size[3];
  const char *options;
  WfMeasure   measure;
  int         connectivity;
  double      depth;
  guint32     count;
} HierarchyCase;

static const HierarchyCase map_cases[] =
{
  { "map",        "f32", { 33, 27, 1 }, "--saliency", WF_MEASURE_DYNAMICS, 0, NAN, 0 },
  { "map/volume", "f32", { 33, 27, 1 }, "--saliency --measure volume", WF_MEASURE_VOLUME, 0, NAN,
    0 },
};

static const HierarchyCase hierarchy_cases[] =
{
  { "depth",        "u8",  { 33, 27, 1 }, "--depth 30", WF_MEASURE_DYNAMICS, 0, 30, 0 },
  { "depth/0",      "u8",  { 33, 27, 1 }, "--depth 0", WF_MEASURE_DYNAMICS, 0, 0, 0 },
  { "depth/f32",    "f32", { 33, 27, 1 }, "--depth 7.5", WF_MEASURE_DYNAMICS, 0, 7.5, 0 },
  { "depth/area",   "u8",  { 33, 27, 1 }, "--measure area --depth 12", WF_MEASURE_AREA, 0, 12, 0 },
  { "depth/volume", "u16", { 33, 27, 1 }, "--measure=volume --depth 90000",
    WF_MEASURE_VOLUME, 0, 90000, 0 },
  { "count",        "u8",  { 33, 27, 1 }, "--count 9", WF_MEASURE_DYNAMICS, 0, NAN, 9 },
  { "count/1",      "u16", { 33, 27, 1 }, "--count 1", WF_MEASURE_DYNAMICS, 0, NAN, 1 },
  { "count/many",   "u8",  { 33, 27, 1 }, "--count 2147483647", WF_MEASURE_DYNAMICS, 0, NAN,
    G_MAXINT },
  { "count/4",      "u8",  { 33, 27, 1 }, "--count 9 --connectivity 4 --measure dynamics",
    WF_MEASURE_DYNAMICS, 4, NAN, 9 },
  { "count/stack",  "u8",  { 11, 9, 7 },  "--count 4 --measure area", WF_MEASURE_AREA, 0, NAN, 4 },
  { "saliency",     "u8",  { 33, 27, 1 }, "--saliency", WF_MEASURE_DYNAMICS, 0, NAN, 0 },
  { "saliency/area", "f32", { 33, 27, 1 }, "--saliency --measure area --connectivity 4",
    WF_MEASURE_AREA, 4, NAN, 0 },
};

/* Writes an image and its basins, computed by the command; returns the image. */
static Pixels *
make_basins (const Scratch       *scratch,
             const HierarchyCase *item,
             char               **spec)
{
  Pixels          *image  = pixels_random (item->type, item->size[0], item->size[1],
                                           item->size[2], 101);
  g_autofree char *option = item->connectivity ? g_strdup_printf ("--connectivity %d",
                                                                  item->connectivity)
                                               : g_strdup ("");

  *spec = pixels_spec (image);
  pixels_write (scratch, "in.raw", image);
  succeed_counting (scratch, "watershed in.raw --raw %s -o labels.raw %s", *spec, option);
  return image;
}

/* Computes partition or saliency with the library, and the number of regions. */
static gpointer
compute (const Scratch       *scratch,
         const HierarchyCase *item,
         const Pixels        *image,
         guint32             *n_regions)
{
  gsize                    length;
  g_autofree gpointer      bytes     = pixels_to_bytes (image, &length);
  g_autofree gpointer      basins    = scratch_read (scratch, "labels.raw", image->n * 4);
  gpointer                 result    = g_malloc0 (image->n * 4);
  gboolean                 saliency  = isnan (item->depth) && item->count == 0;
  WfHierarchyOptions       options   = { .size = sizeof options, .measure = item->measure,
                                        .connectivity = item->connectivity };
  g_autoptr (GError)       error     = NULL;
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  g_autofree guint32      *regions   = NULL;
  WfImage                  in, labels, out;

  wf_image_init (&in, strcmp (item->type, "u8") == 0 ? WF_TYPE_U8
                      : strcmp (item->type, "u16") == 0 ? WF_TYPE_U16 : WF_TYPE_F32,
                 image->size.width, image->size.height, image->size.depth, bytes, NULL);
  wf_image_init (&labels, WF_TYPE_U32, in.width, in.height, in.depth, basins, NULL);
  wf_image_init (&out, saliency ? WF_TYPE_F32 : WF_TYPE_U32, in.width, in.height, in.depth,
                 result, NULL);
  hierarchy = wf_hierarchy_new (NULL, &in, &labels, &options, &error);
  g_assert_no_error (error);
  *n_regions = wf_hierarchy_get_n_basins (hierarchy);
  regions    = g_new (guint32, *n_regions);
  if (saliency)
    wf_hierarchy_saliency (NULL, hierarchy, &labels, &out, &error);
  else
    {
      *n_regions = isnan (item->depth)
                   ? wf_hierarchy_cut_to_count (hierarchy, item->count, regions)
                   : wf_hierarchy_cut_at_depth (hierarchy, item->depth, regions);
      wf_hierarchy_relabel (NULL, hierarchy, regions, &labels, &out, &error);
    }
  g_assert_no_error (error);
  return result;
}

static void
test_hierarchy (Scratch       *scratch,
                gconstpointer  data)
{
  const HierarchyCase *item   = data;
  g_autofree char     *spec   = NULL;
  g_autoptr (Pixels)   image  = make_basins (scratch, item, &spec);
  g_autoptr (Run)      result = NULL;
  g_autofree gpointer  wanted = NULL;
  g_autofree gpointer  found  = NULL;
  gsize                length = (gsize) image->n * 4;
  guint32              n;

  wanted = compute (scratch, item, image, &n);
  result = run (scratch, "hierarchy in.raw labels.raw --raw %s -o out.raw %s", spec,
                item->options);
  g_assert_cmpuint (printed_number (result), ==, n);
  found = scratch_read (scratch, "out.raw", length);
  g_assert_cmpmem (found, length, wanted, length);
  scratch_assert (scratch, "in.raw labels.raw out.raw");
}

/* The options have an effect: --count 9 gives 9 regions, --depth 30 fewer than --depth 0. */
static void
test_regions (Scratch       *scratch,
              gconstpointer  data)
{
  static const char * const cuts[] = { "--depth 0", "--depth 30", "--count 9", "--count 1" };
  g_autofree char          *spec   = NULL;
  g_autoptr (Pixels)        image  = make_basins (scratch, &hierarchy_cases[0], &spec);
  g_autoptr (Pixels)        basins = pixels_read (scratch, "labels.raw", "u32", &image->size);
  guint32                   n[G_N_ELEMENTS (cuts)];
  double                    most   = 0;

  for (gint64 i = 0; i < basins->n; i++)
    most = MAX (most, basins->values[i]);
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (Run)    result  = run (scratch, "hierarchy in.raw labels.raw --raw %s "
                                                 "-o out.raw %s", spec, cuts[i]);
      g_autoptr (Pixels) regions = pixels_read (scratch, "out.raw", "u32", &image->size);
      double             last    = 0;

      n[i] = printed_number (result);
      for (gint64 k = 0; k < regions->n; k++)
        last = MAX (last, regions->values[k]);
      g_assert_cmpfloat (last, ==, n[i]);
    }
  g_assert_cmpfloat (n[0], ==, most);
  g_assert_cmpuint (n[1], <, n[0]);
  g_assert_cmpuint (n[2], ==, 9);
  g_assert_cmpuint (n[3], ==, 1);
}

/* What is left at a depth read from the map, in as many decimals as a float needs, is what the map
 * has above it.
 */
static void
test_depths_of_map (Scratch       *scratch,
                    gconstpointer  data)
{
  const HierarchyCase *item  = data;
  g_autofree char     *spec  = NULL;
  g_autoptr (Pixels)   image = make_basins (scratch, item, &spec);
  g_autoptr (Pixels)   map   = NULL;
  g_autoptr (Run)      made  = NULL;
  gint64               width = image->size.width;

  for (gint64 i = 0; i < image->n; i++)
    image->values[i] = (float) (image->values[i] / 3 + 1e-4 * i);
  pixels_write (scratch, "in.raw", image);
  succeed_counting (scratch, "watershed in.raw --raw %s -o labels.raw", spec);
  made = run (scratch, "hierarchy in.raw labels.raw --raw %s -o map.raw %s", spec, item->options);
  g_assert_cmpuint (printed_number (made), >, 1);
  map = pixels_read (scratch, "map.raw", "f32", &image->size);
  for (int k = 0; k < 25; k++)
    {
      const float         depth   = map->values[g_test_rand_int_range (0, (gint32) map->n)];
      g_autoptr (Pixels)  regions = NULL;
      g_autoptr (Run)     cut     = NULL;

      cut = run (scratch, "hierarchy in.raw labels.raw --raw %s -o out.raw %s --depth %.*g", spec,
                 item->options + strlen ("--saliency"), k % 2 ? 9 : 17, depth);
      g_assert_cmpuint (printed_number (cut), >=, 1);
      regions = pixels_read (scratch, "out.raw", "u32", &image->size);
      for (gint64 p = 0; p < map->n; p++)
        {
          gboolean boundary = FALSE;

          for (gint64 y = MAX (p / width - 1, 0);
               y <= MIN (p / width + 1, image->size.height - 1); y++)
            for (gint64 x = MAX (p % width - 1, 0); x <= MIN (p % width + 1, width - 1); x++)
              boundary |= regions->values[y * width + x] != regions->values[p];
          g_assert_true (boundary == (map->values[p] > depth));
        }
    }
}


/*  Errors, statistics and progress  */

static void
test_errors (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Pixels) image  = pixels_random ("u8", 4, 3, 1, 5);
  g_autoptr (Pixels) floats = pixels_random ("f32", 4, 3, 1, 5);
  g_autoptr (Pixels) none   = pixels_new ("u32", 4, 3, 1);

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "none.raw", none);
  floats->values[2] = NAN;
  pixels_write (scratch, "bad.raw", floats);

#define RAW " --raw 4x3:u8 "
  refuse (scratch, 1, "gone.raw", "label gone.raw" RAW "-o out.raw");
  refuse (scratch, 1, "labels", "label in.raw" RAW "-o out.pfm --progress");
  refuse (scratch, 1, "out.jpg", "label in.raw" RAW "-o out.jpg --progress");
  refuse (scratch, 1, "bad.raw", "label bad.raw --raw 4x3:f32 -o out.raw");
  refuse (scratch, 1, "connectivity of 26", "label in.raw" RAW "-o out.raw --connectivity 26");
  refuse (scratch, 1, "nowhere/out.raw", "label in.raw" RAW "-o nowhere/out.raw --progress");

  /* Labels need four bytes a pixel. */
  refuse (scratch, 1, "48", "hierarchy in.raw in.raw" RAW "-o out.raw --count 2");
  refuse (scratch, 1, "gone.raw", "hierarchy in.raw gone.raw" RAW "-o out.raw --count 2");
  refuse (scratch, 1, "gone.raw", "hierarchy gone.raw none.raw" RAW "-o out.raw --count 2");
  /* There are no basins. */
  refuse (scratch, 1, "none.raw", "hierarchy in.raw none.raw" RAW "-o out.raw --count 2");
#ifdef HAVE_VIPS
  refuse (scratch, 1, "saliency",
          "hierarchy in.raw none.raw" RAW "-o out.png --saliency --progress");
#else
  refuse (scratch, 1, "out.png", "hierarchy in.raw none.raw" RAW "-o out.png --saliency");
#endif
  refuse (scratch, 1, "labels", "hierarchy in.raw none.raw" RAW "-o out.pfm --count 2 --progress");
  refuse (scratch, 1, "nowhere/out.raw",
          "hierarchy in.raw none.raw" RAW "-o nowhere/out.raw --depth 2 --progress");
  refuse (scratch, 1, "bad.raw",
          "hierarchy bad.raw none.raw --raw 4x3:f32 -o out.raw --saliency");
#undef RAW
}

/* With --stats the number is in the line of statistics, and nothing else is printed. */
static void
test_stats (Scratch       *scratch,
            gconstpointer  data)
{
  static const guint8  levels[5]     = { 0, 9, 0, 0, 7 };
  static const guint32 basins[5]     = { 4, 4, 8, 8, 8 };
  g_autoptr (Run)      components    = NULL;
  g_autoptr (Run)      regions       = NULL;

  scratch_write (scratch, "in.raw", levels, sizeof levels);
  scratch_write (scratch, "labels.raw", basins, sizeof basins);
  components = run (scratch, "label in.raw --raw 5x1:u8 -o out.raw --stats");
  regions    = run (scratch, "hierarchy in.raw labels.raw --raw 5x1:u8 -o out.raw --saliency "
                             "--stats --repeat 3");
  assert_success (components);
  assert_success (regions);
  g_assert_true (g_str_has_prefix (components->out, "{\"operation\":\"label\",\"algorithm\":\""));
  g_assert_true (g_str_has_suffix (components->out, "\"repeat\":1,\"components\":2}\n"));
  g_assert_true (g_str_has_prefix (regions->out, "{\"operation\":\"hierarchy\","));
  g_assert_true (g_str_has_suffix (regions->out, "\"repeat\":3,\"regions\":2}\n"));
  g_assert_null (strstr (regions->out, "null"));
}

/* Building the hierarchy and drawing the regions are two steps of the same progress. */
static void
test_progress (Scratch       *scratch,
               gconstpointer  data)
{
  g_autofree char    *spec   = NULL;
  g_autoptr (Pixels)  image  = make_basins (scratch, &hierarchy_cases[0], &spec);
  g_autoptr (Run)     result = run (scratch, "hierarchy in.raw labels.raw --raw %s -o out.raw "
                                             "--count 3 --progress --repeat 2", spec);
  g_auto (GStrv)      lines  = NULL;
  int                 before = -1;

  g_assert_cmpint (result->status, ==, 0);
  g_assert_cmpstr (result->out, ==, "3\n");
  lines = g_strsplit (g_strchomp (result->err), "\n", -1);
  for (char **line = lines; *line; line++)
    {
      int percent = -1;

      g_assert_cmpint (sscanf (*line, "wavefront: hierarchy %d %%", &percent), ==, 1);
      g_assert_cmpint (percent, >, before);
      before = percent;
    }
  g_assert_cmpint (before, ==, 100);
  g_assert_true (g_strv_contains ((const char * const *) lines, "wavefront: hierarchy 25 %"));
  g_assert_true (g_strv_contains ((const char * const *) lines, "wavefront: hierarchy 50 %"));
}

static void
test_full_stdout (Scratch       *scratch,
                  gconstpointer  data)
{
  const Surroundings full   = { .through = "\"$@\" >/dev/full" };
  g_autoptr (Run)    result = NULL;

  scratch_write (scratch, "in.raw", "123456", 6);
  result = run_in (scratch, &full, "label in.raw --raw 3x2:u8 -o out.raw");
  assert_refused (result, 1, "standard output");
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (label_cases); i++)
    add_case ("/label/", label_cases[i].name, &label_cases[i], test_label);
  add_test ("/label/none", NULL, test_no_component);
  for (guint i = 0; i < G_N_ELEMENTS (hierarchy_cases); i++)
    add_case ("/hierarchy/", hierarchy_cases[i].name, &hierarchy_cases[i], test_hierarchy);
  for (guint i = 0; i < G_N_ELEMENTS (map_cases); i++)
    add_case ("/hierarchy/depths-of-", map_cases[i].name, &map_cases[i], test_depths_of_map);
  add_test ("/hierarchy/regions", NULL, test_regions);
  add_test ("/errors", NULL, test_errors);
  add_test ("/stats", NULL, test_stats);
  add_test ("/progress", NULL, test_progress);
  add_test ("/full/stdout", NULL, test_full_stdout);
  return run_tests (argc, argv);
}
