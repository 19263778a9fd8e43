/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction, distances and the watershed with each of their options, from raw file to raw
 * file, compared with the definitions.  The engine has its own tests; these check that the
 * command passes on the options of the command line.
 */

#include <math.h>
#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"


typedef struct
{
  const char *name;
  const char *type;
  gint64      size[3];
  const char *options;
} Case;

static Pixels *
make_input (const Scratch *scratch,
            const Case    *item,
            const char    *name,
            int            n_levels,
            char         **spec)
{
  Pixels *pixels = pixels_random (item->type, item->size[0], item->size[1], item->size[2],
                                  n_levels);

  pixels_write (scratch, name, pixels);
  g_free (*spec);
  *spec = pixels_spec (pixels);
  return pixels;
}


/*  Reconstruction  */

typedef struct
{
  Case     usual;
  int      connectivity;
  gboolean by_erosion;
} ReconstructCase;

static const ReconstructCase reconstructions[] =
{
  { { "u8", "u8", { 13, 9, 1 }, "" }, 8, FALSE },
  { { "u16", "u16", { 13, 9, 1 }, "" }, 8, FALSE },
  { { "f32", "f32", { 13, 9, 1 }, "" }, 8, FALSE },
  { { "one-pixel", "u8", { 1, 1, 1 }, "" }, 8, FALSE },
  { { "row", "u16", { 31, 1, 1 }, "" }, 8, FALSE },
  { { "column", "f32", { 1, 31, 1 }, "" }, 8, FALSE },
  { { "dilation", "u8", { 13, 9, 1 }, "--by dilation" }, 8, FALSE },
  { { "erosion", "u8", { 13, 9, 1 }, "--by erosion" }, 8, TRUE },
  { { "erosion/f32", "f32", { 13, 9, 1 }, "--by=erosion" }, 8, TRUE },
  { { "connectivity-4", "u8", { 13, 9, 1 }, "--connectivity 4" }, 4, FALSE },
  { { "connectivity-8", "u8", { 13, 9, 1 }, "--connectivity 8" }, 8, FALSE },
  { { "stack", "u8", { 7, 6, 5 }, "" }, 26, FALSE },
  { { "stack/6", "u16", { 7, 6, 5 }, "--connectivity 6" }, 6, FALSE },
  { { "stack/26", "f32", { 7, 6, 5 }, "--connectivity 26 --by erosion" }, 26, TRUE },
  { { "hybrid", "u8", { 13, 9, 1 }, "--algorithm hybrid" }, 8, FALSE },
};

static void
test_reconstruct (Scratch       *scratch,
                  gconstpointer  data)
{
  const ReconstructCase *item = data;
  g_autofree char       *spec = NULL;

  for (guint repeat = 0; repeat < test_count (1, 3); repeat++)
    {
      g_autoptr (Pixels)  mask     = make_input (scratch, &item->usual, "mask.raw", 9, &spec);
      g_autoptr (Pixels)  marker   = make_input (scratch, &item->usual, "marker.raw", 9, &spec);
      g_autoptr (Pixels)  found    = NULL;
      g_autofree double  *expected = g_new (double, mask->n);

      succeed (scratch, "reconstruct mask.raw marker.raw --raw %s -o out.raw %s",
               spec, item->usual.options);
      found = pixels_read (scratch, "out.raw", item->usual.type, &mask->size);
      ref_reconstruct (&mask->size, item->connectivity, item->by_erosion,
                       mask->values, marker->values, expected);
      pixels_assert_equal (found, expected);
      scratch_assert (scratch, "marker.raw mask.raw out.raw");
    }
}


/*  Distance  */

typedef struct
{
  Case        usual;
  gboolean    border;
  double      threshold;
  RefMetric   metric;
  const char *out_type;
  double      spacing[3];
  gboolean    is_signed;
} DistanceCase;

