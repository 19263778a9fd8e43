/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A BigTIFF file in compressed tiles, with overviews: where its tiles are, and its directories. */

#pragma once

#include "wavefront.h"

/* Pixels of a row of a tile. */
#define TIFF_TILE_WIDTH 256

/* Halves of the largest side there can be, and more. */
#define TIFF_MAX_LEVELS 48

/**
 * TiffLevel:
 * @width: in pixels
 * @height: in pixels
 * @across: tiles in a row of tiles
 * @down: rows of tiles
 * @offsets: of the tiles in the file, page by page
 * @lengths: bytes of them
 *
 * The image, or one of its overviews.
 */
typedef struct
{
  gint64   width;
  gint64   height;
  gint64   across;
  gint64   down;
  guint64 *offsets;
  guint64 *lengths;
} TiffLevel;

/**
 * TiffPyramid:
 * @type: of the pixels
 * @depth: pages
 * @tile_height: rows of a tile
 * @n_levels: the image and its overviews
 * @levels: from the image to its smallest overview
 */
typedef struct
{
  WfType    type;
  gint64    depth;
  gint64    tile_height;
  guint     n_levels;
  TiffLevel levels[TIFF_MAX_LEVELS];
} TiffPyramid;

void     tiff_pyramid_init        (TiffPyramid        *pyramid,
                                   WfType              type,
                                   const WfImage      *model,
                                   gboolean            overviews);
gsize    tiff_pyramid_tile_bytes  (const TiffPyramid  *pyramid);
guint64  tiff_pyramid_count_tiles (const TiffPyramid  *pyramid);
gboolean tiff_pyramid_allocate    (TiffPyramid        *pyramid,
                                   GError            **error);
gboolean tiff_pyramid_write       (const TiffPyramid  *pyramid,
                                   int                 descriptor,
                                   gint64              end,
                                   GError            **error);
void     tiff_pyramid_clear       (TiffPyramid        *pyramid);

/* Before the first tile. */
#define TIFF_HEADER_BYTES 16
