/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What libtiff reads of a file, where libvips does not do it. */

#pragma once

#include <glib.h>
#include <tiffio.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TIFF, TIFFClose)

/**
 * TiffLayout:
 * @tiled: whether all pages are stored in tiles, with those of a pyramid
 * @part_bytes: bytes of the largest row of tiles, or of the largest strip
 * @row_bytes: bytes of the longest row of pixels
 *
 * How the pixels of a file are stored.
 */
typedef struct
{
  gboolean tiled;
  guint64  part_bytes;
  guint64  row_bytes;
} TiffLayout;

TIFF *   tiff_file_open           (const char *path);
gboolean tiff_file_find_layout    (const char *path,
                                   TiffLayout *layout);
gboolean tiff_file_has_jpeg_tiles (const char *path);
void     tiff_file_note_storage   (const char *path);
