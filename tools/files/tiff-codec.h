/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of TIFF files, compressed. */

#pragma once

#include "tiff-compression.h"

typedef struct _TiffCoder TiffCoder;

guint16     tiff_codec_get_tag    (TiffCompression  compression);
gsize       tiff_codec_bound      (TiffCompression  compression,
                                   gsize            n);
gsize       tiff_codec_least      (TiffCompression  compression,
                                   gsize            n);
gsize       tiff_codec_get_memory (TiffCompression  compression);
TiffCoder * tiff_coder_new        (TiffCompression  compression);
gsize       tiff_coder_run        (TiffCoder       *coder,
                                   gconstpointer    bytes,
                                   gsize            n,
                                   gpointer         out,
                                   gsize            room);
void        tiff_coder_free       (TiffCoder       *coder);
