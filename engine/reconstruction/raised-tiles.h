/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction that goes on where the rims of a settled band were raised. */

#pragma once

#include "blocks.h"
#include "engine/core/grid.h"

/**
 * WfRaisedTiles:
 * @waits: for each tile whether a pixel of it, or beside it, was raised since its last visit
 *
 * The tiles of a band.
 */
typedef struct
{
  /*< private >*/
  const WfReconstructBlocks *blocks;
  const WfImage             *mask;
  WfImage                   *levels;
  WfTileGrid                 grid;
  guint8                    *waits;
  gint64                    *visited;
} WfRaisedTiles;

gboolean wf_raised_tiles_init   (WfRaisedTiles              *tiles,
                                 const WfReconstructBlocks  *blocks,
                                 const WfImage              *mask,
                                 WfImage                    *levels,
                                 GError                    **error);
void     wf_raised_tiles_clear  (WfRaisedTiles              *tiles);
guint64  wf_raised_tiles_memory (const WfReconstructBlocks  *blocks,
                                 const WfShape              *band);
void     wf_raised_tiles_note   (WfRaisedTiles              *tiles,
                                 WfBandSide                  side,
                                 gint64                      pixel);
gboolean wf_raised_tiles_settle (WfRaisedTiles              *tiles,
                                 gint64                     *n_visited,
                                 GError                    **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfRaisedTiles, wf_raised_tiles_clear)
