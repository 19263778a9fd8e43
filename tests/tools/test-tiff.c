/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TIFF results: how they are compressed, and what they keep of what the input says of the size of a
 * pixel.  libtiff alone reads them here, and writes the inputs.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <tiffio.h>

#include "block-files.h"
#include "tests/support/tiers.h"


static TIFF *
open_tiff (const Scratch *scratch,
           const char    *name,
           const char    *mode)
{
  g_autofree char *path = scratch_path (scratch, name);
  TIFF            *tiff = TIFFOpen (path, mode);

  g_assert_nonnull (tiff);
  return tiff;
}

/*  Compression  */

/* Appends the page that is open to @pixels. */
static void
read_page (TIFF       *tiff,
           GByteArray *pixels)
{
  guint32  width  = 0;
  guint32  height = 0;
  guint32  wide   = 0;
  guint32  tall   = 0;
  guint16  bits   = 0;
  gsize    first  = pixels->len;
  gsize    size;
  gpointer part;

  g_assert_true (TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width));
  g_assert_true (TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height));
  g_assert_true (TIFFGetField (tiff, TIFFTAG_BITSPERSAMPLE, &bits));
  size = bits / 8;
  wide = width;
  if (TIFFIsTiled (tiff))
    {
      g_assert_true (TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &wide));
      g_assert_true (TIFFGetField (tiff, TIFFTAG_TILELENGTH, &tall));
    }
  else
    g_assert_true (TIFFGetField (tiff, TIFFTAG_ROWSPERSTRIP, &tall));
  g_byte_array_set_size (pixels, (guint) (first + width * height * size));
  part = g_malloc ((gsize) wide * tall * size);
  for (guint32 y = 0, n = 0; y < height; y += tall)
    for (guint32 x = 0; x < width; x += wide, n++)
      {
        const gsize    rows = MIN (tall, height - y);
        const gsize    all  = (TIFFIsTiled (tiff) ? tall : rows) * wide * size;
        const tmsize_t got  = TIFFIsTiled (tiff)
                              ? TIFFReadEncodedTile (tiff, n, part, (tmsize_t) all)
                              : TIFFReadEncodedStrip (tiff, n, part, (tmsize_t) all);

        g_assert_cmpint (got, ==, all);
        for (gsize row = 0; row < rows; row++)
          memcpy (pixels->data + first + ((y + row) * width + x) * size,
                  (guint8 *) part + row * wide * size, MIN (wide, width - x) * size);
      }
  g_free (part);
}

/* Each page, and each of its overviews, has that compression. */
static void
assert_tiff (const Scratch *scratch,
             const char    *name,
             const char    *raw,
             guint16        compression)
{
  TIFF       *tiff   = open_tiff (scratch, name, "r");
  GByteArray *pixels = g_byte_array_new ();

  do
    {
      guint16 found = 0;

      g_assert_true (TIFFGetField (tiff, TIFFTAG_COMPRESSION, &found));
      g_assert_cmpint (found, ==, compression);
      read_page (tiff, pixels);
    }
  while (TIFFReadDirectory (tiff));
  TIFFClose (tiff);

  {
    g_autofree gpointer expected = scratch_read (scratch, raw, pixels->len);

    g_assert_true (memcmp (expected, pixels->data, pixels->len) == 0);
  }
  g_byte_array_unref (pixels);
}

static gint64
file_size (const Scratch *scratch,
           const char    *name)
{
  g_autofree char *path  = scratch_path (scratch, name);
  g_autofree char *bytes = NULL;
  gsize            n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  return (gint64) n;
}

static const struct { const char *name; guint16 tag; } compressions[] =
{
  { "none", COMPRESSION_NONE }, { "deflate", COMPRESSION_ADOBE_DEFLATE },
  { "lzw", COMPRESSION_LZW },   { "zstd", COMPRESSION_ZSTD },
};

/* Whole, in blocks, with overviews: files of the same pixels. */
static void
check_ways (const Scratch *scratch,
            const char    *line,
            guint          k)
{
  static const char * const ways[] = { "", "--blocks auto", "--overviews yes" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.tif", i);
      g_autoptr (Run)  done = run (scratch, "%s -o %s --compression %s %s", line, name,
                                   compressions[k].name, ways[i]);

      assert_success (done);
      assert_tiff (scratch, name, "out.raw", compressions[k].tag);
    }
  assert_same_files (scratch, "1.tif", "2.tif");
}

