/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that is shared between threads, each of which has a queue of its own. */

#pragma once

#include "fifo.h"
#include "engine/core/run.h"

/**
 * WfSharedFifo:
 * @error: the first error, or %NULL
 *
 * wf_shared_fifo_init() sets it up for each round of work.
 */
typedef struct
{
  GError   *error;
  /*< private >*/
  GMutex    lock;
  GCond     wake;
  WfFifo    fifo;
  guint     n_hungry;
  gboolean  stop;
} WfSharedFifo;

void     wf_shared_fifo_init  (WfSharedFifo  *shared);
void     wf_shared_fifo_clear (WfSharedFifo  *shared);
gboolean wf_shared_fifo_take  (WfSharedFifo  *shared,
                               WfFifo        *queue,
                               guint          worker,
                               guint          n_workers,
                               WfRun         *run);
gboolean wf_shared_fifo_give  (WfSharedFifo  *shared,
                               WfFifo        *queue,
                               GError       **error);
void     wf_shared_fifo_fail  (WfSharedFifo  *shared,
                               GError        *error);
