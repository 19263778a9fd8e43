/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in blocks against the same command with the whole image in memory. */

#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "block-files.h"
#include "mounts.h"
#include "tests/support/tiers.h"


#ifdef HAVE_VIPS

/*  Image files  */

#define BLOCKS " --blocks auto --memory-limit 2M "

/* Runs a command in blocks and as a whole. */
static void
compare (const Scratch *scratch,
         const char    *line)
{
  g_autoptr (Run) whole = run (scratch, "%s -o whole.raw", line);
  g_autoptr (Run) done  = run (scratch, "%s -o out.raw" BLOCKS, line);

  g_test_message ("%s: %s%s", line, whole->err, done->err);
  g_assert_cmpint (whole->status, ==, 0);
  g_assert_cmpint (done->status, ==, 0);
  g_assert_cmpstr (done->out, ==, whole->out);
  g_assert_cmpstr (done->err, ==, whole->err);
  assert_same_files (scratch, "out.raw", "whole.raw");
}

/* What is read in order only is opened again. */
static void
test_strips (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 1300);
  g_autofree char   *path   = scratch_path (scratch, "in.png");
  VipsImage         *image  = wrap (levels, 900, 1300, 1);

  write_tiff (scratch, "in.tif", image, 0);
  g_assert_cmpint (vips_image_write_to_file (image, path, NULL), ==, 0);
  compare (scratch, "label in.tif --threshold 100");
  compare (scratch, "label in.png --threshold otsu --invert");
  g_object_unref (image);
}

static void
test_two_tiffs (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 1300);
  VipsImage         *mask   = wrap (levels, 900, 1300, 1);
  VipsImage         *marker;

  write_tiff (scratch, "in.tif", mask, 128);
  make_seeds (levels, 900 * 1300);
  marker = wrap (levels, 900, 1300, 1);
  write_tiff (scratch, "seeds.tif", marker, 128);
  compare (scratch, "reconstruct in.tif seeds.tif");
  g_object_unref (mask);
  g_object_unref (marker);
}

static void
test_colour (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 600);
  VipsImage         *image  = wrap (levels, 300, 600, 3);

  write_tiff (scratch, "in.tif", image, 128);
  compare (scratch, "label in.tif --threshold 100");
  compare (scratch, "label in.tif --channel 1 --threshold 100");
  g_object_unref (image);
}