static gboolean
is_there (guint k)
{
#ifdef HAVE_ZSTD
  return TIFFIsCODECConfigured (compressions[k].tag);
#else
  return k < 3 && TIFFIsCODECConfigured (compressions[k].tag);
#endif
}

/* Noise fills the tables of LZW, flat pictures make the longest strings. */
static void
fill (guint8 *bytes,
      gsize   n,
      guint   how)
{
  for (gsize i = 0; i < n; i++)
    bytes[i] = how == 0   ? (guint8) g_test_rand_int_range (0, 256)
               : how == 1 ? 0
               : how == 2 ? (guint8) (i * i >> 7)
                          : (guint8) (g_test_rand_int_range (0, 9) == 0);
}

static void
test_compression (Scratch       *scratch,
                  gconstpointer  data)
{
  static const struct { const char *raw; gsize n; gsize size; } shapes[] =
  {
    { "300x290:u8",   300 * 290,     1 }, { "1x1:u8",       1,             1 },
    { "257x65x3:u16", 257 * 65 * 3,  2 }, { "600x521:f32",  600 * 521,     4 },
  };

  /* each shape with two contents, each content with two shapes */
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (guint j = 0; j < 2; j++)
      {
        const guint        how    = (i + j) % 4;
        const gsize        bytes  = shapes[i].n * shapes[i].size;
        g_autofree guint8 *levels = g_malloc (bytes);
        g_autofree char   *line   = g_strdup_printf ("h-maxima in.raw --raw %s --height 0 "
                                                     "--threads 1", shapes[i].raw);
        g_autoptr (Run)    done   = NULL;

        fill (levels, bytes, how);
        for (gsize k = 3; shapes[i].size == 4 && k < bytes; k += 4)   /* no NaN */
          levels[k] &= 0x3f;
        scratch_write (scratch, "in.raw", levels, bytes);
        done = run (scratch, "%s -o out.raw", line);
        assert_success (done);
        for (guint k = 0; k < G_N_ELEMENTS (compressions); k++)
          if (is_there (k))
            check_ways (scratch, line, k);
      }
}

/* Labels of 32 bits, and squared distances, which become 64-bit floating point. */
static void
test_types (Scratch       *scratch,
            gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 700);

  scratch_write (scratch, "in.raw", levels, 900 * 700);
#define LABEL "label in.raw --raw 900x700:u8 --threshold 120"
  succeed_counting (scratch, LABEL " -o out.raw");
  for (guint k = 0; k < G_N_ELEMENTS (compressions); k++)
    {
      if (! is_there (k))
        continue;
      succeed_counting (scratch, LABEL " -o a.tif --compression %s", compressions[k].name);
      succeed_counting (scratch, LABEL " -o b.tif --blocks auto --compression %s",
                        compressions[k].name);
      assert_tiff (scratch, "a.tif", "out.raw", compressions[k].tag);
      assert_tiff (scratch, "b.tif", "out.raw", compressions[k].tag);
      if (k > 0)
        {
          g_assert_cmpint (file_size (scratch, "a.tif"), <, 900 * 700);
          g_assert_cmpint (file_size (scratch, "b.tif"), <, 900 * 700 * 4 / 3);
        }
    }
  succeed (scratch, "distance in.raw --raw 900x700:u8 --metric squared --spacing 1.5,2 "
           "--threshold 120 -o out.raw");
  succeed (scratch, "distance in.raw --raw 900x700:u8 --metric squared --spacing 1.5,2 "
           "--threshold 120 -o a.tif --compression lzw");
  assert_tiff (scratch, "a.tif", "out.raw", COMPRESSION_LZW);

  /* without the option: none, and deflate in blocks */
  succeed_counting (scratch, LABEL " -o out.raw");
  succeed_counting (scratch, LABEL " -o a.tif");
  succeed_counting (scratch, LABEL " -o b.tif --blocks auto");
  assert_tiff (scratch, "a.tif", "out.raw", COMPRESSION_NONE);
  assert_tiff (scratch, "b.tif", "out.raw", COMPRESSION_ADOBE_DEFLATE);
}

