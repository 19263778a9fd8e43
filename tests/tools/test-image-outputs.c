/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files in formats of their own, through libvips: what the command writes. */

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "pictures.h"
#include "pixels.h"


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

  /* Nothing is computed for a file that cannot hold the result. */
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
  succeed (scratch, LINE "-o out.raw");
  labels = pixels_read (scratch, "out.raw", "u32", &image->size);
  succeed (scratch, LINE "-o out.tif");
  picture_assert (scratch, "out.tif", "u32", &image->size, labels->values);
  succeed (scratch, LINE "-o out.png");
  picture_assert (scratch, "out.png", "u16", &image->size, labels->values);
  succeed (scratch, LINE "-o out.pgm");
  picture_assert (scratch, "out.pgm", "u16", &image->size, labels->values);
  refuse (scratch, 1, "out.jpg", LINE "-o out.jpg --progress");
  refuse (scratch, 1, "labels", LINE "-o out.pfm --progress");
#undef LINE
}

/* 65535 is the last label that 16 bits hold. */
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
  succeed (scratch, "watershed in.tif --markers m.tif -o out.png");
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


static void
limit_files (gpointer data)
{
  struct rlimit limit = { GPOINTER_TO_UINT (data), GPOINTER_TO_UINT (data) };

  setrlimit (RLIMIT_FSIZE, &limit);
}

/* A disk that fills up at any point of the file, its very end included. */
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
  g_test_init (&argc, &argv, NULL);
  if (VIPS_INIT (argv[0]) != 0)
    g_error ("libvips does not start.");
  vips_cache_set_max (0);

  add_test ("/distances", NULL, test_distances);
  add_test ("/infinite", NULL, test_infinite);
  add_test ("/labels", NULL, test_labels);
  add_test ("/many-labels", NULL, test_many_labels);
  add_test ("/lossy", NULL, test_lossy);
  add_test ("/full", NULL, test_full);
  add_test ("/names", NULL, test_names);
  return run_tests (argc, argv);
}
