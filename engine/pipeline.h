/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running a wavefront operation over a grid of tiles. */

#pragma once

#include "grid.h"
#include "run.h"

/**
 * WfSpill:
 *
 * The neighbouring tiles that a tile can change: bit (dz + 1) * 9 + (dy + 1) * 3
 * + dx + 1 for the tile at (dx, dy, dz).
 */
typedef guint32 WfSpill;

static inline WfSpill
wf_spill_bit (int dx,
              int dy,
              int dz)
{
  return 1u << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
}

/**
 * WfTileFunc:
 * @data: the operation's own
 * @worker: number of the thread, below the run's n_threads
 * @tile: the pixels to propagate in; others are read only
 * @first: whether this tile is visited for the first time
 * @spill: to be set to the neighbours that the tile can now change
 *
 * Propagates inside a tile to stability, taking in what its neighbours have
 * reached.  No neighbour of the tile is being worked on meanwhile.
 */
typedef gboolean (* WfTileFunc) (gpointer      data,
                                 guint         worker,
                                 const WfBox  *tile,
                                 gboolean      first,
                                 WfSpill      *spill,
                                 GError      **error);

gboolean wf_pipeline_run        (WfRun         *run,
                                 const WfShape *shape,
                                 gint64         side,
                                 WfTileFunc     propagate,
                                 gpointer       data,
                                 GError       **error);
guint64  wf_pipeline_memory     (const WfShape *shape);