/*  What is kept of an input  */

static const struct { guint16 input; guint16 result; } kept[] =
{
  { COMPRESSION_NONE,          COMPRESSION_NONE },
  { COMPRESSION_LZW,           COMPRESSION_LZW },
  { COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ADOBE_DEFLATE },
  { COMPRESSION_ZSTD,          COMPRESSION_ZSTD },
  { COMPRESSION_PACKBITS,      COMPRESSION_ADOBE_DEFLATE },
  { COMPRESSION_JPEG,          COMPRESSION_ADOBE_DEFLATE },   /* with losses */
};

#define KEPT_WIDTH  200
#define KEPT_HEIGHT 150

static void
write_tiles (TIFF         *tiff,
             const guint8 *levels,
             guint32       width)
{
  const guint32      height = width / 2;
  g_autofree guint8 *part   = g_malloc0 (width * height);

  TIFFSetField (tiff, TIFFTAG_TILEWIDTH, width);
  TIFFSetField (tiff, TIFFTAG_TILELENGTH, height);
  for (guint32 y = 0; y < KEPT_HEIGHT; y += height)
    for (guint32 x = 0; x < KEPT_WIDTH; x += width)
      {
        for (guint32 row = 0; row < MIN (height, KEPT_HEIGHT - y); row++)
          memcpy (part + row * width, levels + (y + row) * KEPT_WIDTH + x,
                  MIN (width, KEPT_WIDTH - x));
        g_assert_cmpint (TIFFWriteTile (tiff, part, x, y, 0, 0), >, 0);
      }
}

static void
write_strips (TIFF   *tiff,
              guint8 *levels)
{
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 8);
  for (guint32 y = 0; y < KEPT_HEIGHT; y++)
    g_assert_cmpint (TIFFWriteScanline (tiff, levels + y * KEPT_WIDTH, y, 0), ==, 1);
}

/* @tile: 0 for strips, else the width of tiles, which are half as high */
static void
write_stored (const Scratch *scratch,
              const char    *name,
              guint16        compression,
              guint32        tile,
              guint          n_pages)
{
  g_autofree guint8 *levels = make_spots (KEPT_WIDTH, KEPT_HEIGHT);
  TIFF              *tiff   = open_tiff (scratch, name, "w");

  for (guint page = 0; page < n_pages; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, KEPT_WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, KEPT_HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_COMPRESSION, compression);
      if (tile > 0)
        write_tiles (tiff, levels, tile);
      else
        write_strips (tiff, levels);
      g_assert_true (TIFFWriteDirectory (tiff));
    }
  TIFFClose (tiff);
}

/* Every page has tiles of this width, which are half as high, or strips. */
static void
assert_tiles (const Scratch *scratch,
              const char    *name,
              guint32        tile,
              guint          n_pages)
{
  TIFF  *tiff = open_tiff (scratch, name, "r");
  guint  n    = 0;

  do
    {
      guint32 width  = 0;
      guint32 height = 0;

      TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &width);
      TIFFGetField (tiff, TIFFTAG_TILELENGTH, &height);
      g_assert_cmpint (width, ==, tile);
      g_assert_cmpint (height, ==, tile / 2);
      n++;
    }
  while (TIFFReadDirectory (tiff));
  g_assert_cmpint (n, ==, n_pages);
  TIFFClose (tiff);
}

