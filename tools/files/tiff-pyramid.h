/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A BigTIFF file in compressed tiles, with overviews: where its tiles are, and its directories. */

#pragma once

#include "tiff-compression.h"
#include "tile-pyramid.h"

/* Pixels of a row of a tile. */
#define TIFF_TILE_WIDTH 256

/**
 * TiffPyramid:
 * @tiles: the image and its overviews
 * @compression: of all tiles
 * @offsets: for each level those of its tiles in the file, page by page
 * @lengths: for each level the bytes of them
 */
typedef struct
{
  TilePyramid      tiles;
  TiffCompression  compression;
  guint64         *offsets[TILE_MAX_LEVELS];
  guint64         *lengths[TILE_MAX_LEVELS];
} TiffPyramid;

void     tiff_pyramid_init        (TiffPyramid        *pyramid,
                                   WfType              type,
                                   const WfImage      *model,
                                   gboolean            overviews,
                                   TiffCompression     compression);
gboolean tiff_pyramid_allocate    (TiffPyramid        *pyramid,
                                   GError            **error);
gboolean tiff_pyramid_write       (const TiffPyramid  *pyramid,
                                   int                 descriptor,
                                   gint64              end,
                                   GError            **error);
void     tiff_pyramid_clear       (TiffPyramid        *pyramid);

/* Before the first tile. */
#define TIFF_HEADER_BYTES 16
