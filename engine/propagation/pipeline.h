/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running a wavefront operation over a grid of tiles. */

#pragma once

#include "engine/core/grid.h"
#include "engine/core/run.h"

/* Directions in which a tile has neighbours, and itself. */
#define WF_N_DIRECTIONS 27

/**
 * WfSpill:
 *
 * Some of the neighbours of a tile: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1 for the
 * one at (dx, dy, dz).
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

/* The way back. */
static inline int
wf_direction_opposite (int direction)
{
  return WF_N_DIRECTIONS - 1 - direction;
}

/**
 * WfReach:
 * @from: the neighbours that can change a tile: those that have changed something it
 *   has not taken in; all of them on the first visit
 * @spill: those that it can change afterwards
 * @urgency: for each of these, by its direction, how far the change goes: greater is
 *   visited first
 *
 * What passes between a tile and its neighbours.
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
 * @first: whether this tile is visited for the first time
 * @reach: says which neighbours can change the tile; to be told, with
 *   wf_reach_add(), which ones the tile can then change
 *
 * Propagates inside a tile to stability, taking in what its neighbours have
 * reached.  No neighbour of the tile is being worked on meanwhile.
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
 * @first: whether @box is visited for the first time; if not, only the tiles along
 *   its sides inside the image are visited, and those that they then change
 * @side: of the tiles; 0: what the run asks for, or automatic
 * @propagate: what is done to a tile
 * @data: for @propagate
 *
 * One wavefront operation, to be run over the tiles of a box.
 */
typedef struct
{
  WfShape     shape;
  WfBox       box;
  gboolean    first;
  gint64      side;
  WfTileFunc  propagate;
  gpointer    data;
} WfPipeline;

gboolean wf_pipeline_run    (WfRun             *run,
                             const WfPipeline  *pipeline,
                             WfReach           *reach,
                             GError           **error);
guint64  wf_pipeline_memory (const WfShape     *shape,
                             gint64             side);
