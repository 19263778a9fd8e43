/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Workers: the devices that share the blocks of an image.
 *
 * A worker is a GPU, or the CPU with all threads of the context.  A lane is one block at work:
 * a thread with a context of its own, and so with a stream of its own on a GPU.  A GPU has
 * several lanes, so that one block is uploaded while another is computed and a third one is
 * downloaded.  Lanes take blocks when they are free (Teodoro et al. 2013: demand-driven).
 *
 * A device that is much slower than the others together is a reserve, which works only when all
 * others have been left out (gain.c).  A device that fails is left out, with a notice; its blocks
 * wait for another worker.
 *
 * Where one worker with one lane is all, its blocks are visited in the caller's thread, with
 * the caller's context.
 */

#pragma once

#include "bands.h"
#include "sources.h"

/* Pixels that may be worth more than one device: below, one has done the work before the others
 * have begun.  A tile size that was set overrides this.
 */
#define WF_WORTH_SHARING (1 << 24)

typedef struct _WfWorkers WfWorkers;

/**
 * WfLane:
 * @number: from 0 to wf_workers_count_lanes() − 1
 * @context: of its device
 * @worker: the number of its worker, from 0 on
 */
typedef struct
{
  guint      number;
  WfContext *context;
  guint      worker;
} WfLane;

/**
 * WfBlockFunc:
 * @data: the pass's
 * @lane: which visits the block; no other lane has its number
 * @block: its number
 *
 * Works on a block, in any thread.
 */
typedef gboolean (* WfBlockFunc)     (gpointer       data,
                                      const WfLane  *lane,
                                      gint64         block,
                                      GError       **error);

/* What follows a visit; one at a time, and before another lane takes a block. */
typedef void     (* WfBlockDoneFunc) (gpointer       data,
                                      const WfLane  *lane,
                                      gint64         block);

/**
 * WfPass:
 * @n: how many blocks there are
 * @n_pixels: of a block, about
 * @in_order: each block is visited once, the first of those that wait first
 * @every_other: the blocks with even numbers come first, so that most of the others are visited
 *   when those beside them have been
 * @n_second: the first @n_second blocks are second visits of as many blocks that follow: block i of
 *   block @n_second + i.  Second visits come first, never while the first visit is under way, and
 *   do not count in the pace.  First visits are dealt so that all workers have second visits at
 *   home for about the same time
 * @home: for each block the number of the worker that visits it as long as it can, or −1; or %NULL
 * @most: visits at most; 0: until no block waits
 * @n_later: visits that will follow in other passes, as far as that is known
 * @visit: visits a block
 * @done: follows it, and may call wf_pass_set_waiting(); may be %NULL
 * @waits: for each block whether it waits for a visit; the operation's, changed by the pass
 * @n_waiting: how many do
 */
typedef struct
{
  gint64           n;
  gint64           n_pixels;
  gboolean         in_order;
  gboolean         every_other;
  gint64           n_second;
  const int       *home;
  gint64           most;
  gint64           n_later;
  WfBlockFunc      visit;
  WfBlockDoneFunc  done;
  gpointer         data;
  gboolean        *waits;
  gint64           n_waiting;
} WfPass;

WfWorkers *   wf_workers_new         (WfContext      *context,
                                      WfOperation     operation,
                                      const char     *algorithm,
                                      gconstpointer   task,
                                      const WfImage  *image);
void          wf_workers_free        (WfWorkers      *workers);
gboolean      wf_workers_are_several (WfContext      *context,
                                      WfOperation     operation,
                                      const char     *algorithm,
                                      gconstpointer   task,
                                      const WfImage  *image);
guint         wf_workers_count_lanes (const WfWorkers *workers);
guint         wf_workers_count       (const WfWorkers *workers);
gboolean      wf_workers_have_gpu    (const WfWorkers *workers);
gboolean      wf_workers_is_on_gpu   (const WfWorkers *workers,
                                      guint            lane);
gboolean      wf_workers_fit         (const WfWorkers *workers,
                                      WfOperation      operation,
                                      gconstpointer    options,
                                      const WfImage   *block);
guint64       wf_workers_count_spare (const WfWorkers *workers,
                                      guint            worker,
                                      WfOperation      operation,
                                      gconstpointer    options,
                                      const WfImage   *block,
                                      guint64         *needed);
void          wf_workers_begin_access
                                     (WfWorkers      *workers,
                                      const WfLane   *lane);
void          wf_workers_end_access  (WfWorkers      *workers,
                                      const WfLane   *lane,
                                      const char     *what);
void          wf_workers_begin_files (WfWorkers      *workers,
                                      const WfLane   *lane);
void          wf_workers_end_files   (WfWorkers      *workers,
                                      const WfLane   *lane,
                                      const char     *what);
gboolean      wf_workers_blame_device
                                     (WfWorkers      *workers,
                                      const WfLane   *lane);
gboolean      wf_workers_plan        (const WfLane   *lane,
                                      WfOperation     operation,
                                      const char     *algorithm,
                                      gconstpointer   task,
                                      WfPlan         *plan,
                                      GError        **error);
gboolean      wf_workers_read        (WfWorkers      *workers,
                                      const WfLane   *lane,
                                      const WfBands  *bands,
                                      const WfBlockSource
                                                     *source,
                                      gint64          number,
                                      const char     *what,
                                      WfImage        *band,
                                      GError        **error);
gboolean      wf_workers_finish      (WfWorkers      *workers,
                                      const WfLane   *lane,
                                      const WfBands  *bands,
                                      const WfBlockSink
                                                     *sink,
                                      gint64          number,
                                      const WfImage  *band,
                                      GError        **error);
gint64        wf_workers_limit_rows  (const WfWorkers *workers,
                                      WfOperation     operation,
                                      gconstpointer   options,
                                      const WfBlockSource
                                                     *image,
                                      gint64          rows);
gboolean      wf_workers_run         (WfWorkers      *workers,
                                      WfPass         *pass,
                                      WfSteps        *steps,
                                      GError        **error);
gboolean      wf_workers_visit_each  (WfWorkers      *workers,
                                      const WfBands  *bands,
                                      WfBlockFunc     visit,
                                      gpointer        data,
                                      gint64          n_later,
                                      WfSteps        *steps,
                                      GError        **error);

void          wf_pass_set_waiting    (WfPass         *pass,
                                      gint64          block,
                                      gboolean        waits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfWorkers, wf_workers_free)
