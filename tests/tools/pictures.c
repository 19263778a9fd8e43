/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "pictures.h"


static const struct
{
  const char     *type;
  VipsBandFormat  format;
} formats[] =
{
  { "u8",  VIPS_FORMAT_UCHAR },
  { "u16", VIPS_FORMAT_USHORT },
  { "u32", VIPS_FORMAT_UINT },
  { "f32", VIPS_FORMAT_FLOAT },
  { "f64", VIPS_FORMAT_DOUBLE },
};

/* Starts libvips, which reads every file anew. */
void
pictures_begin (const char *program)
{
  if (VIPS_INIT (program) != 0)
    g_error ("libvips does not start.");
  vips_cache_set_max (0);
}

static VipsBandFormat
format_of (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].type, type) == 0)
      return formats[i].format;
  g_assert_not_reached ();
}

/* Takes ownership of @image. */
static void
save (const Scratch *scratch,
      const char    *name,
      VipsImage     *image)
{
  g_autofree char *path = scratch_path (scratch, name);

  if (! image || vips_image_write_to_file (image, path, NULL) != 0)
    g_error ("%s: %s", name, vips_error_buffer ());
  g_object_unref (image);
}

static VipsImage *
tag (VipsImage          *image,
     VipsInterpretation  interpretation)
{
  VipsImage *tagged = NULL;

  if (vips_copy (image, &tagged, "interpretation", interpretation, NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  g_object_unref (image);
  return tagged;
}

static VipsInterpretation
grey (VipsBandFormat format)
{
  return format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
}

/* Copies the bytes of raw files, which libvips has in the same order on little-endian machines
 * only.
 */
static VipsImage *
make (const Pixels *pixels)
{
  VipsBandFormat       format = format_of (pixels->type);
  gsize                length;
  g_autofree gpointer  bytes  = pixels_to_bytes (pixels, &length);
  VipsImage           *image;

  g_assert_cmpint (G_BYTE_ORDER, ==, G_LITTLE_ENDIAN);
  image = vips_image_new_from_memory_copy (bytes, length, (int) pixels->size.width,
                                           (int) (pixels->size.height * pixels->size.depth),
                                           1, format);
  image = tag (image, grey (format));
  if (pixels->size.depth > 1)
    vips_image_set_int (image, VIPS_META_PAGE_HEIGHT, (int) pixels->size.height);
  return image;
}

void
picture_write (const Scratch *scratch,
               const char    *name,
               const Pixels  *pixels)
{
  save (scratch, name, make (pixels));
}

/* Writes copies of one band; with an even number of bands the last one is alpha. */
void
picture_write_bands (const Scratch *scratch,
                     const char    *name,
                     const Pixels  *pixels,
                     int            n_bands)
{
  VipsImage          *band     = make (pixels);
  VipsImage          *joined   = NULL;
  VipsImage          *bands[8] = { NULL };
  gboolean            wide     = strcmp (pixels->type, "u16") == 0;
  g_autoptr (Pixels)  alpha    = pixels_random (pixels->type, pixels->size.width,
                                                pixels->size.height, 1, 50);
  VipsImage          *opacity  = make (alpha);

  g_assert_cmpint (n_bands, <=, 8);
  for (int i = 0; i < n_bands; i++)
    bands[i] = n_bands % 2 == 0 && i == n_bands - 1 ? opacity : band;
  if (vips_bandjoin (bands, &joined, n_bands, NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  g_object_unref (band);
  g_object_unref (opacity);

  if (n_bands <= 2)
    joined = tag (joined, grey (format_of (pixels->type)));
  else if (n_bands <= 4)
    joined = tag (joined, wide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB);
  else
    joined = tag (joined, VIPS_INTERPRETATION_MULTIBAND);
  save (scratch, name, joined);
}

void
picture_write_rgb (const Scratch *scratch,
                   const char    *name,
                   const guint8  *colours,
                   int            n)
{
  VipsImage *image = vips_image_new_from_memory_copy (colours, n * 3, n, 1, 3,
                                                      VIPS_FORMAT_UCHAR);

  save (scratch, name, tag (image, VIPS_INTERPRETATION_sRGB));
}

void
picture_write_rgb16 (const Scratch *scratch,
                     const char    *name,
                     const guint16 *colours,
                     int            n)
{
  VipsImage *image = vips_image_new_from_memory_copy (colours, n * 3 * sizeof *colours, n, 1, 3,
                                                      VIPS_FORMAT_USHORT);

  save (scratch, name, tag (image, VIPS_INTERPRETATION_RGB16));
}

/* @profile: (nullable): a colour profile */
void
picture_write_float_rgb (const Scratch *scratch,
                         const char    *name,
                         const float   *colours,
                         int            n,
                         GBytes        *profile)
{
  VipsImage *image = vips_image_new_from_memory_copy (colours, n * 3 * sizeof *colours, n, 1, 3,
                                                      VIPS_FORMAT_FLOAT);

  image = tag (image, VIPS_INTERPRETATION_scRGB);
  if (profile)
    vips_image_set_blob_copy (image, VIPS_META_ICC_NAME, g_bytes_get_data (profile, NULL),
                              g_bytes_get_size (profile));
  save (scratch, name, image);
}

/* Writes one row of pixels of any type. */
void
picture_write_values (const Scratch  *scratch,
                      const char     *name,
                      VipsBandFormat  format,
                      const double   *values,
                      int             n)
{
  VipsImage *image = vips_image_new_from_memory_copy (values, n * sizeof *values, n, 1, 1,
                                                      VIPS_FORMAT_DOUBLE);
  VipsImage *cast  = NULL;

  if (vips_cast (image, &cast, format, NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  g_object_unref (image);
  save (scratch, name, tag (cast, grey (format)));
}

/* Writes a TIFF file of two 8-bit pages, 5 × 4 and 4 × 3 pixels, each with one strip: they
 * are not the levels of a pyramid.
 */
void
picture_write_uneven_pages (const Scratch *scratch,
                            const char    *name)
{
  static const guint16 sizes[2][2] = { { 5, 4 }, { 4, 3 } };
  GByteArray          *file        = g_byte_array_new ();
  guint32              next        = 8;
  guint8               header[8]   = { 'I', 'I', 42, 0, 8, 0, 0, 0 };

  g_byte_array_append (file, header, sizeof header);
  for (int page = 0; page < 2; page++)
    {
      guint32       width   = sizes[page][0];
      guint32       height  = sizes[page][1];
      guint16       n       = 9;
      guint32       pixels  = next + 2 + 12 * n + 4;
      const guint32 tags[9][3] =
      {
        { 256, 4, width }, { 257, 4, height }, { 258, 3, 8 }, { 259, 3, 1 }, { 262, 3, 1 },
        { 273, 4, pixels }, { 277, 3, 1 }, { 278, 4, height }, { 279, 4, width * height },
      };
      guint8        zeros[20] = { 0 };

      g_byte_array_append (file, (guint8 *) &n, 2);
      for (int i = 0; i < n; i++)
        {
          guint16 tag_and_type[2] = { (guint16) tags[i][0], (guint16) tags[i][1] };
          guint32 one             = 1;

          g_byte_array_append (file, (guint8 *) tag_and_type, 4);
          g_byte_array_append (file, (guint8 *) &one, 4);
          g_byte_array_append (file, (const guint8 *) &tags[i][2], 4);
        }
      next = page == 0 ? pixels + width * height : 0;
      g_byte_array_append (file, (guint8 *) &next, 4);
      g_byte_array_append (file, zeros, width * height);
    }
  scratch_write (scratch, name, file->data, file->len);
  g_byte_array_unref (file);
}

/*  TIFF files of 64 bits a pixel  */

static guint32
number (const guint8 *bytes,
        guint         size)
{
  guint32 value = 0;

  for (guint i = 0; i < size; i++)
    value |= (guint32) bytes[i] << (8 * i);
  return value;
}

/* Libvips writes TIFF files with 64-bit floating point but cannot read them.  This reads classic
 * TIFF files with one page and uncompressed strips.
 */
static void
read_double_tiff (const Scratch *scratch,
                  const char    *name,
                  Pixels        *pixels)
{
  g_autofree char   *path   = scratch_path (scratch, name);
  g_autofree guint8 *file   = NULL;
  guint32            wanted[] = { 258, 64, 259, 1, 277, 1, 339, 3,
                                  256, (guint32) pixels->size.width,
                                  257, (guint32) (pixels->size.height * pixels->size.depth) };
  const guint8      *entry;
  const guint8      *offsets = NULL;
  const guint8      *counts  = NULL;
  guint              n_strips = 0;
  gsize              length, at = 0;

  g_assert_true (g_file_get_contents (path, (char **) &file, &length, NULL));
  g_assert_cmpmem (file, 4, "II*\0", 4);
  entry = file + number (file + 4, 4);
  g_assert_cmpuint (number (entry + 2 + 12 * number (entry, 2), 4), ==, 0);

  for (guint n = number (entry, 2), i = 0; i < n; i++)
    {
      const guint8 *field = entry + 2 + 12 * i;
      guint32       tag   = number (field, 2);
      guint         size  = number (field + 2, 2) == 3 ? 2 : 4;
      guint32       count = number (field + 4, 4);

      for (guint k = 0; k < G_N_ELEMENTS (wanted); k += 2)
        if (tag == wanted[k])
          {
            g_assert_cmpuint (number (field + 8, size), ==, wanted[k + 1]);
            wanted[k] = 0;
          }
      if (tag == 273 || tag == 279)
        {
          g_assert_cmpuint (size, ==, 4);
          *(tag == 273 ? &offsets : &counts) = count == 1 ? field + 8
                                                          : file + number (field + 8, 4);
          n_strips = count;
        }
    }
  for (guint k = 0; k < G_N_ELEMENTS (wanted); k += 2)
    g_assert_cmpuint (wanted[k], ==, 0);

  for (guint strip = 0; strip < n_strips; strip++)
    {
      gsize n = number (counts + 4 * strip, 4);

      g_assert_cmpuint (at + n, <=, pixels->n * sizeof (double));
      memcpy ((guint8 *) pixels->values + at, file + number (offsets + 4 * strip, 4), n);
      at += n;
    }
  g_assert_cmpuint (at, ==, pixels->n * sizeof (double));
}

static void
read_picture (const Scratch *scratch,
              const char    *name,
              Pixels        *pixels)
{
  g_autofree char   *path   = scratch_path (scratch, name);
  VipsImage         *image  = pixels->size.depth > 1 && g_str_has_suffix (name, ".tif")
                              ? vips_image_new_from_file (path, "n", -1, NULL)
                              : vips_image_new_from_file (path, NULL);
  VipsImage         *cast   = NULL;
  g_autofree double *values = NULL;
  gsize              length;

  if (! image || vips_cast_double (image, &cast, NULL) != 0)
    g_error ("%s: %s", name, vips_error_buffer ());
  g_assert_cmpint (image->Bands, ==, 1);
  g_assert_cmpint (image->BandFmt, ==, format_of (pixels->type));
  g_assert_cmpint (image->Xsize, ==, pixels->size.width);
  g_assert_cmpint (image->Ysize, ==, pixels->size.height * pixels->size.depth);
  g_assert_cmpint (vips_image_get_page_height (image), ==, pixels->size.height);

  values = vips_image_write_to_memory (cast, &length);
  g_assert_cmpuint (length, ==, pixels->n * sizeof (double));
  memcpy (pixels->values, values, length);
  g_object_unref (image);
  g_object_unref (cast);
}

/* @expected: the levels, or %NULL for a format that does not keep them */
void
picture_assert (const Scratch *scratch,
                const char    *name,
                const char    *type,
                const RefSize *size,
                const double  *expected)
{
  g_autoptr (Pixels) pixels = pixels_new (type, size->width, size->height, size->depth);

  if (strcmp (type, "f64") == 0 && g_str_has_suffix (name, ".tif"))
    read_double_tiff (scratch, name, pixels);
  else
    read_picture (scratch, name, pixels);
  if (expected)
    pixels_assert_equal (pixels, expected);
}
