/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is built on reconstruction, the filters, and thresholds, in blocks against the same command
 * with the whole image in memory.
 */

#include "config.h"

#include <string.h>

#include "block-files.h"
#include "tests/support/tiers.h"

#define WIDTH  200
#define HEIGHT 3600

#define FLAT "--raw 200x3600:u8"
#define STACK "--raw 10x12x6000:u8"

/**
 * Operation:
 * @line: with files and options
 * @reconstructs: blocks can be joined in several ways
 */
typedef struct
{
  const char *line;
  gboolean    reconstructs;
} Operation;

static const Operation operations[] =
{
  { "fill-holes in.raw " FLAT,                                  TRUE },
  { "fill-holes in.raw " STACK,                                 TRUE },
  { "clear-border in.raw " FLAT " --connectivity 4",            TRUE },
  { "clear-border in.raw " STACK,                               TRUE },
  { "fill-holes in.raw " FLAT " --invert",                      TRUE },
  { "clear-border in.raw " STACK " --invert",                   TRUE },
  { "h-maxima in.raw " FLAT " --height 30",                     TRUE },
  { "h-minima in.raw " STACK " --height 12.5",                  TRUE },
  { "h-dome in.raw " FLAT " --height 9",                        TRUE },
  { "h-basin in.raw " FLAT " --height 300 --algorithm tiled",   TRUE },
  { "extended-maxima in.raw " FLAT " --height 20",              TRUE },
  { "extended-minima in.raw " STACK " --height 20",             TRUE },
  { "opening-by-reconstruction in.raw " FLAT " --radius 4 --element disc",        TRUE },
  { "closing-by-reconstruction in.raw " STACK " --radius 2",                      TRUE },
  { "white-top-hat-by-reconstruction in.raw " FLAT " --radius 7",                 TRUE },
  { "black-top-hat-by-reconstruction in.raw " STACK " --radius 2 --element disc", TRUE },
  { "impose-minima in.raw marks.raw " FLAT,                     TRUE },
  { "impose-minima in.raw wide-marks.raw " STACK,               TRUE },
  { "impose-minima in.raw marks.raw " FLAT " --invert",         TRUE },
  { "regional-maxima in.raw " FLAT,                             FALSE },
  { "regional-minima in.raw " STACK " --connectivity 6",        FALSE },
  { "gaussian in.raw " FLAT " --sigma 2.5",                     FALSE },
  { "gaussian in.raw " STACK,                                   FALSE },
  { "gradient in.raw " FLAT " --radius 3",                      FALSE },
  { "gradient in.raw " STACK " --element disc --radius 2",      FALSE },
  { "erosion in.raw " FLAT " --radius 9",                       FALSE },
  { "dilation in.raw " FLAT " --element line --radius 20 --angle 60", FALSE },
  { "dilation in.raw " STACK " --element disc --radius 2",      FALSE },
  { "opening in.raw " FLAT " --radius 6",                       FALSE },
  { "opening in.raw " FLAT " --element disc --radius 3",        FALSE },
  { "closing in.raw " FLAT " --element line --radius 12 --angle 60", FALSE },
  { "closing in.raw " STACK " --radius 2",                      FALSE },
  { "white-top-hat in.raw " FLAT " --radius 7",                 FALSE },
  { "white-top-hat in.raw " STACK " --element disc --radius 2", FALSE },
  { "black-top-hat in.raw " FLAT,                               FALSE },
  { "black-top-hat in.raw " STACK " --radius 1",                FALSE },
  { "median in.raw " FLAT " --radius 2",                        FALSE },
  { "median in.raw " FLAT " --radius 9",                        FALSE },
  { "median in.raw " STACK " --radius 1",                       FALSE },
  { "threshold in.raw " FLAT " --threshold 100",                FALSE },
  { "threshold in.raw " STACK " --below",                       FALSE },
  { "threshold in.raw " FLAT " --method mean --radius 9 --offset 2",          FALSE },
  { "threshold in.raw " STACK " --method mean --radius 2",      FALSE },
  { "threshold in.raw " FLAT " --method gaussian --sigma 2.5 --below",        FALSE },
  { "threshold in.raw " STACK " --method gaussian --sigma 0.7", FALSE },
  { "threshold in.raw " FLAT " --method sauvola --radius 30",   FALSE },
  { "threshold in.raw " STACK " --method sauvola --radius 1 --k 0.4 --range 100", FALSE },
};

static const char * const ways[] = { "auto", "queue", "summary" };

/* Spots of many levels, and marks as 8 and as 32 bits. */
static void
write_inputs (const Scratch *scratch)
{
  g_autofree guint8  *levels = make_spots (WIDTH, HEIGHT);
  g_autofree guint8  *marks  = g_new0 (guint8, WIDTH * HEIGHT);
  g_autofree guint32 *wide   = g_new0 (guint32, WIDTH * HEIGHT);

  for (guint32 p = 77; p < WIDTH * HEIGHT; p += 777)
    {
      marks[p] = 1 + p % 255;
      wide[p]  = GUINT32_TO_LE (p << 12);
    }
  scratch_write (scratch, "in.raw", levels, WIDTH * HEIGHT);
  scratch_write (scratch, "marks.raw", marks, WIDTH * HEIGHT);
  scratch_write (scratch, "wide-marks.raw", wide, WIDTH * HEIGHT * sizeof *wide);
}

