/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <gio/gio.h>

#include "tiff-file.h"
#include "tiff-storage.h"

/* Longer strips are read row by row by libvips. */
#define MAX_STRIP_ROWS 128


/**
 * tiff_file_open:
 * @path: a file, whatever it is
 *
 * The first bytes are looked at before: libtiff complains about files of other formats.
 *
 * Returns: (nullable): the open file, if it is TIFF
 */
TIFF *
tiff_file_open (const char *path)
{
  g_autoptr (GFile)            file   = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  guint8                       magic[4];
  gsize                        n      = 0;

  if (! stream ||
      ! g_input_stream_read_all (G_INPUT_STREAM (stream), magic, sizeof magic, &n, NULL, NULL) ||
      n < sizeof magic ||
      (memcmp (magic, "II\x2a\0", 4) != 0 && memcmp (magic, "MM\0\x2a", 4) != 0 &&
       memcmp (magic, "II\x2b\0", 4) != 0 && memcmp (magic, "MM\0\x2b", 4) != 0))
    return NULL;
  return TIFFOpen (path, "r");
}

/* Takes the page that is open into account. */
static void
add_page (TIFF       *tiff,
          TiffLayout *layout)
{
  guint16 bits      = 1;
  guint16 bands     = 1;
  guint32 width     = 0;
  guint32 rows      = 1;
  guint32 wide      = 1;
  guint64 pixel;
  guint64 row_width;

  TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &bands);
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  row_width = width;
  if (TIFFIsTiled (tiff))
    {
      TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &wide);
      TIFFGetField (tiff, TIFFTAG_TILELENGTH, &rows);
      row_width += wide;
    }
  else
    {
      layout->tiled = FALSE;
      TIFFGetFieldDefaulted (tiff, TIFFTAG_ROWSPERSTRIP, &rows);
      rows = rows > MAX_STRIP_ROWS ? 1 : rows;
    }
  pixel              = (guint64) bands * MAX (1, (bits + 7) / 8);
  layout->row_bytes  = MAX (layout->row_bytes, width * pixel);
  layout->part_bytes = MAX (layout->part_bytes, row_width * pixel * rows);
}

/* The smaller levels of a pyramid, of the page that is open. */
static void
add_levels (TIFF       *tiff,
            TiffLayout *layout)
{
  g_autofree toff_t *offsets = NULL;
  toff_t            *found   = NULL;
  guint16            n       = 0;

  if (! TIFFGetField (tiff, TIFFTAG_SUBIFD, &n, &found))
    return;
  offsets = g_memdup2 (found, n * sizeof *found);
  for (guint i = 0; i < n && TIFFSetSubDirectory (tiff, offsets[i]); i++)
    add_page (tiff, layout);
}

/**
 * tiff_file_find_layout:
 * @path: a file, whatever it is
 * @layout: filled
 *
 * Returns: whether it is TIFF
 */
gboolean
tiff_file_find_layout (const char *path,
                       TiffLayout *layout)
{
  g_autoptr (TIFF) tiff = tiff_file_open (path);

  if (! tiff)
    return FALSE;
  *layout = (TiffLayout) { .tiled = TRUE };
  do
    add_page (tiff, layout);
  while (TIFFReadDirectory (tiff));
  if (TIFFSetDirectory (tiff, 0))
    add_levels (tiff, layout);
  return TRUE;
}

/**
 * tiff_file_note_storage:
 * @path: a file, whatever it is
 *
 * Notes how its first page is stored, if it is TIFF.
 */
void
tiff_file_note_storage (const char *path)
{
  g_autoptr (TIFF) tiff        = tiff_file_open (path);
  guint16          compression = COMPRESSION_NONE;
  TiffStorage      storage     = { 0 };

  if (! tiff)
    return;
  TIFFGetFieldDefaulted (tiff, TIFFTAG_COMPRESSION, &compression);
  storage.compression = tiff_compression_find (compression);
  if (TIFFIsTiled (tiff))
    {
      TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &storage.tile_width);
      TIFFGetField (tiff, TIFFTAG_TILELENGTH, &storage.tile_height);
    }
  tiff_storage_note (&storage);
}

/**
 * tiff_file_has_jpeg_tiles:
 * @path: a file, whatever it is
 *
 * Returns: whether a page of it is stored so
 */
gboolean
tiff_file_has_jpeg_tiles (const char *path)
{
  g_autoptr (TIFF) tiff        = tiff_file_open (path);
  guint16          compression = COMPRESSION_NONE;

  if (! tiff)
    return FALSE;
  do
    {
      TIFFGetFieldDefaulted (tiff, TIFFTAG_COMPRESSION, &compression);
      if (TIFFIsTiled (tiff) && compression == COMPRESSION_JPEG)
        return TRUE;
    }
  while (TIFFReadDirectory (tiff));
  return FALSE;
}
