/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Image files that the command writes with libvips. */

#include <math.h>
#include <sys/stat.h>

#include "pictures.h"
#include "pixels.h"
#include "tests/support/tiers.h"


static void
test_distances (Scratch       *scratch,
                gconstpointer  data)
{
  g_autoptr (Pixels)  image   = pixels_random ("u8", 9, 7, 1, 5);
  g_autoptr (Pixels)  plain   = NULL;
  g_autoptr (Pixels)  squared = NULL;
  g_autoptr (Pixels)  spaced  = NULL;
  g_autoptr (Pixels)  nearest = NULL;

  image->values[3] = 0;
  pixels_write (scratch, "in.raw", image);
#define LINE "distance in.raw --raw 9x7:u8 --border-background "
  succeed (scratch, LINE "-o out.raw --nearest near.raw");
  plain   = pixels_read (scratch, "out.raw", "f32", &image->size);
  nearest = pixels_read (scratch, "near.raw", "u64", &image->size);
  succeed (scratch, LINE "-o out.raw --metric squared");
  squared = pixels_read (scratch, "out.raw", "u64", &image->size);
  succeed (scratch, LINE "-o out.raw --metric squared --spacing 0.1,3");
  spaced = pixels_read (scratch, "out.raw", "f64", &image->size);

  for (gint64 i = 0; i < image->n; i++)
    if (nearest->values[i] == (double) G_MAXUINT64)
      nearest->values[i] = -1;

  succeed (scratch, LINE "-o out.tif --nearest near.tif");
  picture_assert (scratch, "out.tif", "f32", &image->size, plain->values);
  picture_assert (scratch, "near.tif", "f64", &image->size, nearest->values);
  succeed (scratch, LINE "-o out.v --nearest near.v");
  picture_assert (scratch, "out.v", "f32", &image->size, plain->values);
  picture_assert (scratch, "near.v", "f64", &image->size, nearest->values);
  succeed (scratch, LINE "-o out.tif --metric squared");
  picture_assert (scratch, "out.tif", "f64", &image->size, squared->values);
  succeed (scratch, LINE "-o out.tif --metric squared --spacing 0.1,3");
  picture_assert (scratch, "out.tif", "f64", &image->size, spaced->values);

  /* If a format cannot hold the result, nothing is computed. */
  refuse (scratch, 1, "out.png", LINE "-o out.png --progress");
  refuse (scratch, 1, "PNG", LINE "-o out.png --metric squared --progress");
  refuse (scratch, 1, ".tif", LINE "-o out.pgm --progress");
  refuse (scratch, 1, "out.jpg", LINE "-o out.jpg --progress");
  refuse (scratch, 1, "out.webp", LINE "-o out.webp --progress");
  refuse (scratch, 1, "out.pfm", LINE "-o out.pfm --metric squared --progress");
  refuse (scratch, 1, "near.png", LINE "-o new.tif --nearest near.png --progress");
  refuse (scratch, 1, "near.pfm", LINE "-o new.tif --nearest near.pfm --progress");
#undef LINE
}

/* Distances on the background are negative in every floating-point format. */
static void
test_signed (Scratch       *scratch,
             gconstpointer  data)
{
  static const double  levels[5]   = { 7, 7, 0, 0, 0 };
  const double         expected[5] = { 2, 1, -1, -2, -3 };
  const RefSize        size        = { 5, 1, 1 };
  g_autoptr (Pixels)   back        = NULL;

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 5);
  succeed (scratch, "distance in.tif --signed -o out.tif");
  picture_assert (scratch, "out.tif", "f32", &size, expected);
  succeed (scratch, "distance in.tif --signed -o out.v");
  picture_assert (scratch, "out.v", "f32", &size, expected);
  succeed (scratch, "distance in.tif --signed -o out.pfm");
  succeed (scratch, "reconstruct out.pfm out.pfm -o out.raw");
  back = pixels_read (scratch, "out.raw", "f32", &size);
  pixels_assert_equal (back, expected);
  refuse (scratch, 1, "out.png", "distance in.tif --signed -o out.png --progress");
  refuse (scratch, 1, "distances", "distance in.tif --signed -o out.pgm --progress");
}

