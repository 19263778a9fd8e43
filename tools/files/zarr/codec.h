/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chunks of Zarr as they are stored: plain or compressed. */

#pragma once

#include <json-glib/json-glib.h>

typedef enum
{
  ZARR_PLAIN,
  ZARR_ZLIB,
  ZARR_GZIP,
  ZARR_BLOSC,
  ZARR_ZSTD
} ZarrCodec;

/* Of the chunks that are written. */
#ifdef HAVE_BLOSC
#define ZARR_WRITTEN_CODEC ZARR_BLOSC
#else
#define ZARR_WRITTEN_CODEC ZARR_ZLIB
#endif

typedef struct _ZarrCoder ZarrCoder;

gboolean    zarr_codec_find      (JsonNode       *compressor,
                                  ZarrCodec      *codec,
                                  GError        **error);
gsize       zarr_codec_bound     (gsize           bytes);
gboolean    zarr_codec_decode    (ZarrCodec       codec,
                                  gconstpointer   stored,
                                  gsize           n,
                                  gpointer        pixels,
                                  gsize           bytes,
                                  GError        **error);

void        zarr_coder_describe  (JsonBuilder    *builder);
gsize       zarr_coder_memory    (gsize           bytes);
ZarrCoder * zarr_coder_new       (gsize           bytes,
                                  gsize           pixel_size);
gsize       zarr_coder_encode    (ZarrCoder      *coder,
                                  gconstpointer   pixels,
                                  gconstpointer  *stored);
void        zarr_coder_free      (ZarrCoder      *coder);
