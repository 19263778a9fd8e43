/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command measure: its tables, as exact text and compared with the library's, its options, and
 * what it refuses.
 */

#include "config.h"

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


#define RAW " --raw 5x3:u8 "

static const guint32 labels[15] = { 7, 7, 0, 3, 3,
                                    7, 7, 0, 3, 3,
                                    0, 0, 0, 0, 9 };
static const guint8  levels[15] = { 1, 2, 0, 10, 10,
                                    3, 4, 0, 10, 14,
                                    0, 0, 0, 0, 255 };

static void
write_inputs (const Scratch *scratch)
{
  scratch_write (scratch, "labels.raw", labels, sizeof labels);
  scratch_write (scratch, "image.raw", levels, sizeof levels);
}

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

static void
test_csv (Scratch       *scratch,
          gconstpointer  data)
{
  write_inputs (scratch);
  g_assert_cmpuint (succeed_counting (scratch, "measure labels.raw" RAW "--image image.raw "
                                               "--measures mean,area,bounding-box,median,sum,"
                                               "centroid,neighbors -o table.csv"), ==, 3);
  assert_table (scratch, "table.csv",
                "label,area,left,top,width,height,centroid_x,centroid_y,neighbors,mean,median,sum\n"
                "3,4,3,0,2,2,4,1,2,11,10,44\n"
                "7,4,0,0,2,2,1,1,1,2.5,2.5,10\n"
                "9,1,4,2,1,1,4.5,2.5,1,255,255,255\n");
  scratch_assert (scratch, "image.raw labels.raw table.csv");
}

static void
test_json (Scratch       *scratch,
           gconstpointer  data)
{
  write_inputs (scratch);
  g_assert_cmpuint (succeed_counting (scratch, "measure labels.raw" RAW
                                               "--measures area,extent -o table.JSON "
                                               "--spacing 0.5,2 --unit µm"), ==, 3);
  assert_table (scratch, "table.JSON",
                "{\"unit\":\"µm\",\"spacing\":[0.5,2],\"regions\":[\n"
                "{\"label\":3,\"area\":4,\"pixels\":4,\"extent\":1},\n"
                "{\"label\":7,\"area\":4,\"pixels\":4,\"extent\":1},\n"
                "{\"label\":9,\"area\":1,\"pixels\":1,\"extent\":1}\n"
                "]}\n");
}

static void
test_units (Scratch       *scratch,
            gconstpointer  data)
{
  write_inputs (scratch);
  succeed_counting (scratch, "measure labels.raw" RAW "--measures area,bounding-box,centroid "
                             "--spacing 2,3 --unit nm -o table.csv");
  assert_table (scratch, "table.csv",
                "label,area,pixels,left,top,width,height,centroid_x,centroid_y,unit\n"
                "3,24,4,3,0,2,2,8,3,nm\n"
                "7,24,4,0,0,2,2,2,3,nm\n"
                "9,6,1,4,2,1,1,9,7.5,nm\n");
}

/* The table goes to standard output, the number to standard error. */
static void
test_streams (Scratch       *scratch,
              gconstpointer  data)
{
  g_autoptr (Run) csv  = NULL;
  g_autoptr (Run) json = NULL;

  write_inputs (scratch);
  csv = run (scratch, "measure labels.raw" RAW "--measures area -o -");
  g_assert_cmpint (csv->status, ==, 0);
  g_assert_cmpstr (csv->out, ==, "label,area\n3,4\n7,4\n9,1\n");
  g_assert_cmpstr (csv->err, ==, "3\n");
  json = run (scratch, "measure labels.raw" RAW "--measures area -o - --format json");
  g_assert_cmpint (json->status, ==, 0);
  g_assert_true (g_str_has_prefix (json->out, "{\"unit\":\"pixel\",\"spacing\":[1,1],"));
}