static void
test_pyramid (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (1000, 900);
  g_autofree char   *path   = scratch_path (scratch, "in.tif");
  VipsImage         *image  = wrap (levels, 1000, 900, 1);

  if (vips_tiffsave (image, path, "tile", TRUE, "pyramid", TRUE, "subifd", TRUE, NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  g_object_unref (image);
  compare (scratch, "label in.tif --level 1 --threshold 100");

  /* With a message about the other levels. */
  compare (scratch, "label in.tif --threshold 100");
}

/* Tiles of all types that threads decode, and of some that libvips decodes; none is square. */
static void
test_tiles (Scratch       *scratch,
            gconstpointer  data)
{
  static const VipsBandFormat formats[] =
  {
    VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT, VIPS_FORMAT_FLOAT, VIPS_FORMAT_SHORT,
  };
  static const VipsForeignTiffCompression compressions[] =
  {
    VIPS_FOREIGN_TIFF_COMPRESSION_NONE, VIPS_FOREIGN_TIFF_COMPRESSION_LZW,
    VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE,
  };
  g_autofree guint8 *levels = make_spots (611, 505);
  g_autofree char   *path   = scratch_path (scratch, "in.tif");
  VipsImage         *image  = wrap (levels, 611, 505, 1);

  for (guint i = 0; i < G_N_ELEMENTS (formats) * test_count (1, G_N_ELEMENTS (compressions)); i++)
    {
      VipsImage       *typed = NULL;
      g_autoptr (Run)  done  = NULL;

      if (vips_cast (image, &typed, formats[i % G_N_ELEMENTS (formats)], NULL) != 0 ||
          vips_tiffsave (typed, path, "tile", TRUE, "tile_width", 48, "tile_height", 80,
                         "compression", compressions[i % G_N_ELEMENTS (compressions)], "predictor",
                         VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL, NULL) != 0)
        g_error ("%s", vips_error_buffer ());
      g_object_unref (typed);
      compare (scratch, "distance in.tif --threshold 100 --signed");
      done = run (scratch, "distance in.tif --threshold 100 --signed -o out.raw --blocks auto "
                           "--memory-limit 32M --threads 4");
      assert_success (done);
      assert_same_files (scratch, "out.raw", "whole.raw");
    }
  g_object_unref (image);
}

/* Pages of a stack, read and written. */
static void
test_tiff_stack (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (200, 30 * 170);

  scratch_write (scratch, "in.raw", levels, 200 * 30 * 170);
  compare (scratch, "label in.raw --raw 200x170x30:u8 --threshold 150");
  succeed_counting (scratch, "label in.raw --raw 200x170x30:u8 --threshold 150 -o out.tif"
                             " --blocks auto --memory-limit 3M");
  assert_same_pixels (scratch, "out.tif", "whole.raw", "u32", 200 * 170 * 30);
  compare (scratch, "label out.tif");
}

/* Compressed data that is damaged in the middle of the file. */
static void
test_damaged (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree guint8  *levels = make_spots (900, 1300);
  g_autofree char    *path   = scratch_path (scratch, "in.tif");
  g_autofree char    *bytes  = NULL;
  g_autoptr (GError)  error  = NULL;
  VipsImage          *image  = wrap (levels, 900, 1300, 1);
  gsize               n;

  for (int tile = 0; tile <= 128; tile += 128)
    {
      write_tiff (scratch, "in.tif", image, tile);
      g_file_get_contents (path, &bytes, &n, &error);
      g_assert_no_error (error);
      memset (bytes + n / 2, 0xff, n / 8);
      scratch_write (scratch, "in.tif", bytes, n);
      refuse (scratch, 1, "in.tif", "label in.tif -o out.raw" BLOCKS);
      refuse (scratch, 1, "in.tif", "label in.tif -o out.tif --blocks auto --memory-limit 9M");
      scratch_assert (scratch, "in.tif");
      g_clear_pointer (&bytes, g_free);
    }
  g_object_unref (image);
}

/* Masks and markers that do not match are refused with their names. */
static void
test_refused_markers (Scratch       *scratch,
                      gconstpointer  data)
{
  const double values[2] = { 1, 0 };

  picture_write_values (scratch, "mask.tif", VIPS_FORMAT_UCHAR, values, 2);
  picture_write_values (scratch, "one.tif", VIPS_FORMAT_UCHAR, values, 1);
  picture_write_values (scratch, "u16.tif", VIPS_FORMAT_USHORT, values, 2);
  refuse (scratch, 1, "one.tif", "reconstruct mask.tif one.tif -o out.raw --blocks auto");
  refuse (scratch, 1, "but the marker “u16.tif” of type u16",
          "reconstruct mask.tif u16.tif -o out.raw --blocks auto");
}

static void
test_refused_pictures (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree guint8  *levels     = make_spots (90, 70);
  g_autofree char    *path       = scratch_path (scratch, "in.jpg");
  g_autofree char    *interlaced = scratch_path (scratch, "lines.png");
  const double        doubles[2] = { 1, 0 };
  VipsImage          *image      = wrap (levels, 90, 70, 1);

  if (vips_image_write_to_file (image, path, NULL) != 0 ||
      vips_pngsave (image, interlaced, "interlace", TRUE, NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  picture_write_values (scratch, "doubles.tif", VIPS_FORMAT_DOUBLE, doubles, 2);
  refuse (scratch, 1, "Jpeg cannot be read in blocks",
          "label in.jpg -o out.raw --blocks auto --progress");
  refuse (scratch, 1, "interlaced PNG cannot be read in blocks",
          "label lines.png -o out.raw --blocks auto --progress");
  refuse (scratch, 1, "64-bit floating point cannot be read in blocks",
          "label doubles.tif -o out.raw --blocks auto --progress");
  scratch_write (scratch, "in.raw", levels, 90 * 70);
  refuse (scratch, 1, "only .raw, .npy, .tif and .zarr",
          "label in.raw --raw 90x70:u8 -o out.png --blocks auto --progress");
  g_object_unref (image);
}

#endif


/*  Raw files  */

/* All types, and a threshold that is found in the image. */
static void
test_types (Scratch       *scratch,
            gconstpointer  data)
{
  static const char * const types[] = { "u8", "u16", "f32", "f64" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels) image = pixels_random (types[i], 70, 60, 5, 9);
      g_autofree char   *spec  = pixels_spec (image);
      g_autoptr (Run)    whole = NULL;
      g_autoptr (Run)    done  = NULL;

      pixels_write (scratch, "in.raw", image);
      whole = run (scratch, "label in.raw --raw %s --threshold otsu --invert -o whole.raw", spec);
      done  = run (scratch, "label in.raw --raw %s --threshold otsu --invert -o out.raw "
                            "--blocks auto --memory-limit 150K", spec);
      g_assert_cmpint (done->status, ==, 0);
      g_assert_cmpstr (done->out, ==, whole->out);
      g_assert_cmpstr (done->err, ==, whole->err);
      assert_same_files (scratch, "out.raw", "whole.raw");
    }
}

static void
test_nan (Scratch       *scratch,
          gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("f32", 300, 200, 1, 9);

  image->values[133 * 300 + 7] = NAN;
  pixels_write (scratch, "in.raw", image);
  refuse (scratch, 1, "at 7, 133, 0",
          "label in.raw --raw 300x200:f32 -o out.raw --blocks auto --memory-limit 300K");
  scratch_assert (scratch, "in.raw");
}

static void
test_reconstruct (Scratch       *scratch,
                  gconstpointer  data)
{
  static const char * const ways[]    = { "auto", "queue", "summary" };
  static const char * const options[] = { "", "--by erosion --connectivity 4" };
  g_autofree guint8        *levels    = make_spots (50, 12000);

  scratch_write (scratch, "in.raw", levels, 50 * 12000);
  make_seeds (levels, 50 * 12000);
  scratch_write (scratch, "seeds.raw", levels, 50 * 12000);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      {
        const char      *files = i == 0 ? "in.raw seeds.raw" : "seeds.raw in.raw";
        g_autoptr (Run)  whole = run (scratch, "reconstruct %s --raw 50x12000:u8 %s -o whole.raw",
                                      files, options[i]);
        g_autoptr (Run)  done  = run (scratch, "reconstruct %s --raw 50x12000:u8 %s -o out.raw "
                                      "--stats --threads 1 --memory-limit 600K --blocks %s", files,
                                      options[i], ways[k]);

        assert_success (whole);
        assert_success (done);
        g_test_message ("%s: %s", ways[k], done->out);
        g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
        assert_same_files (scratch, "out.raw", "whole.raw");
      }
}

static void
test_refused_reconstruct (Scratch       *scratch,
                          gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (200, 300);

  scratch_write (scratch, "in.raw", levels, 200 * 300);
  scratch_write (scratch, "long.raw", levels, 200 * 299);
  refuse (scratch, 2, "auto, queue, summary",
          "reconstruct in.raw in.raw --raw 200x300:u8 -o out.raw --blocks other");
  refuse (scratch, 1, "too short",
          "reconstruct in.raw long.raw --raw 200x300:u8 -o out.raw --blocks auto");
}

#ifdef HAVE_VIPS
/* TIFF cannot be read back: all ways write the same file, and leave no other. */
static void
test_reconstruct_tiff (Scratch       *scratch,
                       gconstpointer  data)
{
  static const char * const ways[] = { "summary", "auto", "queue" };
  g_autofree guint8        *levels = make_spots (300, 900);

  scratch_write (scratch, "in.raw", levels, 300 * 900);
  make_seeds (levels, 300 * 900);
  scratch_write (scratch, "seeds.raw", levels, 300 * 900);
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    {
      g_autofree char *name = g_strdup_printf ("%s.tif", ways[k]);
      g_autoptr (Run)  done = run (scratch, "reconstruct in.raw seeds.raw --raw 300x900:u8 -o %s "
                                            "--stats --threads 1 --memory-limit 8M --blocks %s",
                                   name, ways[k]);

      assert_success (done);
      assert_same_files (scratch, name, "summary.tif");
    }
  scratch_assert (scratch, "auto.tif in.raw queue.tif seeds.raw summary.tif");
}
#endif

/* Runs a command in blocks and as a whole; @options: with --raw */
static void
compare_raw (const Scratch *scratch,
             const char    *command,
             const char    *options)
{
  g_autoptr (Run) whole = run (scratch, "%s %s in.raw -o whole.raw --stats", command, options);
  g_autoptr (Run) done  = run (scratch, "%s %s in.raw -o out.raw --stats --threads 1 "
                                        "--memory-limit 400K --blocks auto", command, options);

  g_test_message ("%s %s: %s%s%s", command, options, whole->err, done->err, done->out);
  g_assert_cmpint (whole->status, ==, 0);
  g_assert_cmpint (done->status, ==, 0);
  g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
  g_assert_cmpstr (done->err, ==, whole->err);
  if (strstr (whole->out, "\"basins\""))
    g_assert_cmpfloat (find_number (done, "basins"), ==, find_number (whole, "basins"));
  assert_same_files (scratch, "out.raw", "whole.raw");
}

/* Metrics, dark objects, a threshold that is found, images without background, stacks. */
static void
test_distances (Scratch       *scratch,
                gconstpointer  data)
{
  static const char * const options[] =
  {
    "--raw 200x300:u8 --metric squared --threshold 150",
    "--raw 200x300:u8 --metric squared --spacing 0.5,2 --threshold 150",
    "--raw 200x300:u8 --metric chessboard --threshold otsu --invert",
    "--raw 200x300:u8 --threshold -1",
    "--raw 200x300:u8 --threshold 100 --signed",
    "--raw 50x40x30:u8 --threshold 100 --signed",
  };
  g_autofree guint8 *levels = make_spots (200, 300);

  scratch_write (scratch, "in.raw", levels, 200 * 300);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    compare_raw (scratch, "distance", options[i]);
}

/* A second result. */
static void
test_nearest (Scratch       *scratch,
              gconstpointer  data)
{
  static const char * const options[] =
  {
    "--raw 200x300:u8 --threshold 150",
    "--raw 200x300:u8 --threshold otsu --invert --metric city-block --signed",
    "--raw 200x300:u8 --threshold -1",
    "--raw 50x40x30:u8 --threshold 100 --spacing 1,1,2",
  };
  g_autofree guint8 *levels = make_spots (200, 300);

  scratch_write (scratch, "in.raw", levels, 200 * 300);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (Run) whole = run (scratch, "distance %s in.raw -o whole.raw --nearest n.raw",
                                   options[i]);
      g_autoptr (Run) done  = run (scratch, "distance %s in.raw -o out.raw --nearest m.raw --stats "
                                            "--threads 1 --memory-limit 700K --blocks auto",
                                   options[i]);

      g_test_message ("%s: %s%s", options[i], done->err, done->out);
      g_assert_cmpint (whole->status, ==, 0);
      g_assert_cmpint (done->status, ==, 0);
      g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
      assert_same_files (scratch, "out.raw", "whole.raw");
      assert_same_files (scratch, "m.raw", "n.raw");
    }
}

#define DISTANCE "distance in.raw --raw 200x300:u8 -o out.raw"

/* What is not possible in blocks goes on as a whole where --blocks does not ask for them. */
static void
test_refused_distance (Scratch       *scratch,
                       gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (200, 300);
  g_autoptr (Run)    done   = NULL;

  levels[0] = 0;    /* there is background, or the command says that there is none */
  scratch_write (scratch, "in.raw", levels, 200 * 300);
  refuse (scratch, 2, "cannot both", DISTANCE " --blocks auto --nearest out.raw");
  refuse (scratch, 2, "--resume cannot be combined with --nearest",
          DISTANCE " --resume --nearest n.raw");
  refuse (scratch, 1, "n.pfm", DISTANCE " --blocks auto --nearest n.pfm");
  refuse (scratch, 2, "--algorithm propagation", DISTANCE " --blocks auto --algorithm propagation");
  refuse (scratch, 2, "--signed", DISTANCE " --blocks auto --signed --metric squared");
  refuse (scratch, 1, "--memory-limit", DISTANCE " --memory-limit 200K --algorithm propagation");
  scratch_assert (scratch, "in.raw");
  done = run (scratch, DISTANCE " --nearest n.raw --stats");
  assert_success (done);
  g_assert_null (strstr (done->out, "\"blocks\""));
}

#define WATERSHED "watershed in.raw --raw 200x300:u8 -o out.raw"

static void
test_basins (Scratch       *scratch,
             gconstpointer  data)
{
  static const char * const options[] =
  {
    "--raw 200x300:u8 --lines",
    "--raw 200x300:u8 --last-index --connectivity 4 --algorithm steepest",
    "--raw 200x300:u8 --smoothing 1.5",
    "--raw 200x300:u8 --input gradient",
    "--raw 200x300:u8 --smoothing 2 --gradient 3 --lines",
    "--raw 200x300:u8 --tolerance 12 --lines",
    "--raw 200x300:u8 --input gradient --smoothing 1 --tolerance 3",
    "--raw 200x300:u8 --markers m.raw",
    "--raw 200x300:u8 --markers m.raw --lines --gradient 1",
    "--raw 20x15x200:u8",
    "--raw 20x15x200:u8 --smoothing 0.7 --gradient 1",
    "--raw 20x15x200:u8 --tolerance 30",
    "--raw 20x15x200:u8 --markers m.raw --lines",
    "--raw 200x300:u8 --invert --tolerance 9",
    "--raw 200x300:u8 --invert --input gradient --smoothing 1 --markers m.raw",
    "--raw 200x300:u8 --input objects --threshold 130 --lines",
    "--raw 200x300:u8 --input objects --threshold otsu --smoothing 1.3 --tolerance 0",
    "--raw 200x300:u8 --input objects --invert --threshold 100 --markers m.raw",
    "--raw 200x300:u8 --input objects --threshold 255",
    "--raw 200x300:u8 --input objects --threshold -1",
    "--raw 20x15x200:u8 --input objects --threshold 130 --smoothing 0.7 --markers m.raw --lines",
    "--raw 20x15x200:u8 --invert --connectivity 6",
  };
  g_autofree guint8  *levels  = make_spots (200, 300);
  g_autofree guint32 *markers = g_new0 (guint32, 200 * 300);

  for (guint32 p = 77; p < 200 * 300; p += 777)
    markers[p] = GUINT32_TO_LE (p * 70001);
  scratch_write (scratch, "in.raw", levels, 200 * 300);
  scratch_write (scratch, "m.raw", markers, 200 * 300 * sizeof *markers);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    compare_raw (scratch, "watershed", options[i]);
}

static void
test_refused_watershed (Scratch       *scratch,
                        gconstpointer  data)
{
  static const char * const options[] =
  {
    "--algorithm sync", "--device cuda:0",
  };
  g_autofree guint8 *levels = make_spots (200, 300);
  g_autofree guint8 *zeros  = g_new0 (guint8, 4 * 200 * 300);

  scratch_write (scratch, "in.raw", levels, 200 * 300);
  scratch_write (scratch, "none.raw", levels, 200 * 299);
  refuse (scratch, 1, "too short", WATERSHED " --blocks auto --markers none.raw");
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_auto (GStrv) words = g_strsplit (options[i], " ", 2);

      if (! strstr (options[i], "cuda"))
        refuse (scratch, 2, words[0], WATERSHED " --blocks auto %s", options[i]);
    }
  scratch_write (scratch, "zeros.raw", zeros, 4 * 200 * 300);
  refuse (scratch, 1, "No marker lies on an object",
          WATERSHED " --blocks auto --input objects --markers zeros.raw");
  refuse (scratch, 1, "--memory-limit", WATERSHED " --memory-limit 100K --repeat 2");
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 40, 50, 1, 9);

  pixels_write (scratch, "in.raw", image);
  refuse (scratch, 2, "--blocks", "label in.raw --raw 40x50:u8 -o out.raw --blocks queue");
  refuse (scratch, 2, "--repeat",
          "label in.raw --raw 40x50:u8 -o out.raw --blocks auto --repeat 2");
  refuse (scratch, 1, "only to a file with a name",
          "label in.raw --raw 40x50:u8 -o - --format raw --blocks auto");
  refuse (scratch, 1, "too short", "label in.raw --raw 40x51:u8 -o out.raw --blocks auto");
  refuse (scratch, 1, "are allowed",
          "label in.raw --raw 40x50:u8 -o out.raw --blocks auto --memory-limit 100");
  scratch_assert (scratch, "in.raw");
}


