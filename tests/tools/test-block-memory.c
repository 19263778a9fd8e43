/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images of four times the memory limit, in blocks: results equal to those in memory, and the peak
 * of memory.
 */

#include "config.h"

#include <string.h>

#include "block-files.h"
#include "tests/support/tiers.h"


/* Runs a command whose work does not fit into memory, and one that takes the same files but hardly
 * any memory; the difference is what the limit is about.
 */
static void
succeed_within (const Scratch *scratch,
                const char    *line,
                const char    *small,
                guint64        limit)
{
  g_autoptr (Run) done = run (scratch, "%s --stats --memory-limit %" G_GUINT64_FORMAT, line, limit);
  g_autoptr (Run) bare = run (scratch, "%s --stats --blocks auto", small);

  assert_success (done);
  assert_success (bare);
  g_test_message ("%s%s", done->out, bare->out);
  g_assert_cmpfloat (find_number (done, "blocks"), >, 1);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpfloat (find_number (done, "peak_rss_bytes"), <=,
                     find_number (bare, "peak_rss_bytes") + (double) limit);
#endif
}

#define WIDTH  256
#define HEIGHT 147456
#define LIMIT  (9 << 20)
#define SIZE   "--raw 256x147456:u8"

/* Where two TIFF files are read and one is written: rows of tiles of all three are in memory. */
#define TWO_FILES (11 << 20)

static void
write_large (const Scratch *scratch)
{
  g_autofree guint8 *levels = make_spots (WIDTH, HEIGHT);

  G_STATIC_ASSERT (WIDTH * HEIGHT >= 4 * LIMIT);
  scratch_write (scratch, "in.raw", levels, (gsize) WIDTH * HEIGHT);
  scratch_write (scratch, "small.raw", levels, 4096);
  make_seeds (levels, (gsize) WIDTH * HEIGHT);
  scratch_write (scratch, "seeds.raw", levels, (gsize) WIDTH * HEIGHT);
  scratch_write (scratch, "small-seeds.raw", levels, 4096);
}

/**
 * Operation:
 * @line: name and options; files are added
 * @second: the second file, without its suffix, which begins with “small-” where the image is
 *   small; or %NULL
 * @type: of the result
 */
typedef struct
{
  const char *line;
  const char *type;
  const char *second;
} Operation;

static const Operation operations[] =
{
  { "label --threshold 120",    "u32" },
  { "distance --threshold 120", "f32" },
  { "watershed",                "u32" },
  { "watershed --smoothing 2 --gradient 2 --tolerance 2", "u32" },
  { "reconstruct",              "u8", "seeds" },
  { "extended-minima --height 20",                     "u8" },
  { "white-top-hat-by-reconstruction --radius 5",                        "u8" },
};

/* The whole command: @image and @out without their suffixes */
static char *
make_line (const Operation *operation,
           const char      *image,
           const char      *from,
           const char      *out,
           const char      *to)
{
  const gboolean is_raw = strcmp (from, "raw") == 0;
  const gboolean small  = strcmp (image, "small") == 0;

  g_autofree char *second = operation->second
                            ? g_strdup_printf ("%s%s.%s", small ? "small-" : "", operation->second,
                                               from)
                            : g_strdup ("");

  return g_strdup_printf ("%s %s.%s %s --threads 1 -o %s.%s%s", operation->line, image, from,
                          second, out, to,
                          ! is_raw ? "" : small ? " --raw 64x64:u8" : " " SIZE);
}

/* Files of the types @from and @to; to be compared with whole.raw */
static void
work_within (const Scratch   *scratch,
             const Operation *operation,
             const char      *from,
             const char      *to,
             guint64          limit)
{
  g_autofree char *line  = make_line (operation, "in", from, "out", to);
  g_autofree char *small = make_line (operation, "small", from, "small-out", to);

  succeed_within (scratch, line, small, limit);
}

static void
work_whole (const Scratch   *scratch,
            const Operation *operation)
{
  g_autofree char *line = make_line (operation, "in", "raw", "whole", "raw");
  g_autoptr (Run)  done = run (scratch, "%s --stats", line);

  assert_success (done);
  g_assert_null (strstr (done->out, "\"blocks\""));
}

#ifdef HAVE_VIPS

static void
write_large_tiff (const Scratch *scratch)
{
  static const char * const names[] = { "in", "seeds" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char   *raw    = g_strconcat (names[i], ".raw", NULL);
      g_autofree char   *whole  = g_strconcat (names[i], ".tif", NULL);
      g_autofree char   *part   = g_strconcat (i == 0 ? "small" : "small-seeds", ".tif", NULL);
      g_autofree guint8 *levels = scratch_read (scratch, raw, (gsize) WIDTH * HEIGHT);
      VipsImage         *image  = wrap (levels, WIDTH, HEIGHT, 1);
      VipsImage         *small  = wrap (levels, 64, 64, 1);

      write_tiff (scratch, whole, image, 256);
      write_tiff (scratch, part, small, 256);
      g_object_unref (image);
      g_object_unref (small);
    }
}

static void
check_tiff (const Scratch   *scratch,
            const Operation *operation)
{
  static const char * const from[] = { "raw", "tif", "tif" };
  static const char * const to[]   = { "tif", "raw", "tif" };
  guint                     n      = test_count (1, G_N_ELEMENTS (from));

#ifdef __SANITIZE_ADDRESS__
  n = 1;
#endif
  write_large_tiff (scratch);
  for (guint i = 0; i < n; i++)
    {
      work_within (scratch, operation, from[i], to[i], operation->second ? TWO_FILES : LIMIT);
      if (strcmp (to[i], "raw") == 0)
        assert_same_files (scratch, "out.raw", "whole.raw");
      else
        assert_same_pixels (scratch, "out.tif", "whole.raw", operation->type,
                            (gsize) WIDTH * HEIGHT);
    }
}

#endif

#ifdef HAVE_ZARR

/* Chunks of all files are in memory: as they are stored, decoded, and as rows of all levels. */
#define ZARR_LIMIT (16 << 20)

static void
check_zarr (const Scratch   *scratch,
            const Operation *operation)
{
  const char * const names[] = { "in", "seeds", "small", "small-seeds" };

  for (guint i = 0; i < (operation->second ? 4 : 3); i++)
    succeed (scratch, "reconstruct %s.raw %s.raw -o %s.zarr --blocks auto --overviews no %s",
             names[i], names[i], names[i], i < 2 ? SIZE : "--raw 64x64:u8");
  work_within (scratch, operation, "zarr", "zarr", ZARR_LIMIT);
  work_within (scratch, operation, "zarr", "raw", ZARR_LIMIT);
  assert_same_files (scratch, "out.raw", "whole.raw");
}

#endif

static void
test_large (Scratch       *scratch,
            gconstpointer  data)
{
  write_large (scratch);
  work_whole (scratch, data);
  work_within (scratch, data, "raw", "raw", LIMIT);
  assert_same_files (scratch, "out.raw", "whole.raw");
#ifdef HAVE_VIPS
  check_tiff (scratch, data);
#endif
#ifdef HAVE_ZARR
  check_zarr (scratch, data);
#endif
}

/* With AddressSanitizer, which has its own peak of memory, one operation in each run. */
static gboolean
is_taken (guint i)
{
#ifdef __SANITIZE_ADDRESS__
  return i == test_number_of_run () % G_N_ELEMENTS (operations);
#else
  return test_is_quick () || test_takes_turn (i, 1);
#endif
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
    if (is_taken (i))
      add_case ("/block-memory/", operations[i].line, &operations[i], test_large);
  return run_tests (argc, argv);
}
