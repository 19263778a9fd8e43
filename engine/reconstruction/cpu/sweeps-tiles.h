/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles that are stored square by square: their state, and the interface
 * of the functions compiled for each instruction set.
 */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/cpu/simd.h"

/* Side of a tile's square: a row of bytes is one cache line. */
#define WF_SIDE 64

/**
 * WfTileStore:
 * @flip: reconstruction by erosion: pixels are stored inverted
 * @diagonal: 8 neighbors, not 4
 * @side: used pixels of a tile in each direction, at most WF_SIDE
 * @squares: the result: for each tile the address of its WF_SIDE × WF_SIDE pixels
 * @columns: the first and last used column of each tile of @squares
 * @mask_columns: the same of the mask
 * @loaded: for each tile whether its square and columns are filled
 *
 * For reconstruction by erosion pixels are stored as complements or negatives, so that
 * levels always rise.  Squares are filled with the type's least value outside the image.
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  gboolean       flip;
  gboolean       diagonal;
  gint64         side;
  gint64         across;
  gint64         down;
  const WfImage *mask;
  const WfImage *marker;
  gpointer      *squares;
  gpointer       columns;
  gpointer       mask_columns;
  guint8        *loaded;
} WfTileStore;

/* Whether there is a loaded tile at (tx, ty). */
static inline gboolean
wf_tile_has (const WfTileStore *store,
             gint64             tx,
             gint64             ty)
{
  return tx >= 0 && tx < store->across && ty >= 0 && ty < store->down &&
         store->loaded[ty * store->across + tx];
}

/**
 * WfTileScratch:
 *
 * A worker's squares: the mask, the transposed mask and the transposed result.
 */
typedef struct
{
  gpointer mask;
  gpointer mask_transposed;
  gpointer result_transposed;
} WfTileScratch;

/**
 * WfTileSteps:
 * @visit: on the first visit fills a tile with the marker, clamped by the mask; takes in the
 *   levels of its neighbors, propagates to stability, and adds to @reach the neighbors
 *   that it can raise.  Returns FALSE if the tile holds a NaN
 * @unload: writes a tile to an image, from its square or from a copy
 */
typedef struct
{
  gboolean (* visit)  (const WfTileStore *store, const WfTileScratch *scratch,
                       gint64 tile, gboolean first, WfReach *reach);
  void     (* unload) (const WfTileStore *store, gint64 tile, gconstpointer pixels,
                       const WfImage *out);
} WfTileSteps;

/* For u8, u16 and f32. */
typedef struct
{
  WfTileSteps of_8;
  WfTileSteps of_16;
  WfTileSteps of_32;
} WfTileTable;

WF_SIMD_DECLARE (WfTileTable, wf_tiles);
