/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of TIFF files in tiles, decoded by several threads. */

#pragma once

#include "wavefront.h"

typedef struct _TiffTiles TiffTiles;

TiffTiles * tiff_tiles_open       (const char          *path,
                                   const WfBlockSource *source,
                                   guint                n_threads);
guint64     tiff_tiles_get_memory (const TiffTiles     *tiles);
gboolean    tiff_tiles_read       (TiffTiles           *tiles,
                                   gint64               x,
                                   gint64               y,
                                   WfImage             *block,
                                   GError             **error);
void        tiff_tiles_free       (TiffTiles           *tiles);