/* A pipe is kept in memory, which is refused as it is without blocks, and read once. */
static void
test_pipe (Scratch       *scratch,
           gconstpointer  data)
{
  const Surroundings  piped  = { .through = "cat in.raw | \"$@\"" };
  g_autofree guint8  *levels = make_spots (600, 500);
  g_autoptr (Run)     done   = NULL;
  g_autoptr (Run)     none   = NULL;

  scratch_write (scratch, "in.raw", levels, 600 * 500);
  succeed_counting (scratch, "label in.raw --raw 600x500:u8 --threshold 120 -o whole.raw");
  done = run_in (scratch, &piped, "label - --raw 600x500:u8 --threshold 120 -o out.raw "
                                  "--memory-limit 1100K --stats");
  assert_success (done);
  g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
  assert_same_files (scratch, "out.raw", "whole.raw");
  none = run_in (scratch, &piped, "label - --raw 600x500:u8 -o none.raw --memory-limit 100K");
  assert_refused (none, 1, "standard input");
  g_assert_nonnull (strstr (none->err, "--memory-limit"));
}


/*  Full disks  */

static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const suffixes[] = { "raw", "tif" };
  g_autofree guint8        *levels     = make_spots (300, 400);

  scratch_write (scratch, "in.raw", levels, 300 * 400);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *out  = g_strconcat ("out.", suffixes[i], NULL);
      g_autofree char *path = scratch_path (scratch, out);
      struct stat      status;

