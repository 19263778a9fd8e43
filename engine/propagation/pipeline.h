/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running a wavefront operation over a grid of tiles. */

#pragma once

#include "engine/core/grid.h"
#include "engine/core/run.h"

/* The directions of a tile's neighbours, and the tile itself. */
#define WF_N_DIRECTIONS 27

/**
 * WfSpill:
 *
 * A set of neighbors of a tile: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1 for the one at
 * (dx, dy, dz).
 */
typedef guint32 WfSpill;

static inline int
wf_direction (int dx,
              int dy,
              int dz)
{
  return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}

static inline WfSpill
wf_spill_bit (int dx,
              int dy,
              int dz)
{
  return 1u << wf_direction (dx, dy, dz);
}

#define WF_SPILL_ALL (((1u << WF_N_DIRECTIONS) - 1) & ~(1u << WF_N_DIRECTIONS / 2))

/* From the neighbour back to the tile. */
static inline int
wf_direction_opposite (int direction)
{
  return WF_N_DIRECTIONS - 1 - direction;
}

/**
 * WfReach:
 * @from: the neighbors that can change the tile: those with changes that the tile has
 *   not taken in; all of them on the first visit
 * @spill: the neighbors that the tile can change after its visit
 * @urgency: for each of these, by its direction: tiles of greater urgency are visited
 *   first
 *
 * What a tile and its neighbors exchange.
 */
typedef struct
{
  WfSpill from;
  WfSpill spill;
  guint32 urgency[WF_N_DIRECTIONS];
} WfReach;

static inline void
wf_reach_add (WfReach *reach,
              int      direction,
              guint32  urgency)
{
  const WfSpill bit = 1u << direction;

  if (! (reach->spill & bit) || reach->urgency[direction] < urgency)
    reach->urgency[direction] = urgency;
  reach->spill |= bit;
}

/**
 * WfTileFunc:
 * @data: the operation's own
 * @worker: number of the thread, below the run's n_threads
 * @tile: the pixels to propagate in; others are read only
 * @first: whether this is the first visit of the tile
 * @reach: input: which neighbors can change the tile; output, by wf_reach_add():
 *   which ones the tile can change after the visit
 *
 * Takes in the changes of the neighbors and propagates inside the tile to stability.  No
 * neighbor of the tile is visited at the same time.
 */
typedef gboolean (* WfTileFunc) (gpointer      data,
                                 guint         worker,
                                 const WfBox  *tile,
                                 gboolean      first,
                                 WfReach      *reach,
                                 GError      **error);

/**
 * WfPipeline:
 * @shape: of the whole image
 * @box: the part of it to propagate in: all of it, or a tile of a coarser grid
 * @first: whether this is the first visit of @box; if not, only the tiles at those of its
 *   borders that lie inside the image are visited, and the tiles that these change
 * @side: of the tiles; 0: the run's tile size, or automatic
 * @block_side: of the blocks that one thread visits as a whole, in tiles; 0: automatic
 * @propagate: called for each visit of a tile
 * @data: for @propagate
 *
 * A wavefront operation over the tiles of a box.
 */
typedef struct
{
  WfShape     shape;
  WfBox       box;
  gboolean    first;
  gint64      side;
  gint64      block_side;
  WfTileFunc  propagate;
  gpointer    data;
} WfPipeline;

gboolean wf_pipeline_run    (WfRun             *run,
                             const WfPipeline  *pipeline,
                             WfReach           *reach,
                             GError           **error);
guint64  wf_pipeline_memory (const WfShape     *shape,
                             gint64             side);