static const DistanceCase distances[] =
{
  { { "u8", "u8", { 13, 9, 1 }, "" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "u16", "u16", { 13, 9, 1 }, "" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "f32", "f32", { 13, 9, 1 }, "" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "euclidean", "u8", { 40, 30, 1 }, "--metric euclidean" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "squared", "u8", { 13, 9, 1 }, "--metric squared" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "u64", { 1, 1, 1 }, FALSE },
  { { "city-block", "u8", { 13, 9, 1 }, "--metric city-block" }, FALSE, NAN,
    REF_CITY_BLOCK, "f32", { 1, 1, 1 }, FALSE },
  { { "chessboard", "u8", { 13, 9, 1 }, "--metric chessboard" }, FALSE, NAN,
    REF_CHESSBOARD, "f32", { 1, 1, 1 }, FALSE },
  { { "threshold", "u8", { 13, 9, 1 }, "--threshold 2" }, FALSE, 2,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "threshold/fraction", "f32", { 13, 9, 1 }, "--threshold 0.5" }, FALSE, 0.5,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "threshold/negative", "f32", { 13, 9, 1 }, "--threshold -0.375" }, FALSE, -0.375,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "border-background", "u8", { 13, 9, 1 }, "--border-background" }, TRUE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "spacing", "u8", { 13, 9, 1 }, "--spacing 0.5,2" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 0.5, 2, 1 }, FALSE },
  { { "spacing/squared", "u8", { 13, 9, 1 }, "--spacing 0.5,2 --metric squared" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f64", { 0.5, 2, 1 }, FALSE },
  { { "spacing/stack", "u8", { 7, 6, 5 }, "--spacing 1.5,1,0.25 --metric city-block" }, FALSE, NAN,
    REF_CITY_BLOCK, "f32", { 1.5, 1, 0.25 }, FALSE },
  { { "stack", "u8", { 7, 6, 5 }, "" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "stack/border", "u16", { 7, 6, 5 }, "--border-background --metric squared" }, TRUE, NAN,
    REF_EUCLIDEAN_SQUARED, "u64", { 1, 1, 1 }, FALSE },
  { { "envelope", "u8", { 13, 9, 1 }, "--algorithm envelope" }, FALSE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, FALSE },
  { { "signed", "u8", { 13, 9, 1 }, "--signed --threshold 3" }, FALSE, 3,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, TRUE },
  { { "signed/border", "u16", { 13, 9, 1 }, "--signed --border-background" }, TRUE, NAN,
    REF_EUCLIDEAN_SQUARED, "f32", { 1, 1, 1 }, TRUE },
  { { "signed/stack", "f32", { 7, 6, 5 }, "--signed --metric city-block --spacing 1,2,0.5" },
    FALSE, NAN, REF_CITY_BLOCK, "f32", { 1, 2, 0.5 }, TRUE },
};

/* Sets background pixels to minus their distance to the foreground, and to its nearest pixel. */
static void
expect_outside (const Pixels      *image,
                const RefDistance *options,
                const guint8      *foreground,
                double            *distance,
                guint64           *nearest)
{
  RefDistance         within   = { options->metric,
                                   { options->spacing[0], options->spacing[1],
                                     options->spacing[2] }, 0 };
  g_autofree guint8  *inverted = g_new (guint8, image->n);
  g_autofree double  *away     = g_new (double, image->n);
  g_autofree guint64 *pixels   = g_new (guint64, image->n);

  for (gint64 i = 0; i < image->n; i++)
    inverted[i] = ! foreground[i];
  ref_distance (&image->size, inverted, &within, away, pixels);
  for (gint64 i = 0; i < image->n; i++)
    if (! foreground[i])
      {
        distance[i] = -away[i];
        nearest[i]  = pixels[i];
      }
}

static void
expect_distances (const DistanceCase *item,
                  const Pixels       *image,
                  double             *distance,
                  guint64            *nearest)
{
  double             threshold  = item->threshold;
  g_autofree guint8 *foreground = g_new (guint8, image->n);
  RefDistance        options    = { item->metric,
                                    { item->spacing[0], item->spacing[1], item->spacing[2] },
                                    item->border ? 1 : 0 };

  for (gint64 i = 0; i < image->n; i++)
    foreground[i] = isnan (threshold) ? image->values[i] != 0 : image->values[i] > threshold;
  ref_distance (&image->size, foreground, &options, distance, nearest);
  if (item->is_signed)
    expect_outside (image, &options, foreground, distance, nearest);

  for (gint64 i = 0; i < image->n; i++)
    if (strcmp (item->out_type, "f32") == 0)
      distance[i] = (float) (item->metric == REF_EUCLIDEAN_SQUARED
                             ? copysign (sqrt (fabs (distance[i])), distance[i])
                             : distance[i]);
}

static void
test_distance (Scratch       *scratch,
               gconstpointer  data)
{
  const DistanceCase *item = data;
  g_autofree char    *spec = NULL;

  for (guint repeat = 0; repeat < test_count (1, 3); repeat++)
    {
      g_autoptr (Pixels)  image     = make_input (scratch, &item->usual, "in.raw", 6, &spec);
      g_autoptr (Pixels)  found     = NULL;
      g_autoptr (Pixels)  found_too = NULL;
      g_autofree double  *expected  = g_new (double, image->n);
      g_autofree guint64 *nearest   = g_new (guint64, image->n);
      g_autofree double  *indices   = g_new (double, image->n);

      /* At least one background pixel, because without one there is a notice, and for signed
       * distances one foreground pixel.
       */
      if (item->is_signed)
        image->values[0] = 6;
      image->values[image->n / 2] = -1;
      if (strcmp (item->usual.type, "f32") != 0 || isnan (item->threshold))
        image->values[image->n / 2] = 0;
      pixels_write (scratch, "in.raw", image);

      succeed (scratch, "distance in.raw --raw %s -o out.raw --nearest near.raw %s",
               spec, item->usual.options);
      expect_distances (item, image, expected, nearest);
      for (gint64 i = 0; i < image->n; i++)
        indices[i] = (double) nearest[i];

      found = pixels_read (scratch, "out.raw", item->out_type, &image->size);
      pixels_assert_equal (found, expected);
      found_too = pixels_read (scratch, "near.raw", "u64", &image->size);
      pixels_assert_equal (found_too, indices);
      scratch_assert (scratch, "in.raw near.raw out.raw");

      succeed (scratch, "distance in.raw --raw %s -o alone.raw %s", spec, item->usual.options);
      pixels_free (found);
      found = pixels_read (scratch, "alone.raw", item->out_type, &image->size);
      pixels_assert_equal (found, expected);
      scratch_remove (scratch, "alone.raw");
    }
}

static void
test_no_background (Scratch       *scratch,
                    gconstpointer  data)
{
  static const guint8  ones[6] = { 1, 1, 1, 1, 1, 1 };
  g_autoptr (Run)      result  = NULL;
  g_autofree guint64  *squared = NULL;
  g_autofree guint64  *nearest = NULL;
  g_autofree float    *plain   = NULL;

  scratch_write (scratch, "in.raw", ones, sizeof ones);
  result = run (scratch, "distance in.raw --raw 3x2:u8 -o out.raw --nearest near.raw");
  assert_message (result->err, "in.raw");
  g_assert_cmpint (result->status, ==, 0);
  plain   = scratch_read (scratch, "out.raw", 6 * sizeof (float));
  nearest = scratch_read (scratch, "near.raw", 6 * sizeof (guint64));
  run_free (result);

  result = run (scratch, "distance in.raw --raw 3x2:u8 -o out.raw --metric squared");
  assert_message (result->err, "in.raw");
  g_assert_cmpint (result->status, ==, 0);
  squared = scratch_read (scratch, "out.raw", 6 * sizeof (guint64));

  for (int i = 0; i < 6; i++)
    {
      g_assert_true (isinf (plain[i]) && plain[i] > 0);
      g_assert_cmpuint (nearest[i], ==, G_MAXUINT64);
      g_assert_cmpuint (squared[i], ==, G_MAXUINT64);
    }
}


/*  Watershed  */

typedef struct
{
  Case         usual;
  gboolean     markers;
  RefWatershed options;
} WatershedCase;

static const WatershedCase watersheds[] =
{
  { { "u8", "u8", { 13, 9, 1 }, "" },   FALSE, { 8, 0, FALSE, FALSE, FALSE } },
  { { "u16", "u16", { 13, 9, 1 }, "" }, FALSE, { 8, 0, FALSE, FALSE, FALSE } },
  { { "f32", "f32", { 13, 9, 1 }, "" }, FALSE, { 8, 0, TRUE, FALSE, FALSE } },
  { { "connectivity-4", "u8", { 13, 9, 1 }, "--connectivity 4" },
    FALSE, { 4, 0, FALSE, FALSE, FALSE } },
  { { "lines", "u8", { 13, 9, 1 }, "--lines" },
    FALSE, { 8, 0, FALSE, TRUE, FALSE } },
  { { "last-index", "u8", { 13, 9, 1 }, "--last-index" },
    FALSE, { 8, 0, FALSE, FALSE, TRUE } },
  { { "tolerance", "u8", { 13, 9, 1 }, "--tolerance 2" },
    FALSE, { 8, 2, FALSE, FALSE, FALSE } },
  { { "tolerance/fraction", "f32", { 13, 9, 1 }, "--tolerance 0.5 --lines" },
    FALSE, { 8, 0.5, TRUE, TRUE, FALSE } },
  { { "markers", "u8", { 13, 9, 1 }, "--markers markers.raw" },
    TRUE, { 8, 0, FALSE, FALSE, FALSE } },
  { { "markers/lines", "u16", { 13, 9, 1 }, "--markers markers.raw --lines --connectivity 4" },
    TRUE, { 4, 0, FALSE, TRUE, FALSE } },
  { { "stack", "u8", { 6, 5, 5 }, "" },
    FALSE, { 26, 0, FALSE, FALSE, FALSE } },
  { { "stack/6", "f32", { 6, 5, 5 }, "--connectivity 6 --markers markers.raw --last-index" },
    TRUE, { 6, 0, TRUE, FALSE, TRUE } },
  { { "steepest", "u8", { 13, 9, 1 }, "--algorithm steepest" },
    FALSE, { 8, 0, FALSE, FALSE, FALSE } },
};

/* Three markers, the largest with all 32 bits set. */
static Pixels *
make_markers (const RefSize *size)
{
  Pixels *markers = pixels_new ("u32", size->width, size->height, size->depth);

  markers->values[0]                = 7;
  markers->values[markers->n / 2]   = G_MAXUINT32;
  markers->values[markers->n - 1]   = 70000;
  return markers;
}

static void
test_watershed (Scratch       *scratch,
                gconstpointer  data)
{
  const WatershedCase *item = data;
  g_autofree char     *spec = NULL;

  for (guint repeat = 0; repeat < test_count (1, 3); repeat++)
    {
      g_autoptr (Pixels)   image    = make_input (scratch, &item->usual, "in.raw", 9, &spec);
      g_autoptr (Pixels)   markers  = make_markers (&image->size);
      g_autoptr (Pixels)   found    = NULL;
      g_autofree guint32  *given    = g_new (guint32, image->n);
      g_autofree guint32  *labels   = g_new (guint32, image->n);
      g_autofree double   *expected = g_new (double, image->n);
      g_autoptr (GHashTable) basins = g_hash_table_new (NULL, NULL);
      guint32              n_found;

      for (gint64 i = 0; i < image->n; i++)
        given[i] = (guint32) markers->values[i];
      pixels_write (scratch, "markers.raw", markers);

      n_found = succeed_counting (scratch, "watershed in.raw --raw %s -o out.raw %s", spec,
                                  item->usual.options);
      ref_watershed (&image->size, image->values, item->markers ? given : NULL,
                     &item->options, labels);
      for (gint64 i = 0; i < image->n; i++)
        {
          expected[i] = labels[i];
          if (labels[i] != 0)
            g_hash_table_add (basins, GUINT_TO_POINTER (labels[i]));
        }
      found = pixels_read (scratch, "out.raw", "u32", &image->size);
      pixels_assert_equal (found, expected);
      g_assert_cmpuint (n_found, ==, g_hash_table_size (basins));
      scratch_assert (scratch, "in.raw markers.raw out.raw");
    }
}


/*  Devices, threads, tiles and algorithms  */

static const char * const same_ways[] =
{
  "--threads 1", "--threads 3", "--tile-size 16", "--tile-size 64 --threads 2",
  "--device cpu", "--device all", "--device auto --repeat 3", "--algorithm auto",
};

static void
test_same_bytes (Scratch       *scratch,
                 gconstpointer  data)
{
  static const char * const  lines[]  =
  {
    "reconstruct in.raw marker.raw", "distance in.raw --threshold 3", "watershed in.raw",
  };
  g_autoptr (Pixels)         image    = pixels_random ("u8", 301, 203, 1, 12);
  g_autoptr (Pixels)         marker   = pixels_random ("u8", 301, 203, 1, 12);
  gsize                      n        = (gsize) image->n * 4;

  pixels_write (scratch, "in.raw", image);
  pixels_write (scratch, "marker.raw", marker);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      gsize                length   = i == 0 ? n / 4 : n;
      g_autofree gpointer  expected = NULL;
      g_autoptr (Run)      usual    = run (scratch, "%s --raw 301x203:u8 -o out.raw", lines[i]);

      assert_success (usual);
      expected = scratch_read (scratch, "out.raw", length);
      for (guint way = 0; way < G_N_ELEMENTS (same_ways); way++)
        {
          g_autofree gpointer  found  = NULL;
          g_autoptr (Run)      result = run (scratch, "%s --raw 301x203:u8 -o out.raw %s",
                                             lines[i], same_ways[way]);

          assert_success (result);
          g_assert_cmpstr (result->out, ==, usual->out);
          found = scratch_read (scratch, "out.raw", length);
          g_assert_cmpmem (found, length, expected, length);
        }
    }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (reconstructions); i++)
    add_case ("/reconstruct/", reconstructions[i].usual.name, &reconstructions[i],
              test_reconstruct);
  for (guint i = 0; i < G_N_ELEMENTS (distances); i++)
    add_case ("/distance/", distances[i].usual.name, &distances[i], test_distance);
  add_test ("/distance/no-background", NULL, test_no_background);
  for (guint i = 0; i < G_N_ELEMENTS (watersheds); i++)
    add_case ("/watershed/", watersheds[i].usual.name, &watersheds[i], test_watershed);
  add_test ("/same-bytes", NULL, test_same_bytes);
  return run_tests (argc, argv);
}