/* Marks are 0 and 255, so every lossless 8-bit format keeps them. */
static void
test_marks (Scratch       *scratch,
            gconstpointer  data)
{
  static const double levels[6]   = { 300, 400, 400, 100, 100, 900 };
  const double        expected[6] = { 0, 255, 255, 0, 0, 255 };
  const RefSize       size        = { 6, 1, 1 };

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_USHORT, levels, 6);
  succeed (scratch, "regional-maxima in.tif -o out.png");
  picture_assert (scratch, "out.png", "u8", &size, expected);
  succeed (scratch, "extended-maxima in.tif --height 50 -o out.pgm");
  picture_assert (scratch, "out.pgm", "u8", &size, expected);
  succeed (scratch, "regional-maxima in.tif -o out.tif");
  picture_assert (scratch, "out.tif", "u8", &size, expected);
  refuse (scratch, 1, "marks", "regional-maxima in.tif -o out.jpg --progress");
  refuse (scratch, 1, "out.webp", "regional-minima in.tif -o out.webp --progress");
  /* Grey levels have the type of the input. */
  refuse (scratch, 1, "out.jpg", "h-dome in.tif --height 50 -o out.jpg --progress");
  refuse (scratch, 1, "out.pfm", "h-dome in.tif --height 50 -o out.pfm --progress");
}

static void
test_components_and_regions (Scratch       *scratch,
                             gconstpointer  data)
{
  static const double levels[6]     = { 5, 0, 9, 9, 0, 3 };
  const double        components[6] = { 1, 0, 2, 2, 0, 3 };
  const double        basins[6]     = { 1, 1, 1, 2, 2, 2 };
  const double        one[6]        = { 1, 1, 1, 1, 1, 1 };
  const double        saliency[6]   = { 0, 0, 9, 9, 0, 0 };
  const RefSize       size          = { 6, 1, 1 };
  g_autoptr (Run)     labels        = NULL;
  g_autoptr (Run)     partition     = NULL;
  g_autoptr (Run)     depths        = NULL;

  picture_write_values (scratch, "in.png", VIPS_FORMAT_UCHAR, levels, 6);
  labels = run (scratch, "label in.png -o out.png");
  assert_success (labels);
  g_assert_cmpstr (labels->out, ==, "3\n");
  picture_assert (scratch, "out.png", "u16", &size, components);
  refuse (scratch, 1, "labels", "label in.png -o out.jpg --progress");

  picture_write_values (scratch, "basins.png", VIPS_FORMAT_UCHAR, basins, 6);
  partition = run (scratch, "hierarchy in.png basins.png --depth 9 -o out.tif");
  assert_success (partition);
  g_assert_cmpstr (partition->out, ==, "1\n");
  picture_assert (scratch, "out.tif", "u32", &size, one);
  depths = run (scratch, "hierarchy in.png basins.png --saliency -o out.tif");
  assert_success (depths);
  g_assert_cmpstr (depths->out, ==, "2\n");
  picture_assert (scratch, "out.tif", "f32", &size, saliency);

  refuse (scratch, 1, "saliency", "hierarchy in.png basins.png --saliency -o out.png --progress");
  refuse (scratch, 1, "labels", "hierarchy in.png basins.png --count 1 -o out.jpg --progress");
  picture_write_bands (scratch, "three.png", &(Pixels) { "u8", size, 6, (double *) basins }, 3);
  refuse (scratch, 1, "three.png", "hierarchy in.png three.png --count 1 -o new.tif");
  picture_write_values (scratch, "wide.png", VIPS_FORMAT_UCHAR, levels, 5);
  refuse (scratch, 1, "“in.png” is 6 × 1 × 1 pixels, but “wide.png” is 5 × 1 × 1.",
          "hierarchy in.png wide.png --count 1 -o new.tif");
}

static void
test_infinite (Scratch       *scratch,
               gconstpointer  data)
{
  const double     expected[6] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
  const double     nowhere[6]  = { -1, -1, -1, -1, -1, -1 };
  const RefSize    size        = { 3, 2, 1 };
  g_autoptr (Run)  result      = NULL;

  scratch_write (scratch, "in.raw", "123456", 6);
  result = run (scratch, "distance in.raw --raw 3x2:u8 -o out.tif --metric squared "
                         "--nearest near.tif");
  assert_message (result->err, "in.raw");
  g_assert_cmpint (result->status, ==, 0);
  picture_assert (scratch, "out.tif", "f64", &size, expected);
  picture_assert (scratch, "near.tif", "f64", &size, nowhere);
}

static void
test_labels (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Pixels) image  = pixels_random ("u8", 30, 20, 1, 9);
  g_autoptr (Pixels) labels = NULL;

  pixels_write (scratch, "in.raw", image);
