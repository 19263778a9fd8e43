/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TIFF files with overviews: each level against the image, read by libvips, and files of any number
 * of threads and any memory against each other.
 */

#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "block-files.h"
#include "tests/support/tiers.h"


/**
 * Level:
 * @values: as doubles, which hold all types here
 */
typedef struct
{
  double *values;
  int     width;
  int     height;
} Level;

static void
level_clear (Level *level)
{
  g_free (level->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* A level of a page, by libvips; -1: the page itself */
static Level
read_level (const Scratch *scratch,
            const char    *name,
            int            page,
            int            overview)
{
  g_autofree char *path  = scratch_path (scratch, name);
  VipsImage       *image = vips_image_new_from_file (path, "page", page, "subifd", overview, NULL);
  VipsImage       *wide  = NULL;
  Level            level;
  size_t           length;

  g_assert_nonnull (image);
  g_assert_cmpint (image->Bands, ==, 1);
  g_assert_cmpint (vips_cast_double (image, &wide, NULL), ==, 0);
  level = (Level) { vips_image_write_to_memory (wide, &length), wide->Xsize, wide->Ysize };
  g_object_unref (wide);
  g_object_unref (image);
  return level;
}

static int
count_overviews (const Scratch *scratch,
                 const char    *name)
{
  g_autofree char *path  = scratch_path (scratch, name);
  VipsImage       *image = vips_image_new_from_file (path, NULL);
  int              n     = 0;

  g_assert_nonnull (image);
  if (vips_image_get_typeof (image, VIPS_META_N_SUBIFDS) != 0)
    vips_image_get_int (image, VIPS_META_N_SUBIFDS, &n);
  g_object_unref (image);
  return n;
}

/* As it is defined: half the sides, rounded up; the first of four pixels, or the mean of those that
 * there are.
 */
static Level
halve (const Level *level,
       gboolean     pick,
       gboolean     whole_numbers)
{
  Level half = { NULL, (level->width + 1) / 2, (level->height + 1) / 2 };

  half.values = g_new (double, half.width * half.height);
  for (int y = 0; y < half.height; y++)
    for (int x = 0; x < half.width; x++)
      {
        double sum = 0.0;
        int    n   = 0;

        for (int j = 2 * y; j < MIN (2 * y + (pick ? 1 : 2), level->height); j++)
          for (int i = 2 * x; i < MIN (2 * x + (pick ? 1 : 2), level->width); i++, n++)
            sum += level->values[j * level->width + i];
        half.values[y * half.width + x] = whole_numbers ? floor (sum / n + 0.5)
                                                        : (double) (float) (sum / n);
      }
  return half;
}

static void
assert_same_levels (const Level *level,
                    const Level *expected)
{
  g_assert_cmpint (level->width, ==, expected->width);
  g_assert_cmpint (level->height, ==, expected->height);
  for (int i = 0; i < level->width * level->height; i++)
    if (level->values[i] != expected->values[i])
      g_error ("Pixel %d, %d of %d × %d is %g, not %g.", i % level->width, i / level->width,
               level->width, level->height, level->values[i], expected->values[i]);
}

/* All levels of a page, down to @n of them. */
static void
check_page (const Scratch *scratch,
            const char    *name,
            int            page,
            int            n,
            gboolean       pick,
            gboolean       whole_numbers)
{
  g_auto (Level) before = read_level (scratch, name, page, -1);

  for (int k = 0; k < n; k++)
    {
      g_auto (Level) level = read_level (scratch, name, page, k);
      g_auto (Level) half  = halve (&before, pick, whole_numbers);

      assert_same_levels (&level, &half);
      level_clear (&before);
      before       = level;
      level.values = NULL;
    }
}

/**
 * Case:
 * @line: without files
 * @type: of the result
 * @pick: whether overviews are made of single pixels
 */
typedef struct
{
  const char *line;
  const char *type;
  gboolean    pick;
} Case;

static const Case cases[] =
{
  { "label --threshold 120",    "u32", TRUE },
  { "distance --threshold 120", "f32", FALSE },
  { "watershed",                "u32", TRUE },
  { "reconstruct",              "u8",  FALSE },
};

#define WIDTH  1301
#define HEIGHT 1107

/* The same file, whatever makes it. */
static void
test_levels (Scratch       *scratch,
             gconstpointer  data)
{
  static const char * const ways[] =
  {
    "--threads 1 --memory-limit 16M", "--threads 2", "--threads 5 --memory-limit 24M",
  };
  const Case        *one    = data;
  g_autofree guint8 *levels = make_spots (WIDTH, HEIGHT);
  g_autofree char   *line   = g_strdup_printf ("%s in.raw %s --raw %dx%d:u8", one->line,
                                               strcmp (one->line, "reconstruct") == 0 ? "seeds.raw"
                                                                                      : "",
                                               WIDTH, HEIGHT);
  g_autoptr (Run)    whole  = NULL;

  scratch_write (scratch, "in.raw", levels, WIDTH * HEIGHT);
  make_seeds (levels, WIDTH * HEIGHT);
  scratch_write (scratch, "seeds.raw", levels, WIDTH * HEIGHT);
  whole = run (scratch, "%s -o whole.raw", line);
  assert_success (whole);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *name = g_strdup_printf ("out%u.tif", i);
      g_autoptr (Run)  done = run (scratch, "%s -o %s --blocks auto %s", line, name, ways[i]);

      assert_success (done);
      assert_same_files (scratch, name, "out0.tif");
    }
  assert_same_pixels (scratch, "out0.tif[n=1]", "whole.raw", one->type, WIDTH * HEIGHT);
  g_assert_cmpint (count_overviews (scratch, "out0.tif"), ==, 2);
  check_page (scratch, "out0.tif", 0, 2, one->pick, strcmp (one->type, "f32") != 0);
}

/* Of each slice; and what is narrow. */
static void
test_shapes (Scratch       *scratch,
             gconstpointer  data)
{
  static const struct { const char *raw; int n_pages; int n; } shapes[] =
  {
    { "600x511x3:u8",  3, 1 },
    { "512x512x3:u8",  3, 0 },
    { "1x70000:u8",    1, 8 },
    { "70000x1:u8",    1, 8 },
    { "513x130x12:u8", 12, 1 },
  };
  g_autofree guint8 *levels = make_spots (1000, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (Run) done  = NULL;
      int             depth = 1;
      int             width;
      int             height;

      g_assert_cmpint (sscanf (shapes[i].raw, "%dx%dx%d", &width, &height, &depth), >=, 2);
      scratch_write (scratch, "in.raw", levels, (gsize) width * (gsize) height * (gsize) depth);
      done = run (scratch, "distance in.raw --raw %s --threshold 120 -o out.tif --blocks auto",
                  shapes[i].raw);
      assert_success (done);
      g_assert_cmpint (count_overviews (scratch, "out.tif"), ==, shapes[i].n);
      for (int page = 0; page < shapes[i].n_pages; page++)
        check_page (scratch, "out.tif", page, shapes[i].n, FALSE, FALSE);
    }
}

/* The file is read at full size, or at the level that is chosen; an image in memory is written with
 * overviews where they are wanted, and one in blocks without where they are not.
 */
static void
test_option (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 700);
  g_autoptr (Run)    whole  = NULL;
  g_autoptr (Run)    again  = NULL;
  g_autoptr (Run)    half   = NULL;

  scratch_write (scratch, "in.raw", levels, 900 * 700);
#define LABEL "label in.raw --raw 900x700:u8 --threshold 120 "
  succeed_counting (scratch, LABEL "-o whole.raw");
  succeed_counting (scratch, LABEL "-o blocks.tif --blocks auto");
  succeed_counting (scratch, LABEL "-o yes.tif --overviews yes");
  succeed_counting (scratch, LABEL "-o no.tif --overviews no --blocks auto");
  succeed_counting (scratch, LABEL "-o auto.tif --overviews auto");
  assert_same_files (scratch, "yes.tif", "blocks.tif");
  g_assert_cmpint (count_overviews (scratch, "yes.tif"), ==, 1);
  g_assert_cmpint (count_overviews (scratch, "no.tif"), ==, 0);
  g_assert_cmpint (count_overviews (scratch, "auto.tif"), ==, 0);
  assert_same_pixels (scratch, "no.tif", "whole.raw", "u32", 900 * 700);

  succeed_counting (scratch, LABEL "-o whole.tif");
  whole = run (scratch, "label whole.tif -o from-whole.raw");
  again = run (scratch, "label yes.tif -o from-yes.raw");
  half  = run (scratch, "label yes.tif --level 1 -o half.raw");
  assert_success (whole);
  g_assert_cmpint (again->status, ==, 0);
  g_assert_nonnull (strstr (again->err, "--level"));
  g_assert_cmpint (half->status, ==, 0);
  assert_same_files (scratch, "from-yes.raw", "from-whole.raw");
  refuse (scratch, 2, "--overviews", LABEL "-o out.tif --overviews maybe");
  refuse (scratch, 2, "--overviews", LABEL "-o out.raw --overviews yes");
  refuse (scratch, 2, "--overviews",
          "area-opening in.raw --raw 900x700:u8 --area 9 -o a.tif --overviews yes");
}

