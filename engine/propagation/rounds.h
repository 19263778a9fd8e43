/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running an operation over a grid of tiles in synchronous rounds: for operations
 * whose result depends on the order of changes, so that the order must not depend on
 * tiles and threads.
 */

#pragma once

#include "pipeline.h"

/* The tile itself, in addition to its neighbours. */
#define WF_SPILL_SELF (wf_spill_bit (0, 0, 0))

/**
 * WfRoundFunc:
 * @data: the operation's own
 * @worker: number of the thread, below the run's n_threads
 * @tile: number of the tile in the grid
 * @round: from 0
 * @again: result: the tiles to visit in the next round
 *
 * Does one tile's share of a round.  Other tiles may be visited at the same time: data
 * that they may change must not be read.  Data written in earlier rounds may.
 *
 * Returns: the amount of work done, as the run's progress counts it.
 */
typedef gint64 (* WfRoundFunc) (gpointer  data,
                                guint     worker,
                                gint64    tile,
                                gint64    round,
                                WfSpill  *again);

gboolean wf_rounds_run    (WfRun             *run,
                           const WfTileGrid  *grid,
                           WfRoundFunc        visit,
                           gpointer           data,
                           GError           **error);
guint64  wf_rounds_memory (const WfTileGrid  *grid);
