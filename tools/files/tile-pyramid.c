/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tile-pyramid.h"

/* The largest side of the smallest overview. */
#define MAX_LAST_SIDE 512


static TileLevel
make_level (const TilePyramid *pyramid,
            gint64             width,
            gint64             height)
{
  return (TileLevel) {
    .width  = width,
    .height = height,
    .across = (width + pyramid->tile_width - 1) / pyramid->tile_width,
    .down   = (height + pyramid->tile_height - 1) / pyramid->tile_height,
  };
}

/**
 * tile_pyramid_init:
 * @pyramid: filled
 * @type: of the pixels
 * @model: an image of the same size
 * @tile_width: of all levels; even, unless it is that of the image
 * @tile_height: likewise
 * @overviews: whether there are any; each has half the sides of the level before, rounded up
 */
void
tile_pyramid_init (TilePyramid   *pyramid,
                   WfType         type,
                   const WfImage *model,
                   gint64         tile_width,
                   gint64         tile_height,
                   gboolean       overviews)
{
  gint64 width  = model->width;
  gint64 height = model->height;

  *pyramid = (TilePyramid) {
    .type        = type,
    .depth       = model->depth,
    .tile_width  = tile_width,
    .tile_height = tile_height,
    .n_levels    = 1,
  };
  pyramid->levels[0] = make_level (pyramid, width, height);
  while (overviews && MAX (width, height) > MAX_LAST_SIDE)
    {
      width  = (width + 1) / 2;
      height = (height + 1) / 2;
      pyramid->levels[pyramid->n_levels++] = make_level (pyramid, width, height);
    }
}

/**
 * tile_pyramid_tile_bytes:
 * @pyramid: levels
 *
 * Returns: the bytes of the pixels of a tile
 */
gsize
tile_pyramid_tile_bytes (const TilePyramid *pyramid)
{
  return (gsize) (pyramid->tile_width * pyramid->tile_height) * wf_type_size (pyramid->type);
}

/**
 * tile_pyramid_level_tiles:
 * @pyramid: levels
 * @level: one of them
 *
 * Returns: how many tiles all slices of the level have
 */
guint64
tile_pyramid_level_tiles (const TilePyramid *pyramid,
                          guint              level)
{
  return (guint64) (pyramid->depth * pyramid->levels[level].across * pyramid->levels[level].down);
}

/**
 * tile_pyramid_count_tiles:
 * @pyramid: levels
 *
 * Returns: how many tiles all levels of all slices have
 */
guint64
tile_pyramid_count_tiles (const TilePyramid *pyramid)
{
  guint64 n = 0;

  for (guint k = 0; k < pyramid->n_levels; k++)
    n += tile_pyramid_level_tiles (pyramid, k);
  return n;
}
