/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What TIFF results keep of an OME-TIFF input beside the size of a pixel: the name of the image,
 * its date and the name of its channel.  libtiff alone writes the inputs and reads the results.
 */

#include "config.h"

#include <string.h>

#include <tiffio.h>

#include "block-files.h"
#include "tests/support/tiers.h"

enum { WIDTH = 300, HEIGHT = 200 };

/* Of the descriptions of inputs. */
#define OME(images) "<?xml version=\"1.0\"?><OME xmlns=\"x\">" images "</OME>"
#define PIXELS(sizes, more) "<Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" " sizes ">" more \
                            "<TiffData/></Pixels>"
#define ONE "SizeC=\"1\" SizeZ=\"1\" SizeT=\"1\""

/**
 * OmeCase:
 * @n_pages: of the input
 * @options: of the command
 * @expected: what the description of the result has, separated by lines; %NULL for no description
 * @missing: what it does not have
 */
typedef struct
{
  const char *name;
  const char *description;
  int         n_pages;
  const char *options;
  const char *expected;
  const char *missing;
} OmeCase;

#define SERIES OME ("<Image ID=\"Image:0\" Name=\"first\">"                                     \
                    PIXELS (ONE, "<Channel Name=\"red\"/>") "</Image>"                          \
                    "<Image ID=\"Image:1\" Name=\"second\">"                                    \
                    "<AcquisitionDate>2020-02-29T01:02:03Z</AcquisitionDate>"                   \
                    "<Pixels DimensionOrder=\"XYZCT\" " ONE "><Channel Name=\"blue\"/>"         \
                    "<TiffData IFD=\"1\"/></Pixels></Image>")

#define CHANNELS OME ("<Image Name=\"two\">" PIXELS ("SizeC=\"2\" SizeZ=\"1\" SizeT=\"1\"",        \
                      "<Channel Name=\"DAPI\"/><Channel Name=\"GFP\"/>") "</Image>")

static const OmeCase cases[] =
{
  { "all", OME ("<Image ID=\"Image:0\" Name=\"a &amp; &lt;b&gt; &quot;c&quot; \303\251\">"
                "<AcquisitionDate>2014-05-06T07:08:09.5</AcquisitionDate>"
                PIXELS (ONE " PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.5\"",
                        "<Channel ID=\"Channel:0:0\" Name=\"DAPI &apos;1&apos;\"/>") "</Image>"),
    1, "",
    "<Image ID=\"Image:0\" Name=\"a &amp; &lt;b&gt; &quot;c&quot; \303\251\"><AcquisitionDate>"
    "2014-05-06T07:08:09.5</AcquisitionDate><Pixels \n"
    "<Channel ID=\"Channel:0:0\" Name=\"DAPI &apos;1&apos;\" SamplesPerPixel=\"1\"/>\n"
    "PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"\302\265m\"\n"
    "SizeX=\"300\" SizeY=\"200\" SizeZ=\"1\" SizeC=\"1\"", NULL },
  { "prefixes", "<o:OME xmlns:o=\"x\"><o:Image Name=\"n\">"
    "<o:AcquisitionDate> 2001-01-01T00:00:00+02:00\n</o:AcquisitionDate>"
    "<o:Pixels DimensionOrder=\"XYZCT\" " ONE "><o:TiffData/></o:Pixels></o:Image></o:OME>", 1, "",
    "Name=\"n\"\n<AcquisitionDate>2001-01-01T00:00:00+02:00</AcquisitionDate>", "PhysicalSize" },
  { "channel", CHANNELS, 2, "--channel 1", "Name=\"two\"\nName=\"GFP\"\nSizeC=\"1\"", "DAPI" },
  { "series", SERIES, 2, "--series 1",
    "Name=\"second\"\nName=\"blue\"\n>2020-02-29T01:02:03Z<", "first" },
  { "first", SERIES, 2, "--series 0", "Name=\"first\"\nName=\"red\"", "AcquisitionDate" },
  { "stack", OME ("<Image Name=\"deep\">" PIXELS ("SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\"", "")
                  "</Image>"), 3, "", "Name=\"deep\"\nSizeZ=\"3\"\nPlaneCount=\"3\"", NULL },
  { "hostile", OME ("<Image Name=\"a&#10;b\"><AcquisitionDate>to&lt;day</AcquisitionDate>"
                    PIXELS (ONE, "<Channel Name=\"c\"/>") "</Image>"), 1, "",
    "<Image ID=\"Image:0\"><Pixels \nName=\"c\"", "AcquisitionDate" },
  { "nothing", OME ("<Image Name=\"\">" PIXELS (ONE, "") "</Image>"), 1, "", NULL, NULL },
  { "imagej", "ImageJ=1.54f\nName=\"x\"\n", 1, "", NULL, NULL },
};

static void
write_input (const Scratch *scratch,
             const char    *name,
             const char    *description,
             int            n_pages,
             guint16        n_bands)
{
  g_autofree char   *path   = scratch_path (scratch, name);
  TIFF              *tiff   = TIFFOpen (path, "w");
  g_autofree guint8 *levels = make_spots (WIDTH * n_bands, HEIGHT);
  const tmsize_t     bytes  = WIDTH * HEIGHT * n_bands;

  g_assert_nonnull (tiff);
  for (int page = 0; page < n_pages; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, n_bands);
      TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, n_bands == 3 ? PHOTOMETRIC_RGB
                                                            : PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, HEIGHT);
      if (description && page == 0)
        TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
      g_assert_cmpint (TIFFWriteEncodedStrip (tiff, 0, levels, bytes), ==, bytes);
      g_assert_true (TIFFWriteDirectory (tiff));
    }
  TIFFClose (tiff);
}

