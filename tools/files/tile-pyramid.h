/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image and its overviews in tiles. */

#pragma once

#include "wavefront.h"

/* Halves of the largest side there can be, and more. */
#define TILE_MAX_LEVELS 48

/**
 * TileLevel:
 * @width: in pixels
 * @height: in pixels
 * @across: tiles in a row of tiles
 * @down: rows of tiles
 *
 * The image, or one of its overviews.
 */
typedef struct
{
  gint64 width;
  gint64 height;
  gint64 across;
  gint64 down;
} TileLevel;

/**
 * TilePyramid:
 * @type: of the pixels
 * @depth: slices
 * @tile_width: pixels of a row of a tile
 * @tile_height: rows of a tile
 * @n_levels: the image and its overviews
 * @levels: from the image to its smallest overview
 */
typedef struct
{
  WfType    type;
  gint64    depth;
  gint64    tile_width;
  gint64    tile_height;
  guint     n_levels;
  TileLevel levels[TILE_MAX_LEVELS];
} TilePyramid;

void    tile_pyramid_init        (TilePyramid       *pyramid,
                                  WfType             type,
                                  const WfImage     *model,
                                  gint64             tile_width,
                                  gint64             tile_height,
                                  gboolean           overviews);
gsize   tile_pyramid_tile_bytes  (const TilePyramid *pyramid);
guint64 tile_pyramid_level_tiles (const TilePyramid *pyramid,
                                  guint              level);
guint64 tile_pyramid_count_tiles (const TilePyramid *pyramid);
