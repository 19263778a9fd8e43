/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is refused before an image is decoded or anything is computed. */

#include <string.h>

#include "pictures.h"
#include "pixels.h"
#include "tests/support/tiers.h"


/* Formats that libvips knows and the command does not read, whatever the name says. */
static void
test_blocked (Scratch       *scratch,
              gconstpointer  data)
{
  static const struct
  {
    const char *name;
    const char *text;
  } files[] =
  {
    { "drawing.png", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30000\" "
                     "height=\"30000\"><rect width=\"9\" height=\"9\"/></svg>" },
    { "numbers.csv", "1,2,3\n4,5,6\n" },
    { "numbers.mat", "3 2\n1 2 3\n4 5 6\n" },
    { "page.pdf",    "%PDF-1.1\n%\n1 0 obj\n<</Type/Catalog>>\nendobj\n" },
    { "light.hdr",   "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\200\200\200\200" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      scratch_write (scratch, files[i].name, files[i].text, strlen (files[i].text));
      refuse (scratch, 1, "formats that are read", "distance %s -o out.tif", files[i].name);
    }
}

static void
test_allowed (Scratch       *scratch,
              gconstpointer  data)
{
  static const char * const  names[] = { "in.gif", "in.webp", "in.jpg", "in.ppm", "in.pgm" };
  g_autoptr (Pixels)         image   = pixels_random ("u8", 16, 16, 1, 200);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      picture_write (scratch, names[i], image);
      succeed (scratch, "regional-maxima %s -o out.tif", names[i]);
      picture_assert (scratch, "out.tif", "u8", &image->size, NULL);
    }
}


/* Where less memory suffices in blocks. */
static void
test_memory_limit_blocks (Scratch       *scratch,
                          gconstpointer  data)
{
  static const char * const options[] = { "--input objects --memory-limit 9M",
                                          "--invert --memory-limit 5000001" };
  g_autoptr (Pixels) image = pixels_random ("u8", 1000, 1000, 1, 200);

  picture_write (scratch, "in.png", image);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (Run) done = run (scratch, "watershed in.png -o out.tif %s", options[i]);

      assert_success (done);
    }
}

/* What a header asks for is refused before it is decoded; openings by attributes, PFM and
 * algorithms for comparison exclude blocks.
 */
static void
test_memory_limit (Scratch       *scratch,
                   gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 1000, 1000, 1, 200);
  g_autoptr (Run)    done  = NULL;

  picture_write (scratch, "in.png", image);
  refuse (scratch, 1, "Cannot read “in.png”: it takes 976.6",
          "area-opening in.png --area 9 -o out.tif --memory-limit 900K --progress");
  /* The image and the distances: 1 MB and 4 MB. */
  refuse (scratch, 1, "Cannot write “out.pfm”: it takes 3.8",
          "distance in.png -o out.pfm --memory-limit 2000000 --progress");
  /* The relief of floats and the objects: 4 MB and 1 MB more. */
  refuse (scratch, 1, "Cannot read “in.png”: it takes 4.8",
          "watershed in.png -o out.tif --input objects --memory-limit 9M --algorithm sync");
  refuse (scratch, 1, "Cannot read “in.png”: it takes 976.6",
          "watershed in.png -o out.tif --invert --memory-limit 5000001 --algorithm sync");
  /* Nothing is left for the work. */
  refuse (scratch, 1, "are allowed", "distance in.png -o out.pfm --memory-limit 5000001");
  done = run (scratch, "label in.png -o out.tif --memory-limit 1g");
  assert_success (done);

  refuse (scratch, 2, "--memory-limit", "label in.png -o out.tif --memory-limit 0");
  refuse (scratch, 2, "--memory-limit", "label in.png -o out.tif --memory-limit -1");
  refuse (scratch, 2, "“4X”", "label in.png -o out.tif --memory-limit 4X");
  refuse (scratch, 2, "“4GB”", "label in.png -o out.tif --memory-limit 4GB");
  refuse (scratch, 2, "--memory-limit", "label in.png -o out.tif --memory-limit 99999999T");
}

