/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tiles of one block of the pipeline, visited by one thread. */

#pragma once

#include "pipeline.h"
#include "tile-queue.h"

/**
 * WfTiles:
 * @visited: of each tile: whether it was
 * @from: of each tile: the neighbors that have changed since its visit
 * @urgency: of each visited tile: the greatest of these changes; 0 if there are none
 *
 * All tiles of a pipeline.  Those of a block belong to the thread that visits it, but
 * threads in other blocks may add to @from and @urgency of the tiles beside their own.
 */
typedef struct
{
  const WfPipeline *pipeline;
  WfTileGrid        grid;
  guint8           *visited;
  WfSpill          *from;
  guint32          *urgency;
} WfTiles;

gboolean wf_tiles_init  (WfTiles           *tiles,
                         const WfPipeline  *pipeline,
                         gint64             side,
                         GError           **error);
void     wf_tiles_clear (WfTiles           *tiles);

/**
 * WfBlock:
 * @within: the tiles of the block, by their places among all tiles
 * @reach: of the last visit: the blocks around this one that it can change
 * @beyond: of all visits: the boxes around the pipeline's that they can change
 *
 * A thread's memory for the block that it visits.
 */
typedef struct
{
  WfBox       within;
  WfReach     reach;
  WfReach     beyond;
  /*< private >*/
  WfTileQueue queue;
} WfBlock;

gboolean wf_block_init  (WfBlock        *block,
                         const WfTiles  *tiles,
                         gint64          side,
                         GError        **error);
void     wf_block_clear (WfBlock        *block);
gboolean wf_block_visit (WfBlock        *block,
                         WfTiles        *tiles,
                         const WfBox    *within,
                         guint           worker,
                         GError        **error);

/* Bytes for each tile. */
#define WF_TILE_BYTES (1 + sizeof (WfSpill) + sizeof (guint32))

/* −1, 0 or 1: where a coordinate lies beside start to end. */
static inline int
wf_side_of (gint64 coordinate,
            gint64 start,
            gint64 end)
{
  return coordinate < start ? -1 : coordinate >= end;
}

/* The place that is one step away from @at. */
static inline WfPoint
wf_step (WfPoint at,
         int     direction)
{
  return (WfPoint) { at.x + direction % 3 - 1, at.y + direction / 3 % 3 - 1,
                     at.z + direction / 9 - 1 };
}
