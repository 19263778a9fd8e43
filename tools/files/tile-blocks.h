/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file in tiles with overviews, written as the rows of an image come. */

#pragma once

#include "tiff-compression.h"
#include "tile-rows.h"
#include "unfinished.h"

typedef struct _TileBlocks TileBlocks;

/**
 * TilePlan:
 * @type: of the pixels
 * @content: what they mean
 * @overviews: whether the file gets copies of half the size, a quarter …
 * @n_threads: that compress
 * @first: the first row that is written, counted over all slices
 * @end: the one after the last; 0: all that follow
 * @unfinished: (nullable): keeps what is written, and knows what was written before: rows of tiles
 *   that are left out
 * @compression: if it is TIFF
 *
 * How a file is written; its size is that of an image.
 */
typedef struct
{
  WfType      type;
  WfContent   content;
  gboolean    overviews;
  guint       n_threads;
  gint64      first;
  gint64      end;
  Unfinished *unfinished;
  TiffCompression compression;
} TilePlan;

gboolean     tile_content_is_picked (WfContent           content);
guint64      tile_blocks_get_memory (const TilePlan     *plan,
                                     const TilePyramid  *pyramid,
                                     const TileFormat   *format,
                                     guint64             most);
TileBlocks * tile_blocks_new        (const TilePlan     *plan,
                                     const TilePyramid  *pyramid,
                                     const TileFormat   *format,
                                     guint64             most,
                                     GError            **error);
gboolean     tile_blocks_write      (TileBlocks         *blocks,
                                     gint64              x,
                                     gint64              y,
                                     gint64              z,
                                     const WfImage      *block,
                                     GError            **error);
gboolean     tile_blocks_finish     (TileBlocks         *blocks,
                                     GError            **error);
void         tile_blocks_free       (TileBlocks         *blocks);