/* The compression and the tiles of the input, where nothing else is asked for. */
static void
test_kept (Scratch       *scratch,
           gconstpointer  data)
{
  static const struct { guint32 tile; guint n_pages; } shapes[] =
  {
    { 0, 1 }, { 64, 1 }, { 96, 1 }, { 256, 1 }, { 0, 3 }, { 64, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    for (guint j = 0; j < G_N_ELEMENTS (shapes) && TIFFIsCODECConfigured (kept[i].input); j++)
      {
        write_stored (scratch, "in.tif", kept[i].input, shapes[j].tile, shapes[j].n_pages);
        succeed_counting (scratch, "label in.tif --threshold 120 -o out.raw");
        succeed_counting (scratch, "label in.tif --threshold 120 -o out.tif");
        assert_tiff (scratch, "out.tif", "out.raw", kept[i].result);
        assert_tiles (scratch, "out.tif", shapes[j].tile, shapes[j].n_pages);
      }
}

/* What is asked for comes first; in blocks there are tiles, and always a compression; of several
 * inputs each has its own, and of two the first one counts that is TIFF.
 */
static void
test_kept_or_not (Scratch       *scratch,
                  gconstpointer  data)
{
  write_stored (scratch, "lzw.tif", COMPRESSION_LZW, 64, 1);
  write_stored (scratch, "none.tif", COMPRESSION_NONE, 0, 1);
  succeed_counting (scratch, "label lzw.tif --threshold 120 -o lzw.raw");
  succeed_counting (scratch, "label none.tif --threshold 120 -o none.raw");
  succeed_counting (scratch, "label lzw.tif --threshold 120 -o a.tif --compression none");
  assert_tiff (scratch, "a.tif", "lzw.raw", COMPRESSION_NONE);
  assert_tiles (scratch, "a.tif", 64, 1);
  succeed_counting (scratch, "label lzw.tif --threshold 120 -o b.tif --blocks auto");
  assert_tiff (scratch, "b.tif", "lzw.raw", COMPRESSION_LZW);
  succeed_counting (scratch, "label none.tif --threshold 120 -o b.tif --blocks auto");
  assert_tiff (scratch, "b.tif", "none.raw", COMPRESSION_ADOBE_DEFLATE);

  {
    g_autoptr (Run) done = run (scratch, "label lzw.tif none.tif --threshold 120 -o {name}-l.tif");

    g_assert_cmpint (done->status, ==, 0);
  }
  assert_tiff (scratch, "lzw-l.tif", "lzw.raw", COMPRESSION_LZW);
  assert_tiff (scratch, "none-l.tif", "none.raw", COMPRESSION_NONE);
  assert_tiles (scratch, "none-l.tif", 0, 1);

  succeed (scratch, "reconstruct none.tif lzw.tif -o out.raw");
  succeed (scratch, "reconstruct none.tif lzw.tif -o c.tif");
  assert_tiff (scratch, "c.tif", "out.raw", COMPRESSION_NONE);
  assert_tiles (scratch, "c.tif", 0, 1);
}

/* Pages in JPEG tiles, all of them the same, become the same slices: threads of libvips took the
 * tables of one for another, or found none, in about a tenth of the runs.
 */
static void
test_jpeg_pages (Scratch       *scratch,
                 gconstpointer  data)
{
  enum { N_PAGES = 200, PAGE = KEPT_WIDTH * KEPT_HEIGHT };

  if (! TIFFIsCODECConfigured (COMPRESSION_JPEG))
    {
      g_test_skip ("libtiff has no JPEG here");
      return;
    }
  write_stored (scratch, "in.tif", COMPRESSION_JPEG, 64, N_PAGES);
  for (guint i = test_count (3, 12); i > 0; i--)
    {
      g_autofree guint8 *levels = NULL;

      succeed (scratch, "h-maxima in.tif --height 0 -o out.raw");
      levels = scratch_read (scratch, "out.raw", N_PAGES * PAGE);
      for (guint page = 1; page < N_PAGES; page++)
        g_assert_true (memcmp (levels, levels + page * PAGE, PAGE) == 0);
    }
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  g_autofree guint8 *levels = make_spots (900, 700);

  scratch_write (scratch, "in.raw", levels, 900 * 700);
  refuse (scratch, 2, "--compression", LABEL " -o a.tif --compression jpeg");
  refuse (scratch, 2, "--compression", LABEL " -o a.raw --compression lzw");
  refuse (scratch, 2, "--compression", LABEL " -o - --format png --compression lzw");
  refuse (scratch, 2, "--compression", "run 'label --threshold 120 -o a.zarr' in.raw "
          "--raw 900x700:u8 --compression lzw");
  refuse (scratch, 2, "--compression", "measure in.raw --raw 900x700:u8 -o t.csv "
          "--compression lzw");
  scratch_assert (scratch, "in.raw");
  succeed_counting (scratch, "run 'gaussian --sigma 1 -o a.tif; label --threshold 120' in.raw "
                    "--raw 900x700:u8 -o b.raw --compression lzw");
}


/*  The size of a pixel  */

/**
 * SizeCase:
 * @description: (nullable): of the input
 * @x: its tags; 0: there are none
 * @out_x: those of the result; 0: without a description there are none but those of libvips
 * @physical: (nullable): what the description of the result has
 * @unit: (nullable): that of the table of measure, with @area for a pixel
 */
typedef struct
{
  const char *name;
  const char *description;
  float       x;
  float       y;
  guint16     unit;
  double      out_x;
  double      out_y;
  guint16     out_unit;
  const char *physical;
  const char *table_unit;
  double      area;
} SizeCase;

#define OME(sizes) "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image ID=\"Image:0\"><Pixels " \
                   "DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"1\" SizeT=\"1\" " sizes    \
                   "><TiffData/></Pixels></Image></OME>"

static const SizeCase size_cases[] =
{
  { "nothing", NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, 1 },
  { "inch", NULL, 300, 200, RESUNIT_INCH, 300, 200, RESUNIT_INCH, NULL, NULL, 1 },
  { "centimeter", NULL, 250, 125, RESUNIT_CENTIMETER, 250, 125, RESUNIT_CENTIMETER, NULL, NULL,
    1 },
  { "aspect", NULL, 3, 2, RESUNIT_NONE, 0, 0, 0, NULL, NULL, 1 },
  { "ome", OME ("PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.25\""), 0, 0, 0, 20000, 40000,
    RESUNIT_CENTIMETER, "PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"\302\265m\" "
    "PhysicalSizeY=\"0.25\" PhysicalSizeYUnit=\"\302\265m\">", "micrometer", 0.125 },
  { "ome/unit", OME ("PhysicalSizeX=\"250\" PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"250\" "
                     "PhysicalSizeYUnit=\"nm\" PhysicalSizeZ=\"1000\" PhysicalSizeZUnit=\"nm\""),
    72, 72, RESUNIT_INCH, 40000, 40000, RESUNIT_CENTIMETER, "PhysicalSizeX=\"250\" "
    "PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"250\" PhysicalSizeYUnit=\"nm\" "
    "PhysicalSizeZ=\"1000\" PhysicalSizeZUnit=\"nm\">", "nanometer", 62500 },
  { "ome/pixel", OME ("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"pixel\" PhysicalSizeY=\"2\" "
                      "PhysicalSizeYUnit=\"pixel\""), 0, 0, 0, 0, 0, 0, NULL, NULL, 1 },
  { "ome/hostile", OME ("PhysicalSizeX=\"nan\" PhysicalSizeY=\"-1e999\" PhysicalSizeZ=\"0\""), 0,
    0, 0, 0, 0, 0, NULL, NULL, 1 },
  { "ome/tiny", OME ("PhysicalSizeX=\"1e-300\" PhysicalSizeY=\"1e300\""), 0, 0, 0, 0, 0, 0,
    NULL, NULL, 1 },
  { "ome/small", OME ("PhysicalSizeX=\"1e-5\" PhysicalSizeY=\"2e-5\""), 0, 0, 0, 0, 0, 0,
    "PhysicalSizeX=\"1.0000000000000001e-05\"", "micrometer", 2e-10 },
  { "imagej", "ImageJ=1.54f\nunit=micron\n", 2, 4, RESUNIT_NONE, 20000, 40000, RESUNIT_CENTIMETER,
    "PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"\302\265m\" PhysicalSizeY=\"0.25\" "
    "PhysicalSizeYUnit=\"\302\265m\">", "micrometer", 0.125 },
  { "imagej/centimeter", "ImageJ=1.54f\nunit=cm\n", 50, 20, RESUNIT_CENTIMETER, 50, 20,
    RESUNIT_CENTIMETER, "PhysicalSizeX=\"0.02\" PhysicalSizeXUnit=\"cm\"", "centimeter", 0.001 },
  { "imagej/escaped", "ImageJ=1.54f\nunit=\\u00B5m\n", 2, 2, RESUNIT_NONE, 20000, 20000,
    RESUNIT_CENTIMETER, "PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"\302\265m\"", "micrometer",
    0.25 },
  { "imagej/unknown", "ImageJ=1.54f\nunit=furlong\n", 2, 2, RESUNIT_NONE, 0, 0, 0, NULL, NULL, 1 },
};

enum { WIDTH = 700, HEIGHT = 530 };

/* One that is written by libtiff, in strips, of @n_pages. */
static void
write_input (const Scratch  *scratch,
             const SizeCase *item,
             int             n_pages)
{
  TIFF              *tiff   = open_tiff (scratch, "in.tif", "w");
  g_autofree guint8 *levels = make_spots (WIDTH, HEIGHT);

  for (int page = 0; page < n_pages; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, HEIGHT);
      if (item->description)
        TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, item->description);
      if (item->x > 0)
        {
          TIFFSetField (tiff, TIFFTAG_XRESOLUTION, item->x);
          TIFFSetField (tiff, TIFFTAG_YRESOLUTION, item->y);
          TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, item->unit);
        }
      g_assert_cmpint (TIFFWriteEncodedStrip (tiff, 0, levels, WIDTH * HEIGHT), ==,
                       WIDTH * HEIGHT);
      g_assert_true (TIFFWriteDirectory (tiff));
    }
  TIFFClose (tiff);
}