#ifndef HAVE_VIPS
      if (strcmp (suffixes[i], "tif") == 0)
        break;
#endif
      succeed_counting (scratch, "label in.raw --raw 300x400:u8 --threshold 120 -o %s "
                                 "--blocks auto", out);
      g_assert_cmpint (stat (path, &status), ==, 0);
      scratch_remove (scratch, out);

      for (int short_of = 1; short_of < 4000; short_of *= 7)
        {
          const Surroundings full   = { .prepare = limit_files,
                                        .data = GUINT_TO_POINTER (status.st_size - short_of) };
          g_autoptr (Run)    result = run_in (scratch, &full, "label in.raw --raw 300x400:u8 "
                                              "--threshold 120 -o %s --blocks auto", out);

          assert_refused (result, 1, out);
          g_assert_nonnull (strstr (result->err, g_strerror (EFBIG)));
          scratch_assert (scratch, "in.raw");
        }
    }
}

static void
mount_small_disk (gpointer folder)
{
  if (! mounts_are_own () || mount ("tmpfs", folder, "tmpfs", 0, "size=64k") != 0)
    _exit (77);
}

/* Of raw files, also of one for levels in between, it is known beforehand that they do not fit; of
 * a compressed one it is not.
 */
static void
test_full_disk (Scratch       *scratch,
                gconstpointer  data)
{
  static const char * const lines[] =
  {
    "label --threshold 120 -o disk/out.raw",
    "watershed --tolerance 3 -o disk/out.raw",
#ifdef HAVE_VIPS
    "label --threshold 120 -o disk/out.tif",
#endif
  };
  g_autofree char          *folder  = scratch_path (scratch, "disk");
  const Surroundings        small   = { .prepare = mount_small_disk, .data = folder,
                                        .through = "\"$@\"; status=$?; ls -A disk; "
                                                   "exit $status" };
  g_autofree guint8        *levels  = make_spots (800, 900);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  scratch_write (scratch, "in.raw", levels, 800 * 900);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Run) result = run_in (scratch, &small, "%s in.raw --raw 800x900:u8 --blocks auto",
                                       lines[i]);

      if (result->status == 77)
        {
          g_test_skip ("this machine allows no mounts, so no small disk");
          return;
        }
      assert_message (result->err, "disk/out.");
      g_assert_nonnull (strstr (result->err, g_strerror (ENOSPC)));
      g_assert_cmpstr (result->out, ==, "");
      g_assert_cmpint (result->status, ==, 1);
    }
}

