/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that hold more than an image or a stack: which planes are read, and what is said of the
 * others.  Each page has one level of its own, which the command's --height 0 leaves as it is.
 */

#include "config.h"

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#include <vips/vips.h>

enum { WIDTH = 8, HEIGHT = 6, N = WIDTH * HEIGHT };

#define OME(pixels) "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image ID=\"Image:0\">" pixels \
                    "</Image></OME>"

typedef struct
{
  const char *name;
  const char *description;
  int         n_pages;
  const char *options;
  int         pages[6];         /* that are read, ended by -1 */
  const char *said;
} PlaneCase;

static const PlaneCase plane_cases[] =
{
  { "plain", "", 3, "", { 0, 1, 2, -1 }, NULL },
  { "plain/slice", "", 3, "--slice 1", { 1, -1 }, NULL },
  { "imagej/channels", "ImageJ=1.54\nimages=6\nchannels=2\nslices=3\nhyperstack=true\n", 6, "",
    { 0, 2, 4, -1 }, "of its 2 channels only number 0" },
  { "imagej/channel", "ImageJ=1.54\nimages=6\nchannels=2\nslices=3\nhyperstack=true\n", 6,
    "--channel 1", { 1, 3, 5, -1 }, NULL },
  { "imagej/slice", "ImageJ=1.54\nimages=6\nchannels=2\nslices=3\nhyperstack=true\n", 6,
    "--channel 1 --slice 2", { 5, -1 }, NULL },
  { "imagej/frames", "ImageJ=1.54\nimages=8\nchannels=2\nslices=2\nframes=2\n", 8,
    "--channel 0", { 0, 2, -1 }, "of its 2 points in time only the first" },
  { "imagej/times", "ImageJ=1.54\nimages=3\nframes=3\n", 3, "", { 0, 1, 2, -1 },
    "3 points in time are read as slices" },
  { "imagej/wrong", "ImageJ=1.54\nimages=9\nchannels=3\n", 2, "", { 0, 1, -1 }, NULL },
  { "ome/czyx", OME ("<Pixels DimensionOrder=\"XYZCT\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"1\">"
                     "<TiffData/></Pixels>"), 6, "", { 0, 1, 2, -1 },
    "of its 2 channels only number 0" },
  { "ome/channel", OME ("<Pixels DimensionOrder=\"XYZCT\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"1\">"
                        "<TiffData/></Pixels>"), 6, "--channel 1", { 3, 4, 5, -1 }, NULL },
  { "ome/planes", OME ("<Pixels DimensionOrder=\"XYCZT\" SizeC=\"2\" SizeZ=\"2\" SizeT=\"1\">"
                       "<TiffData IFD=\"0\" FirstZ=\"1\" FirstC=\"1\"/>"
                       "<TiffData IFD=\"1\" FirstZ=\"0\" FirstC=\"1\"/>"
                       "<TiffData IFD=\"2\" FirstZ=\"0\" FirstC=\"0\" PlaneCount=\"1\"/>"
                       "<TiffData IFD=\"3\" FirstZ=\"1\" FirstC=\"0\"/></Pixels>"), 4,
    "--channel 1", { 1, 0, -1 }, NULL },
  { "ome/series", OME ("<Pixels DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"2\" SizeT=\"1\">"
                       "<TiffData IFD=\"0\" PlaneCount=\"2\"/></Pixels></Image><Image>"
                       "<Pixels DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\">"
                       "<TiffData IFD=\"2\" PlaneCount=\"3\"/></Pixels>"), 5, "--series 1",
    { 2, 3, 4, -1 }, NULL },
  { "ome/first", OME ("<Pixels DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"2\" SizeT=\"1\">"
                      "<TiffData IFD=\"0\" PlaneCount=\"2\"/></Pixels></Image><Image>"
                      "<Pixels DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\">"
                      "<TiffData IFD=\"2\" PlaneCount=\"3\"/></Pixels>"), 5, "",
    { 0, 1, -1 }, "of its 2 series only number 0" },
  { "ome/broken", "<OME><Pixels SizeC=", 2, "", { 0, 1, -1 }, NULL },
};

/* The level of a page. */
static int
level_of (int page)
{
  return 10 * page + 7;
}

static void
save (const Scratch *scratch,
      VipsImage     *image,
      gboolean       pyramid,
      gboolean       subifds)
{
  g_autofree char *path = scratch_path (scratch, "in.tif");

  g_assert_cmpint (vips_tiffsave (image, path, "pyramid", pyramid, "tile", pyramid, "tile_width",
                                  16, "tile_height", 16, "subifd", subifds, NULL), ==, 0);
}

static void
write_pages (const Scratch *scratch,
             const char    *description,
             int            n_pages)
{
  g_autofree guint8 *levels = g_new (guint8, n_pages * N);
  VipsImage         *view;
  VipsImage         *image;

  for (int i = 0; i < n_pages * N; i++)
    levels[i] = (guint8) level_of (i / N);
  view = vips_image_new_from_memory (levels, (gsize) n_pages * N, WIDTH, HEIGHT * n_pages, 1,
                                     VIPS_FORMAT_UCHAR);
  g_assert_cmpint (vips_copy (view, &image, "interpretation", VIPS_INTERPRETATION_B_W, NULL),
                   ==, 0);
  vips_image_set_int (image, VIPS_META_PAGE_HEIGHT, HEIGHT);
  if (description[0] != '\0')
    vips_image_set_string (image, VIPS_META_IMAGEDESCRIPTION, description);
  save (scratch, image, FALSE, FALSE);
  g_object_unref (image);
  g_object_unref (view);
}