/* A disk that fills up at any place: in the tiles, those of overviews, the tables. */
static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 700);
  g_autofree char   *path   = scratch_path (scratch, "out.tif");
  struct stat        status;

  scratch_write (scratch, "in.raw", levels, 900 * 700);
  succeed_counting (scratch, LABEL "-o out.tif --blocks auto");
  g_assert_cmpint (stat (path, &status), ==, 0);
  scratch_remove (scratch, "out.tif");
  for (gint64 size = status.st_size - 1; size > 0; size = size * 2 / 5)
    {
      const Surroundings full = { .prepare = limit_files, .data = GUINT_TO_POINTER (size) };
      g_autoptr (Run)    done = run_in (scratch, &full, LABEL "-o out.tif --blocks auto "
                                        "--threads %d", 1 + (int) (size % 3));

      assert_refused (done, 1, "out.tif");
      g_assert_nonnull (strstr (done->err, g_strerror (EFBIG)));
      scratch_assert (scratch, "in.raw");
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  if (VIPS_INIT (argv[0]) != 0)
    g_error ("libvips does not start.");
  vips_cache_set_max (0);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/overviews/", cases[i].line, &cases[i], test_levels);
  add_test ("/overviews/shapes", NULL, test_shapes);
  add_test ("/overviews/option", NULL, test_option);
  add_test ("/overviews/full", NULL, test_full);
  return run_tests (argc, argv);
}