static void
work_whole (const Scratch *scratch,
            const char    *line)
{
  g_autoptr (Run) whole = run (scratch, "%s -o whole.raw --stats", line);

  assert_success (whole);
  g_assert_null (strstr (whole->out, "\"blocks\""));
}

static void
work_in_blocks (const Scratch *scratch,
                const char    *line,
                const char    *out,
                const char    *limit,
                const char    *way)
{
  g_autoptr (Run) done = run (scratch, "%s -o %s --stats --threads 2 --memory-limit %s --blocks %s",
                              line, out, limit, way);

  g_test_message ("%s, %s, %s: %s%s", line, out, way, done->err, done->out);
  assert_success (done);
  if (g_str_has_suffix (out, ".raw"))
    g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
  g_assert_cmpstr (done->err, ==, "");
}

static void
test_raw (Scratch       *scratch,
          gconstpointer  data)
{
  const Operation *operation = data;

  write_inputs (scratch);
  work_whole (scratch, operation->line);
  for (guint i = 0; i < (operation->reconstructs ? G_N_ELEMENTS (ways) : 1); i++)
    {
      if (operation->reconstructs && ! test_takes_turn (operation - operations + i, 3))
        continue;
      work_in_blocks (scratch, operation->line, "out.raw",
                      operation->reconstructs ? "1400K" : "500K", ways[i]);
      assert_same_files (scratch, "out.raw", "whole.raw");
      scratch_remove (scratch, "out.raw");
    }
  scratch_assert (scratch, "in.raw marks.raw whole.raw wide-marks.raw");
}

#ifdef HAVE_VIPS

/* TIFF cannot be read back. */
static void
test_tiff (Scratch       *scratch,
           gconstpointer  data)
{
  const Operation *operation = data;
  const char      *line      = operation->line;

  write_inputs (scratch);
  work_whole (scratch, line);
  for (guint i = 0; i < (operation->reconstructs ? G_N_ELEMENTS (ways) : 1); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.tif", ways[i]);

      if (operation->reconstructs && ! test_takes_turn (operation - operations + 1 + i, 3))
        continue;
      work_in_blocks (scratch, line, name, "8M", ways[i]);
      assert_same_pixels (scratch, name, "whole.raw", "u8", WIDTH * HEIGHT);
      scratch_remove (scratch, name);
    }
}

static void
test_tiff_read (Scratch       *scratch,
                gconstpointer  data)
{
  static const char * const lines[] =
  {
    "fill-holes in.tif", "closing-by-reconstruction in.tif --radius 3",
    "impose-minima in.tif marks.tif",
    "regional-minima in.tif", "extended-maxima in.tif --height 40", "gaussian in.tif",
  };
  g_autofree guint8 *levels = make_spots (900, 1300);
  VipsImage         *image  = wrap (levels, 900, 1300, 1);
  VipsImage         *marks;

  write_tiff (scratch, "in.tif", image, 128);
  g_object_unref (image);
  make_seeds (levels, 900 * 1300);
  marks = wrap (levels, 900, 1300, 1);
  write_tiff (scratch, "marks.tif", marks, 128);
  g_object_unref (marks);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      work_whole (scratch, lines[i]);
      work_in_blocks (scratch, lines[i], "out.raw",
                      g_str_has_prefix (lines[i], "gaussian") ? "1500K" : "3M", "auto");
      assert_same_files (scratch, "out.raw", "whole.raw");
    }
}

#endif

#ifdef HAVE_ZARR

/* What is reconstructed is read again, and OME-Zarr cannot be read back while it is written. */
static void
test_zarr (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const lines[] =
  {
    "fill-holes in.raw " FLAT, "h-dome in.raw " FLAT " --height 9",
    "extended-maxima in.raw " FLAT " --height 20",
    "white-top-hat-by-reconstruction in.raw " FLAT " --radius 7",
  };

  write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      work_whole (scratch, lines[i]);
      for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
        {
          g_autoptr (Run) back = NULL;

          work_in_blocks (scratch, lines[i], "out.zarr", "8M", ways[k]);
          back = run (scratch, "reconstruct out.zarr/0 out.zarr/0 -o out.raw");
          assert_success (back);
          assert_same_files (scratch, "out.raw", "whole.raw");
        }
    }
}

#endif

