/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles that lie in memory square by square: the state that the
 * variants for different instruction sets share, and their tables.
 */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/cpu/simd.h"

/* Side of a tile's square; a row of bytes is then one cache line. */
#define WF_SIDE 64

/**
 * WfTileStore:
 * @flip: whether greater is less: reconstruction by erosion
 * @diagonal: 8 neighbours, not 4
 * @side: pixels of a tile that are used in each direction, at most WF_SIDE
 * @squares: the result: for each tile where its WF_SIDE × WF_SIDE pixels are
 * @columns: the first and last used column of each tile of @squares
 * @mask_columns: the same of the mask
 * @loaded: whether a tile's square and columns hold anything yet, for each tile
 *
 * Pixels are kept in the order of growth: complements or negatives where greater is
 * less, so that there is only one direction.  The type's least value is below
 * everything, and fills the squares beyond the image.
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

/* Whether there is a tile at (tx, ty) whose pixels may be looked at. */
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
 * A worker's own squares: the mask, and mask and result transposed.
 */
typedef struct
{
  gpointer mask;
  gpointer mask_transposed;
  gpointer result_transposed;
} WfTileScratch;

/**
 * WfTileSteps:
 * @visit: fills a tile, the first time, with the marker, clamped by the mask; takes
 *   in what its neighbours have reached, propagates to stability, and tells which
 *   neighbours can now be raised, how far.  FALSE if the tile holds a NaN
 * @unload: writes a tile to an image, from its square or a copy of it
 */
typedef struct
{
  gboolean (* visit)  (const WfTileStore *store, const WfTileScratch *scratch,
                       gint64 tile, gboolean first, WfReach *reach);
  void     (* unload) (const WfTileStore *store, gint64 tile, gconstpointer pixels,
                       const WfImage *out);
} WfTileSteps;

/* By width of a pixel: 8 or 16 bits, or 32 of a float. */
typedef struct
{
  WfTileSteps of_8;
  WfTileSteps of_16;
  WfTileSteps of_32;
} WfTileTable;

WF_SIMD_DECLARE (WfTileTable, wf_tiles);
