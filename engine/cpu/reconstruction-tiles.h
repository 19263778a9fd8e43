/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles that lie in memory square by square: the state that the
 * variants for different instruction sets share, and their tables.
 */

#pragma once

#include "cpu.h"
#include "simd.h"

/* Side of a tile's square; a row of bytes is then one cache line. */
#define WF_SIDE 64

/**
 * WfTileStore:
 * @flip: whether greater is less: reconstruction by erosion
 * @diagonal: 8 neighbours, not 4
 * @side: pixels of a tile that are used in each direction, at most WF_SIDE
 * @squares: the result, WF_SIDE × WF_SIDE pixels for each tile
 * @columns: the first and last used column of each tile of @squares
 * @mask_columns: the same of the mask
 *
 * Pixels are kept as unsigned integers in the order of growth, so that there is
 * only one direction and only three widths; 0 is below everything, and fills the
 * squares beyond the image.
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
  gpointer       squares;
  gpointer       columns;
  gpointer       mask_columns;
} WfTileStore;

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
 * @load: fills a tile with the marker, clamped by the mask
 * @visit: takes in what the tile's neighbours have reached, propagates to
 *   stability, and returns the neighbours that can now be raised
 * @unload: writes a tile to an image
 */
typedef struct
{
  void    (* load)   (const WfTileStore *store, gint64 tile);
  WfSpill (* visit)  (const WfTileStore *store, const WfTileScratch *scratch,
                      gint64 tile, gboolean first);
  void    (* unload) (const WfTileStore *store, gint64 tile, const WfImage *out);
} WfTileSteps;

/* By width of a pixel: 1, 2 or 4 bytes. */
typedef struct
{
  WfTileSteps of_8;
  WfTileSteps of_16;
  WfTileSteps of_32;
} WfTileTable;

extern const WfTileTable wf_tiles_plain;
extern const WfTileTable wf_tiles_sse2;
extern const WfTileTable wf_tiles_avx2;
extern const WfTileTable wf_tiles_avx512;
