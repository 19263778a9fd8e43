/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of tiles on their way into a file: compressed by threads, written in order. */

#pragma once

#include "tiff-pyramid.h"

typedef struct _TileRows TileRows;
typedef struct _TileRow  TileRow;

/**
 * TileRow:
 * @tiles: the pixels, tile by tile; what lies beyond the image is 0
 * @stride: bytes from tile to tile
 */
struct _TileRow
{
  guint8  *tiles;
  gsize    stride;
  /*< private >*/
  guint    level;
  gint64   page;
  gint64   number;        /* of the row of tiles in its page */
  TileRow *smaller;       /* gets the pixels of the next overview */
  gsize   *lengths;
  gint64   n_missing;     /* rows of the level before, of which it is made */
  gint64   n_taken;       /* tiles */
  gint64   n_done;
};

guint64    tile_rows_get_memory (const TiffPyramid  *pyramid,
                                 guint               n_threads,
                                 guint               n_waiting);
TileRows * tile_rows_new        (TiffPyramid        *pyramid,
                                 gboolean            pick,
                                 int                 descriptor,
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
                                 gint64             *end,
                                 GError            **error);
void       tile_rows_free       (TileRows           *rows);