/* All types, of images that do not fit into the memory: blocks need not be asked for. */
static void
test_types (Scratch       *scratch,
            gconstpointer  data)
{
  static const char * const types[] = { "u16", "f32", "f64" };
  static const char * const lines[] =
  {
    "fill-holes", "fill-holes --invert", "h-dome --height 2", "extended-minima --height 2",
    "regional-maxima", "opening-by-reconstruction --radius 2", "gaussian", "gradient",
    "threshold --threshold 3", "threshold --method mean --radius 4",
    "threshold --method gaussian --sigma 1", "threshold --method sauvola --radius 2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels) image = pixels_random (types[i], 70, 2000, 1, 9);
      g_autofree char   *spec  = pixels_spec (image);

      pixels_write (scratch, "in.raw", image);
      for (guint k = 0; k < G_N_ELEMENTS (lines); k++)
        {
          g_autoptr (Run) whole = NULL;
          g_autoptr (Run) done  = NULL;

          if (! test_takes_turn (i + k, 3))
            continue;
          whole = run (scratch, "%s in.raw --raw %s -o whole.raw", lines[k], spec);
          done  = run (scratch, "%s in.raw --raw %s -o out.raw --stats --memory-limit 150K "
                                "--threads 1", lines[k], spec);
          g_test_message ("%s %s: %s%s", lines[k], spec, done->err, done->out);
          assert_success (done);
          g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
          g_assert_cmpstr (done->err, ==, whole->err);
          assert_same_files (scratch, "out.raw", "whole.raw");
        }
    }
}

/* Thresholds that are found in the image, and reported. */
static void
test_found (Scratch       *scratch,
            gconstpointer  data)
{
  static const char * const types[] = { "u8", "u16", "f32", "f64" };
  static const char * const methods[] = { "otsu", "li --below", "triangle", "30%" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Pixels) image = pixels_random (types[i], 70, 2000, 1, 60);
      g_autofree char   *spec  = pixels_spec (image);

      pixels_write (scratch, "in.raw", image);
      for (guint k = 0; k < G_N_ELEMENTS (methods); k++)
        {
          g_autofree char *line  = g_strdup_printf ("threshold in.raw --raw %s --threshold %s",
                                                    spec, methods[k]);
          g_autoptr (Run)  whole = run (scratch, "%s -o whole.raw", line);
          g_autoptr (Run)  done  = run (scratch, "%s -o out.raw --stats --blocks auto "
                                                 "--memory-limit 150K --threads 1", line);

          g_assert_cmpint (whole->status, ==, 0);
          g_assert_cmpint (done->status, ==, 0);
          g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
          g_assert_nonnull (strstr (whole->err, "threshold of"));
          g_assert_cmpstr (done->err, ==, whole->err);
          assert_same_files (scratch, "out.raw", "whole.raw");
        }
    }
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree guint8 *none = g_new0 (guint8, WIDTH * HEIGHT);

  write_inputs (scratch);
  scratch_write (scratch, "none.raw", none, WIDTH * HEIGHT);
  refuse (scratch, 2, "--algorithm tiled",
          "regional-maxima in.raw " FLAT " -o out.raw --blocks auto --algorithm tiled");
  refuse (scratch, 2, "--blocks", "regional-maxima in.raw " FLAT " -o out.raw --blocks queue");
  refuse (scratch, 2, "--blocks", "gaussian in.raw " FLAT " -o out.raw --blocks summary");
  refuse (scratch, 2, "--blocks", "threshold in.raw " FLAT " -o out.raw --blocks queue");
  refuse (scratch, 2, "--repeat",
          "opening-by-reconstruction in.raw " FLAT " -o out.raw --blocks auto --repeat 2");
  refuse (scratch, 2, "--height", "h-maxima in.raw " FLAT " -o out.raw --blocks auto");
  refuse (scratch, 1, "no markers",
          "impose-minima in.raw none.raw " FLAT " -o out.raw --blocks auto");
  refuse (scratch, 1, "are allowed",
          "opening-by-reconstruction in.raw " FLAT " -o out.raw --blocks auto --memory-limit 1K");
  refuse (scratch, 1, "are allowed",
          "regional-minima in.raw " FLAT " -o out.raw --blocks auto --memory-limit 1K");
  refuse (scratch, 1, "are allowed",
          "gaussian in.raw " FLAT " --sigma 90 -o out.raw --blocks auto --memory-limit 99K");
  refuse (scratch, 1, "are allowed",
          "threshold in.raw " FLAT " --method mean --radius 300 -o out.raw --blocks auto "
          "--memory-limit 99K");
  scratch_assert (scratch, "in.raw marks.raw none.raw wide-marks.raw");
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

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      add_case ("/raw/", operations[i].line, &operations[i], test_raw);
#ifdef HAVE_VIPS
      if (test_is_quick () ? strstr (operations[i].line, FLAT) != NULL : test_takes_turn (i, 1))
        add_case ("/tiff/", operations[i].line, &operations[i], test_tiff);
#endif
    }
#ifdef HAVE_VIPS
  add_test ("/tiff-read", NULL, test_tiff_read);
#endif
#ifdef HAVE_ZARR
  add_test ("/zarr", NULL, test_zarr);
#endif
  add_test ("/types", NULL, test_types);
  add_test ("/found", NULL, test_found);
  add_test ("/refused", NULL, test_refused);
  return run_tests (argc, argv);
}