static void
assert_near (double value,
             double expected)
{
  g_assert_cmpfloat (fabs (value - expected), <=, 1e-6 * expected);
}

/* @scale: the image is so many times smaller than the input */
static void
assert_tags (const Scratch  *scratch,
             const char     *name,
             const SizeCase *item,
             double          scale)
{
  TIFF       *tiff        = open_tiff (scratch, name, "r");
  const char *description = "";
  float       x           = 0;
  float       y           = 0;
  guint16     unit        = 0;

  if (item->out_x > 0.0)
    {
      g_assert_true (TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x));
      g_assert_true (TIFFGetField (tiff, TIFFTAG_YRESOLUTION, &y));
      g_assert_true (TIFFGetField (tiff, TIFFTAG_RESOLUTIONUNIT, &unit));
      assert_near (x, item->out_x / scale);
      assert_near (y, item->out_y / scale);
      g_assert_cmpint (unit, ==, item->out_unit);
    }
  else if (! item->physical && TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x))
    g_assert_cmpfloat (x, ==, 10.0f);
  TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &description);
  if (! item->physical)
    g_assert_null (strstr (description, "PhysicalSize"));
  else if (scale == 1.0 && ! strstr (description, item->physical))
    g_error ("%s: %s has the description %s", item->name, name, description);
  TIFFClose (tiff);
}