/* The file for levels in between has no name when the command ends, nor while it works. */
static void
test_scratch (Scratch       *scratch,
              gconstpointer  data)
{
  const Surroundings  listed = { .through = "\"$@\"; ls -A" };
  g_autofree guint8  *levels = make_spots (200, 300);
  g_autoptr (Run)     done   = NULL;

  scratch_write (scratch, "in.raw", levels, 200 * 300);
  done = run_in (scratch, &listed, WATERSHED " --tolerance 9 --blocks auto --memory-limit 400K");
  assert_success (done);
  g_assert_true (g_str_has_suffix (done->out, "\nin.raw\nout.raw\n"));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
#ifdef HAVE_VIPS
  if (VIPS_INIT (argv[0]) != 0)
    g_error ("libvips does not start.");
  vips_cache_set_max (0);
#endif

#ifdef HAVE_VIPS
  add_test ("/pictures/strips", NULL, test_strips);
  add_test ("/pictures/tiles", NULL, test_tiles);
  add_test ("/pictures/two", NULL, test_two_tiffs);
  add_test ("/pictures/colour", NULL, test_colour);
  add_test ("/pictures/pyramid", NULL, test_pyramid);
  add_test ("/pictures/stack", NULL, test_tiff_stack);
  add_test ("/pictures/damaged", NULL, test_damaged);
  add_test ("/pictures/refused", NULL, test_refused_pictures);
  add_test ("/pictures/refused-markers", NULL, test_refused_markers);
#endif
  add_test ("/raw/types", NULL, test_types);
  add_test ("/raw/nan", NULL, test_nan);
  add_test ("/raw/refused", NULL, test_refused);
  add_test ("/raw/refused-distance", NULL, test_refused_distance);
  add_test ("/raw/distances", NULL, test_distances);
  add_test ("/raw/nearest", NULL, test_nearest);
  add_test ("/raw/basins", NULL, test_basins);
  add_test ("/raw/refused-watershed", NULL, test_refused_watershed);
  add_test ("/raw/reconstruct", NULL, test_reconstruct);
  add_test ("/raw/refused-reconstruct", NULL, test_refused_reconstruct);
#ifdef HAVE_VIPS
  add_test ("/raw/reconstruct-tiff", NULL, test_reconstruct_tiff);
#endif
  add_test ("/raw/pipe", NULL, test_pipe);
  add_test ("/full/limit", NULL, test_full);
  add_test ("/full/disk", NULL, test_full_disk);
  add_test ("/raw/scratch", NULL, test_scratch);
  return run_tests (argc, argv);
}
