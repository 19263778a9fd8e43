/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The compression of TIFF files that are written, of which the user has chosen one for all. */

#pragma once

#include <glib.h>

typedef enum
{
  TIFF_COMPRESSION_NONE,
  TIFF_COMPRESSION_DEFLATE,
  TIFF_COMPRESSION_LZW,
  TIFF_COMPRESSION_ZSTD
} TiffCompression;

#define TIFF_COMPRESSIONS "none|deflate|lzw|zstd"

gboolean        tiff_compression_parse    (const char       *value,
                                           GError          **error);
gboolean        tiff_compression_is_given (void);
TiffCompression tiff_compression_get      (TiffCompression   otherwise);
