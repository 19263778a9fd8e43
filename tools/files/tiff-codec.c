/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deflate and zstd at their fastest: labels and distances become a small part of their size.
 * libtiff compresses what it writes to a file; here threads compress tiles in memory, and LZW is
 * made by libtiff all the same (lzw.c).
 */

#include "config.h"

#include <string.h>

#include <libdeflate.h>
#include <tiff.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "lzw.h"
#include "tiff-codec.h"

#define LEVEL 1

/* What libdeflate allocates at that level, and a thread beside it; what libzstd does, at most. */
#define DEFLATE_BYTES ((gsize) 256 << 10)
#define ZSTD_BYTES    ((gsize) 2 << 20)

/* No codec makes less than this of its input: that of deflate, a table of LZW that is full. */
#define MOST_DEFLATE 1032
#define MOST_LZW     2048

struct _TiffCoder
{
  TiffCompression               compression;
  struct libdeflate_compressor *deflate;
#ifdef HAVE_ZSTD
  ZSTD_CCtx                    *zstd;
#endif
};


/**
 * tiff_codec_get_tag:
 * @compression: one of them
 *
 * Returns: its number in TIFF files
 */
guint16
tiff_codec_get_tag (TiffCompression compression)
{
  switch (compression)
    {
    case TIFF_COMPRESSION_DEFLATE:
      return COMPRESSION_ADOBE_DEFLATE;
    case TIFF_COMPRESSION_LZW:
      return COMPRESSION_LZW;
    case TIFF_COMPRESSION_ZSTD:
      return COMPRESSION_ZSTD;
    default:
      return COMPRESSION_NONE;
    }
}

/**
 * tiff_codec_bound:
 * @compression: one of them
 * @n: bytes
 *
 * Returns: as many bytes as they can become
 */
gsize
tiff_codec_bound (TiffCompression compression,
                  gsize           n)
{
  switch (compression)
    {
    case TIFF_COMPRESSION_DEFLATE:
      return libdeflate_zlib_compress_bound (NULL, n);
    case TIFF_COMPRESSION_LZW:
      return lzw_bound (n);
#ifdef HAVE_ZSTD
    case TIFF_COMPRESSION_ZSTD:
      return ZSTD_compressBound (n);
#endif
    default:
      return n;
    }
}

/**
 * tiff_codec_least:
 * @compression: one of them
 * @n: bytes
 *
 * Returns: as few bytes as they can become
 */
gsize
tiff_codec_least (TiffCompression compression,
                  gsize           n)
{
  switch (compression)
    {
    case TIFF_COMPRESSION_DEFLATE:
      return n / MOST_DEFLATE;
    case TIFF_COMPRESSION_LZW:
      return n / MOST_LZW;
    case TIFF_COMPRESSION_ZSTD:
      return 1;
    default:
      return n;
    }
}

/**
 * tiff_codec_get_memory:
 * @compression: one of them
 *
 * Returns: the bytes that a coder takes
 */
gsize
tiff_codec_get_memory (TiffCompression compression)
{
  switch (compression)
    {
    case TIFF_COMPRESSION_LZW:
      return LZW_BYTES;
    case TIFF_COMPRESSION_ZSTD:
      return ZSTD_BYTES;
    default:
      return DEFLATE_BYTES;
    }
}

static gboolean
start (TiffCoder *coder)
{
  switch (coder->compression)
    {
    case TIFF_COMPRESSION_DEFLATE:
      coder->deflate = libdeflate_alloc_compressor (LEVEL);
      return coder->deflate != NULL;
#ifdef HAVE_ZSTD
    case TIFF_COMPRESSION_ZSTD:
      coder->zstd = ZSTD_createCCtx ();
      return coder->zstd != NULL;
#endif
    default:
      return TRUE;
    }
}

/**
 * tiff_coder_new:
 * @compression: one that this build has
 *
 * Returns: (nullable): what one thread compresses with, if there is memory for it
 */
TiffCoder *
tiff_coder_new (TiffCompression compression)
{
  TiffCoder *coder = g_new0 (TiffCoder, 1);

  coder->compression = compression;
  if (! start (coder))
    g_clear_pointer (&coder, tiff_coder_free);
  return coder;
}

/**
 * tiff_coder_run:
 * @coder: of this thread
 * @bytes: a tile
 * @n: bytes of it
 * @out: for the compressed tile
 * @room: what is there, at least tiff_codec_bound()
 *
 * Returns: how many bytes it has; 0 if there was no memory
 */
gsize
tiff_coder_run (TiffCoder     *coder,
                gconstpointer  bytes,
                gsize          n,
                gpointer       out,
                gsize          room)
{
#ifdef HAVE_ZSTD
  gsize made;
#endif

  switch (coder->compression)
    {
    case TIFF_COMPRESSION_DEFLATE:
      return libdeflate_zlib_compress (coder->deflate, bytes, n, out, room);
    case TIFF_COMPRESSION_LZW:
      return lzw_compress (bytes, n, out, room);
#ifdef HAVE_ZSTD
    case TIFF_COMPRESSION_ZSTD:
      made = ZSTD_compressCCtx (coder->zstd, out, room, bytes, n, LEVEL);
      return ZSTD_isError (made) ? 0 : made;
#endif
    default:
      memcpy (out, bytes, n);
      return n;
    }
}

void
tiff_coder_free (TiffCoder *coder)
{
  if (coder->deflate)
    libdeflate_free_compressor (coder->deflate);
#ifdef HAVE_ZSTD
  ZSTD_freeCCtx (coder->zstd);
#endif
  g_free (coder);
}
