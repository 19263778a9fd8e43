/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "block-files.h"

/* Spots of all sizes: the sum of noises of different scales. */
guint8 *
make_spots (int width,
            int height)
{
  guint8 *levels = g_malloc ((gsize) width * (gsize) height);
  guint32 state  = g_test_rand_int () | 1;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint32 coarse = ((guint32) (x / 16) * 73856093u ^ (guint32) (y / 16) * 19349663u);

        state = state * 1664525u + 1013904223u;
        levels[(gsize) y * (gsize) width + (gsize) x] =
          (guint8) ((coarse * 2654435761u >> 24) * 3 / 4 + (state >> 26));
      }
  return levels;
}

/* Lowers spots to a marker: a little everywhere, and some pixels in a hundred not at all. */
void
make_seeds (guint8 *levels,
            gsize   n)
{
  for (gsize i = 0; i < n; i++)
    if (i * 2654435761u % 101 > 0)
      levels[i] -= MIN (levels[i], 40);
}

void
assert_same_files (const Scratch *scratch,
                   const char    *name,
                   const char    *other)
{
  g_autofree char    *path       = scratch_path (scratch, name);
  g_autofree char    *other_path = scratch_path (scratch, other);
  g_autofree char    *bytes      = NULL;
  g_autofree char    *others     = NULL;
  g_autoptr (GError)  error      = NULL;
  gsize               n;
  gsize               n_others;

  g_file_get_contents (path, &bytes, &n, &error);
  g_assert_no_error (error);
  g_file_get_contents (other_path, &others, &n_others, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, n_others);
  g_assert_true (memcmp (bytes, others, n) == 0);
}

/* A number in the line of --stats. */
double
find_number (const Run  *done,
             const char *name)
{
  g_autofree char *start = g_strdup_printf ("\"%s\":", name);
  const char      *found = strstr (done->out, start);

  g_assert_nonnull (found);
  return g_ascii_strtod (found + strlen (start), NULL);
}

#ifdef HAVE_VIPS

/* @bands: of 8 bits */
VipsImage *
wrap (gpointer bytes,
      int      width,
      int      height,
      int      bands)
{
  VipsImage *image = vips_image_new_from_memory (bytes, (gsize) width * (gsize) height *
                                                 (gsize) bands, width, height, bands,
                                                 VIPS_FORMAT_UCHAR);
  VipsImage *tagged = NULL;

  if (! image || vips_copy (image, &tagged, "interpretation",
                            bands == 3 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_B_W,
                            NULL) != 0)
    g_error ("%s", vips_error_buffer ());
  g_object_unref (image);
  return tagged;
}

/* @tile: side of the tiles, 0 for strips */
void
write_tiff (const Scratch *scratch,
            const char    *name,
            VipsImage     *image,
            int            tile)
{
  g_autofree char *path = scratch_path (scratch, name);
  const int        side = tile > 0 ? tile : 128;

  if (vips_tiffsave (image, path, "tile", tile > 0, "tile_width", side, "tile_height", side,
                     "bigtiff", TRUE, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE,
                     NULL) != 0)
    g_error ("%s: %s", name, vips_error_buffer ());
}

static VipsBandFormat
find_format (const char *type)
{
  return strcmp (type, "u8") == 0  ? VIPS_FORMAT_UCHAR
       : strcmp (type, "u32") == 0 ? VIPS_FORMAT_UINT
                                   : VIPS_FORMAT_FLOAT;
}

/* @raw: the same result: @n pixels of @type, of 8 or 32 bits */
void
assert_same_pixels (const Scratch *scratch,
                    const char    *name,
                    const char    *raw,
                    const char    *type,
                    gsize          n)
{
  const VipsBandFormat format   = find_format (type);
  const gsize          size     = vips_format_sizeof (format);
  g_autofree char     *path     = scratch_path (scratch, name);
  g_autofree guint8   *expected = scratch_read (scratch, raw, n * size);
  VipsImage           *image    = vips_image_new_from_file (path, "n", -1, NULL);
  size_t               length   = 0;
  g_autofree guint8   *pixels   = NULL;

  g_assert_nonnull (image);
  g_assert_cmpint (image->BandFmt, ==, format);
  pixels = vips_image_write_to_memory (image, &length);
  g_assert_cmpuint (length, ==, n * size);
  for (gsize i = 0; size == 4 && i < n; i++)
    ((guint32 *) expected)[i] = GUINT32_FROM_LE (((const guint32 *) expected)[i]);
  g_assert_true (memcmp (pixels, expected, n * size) == 0);
  g_object_unref (image);
}

#endif