/* All measures of random images, with and without an image, and by several threads. */
static void
test_all (Scratch       *scratch,
          gconstpointer  data)
{
  static const gint64 sizes[][3] = { { 31, 23, 1 }, { 9, 8, 7 }, { 1, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 2; i++)
    {
      const gint64          *size     = sizes[i / 2];
      g_autoptr (Pixels)     regions  = pixels_random ("u32", size[0], size[1], size[2], 9);
      g_autoptr (Pixels)     image    = pixels_random ("u16", size[0], size[1], size[2], 60000);
      g_autofree char       *spec     = pixels_spec (image);
      gsize                  length;
      g_autofree gpointer    bytes    = pixels_to_bytes (regions, &length);
      g_autofree gpointer    levelled = pixels_to_bytes (image, &length);
      g_autoptr (WfRegions)  measured = NULL;
      g_autofree char       *text     = NULL;
      WfImage                views[2];

      g_assert_true (wf_image_init (&views[0], WF_TYPE_U32, size[0], size[1], size[2], bytes,
                                    NULL));
      g_assert_true (wf_image_init (&views[1], WF_TYPE_U16, size[0], size[1], size[2], levelled,
                                    NULL));
      pixels_write (scratch, "labels.raw", regions);
      pixels_write (scratch, "image.raw", image);
      measured = wf_regions_measure (NULL, &views[0], i % 2 ? &views[1] : NULL, 0, NULL, NULL);
      text     = wf_regions_format (measured, WF_TABLE_CSV, NULL, NULL);
      for (int threads = 1; threads <= 3; threads++)
        {
          succeed_counting (scratch, "measure labels.raw --raw %s %s -o table.csv --threads %d "
                                     "--tile-size 64", spec, i % 2 ? "--image image.raw" : "",
                            threads);
          assert_table (scratch, "table.csv", text);
        }
    }
}

/* No region is no error. */
static void
test_nothing (Scratch       *scratch,
              gconstpointer  data)
{
  static const guint32 none[15];

  scratch_write (scratch, "labels.raw", none, sizeof none);
  g_assert_cmpuint (succeed_counting (scratch, "measure labels.raw" RAW
                                               "-o table.csv --measures area,feret"), ==, 0);
  assert_table (scratch, "table.csv",
                "label,area,feret_max,feret_max_angle,feret_min,feret_min_angle\n");
}

static void
test_stats (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Run) result = NULL;

  write_inputs (scratch);
  result = run (scratch, "measure labels.raw" RAW "-o table.csv --stats --progress --repeat 2");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_nonnull (strstr (result->out, "\"operation\":\"measure\",\"algorithm\":\"runs\","
                                         "\"device\":\"cpu\""));
  g_assert_nonnull (strstr (result->out, "\"regions\":3"));
  g_assert_true (g_str_has_suffix (result->err, "measure 100 %\n"));
}

/* Nothing is written then. */
static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  write_inputs (scratch);
  scratch_write (scratch, "small.raw", levels, 14);
  scratch_write (scratch, "empty.raw", levels, 0);

  refuse (scratch, 2, "“volume”", "measure labels.raw" RAW "--measures area,volume -o t.csv");
  refuse (scratch, 2, "“”", "measure labels.raw" RAW "--measures area, -o t.csv");
  refuse (scratch, 2, "“t.txt”", "measure labels.raw" RAW "-o t.txt");
  refuse (scratch, 2, "“tif”", "measure labels.raw" RAW "-o - --format tif");
  refuse (scratch, 2, "--format", "measure labels.raw" RAW "-o t.csv --format json");
  refuse (scratch, 2, "output", "measure labels.raw" RAW);
  refuse (scratch, 2, "input", "measure -o t.csv");
  refuse (scratch, 2, "spacing", "measure labels.raw" RAW "-o t.csv --spacing 0,1");
  refuse (scratch, 2, "--table", "measure labels.raw" RAW "-o t.csv --table u.csv");
  refuse (scratch, 2, "“image.raw”", "measure labels.tif --image image.raw -o t.csv");
  refuse (scratch, 1, "median", "measure labels.raw" RAW "--measures median -o t.csv");
  refuse (scratch, 1, "small.raw", "measure labels.raw" RAW "--image small.raw -o t.csv");
  refuse (scratch, 1, "empty.raw", "measure empty.raw" RAW "-o t.csv");
  refuse (scratch, 1, "none.raw", "measure none.raw" RAW "-o t.csv");
  refuse (scratch, 1, "connectivity", "measure labels.raw" RAW "--connectivity 26 -o t.csv");
  refuse (scratch, 1, "feret", "measure labels.raw --raw 5x1x3:u8 --measures feret -o t.csv");
  refuse (scratch, 1, "no/t.csv", "measure labels.raw" RAW "-o no/t.csv");
  scratch_assert (scratch, "empty.raw image.raw labels.raw small.raw");
}