#define LINE "watershed in.raw --raw 30x20:u8 "
  succeed_counting (scratch, LINE "-o out.raw");
  labels = pixels_read (scratch, "out.raw", "u32", &image->size);
  succeed_counting (scratch, LINE "-o out.tif");
  picture_assert (scratch, "out.tif", "u32", &image->size, labels->values);
  succeed_counting (scratch, LINE "-o out.png");
  picture_assert (scratch, "out.png", "u16", &image->size, labels->values);
  succeed_counting (scratch, LINE "-o out.pgm");
  picture_assert (scratch, "out.pgm", "u16", &image->size, labels->values);
  refuse (scratch, 1, "out.jpg", LINE "-o out.jpg --progress");
  refuse (scratch, 1, "labels", LINE "-o out.pfm --progress");
#undef LINE
}

/* 65535 is the largest label in a 16-bit file. */
static void
test_many_labels (Scratch       *scratch,
                  gconstpointer  data)
{
  static const double levels[4] = { 3, 4, 5, 4 };
  double              labels[4] = { 1, 0, 0, 65535 };
  double              found[4]  = { 1, 1, 1, 65535 };
  const RefSize       size      = { 4, 1, 1 };
  g_autofree char    *before    = NULL;

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 4);
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_UINT, labels, 4);
  succeed_counting (scratch, "watershed in.tif --markers m.tif -o out.png");
  picture_assert (scratch, "out.png", "u16", &size, found);

  labels[3] = 65536;
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_UINT, labels, 4);
  refuse (scratch, 1, "65536", "watershed in.tif --markers m.tif -o out.png");
  refuse (scratch, 1, "new.pgm", "watershed in.tif --markers m.tif -o new.pgm");
  picture_assert (scratch, "out.png", "u16", &size, found);
}

static void
test_lossy (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Pixels) narrow = pixels_random ("u8", 16, 16, 1, 200);
  g_autoptr (Pixels) wide   = pixels_random ("u16", 16, 16, 1, 200);

  picture_write (scratch, "u8.png", narrow);
  picture_write (scratch, "u16.png", wide);
  succeed (scratch, "reconstruct u8.png u8.png -o out.jpg");
  picture_assert (scratch, "out.jpg", "u8", &narrow->size, NULL);
  refuse (scratch, 1, "out.jpg", "reconstruct u16.png u16.png -o out.jpg");
  scratch_assert (scratch, "out.jpg u16.png u8.png");
}

/* The limit of the file size is 1, 7, 49, … bytes less than the file needs. */
static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const  suffixes[] = { "tif", "png", "pgm", "v" };
  g_autoptr (Pixels)         image      = pixels_random ("u8", 100, 80, 1, 250);

  picture_write (scratch, "in.png", image);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *out  = g_strconcat ("out.", suffixes[i], NULL);
      g_autofree char *path = scratch_path (scratch, out);
      struct stat      status;

      succeed (scratch, "reconstruct in.png in.png -o %s", out);
      g_assert_cmpint (stat (path, &status), ==, 0);
      scratch_remove (scratch, out);

      for (int short_of = 1; short_of < 4000; short_of *= 7)
        {
          const Surroundings full   = { .prepare = limit_files,
                                        .data = GUINT_TO_POINTER (status.st_size - short_of) };
          g_autoptr (Run)    result = run_in (scratch, &full,
                                              "reconstruct in.png in.png -o %s", out);

          assert_refused (result, 1, out);
          scratch_assert (scratch, "in.png");
        }
    }
}

static void
test_names (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("f32", 5, 4, 1, 250);

  picture_write (scratch, "a [1] ü.tif", image);
  succeed (scratch, "reconstruct 'a [1] ü.tif' 'a [1] ü.tif' -o 'o [2] ü.v'");
  picture_assert (scratch, "o [2] ü.v", "f32", &image->size, image->values);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  pictures_begin (argv[0]);

  add_test ("/distances", NULL, test_distances);
  add_test ("/signed", NULL, test_signed);
  add_test ("/marks", NULL, test_marks);
  add_test ("/components-and-regions", NULL, test_components_and_regions);
  add_test ("/infinite", NULL, test_infinite);
  add_test ("/labels", NULL, test_labels);
  add_test ("/many-labels", NULL, test_many_labels);
  add_test ("/lossy", NULL, test_lossy);
  add_test ("/full", NULL, test_full);
  add_test ("/names", NULL, test_names);
  return run_tests (argc, argv);
}