/* Floats are made of 64-bit floating point: 4 MB beside the file. */
static void
test_memory_limit_doubles (Scratch       *scratch,
                           gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 1000, 1000, 1, 200);

  picture_write (scratch, "in.png", image);
  succeed (scratch, "distance in.png --metric squared --spacing 2,1 -o in.raw");
  succeed (scratch, "distance in.png --metric squared --spacing 2,1 -o in.tif");
  refuse (scratch, 1, "Cannot read “in.raw”: it takes 3.8",
          "h-dome in.raw --raw 1000x1000:f64 --height 1 -o out.pfm --memory-limit 3M");
  refuse (scratch, 1, "Cannot read “in.tif”: it takes 3.8",
          "h-dome in.tif --height 1 -o out.pfm --memory-limit 3M");
  succeed (scratch, "h-dome in.raw --raw 1000x1000:f64 --height 1 -o out.raw --memory-limit 99M");
  succeed (scratch, "h-dome in.tif --height 1 -o out.raw --memory-limit 99M");
}

static void
write_zeros (const Scratch *scratch,
             const char    *name,
             gsize          n)
{
  g_autofree char *zeros = g_malloc0 (n);

  scratch_write (scratch, name, zeros, n);
}

/* Each size is read without an error, and each refusal comes before progress. */
static void
test_sides (Scratch       *scratch,
            gconstpointer  data)
{
  static const struct
  {
    const char *size;
    const char *out;
    const char *culprit;
  } cases[] =
  {
    { "10000001x1",  "out.tif",  "TIFF holds sides of at most 10000000 pixels" },
    { "1x10000001",  "out.png",  "PNG holds sides of at most 10000000 pixels" },
    { "1x1x10000001", "out.tif", "all slices of a stack together" },
    { "1x10000001",  "out.v",    "VIPS holds" },
    { "10000001x1",  "out.pgm",  "PGM holds" },
    { "10000001x1",  "out.jpg",  "JPEG holds sides of at most 65500 pixels" },
    { "10000001x1",  "out.webp", "WebP holds sides of at most 16383 pixels" },
  };

  write_zeros (scratch, "in.raw", 10000001);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    refuse (scratch, 1, cases[i].culprit, "h-dome in.raw --raw %s:u8 --height 1 -o %s --progress",
            cases[i].size, cases[i].out);
}

/* The largest that the limits allow is written. */
static void
test_allowed_sides (Scratch       *scratch,
                    gconstpointer  data)
{
  write_zeros (scratch, "in.raw", 65500);
  succeed (scratch, "h-dome in.raw --raw 65500x1:u8 --height 1 -o out.jpg");
  write_zeros (scratch, "in.raw", 16383);
  succeed (scratch, "h-dome in.raw --raw 1x16383:u8 --height 1 -o out.webp");
}

/* Libvips takes ten thousand pages for a mistake. */
static void
test_pages (Scratch       *scratch,
            gconstpointer  data)
{
  write_zeros (scratch, "in.raw", 10001);
  succeed (scratch, "h-dome in.raw --raw 1x1x10001:u8 --height 1 -o out.tif");
  succeed (scratch, "h-dome out.tif --height 1 -o out.raw");
  g_free (scratch_read (scratch, "out.raw", 10001));
}

/* With markers the largest label is known beforehand. */
static void
test_labels (Scratch       *scratch,
             gconstpointer  data)
{
  static const double levels[4] = { 3, 4, 5, 4 };
  static const double labels[4] = { 1, 0, 0, 65536 };

  picture_write_values (scratch, "in.tif", VIPS_FORMAT_UCHAR, levels, 4);
  picture_write_values (scratch, "m.tif", VIPS_FORMAT_UINT, labels, 4);
  refuse (scratch, 1, "PNG holds labels up to 65535, but there is a label 65536",
          "watershed in.tif --markers m.tif -o out.png --progress");
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  pictures_begin (argv[0]);

  add_test ("/formats/blocked", NULL, test_blocked);
  add_test ("/formats/allowed", NULL, test_allowed);
  add_test ("/memory-limit/blocks", NULL, test_memory_limit_blocks);
  add_test ("/memory-limit/images", NULL, test_memory_limit);
  add_test ("/memory-limit/doubles", NULL, test_memory_limit_doubles);
  add_test ("/sides/refused", NULL, test_sides);
  add_test ("/sides/allowed", NULL, test_allowed_sides);
  add_test ("/sides/pages", NULL, test_pages);
  add_test ("/labels", NULL, test_labels);
  return run_tests (argc, argv);
}
