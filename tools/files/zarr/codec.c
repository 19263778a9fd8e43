/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The codecs are those that numcodecs has by these names.  Chunks are written with blosc, zstd and
 * bytes sorted by their significance, at the fastest level, as most programs write them; a build
 * without blosc writes zlib, which every reader has.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>
#include <libdeflate.h>

#ifdef HAVE_BLOSC
#include <blosc.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "codec.h"
#include "json.h"
#include "tools/message.h"

#define LEVEL 1

/* What compression may add to pixels that it cannot make smaller, and what a coder keeps. */
#define MOST_MORE(bytes) ((bytes) / 16 + 65536)
#define CODER_BYTES      ((gsize) 2 << 20)

/**
 * ZarrCoder:
 * @out: room for a compressed chunk
 */
struct _ZarrCoder
{
  gsize                         bytes;
  gsize                         pixel_size;
  guint8                       *out;
  gsize                         room;
  struct libdeflate_compressor *compressor;
};


/*  Reading  */

static gboolean
refuse_missing (const char  *codec,
                GError     **error)
{
  g_autofree char *reason = g_strdup_printf (_("its chunks are compressed by %s, which this build "
                                               "does not have"), codec);

  return refuse_because (reason, error);
}

/**
 * zarr_codec_find:
 * @compressor: (nullable): as .zarray has it
 * @codec: set to what it names
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether such chunks are read
 */
gboolean
zarr_codec_find (JsonNode   *compressor,
                 ZarrCodec  *codec,
                 GError    **error)
{
  static const char * const names[] = { "", "zlib", "gzip", "blosc", "zstd" };
  g_autofree char          *reason  = NULL;
  const char               *name;

  *codec = ZARR_PLAIN;
  if (! compressor || JSON_NODE_HOLDS_NULL (compressor))
    return TRUE;
  if (! JSON_NODE_HOLDS_OBJECT (compressor) ||
      ! (name = zarr_json_get_string (json_node_get_object (compressor), "id")))
    return refuse_because (_("its compressor has no name"), error);
  for (guint i = ZARR_ZLIB; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      *codec = (ZarrCodec) i;
#ifndef HAVE_BLOSC
  if (*codec == ZARR_BLOSC)
    return refuse_missing (name, error);
#endif
#ifndef HAVE_ZSTD
  if (*codec == ZARR_ZSTD)
    return refuse_missing (name, error);
#endif
  if (*codec != ZARR_PLAIN)
    return TRUE;
  return refuse_missing (name, error);
}

/**
 * zarr_codec_bound:
 * @bytes: of the pixels of a chunk
 *
 * Returns: the most bytes that it may have as it is stored; no compressor writes more
 */
gsize
zarr_codec_bound (gsize bytes)
{
  return bytes + MOST_MORE (bytes);
}

/* One part after the other: gzip allows several. */
static gboolean
decode_gzip (struct libdeflate_decompressor *decompressor,
             const guint8                   *stored,
             gsize                           n,
             guint8                         *pixels,
             gsize                           bytes)
{
  gsize at   = 0;
  gsize done = 0;

  while (at < n && done <= bytes)
    {
      size_t taken;
      size_t made;

      if (libdeflate_gzip_decompress_ex (decompressor, stored + at, n - at, pixels + done,
                                         bytes - done, &taken, &made) != LIBDEFLATE_SUCCESS)
        return FALSE;
      at   += taken;
      done += made;
    }
  return done == bytes;
}

static gboolean
decode_deflate (ZarrCodec     codec,
                gconstpointer stored,
                gsize         n,
                gpointer      pixels,
                gsize         bytes)
{
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor ();
  gboolean                        decoded      = FALSE;

  if (decompressor && codec == ZARR_ZLIB)
    decoded = libdeflate_zlib_decompress (decompressor, stored, n, pixels, bytes, NULL)
              == LIBDEFLATE_SUCCESS;
  else if (decompressor)
    decoded = decode_gzip (decompressor, stored, n, pixels, bytes);
  if (decompressor)
    libdeflate_free_decompressor (decompressor);
  return decoded;
}

static gboolean
decode_blosc (gconstpointer stored,
              gsize         n,
              gpointer      pixels,
              gsize         bytes)
{
#ifdef HAVE_BLOSC
  size_t there;

  return n >= BLOSC_MIN_HEADER_LENGTH && blosc_cbuffer_validate (stored, n, &there) == 0 &&
         there == bytes && blosc_decompress_ctx (stored, pixels, bytes, 1) == (int) bytes;
#else
  return FALSE;
#endif
}

static gboolean
decode_zstd (gconstpointer stored,
             gsize         n,
             gpointer      pixels,
             gsize         bytes)
{
#ifdef HAVE_ZSTD
  return ZSTD_decompress (pixels, bytes, stored, n) == bytes;
#else
  return FALSE;
#endif
}

/**
 * zarr_codec_decode:
 * @codec: of the chunk
 * @stored: as it is in its file
 * @n: bytes of it
 * @pixels: filled
 * @bytes: how many there must be
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
zarr_codec_decode (ZarrCodec       codec,
                   gconstpointer   stored,
                   gsize           n,
                   gpointer        pixels,
                   gsize           bytes,
                   GError        **error)
{
  gboolean decoded = FALSE;

  switch (codec)
    {
    case ZARR_PLAIN:
      decoded = n == bytes;
      if (decoded)
        memcpy (pixels, stored, bytes);
      break;
    case ZARR_ZLIB:
    case ZARR_GZIP:
      decoded = decode_deflate (codec, stored, n, pixels, bytes);
      break;
    case ZARR_BLOSC:
      decoded = decode_blosc (stored, n, pixels, bytes);
      break;
    case ZARR_ZSTD:
      decoded = decode_zstd (stored, n, pixels, bytes);
      break;
    }
  return decoded || refuse_because (_("it is damaged, or not of the size that .zarray says"),
                                    error);
}


/*  Writing  */

/**
 * zarr_coder_describe:
 * @builder: gets the value of "compressor"
 */
void
zarr_coder_describe (JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "id");
#ifdef HAVE_BLOSC
  json_builder_add_string_value (builder, "blosc");
  json_builder_set_member_name (builder, "cname");
  json_builder_add_string_value (builder, "zstd");
  json_builder_set_member_name (builder, "clevel");
  json_builder_add_int_value (builder, LEVEL);
  json_builder_set_member_name (builder, "shuffle");
  json_builder_add_int_value (builder, BLOSC_SHUFFLE);
  json_builder_set_member_name (builder, "blocksize");
  json_builder_add_int_value (builder, 0);
#else
  json_builder_add_string_value (builder, "zlib");
  json_builder_set_member_name (builder, "level");
  json_builder_add_int_value (builder, LEVEL);
#endif
  json_builder_end_object (builder);
}

