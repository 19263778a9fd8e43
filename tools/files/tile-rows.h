/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of tiles on their way into a file: compressed by threads, written in order.  What a file of
 * tiles is, is left to a TileFormat.
 */

#pragma once

#include "tile-pyramid.h"

typedef struct _TileRows TileRows;
typedef struct _TileRow  TileRow;

/**
 * TileFormat:
 * @stride: room for a tile, compressed or not
 * @coder_bytes: memory that a coder takes
 * @new_coder: makes what a thread needs to compress; %NULL if there is no memory for it
 * @free_coder: frees it
 * @encode: compresses a tile where it lies, and sets its length; several threads call it
 * @write: (nullable): writes a row whose tiles are compressed; rows come in order, page by page
 * @data: for the functions
 */
typedef struct
{
  gsize      stride;
  gsize      coder_bytes;
  gpointer (* new_coder)  (gpointer  data);
  void     (* free_coder) (gpointer  coder);
  gboolean (* encode)     (gpointer  data,
                           gpointer  coder,
                           TileRow  *row,
                           gint64    x,
                           GError  **error);
  gboolean (* write)      (gpointer  data,
                           TileRow  *row,
                           GError  **error);
  gpointer   data;
} TileFormat;

/**
 * TileRow:
 * @tiles: the pixels, tile by tile; what lies beyond the image is 0
 * @stride: bytes from tile to tile
 * @level: of the pyramid
 * @page: the slice
 * @number: of the row of tiles in its page
 * @lengths: bytes of the tiles that are compressed
 */
struct _TileRow
{
  guint8  *tiles;
  gsize    stride;
  guint    level;
  gint64   page;
  gint64   number;
  gsize   *lengths;
  /*< private >*/
  TileRow *smaller;       /* gets the pixels of the next overview */
  gint64   n_missing;     /* rows of the level before, of which it is made */
  gint64   n_taken;       /* tiles */
  gint64   n_done;
};

guint64    tile_rows_get_memory (const TilePyramid  *pyramid,
                                 const TileFormat   *format,
                                 guint               n_threads,
                                 guint               n_waiting);
TileRows * tile_rows_new        (const TilePyramid  *pyramid,
                                 const TileFormat   *format,
                                 gboolean            pick,
                                 guint               n_threads,
                                 guint               n_waiting,
                                 GError            **error);
TileRow *  tile_rows_begin      (TileRows           *rows,
                                 gint64              page,
                                 gint64              number,
                                 GError            **error);
void       tile_rows_end        (TileRows           *rows,
                                 TileRow            *row);
gboolean   tile_rows_finish     (TileRows           *rows,
                                 GError            **error);
void       tile_rows_free       (TileRows           *rows);
