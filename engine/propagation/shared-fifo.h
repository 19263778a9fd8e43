/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that several threads, each with a queue of its own, share when one of these
 * runs dry.
 */

#pragma once

#include "fifo.h"
#include "engine/core/run.h"

/**
 * WfSharedFifo:
 * @error: why the work has failed, or %NULL
 *
 * To be set up with wf_shared_fifo_init() for each round of work.
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