/**
 * zarr_coder_memory:
 * @bytes: of the pixels of a chunk
 *
 * Returns: the memory that a coder takes
 */
gsize
zarr_coder_memory (gsize bytes)
{
  return zarr_codec_bound (bytes) + CODER_BYTES;
}

/**
 * zarr_coder_new:
 * @bytes: of the pixels of a chunk
 * @pixel_size: bytes of one of them
 *
 * Returns: (nullable): what compresses one chunk at a time, if there is memory for it
 */
ZarrCoder *
zarr_coder_new (gsize bytes,
                gsize pixel_size)
{
  ZarrCoder *coder = g_new0 (ZarrCoder, 1);
  gboolean   made  = TRUE;

  coder->bytes      = bytes;
  coder->pixel_size = pixel_size;
  coder->room       = zarr_codec_bound (bytes);
  coder->out        = g_try_malloc (coder->room);
#ifndef HAVE_BLOSC
  coder->compressor = libdeflate_alloc_compressor (LEVEL);
  made              = coder->compressor != NULL;
#endif
  if (! coder->out || ! made)
    g_clear_pointer (&coder, zarr_coder_free);
  return coder;
}

/**
 * zarr_coder_encode:
 * @coder: one thread's
 * @pixels: of a chunk
 * @stored: set to what is to be in its file; the coder keeps it until the next call
 *
 * Returns: the bytes of it; 0 if the library failed
 */
gsize
zarr_coder_encode (ZarrCoder      *coder,
                   gconstpointer   pixels,
                   gconstpointer  *stored)
{
  *stored = coder->out;
#ifdef HAVE_BLOSC
  {
    const int n = blosc_compress_ctx (LEVEL, BLOSC_SHUFFLE, coder->pixel_size, coder->bytes,
                                      pixels, coder->out, coder->room, "zstd", 0, 1);

    return n > 0 ? (gsize) n : 0;
  }
#else
  return libdeflate_zlib_compress (coder->compressor, pixels, coder->bytes, coder->out,
                                   coder->room);
#endif
}

void
zarr_coder_free (ZarrCoder *coder)
{
  if (coder->compressor)
    libdeflate_free_compressor (coder->compressor);
  g_free (coder->out);
  g_free (coder);
}
