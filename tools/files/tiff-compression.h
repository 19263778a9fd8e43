/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The compression of TIFF files that are written. */

#pragma once

#include <glib.h>

/* @TIFF_COMPRESSION_USUAL: that of the first TIFF input if it is compressed; else deflate in blocks
 * and with overviews, or none
 */
typedef enum
{
  TIFF_COMPRESSION_USUAL,
  TIFF_COMPRESSION_NONE,
  TIFF_COMPRESSION_DEFLATE,
  TIFF_COMPRESSION_LZW,
  TIFF_COMPRESSION_ZSTD
} TiffCompression;

#define TIFF_COMPRESSIONS "none|deflate|lzw|zstd"

gboolean tiff_compression_parse (TiffCompression  *compression,
                                 const char       *value,
                                 GError          **error);
TiffCompression
         tiff_compression_find  (guint16           tag);