static void
assert_measured (const Scratch  *scratch,
                 const char     *name,
                 const SizeCase *item)
{
  g_autoptr (Run)   done = run (scratch, "measure %s --measures area -o -", name);
  g_auto (GStrv)    rows = NULL;
  g_auto (GStrv)    row  = NULL;

  g_assert_cmpint (done->status, ==, 0);
  rows = g_strsplit (done->out, "\n", -1);
  row  = g_strsplit (rows[1], ",", -1);
  g_assert_cmpuint (g_strv_length (row), ==, item->table_unit ? 4 : 2);
  if (! item->table_unit)
    return;
  g_assert_cmpstr (row[3], ==, item->table_unit);
  if (item->area > 0.0)
    assert_near (g_ascii_strtod (row[1], NULL),
                 item->area * g_ascii_strtod (row[2], NULL));
}

#define MARK "label in.tif --threshold 120 "

static void
test_size (Scratch       *scratch,
           gconstpointer  data)
{
  const SizeCase *item = data;

  write_input (scratch, item, 1);
  succeed_counting (scratch, MARK "-o whole.tif");
  succeed_counting (scratch, MARK "-o blocks.tif --blocks auto");
  succeed_counting (scratch, MARK "-o plain.tif --blocks auto --overviews no");
  succeed_counting (scratch, "run 'gaussian --sigma 1; label --threshold 120' in.tif -o chain.tif");
  assert_tags (scratch, "whole.tif", item, 1);
  assert_tags (scratch, "blocks.tif", item, 1);
  assert_tags (scratch, "plain.tif", item, 1);
  assert_tags (scratch, "chain.tif", item, 1);
  assert_measured (scratch, "in.tif", item);
  if (item->out_x > 0.0 || ! item->table_unit)
    {
      assert_measured (scratch, "whole.tif", item);
      assert_measured (scratch, "plain.tif", item);
    }

  /* what a result keeps, the next one keeps as well; half the size has twice the pixels */
  {
    g_autoptr (Run) again = run (scratch, "relabel blocks.tif -o again.tif");
    g_autoptr (Run) half  = run (scratch, "h-maxima blocks.tif --level 1 --height 0 -o half.tif");

    g_assert_cmpint (again->status, ==, 0);
    g_assert_cmpint (half->status, ==, 0);
    assert_tags (scratch, "again.tif", item, 1);
    assert_tags (scratch, "half.tif", item, 2);
  }
}