static void
assert_said (const Run  *result,
             const char *said)
{
  g_assert_cmpint (result->status, ==, 0);
  if (said)
    assert_message (result->err, said);
  else
    g_assert_cmpstr (result->err, ==, "");
}

static void
test_planes (Scratch       *scratch,
             gconstpointer  data)
{
  const PlaneCase    *item   = data;
  g_autoptr (Run)     result = NULL;
  g_autofree guint8  *levels = NULL;
  int                 n      = 0;

  write_pages (scratch, item->description, item->n_pages);
  while (item->pages[n] >= 0)
    n++;
  result = run (scratch, "h-maxima in.tif --height 0 -o out.raw %s", item->options);
  assert_said (result, item->said);
  levels = scratch_read (scratch, "out.raw", (gsize) n * N);
  for (int i = 0; i < n * N; i++)
    g_assert_cmpint (levels[i], ==, level_of (item->pages[i / N]));
}

/* The size says which level was read. */
static void
test_pyramid (Scratch       *scratch,
              gconstpointer  data)
{
  const gboolean subifds = GPOINTER_TO_INT (data);
  VipsImage     *image;

  g_assert_cmpint (vips_black (&image, 64, 48, NULL), ==, 0);
  save (scratch, image, TRUE, subifds);
  g_object_unref (image);

  for (int level = -1; level < 3; level++)
    {
      g_autofree char   *option = level < 0 ? g_strdup ("")
                                            : g_strdup_printf ("--level %d", level);
      g_autoptr (Run)    result = run (scratch, "h-maxima in.tif --height 0 -o out.raw %s",
                                       option);
      g_autofree guint8 *levels = NULL;

      assert_said (result, level < 0 ? "levels of its pyramid only number 0" : NULL);
      levels = scratch_read (scratch, "out.raw", (64 * 48) >> (2 * MAX (level, 0)));
    }
  refuse (scratch, 1, "--level 9", "h-maxima in.tif --height 0 -o other.raw --level 9");
}

static void
test_bands (Scratch       *scratch,
            gconstpointer  data)
{
  guint8     bands[2 * N];
  VipsImage *view;
  VipsImage *image;

  for (int i = 0; i < 2 * N; i++)
    bands[i] = i % 2 == 0 ? 11 : 99;
  view = vips_image_new_from_memory (bands, sizeof bands, WIDTH, HEIGHT, 2, VIPS_FORMAT_UCHAR);
  g_assert_cmpint (vips_copy (view, &image, "interpretation", VIPS_INTERPRETATION_B_W, NULL),
                   ==, 0);
  save (scratch, image, FALSE, FALSE);
  g_object_unref (image);
  g_object_unref (view);

  for (int channel = -1; channel < 2; channel++)
    {
      g_autofree char   *option = channel < 0 ? g_strdup ("")
                                              : g_strdup_printf ("--channel %d", channel);
      g_autoptr (Run)    result = run (scratch, "h-maxima in.tif --height 0 -o out.raw %s",
                                       option);
      g_autofree guint8 *levels = NULL;

      assert_said (result, channel < 0 ? "second band" : NULL);
      levels = scratch_read (scratch, "out.raw", N);
      for (int i = 0; i < N; i++)
        g_assert_cmpint (levels[i], ==, channel == 1 ? 99 : 11);
    }
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  write_pages (scratch, "ImageJ=1.54\nimages=6\nchannels=2\nslices=3\n", 6);
  refuse (scratch, 1, "--channel 2", "h-maxima in.tif --height 0 -o out.raw --channel 2");
  refuse (scratch, 1, "--slice 3", "h-maxima in.tif --height 0 -o out.raw --slice 3");
  refuse (scratch, 1, "--series 1", "h-maxima in.tif --height 0 -o out.raw --series 1");
  refuse (scratch, 1, "--level 1", "h-maxima in.tif --height 0 -o out.raw --level 1");
  refuse (scratch, 2, "channel", "h-maxima in.tif --height 0 -o out.raw --channel x");
  scratch_write (scratch, "in.raw", "123456", 6);
  refuse (scratch, 2, "--channel", "h-maxima in.raw --raw 3x2:u8 --height 0 -o out.raw "
                                   "--channel 0");
}

int
main (int    argc,
      char **argv)
{
  if (VIPS_INIT (argv[0]) != 0)
    vips_error_exit (NULL);
  tests_begin (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (plane_cases); i++)
    add_case ("/planes/", plane_cases[i].name, &plane_cases[i], test_planes);
  add_test ("/planes/pyramid/pages", GINT_TO_POINTER (FALSE), test_pyramid);
  add_test ("/planes/pyramid/subifds", GINT_TO_POINTER (TRUE), test_pyramid);
  add_test ("/planes/bands", NULL, test_bands);
  add_test ("/planes/refused", NULL, test_refused);
  return run_tests (argc, argv);
}