/* Returns the description of the first page, which is XML. */
static char *
read_description (const Scratch *scratch,
                  const char    *name)
{
  static const GMarkupParser  nothing = { NULL, NULL, NULL, NULL, NULL };
  g_autofree char            *path    = scratch_path (scratch, name);
  TIFF                       *tiff    = TIFFOpen (path, "r");
  char                       *text    = NULL;

  g_assert_nonnull (tiff);
  if (TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &text))
    {
      g_autoptr (GMarkupParseContext)  context = g_markup_parse_context_new (&nothing, 0, NULL,
                                                                             NULL);
      g_autoptr (GError)               error   = NULL;

      text = g_strdup (text);
      g_markup_parse_context_parse (context, text, -1, &error);
      g_assert_no_error (error);
      g_assert_true (g_markup_parse_context_end_parse (context, NULL));
    }
  TIFFClose (tiff);
  return text;
}

static void
assert_described (const Scratch *scratch,
                  const char    *name,
                  const OmeCase *item)
{
  g_autofree char *text  = read_description (scratch, name);
  g_auto (GStrv)   parts = g_strsplit (item->expected ? item->expected : "", "\n", -1);

  if (! item->expected)
    {
      g_assert_null (text);
      return;
    }
  g_assert_nonnull (text);
  for (char **part = parts; *part; part++)
    if (! strstr (text, *part))
      g_error ("%s: %s is described by %s, without %s", item->name, name, text, *part);
  if (item->missing && strstr (text, item->missing))
    g_error ("%s: %s is described by %s", item->name, name, text);
}

/* Standard error may say which channel or series is read. */
static void
make (const Scratch *scratch,
      const char    *format,
      const char    *options)
{
  g_autofree char *line = g_strdup_printf (format, options);
  g_autoptr (Run)  done = run (scratch, "%s", line);

  g_assert_cmpint (done->status, ==, 0);
}

static void
test_kept (Scratch       *scratch,
           gconstpointer  data)
{
  const OmeCase *item = data;

  write_input (scratch, "in.tif", item->description, item->n_pages, 1);
  make (scratch, "h-maxima in.tif --height 0 -o whole.tif %s", item->options);
  make (scratch, "h-maxima in.tif --height 0 --blocks auto -o plain.tif --overviews no %s",
        item->options);
  make (scratch, "label in.tif --threshold 120 -o labels.tif %s", item->options);
  make (scratch, "run 'gaussian --sigma 1; h-maxima --height 1' in.tif -o chain.tif %s",
        item->options);
  assert_described (scratch, "whole.tif", item);
  assert_described (scratch, "plain.tif", item);
  assert_described (scratch, "labels.tif", item);
  assert_described (scratch, "chain.tif", item);

  /* overviews have a description anyway; and the next result keeps it as well */
  make (scratch, "h-maxima in.tif --height 0 --blocks auto -o blocks.tif %s", item->options);
  make (scratch, "h-maxima %s --height 0 -o again.tif", "plain.tif");
  if (item->expected)
    assert_described (scratch, "blocks.tif", item);
  assert_described (scratch, "again.tif", item);
}

/* Of several inputs each has its own; of an image and another one that of the image counts. */
static void
test_inputs (Scratch       *scratch,
             gconstpointer  data)
{
  static const OmeCase none  = { .name = "none" };
  static const OmeCase named = { .name = "named", .expected = "Name=\"two\"\nName=\"DAPI\"" };

  write_input (scratch, "none.tif", NULL, 1, 1);
  write_input (scratch, "named.tif", CHANNELS, 2, 1);
  make (scratch, "h-maxima named.tif none.tif --height 0 --jobs 1 -o '{name}-%s.tif'", "one");
  assert_described (scratch, "named-one.tif", &named);
  assert_described (scratch, "none-one.tif", &none);
  make (scratch, "reconstruct none.tif named.tif -o %s", "a.tif");
  assert_described (scratch, "a.tif", &none);
  make (scratch, "reconstruct named.tif none.tif -o %s", "b.tif");
  assert_described (scratch, "b.tif", &named);
}

/* Colors are one channel of three samples. */
static void
test_colors (Scratch       *scratch,
             gconstpointer  data)
{
  static const OmeCase item =
  {
    .name = "colors", .expected = "Name=\"slide\"\nSizeC=\"3\"\nName=\"RGB\" SamplesPerPixel=\"3\""
  };

  write_input (scratch, "in.tif", OME ("<Image Name=\"slide\">"
               PIXELS ("SizeC=\"3\" SizeZ=\"1\" SizeT=\"1\"",
                       "<Channel Name=\"RGB\" SamplesPerPixel=\"3\"/>") "</Image>"), 1, 3);
  make (scratch, "median in.tif --radius 1 --colors luminance -o %s", "out.tif");
  assert_described (scratch, "out.tif", &item);
  make (scratch, "median out.tif --radius 1 --colors components -o %s", "again.tif");
  assert_described (scratch, "again.tif", &item);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/ome/", cases[i].name, &cases[i], test_kept);
  add_test ("/ome/inputs", NULL, test_inputs);
  add_test ("/ome/colors", NULL, test_colors);
  return run_tests (argc, argv);
}