/* The pages of an OME-TIFF file are a stack. */
static void
test_stack (Scratch       *scratch,
            gconstpointer  data)
{
  static const SizeCase item =
  {
    "stack", "ImageJ=1.54f\nimages=3\nslices=3\nunit=um\nspacing=1.5\n", 2, 4, RESUNIT_NONE, 20000,
    40000, RESUNIT_CENTIMETER, "SizeZ=\"3\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\" "
    "PhysicalSizeXUnit=\"\302\265m\" PhysicalSizeY=\"0.25\" PhysicalSizeYUnit=\"\302\265m\" "
    "PhysicalSizeZ=\"1.5\" PhysicalSizeZUnit=\"\302\265m\">", "micrometer", 0.1875
  };

  write_input (scratch, &item, 3);
  succeed_counting (scratch, MARK "-o whole.tif --compression lzw");
  succeed_counting (scratch, MARK "-o blocks.tif --blocks auto");
  succeed_counting (scratch, MARK "-o out.raw");
  assert_tags (scratch, "whole.tif", &item, 1);
  assert_tags (scratch, "blocks.tif", &item, 1);
  assert_tiff (scratch, "whole.tif", "out.raw", COMPRESSION_LZW);
  assert_tiff (scratch, "blocks.tif", "out.raw", COMPRESSION_ADOBE_DEFLATE);
  for (guint i = 0; i < 2; i++)
    {
      const char      *name  = i == 0 ? "whole.tif" : "blocks.tif";
      g_autoptr (Run)  again = run (scratch, "relabel %s -o again.raw", name);
      g_autoptr (Run)  done  = run (scratch, "measure %s --measures area -o -", name);

      g_assert_cmpint (again->status, ==, 0);
      g_assert_cmpint (done->status, ==, 0);
      g_assert_nonnull (strstr (done->out, ",micrometer\n"));
    }
}

#ifdef HAVE_ZARR

/* From TIFF to OME-Zarr, and back. */
static void
test_zarr (Scratch       *scratch,
           gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "out.zarr/.zattrs");

  for (guint i = 0; i < G_N_ELEMENTS (size_cases); i++)
    {
      const SizeCase  *item = &size_cases[i];
      SizeCase         flat = *item;   /* an image has no z in OME-Zarr */
      g_autofree char *text = NULL;
      g_autoptr (Run)  back = NULL;

      if (item->out_x == 0.0)
        continue;
      write_input (scratch, item, 1);
      succeed_counting (scratch, MARK "-o out.zarr");
      succeed_counting (scratch, MARK "-o out.zarr --blocks auto");
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, item->table_unit             ? item->table_unit
                                      : item->unit == RESUNIT_INCH ? "inch"
                                                                   : "centimeter"));
      if (! item->table_unit)
        continue;
      assert_measured (scratch, "out.zarr", item);
      back = run (scratch, "relabel out.zarr -o back.tif");
      g_assert_cmpint (back->status, ==, 0);
      flat.physical = "PhysicalSizeX=";
      assert_tags (scratch, "back.tif", &flat, 1);
    }
}

#endif

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/tiff/compression", NULL, test_compression);
  add_test ("/tiff/types", NULL, test_types);
  add_test ("/tiff/kept", NULL, test_kept);
  add_test ("/tiff/kept-or-not", NULL, test_kept_or_not);
  add_test ("/tiff/jpeg-pages", NULL, test_jpeg_pages);
  add_test ("/tiff/refusals", NULL, test_refusals);
  for (guint i = 0; i < G_N_ELEMENTS (size_cases); i++)
    add_case ("/tiff/size/", size_cases[i].name, &size_cases[i], test_size);
  add_test ("/tiff/stack", NULL, test_stack);
#ifdef HAVE_ZARR
  add_test ("/tiff/zarr", NULL, test_zarr);
#endif
  return run_tests (argc, argv);
}