#ifdef HAVE_VIPS

/* Files with sizes of their own; labels of other integer types. */
static void
test_sizes_differ (Scratch       *scratch,
                   gconstpointer  data)
{
  write_inputs (scratch);
  succeed_counting (scratch, "label image.raw" RAW "-o wide.png");
  succeed_counting (scratch, "label image.raw --raw 3x5:u8 -o high.tif");
  refuse (scratch, 1, "3 × 5", "measure wide.png --image high.tif -o t.csv");
  g_assert_cmpuint (succeed_counting (scratch, "measure wide.png --measures area -o t.csv"), ==,
                    2);
  assert_table (scratch, "t.csv", "label,area\n1,4\n2,5\n");
}

#endif

#ifdef HAVE_ZARR

static void
replace_in_file (const Scratch *scratch,
                 const char    *name,
                 const char    *old,
                 const char    *new)
{
  g_autofree char *path   = scratch_path (scratch, name);
  g_autofree char *text   = NULL;
  g_autofree char *joined = NULL;
  g_auto (GStrv)   parts  = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts  = g_strsplit (text, old, -1);
  joined = g_strjoinv (new, parts);
  g_assert_cmpuint (g_strv_length (parts), >, 1);
  g_assert_true (g_file_set_contents (path, joined, -1, NULL));
}

/* The size of a pixel that a file has; --spacing and --unit come first. */
static void
test_size_of_file (Scratch       *scratch,
                   gconstpointer  data)
{
  write_inputs (scratch);
  succeed_counting (scratch, "label image.raw" RAW "-o labels.zarr");
  replace_in_file (scratch, "labels.zarr/.zattrs", "\"space\"",
                   "\"space\", \"unit\" : \"micrometer\"");
  replace_in_file (scratch, "labels.zarr/.zattrs", "1.0", "0.5");
  succeed_counting (scratch, "measure labels.zarr --measures area -o t.csv");
  assert_table (scratch, "t.csv", "label,area,pixels,unit\n1,1,4,micrometer\n"
                                  "2,1.25,5,micrometer\n");
  succeed_counting (scratch, "measure labels.zarr --measures area --spacing 1,1 -o t.csv");
  assert_table (scratch, "t.csv", "label,area\n1,4\n2,5\n");
  succeed_counting (scratch, "measure labels.zarr --measures area --unit px -o t.csv");
  assert_table (scratch, "t.csv", "label,area,unit\n1,4,px\n2,5,px\n");
}

#endif

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/measure/csv", NULL, test_csv);
  add_test ("/measure/json", NULL, test_json);
  add_test ("/measure/units", NULL, test_units);
  add_test ("/measure/streams", NULL, test_streams);
  add_test ("/measure/all", NULL, test_all);
  add_test ("/measure/nothing", NULL, test_nothing);
  add_test ("/measure/stats", NULL, test_stats);
  add_test ("/measure/refusals", NULL, test_refusals);
#ifdef HAVE_VIPS
  add_test ("/measure/sizes-differ", NULL, test_sizes_differ);
#endif
#ifdef HAVE_ZARR
  add_test ("/measure/size-of-file", NULL, test_size_of_file);
#endif
  return run_tests (argc, argv);
}
