/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Workers, their lanes, and the pass that they make: workers.c sets them up, pass.c lets them
 * work.
 */

#pragma once

#include "engine/core/context-private.h"
#include "workers.h"

/**
 * Worker:
 * @name: of its device
 * @n_lanes: its lanes
 * @n_threads: that visit blocks for its lanes in this pass
 * @reserve: works only where all others have been left out
 * @out: it failed and was left out
 * @pace: pixels a second of all its lanes, or 0 before its first visit
 * @n_visits: how many blocks it has visited
 */
typedef struct
{
  char     *name;
  guint     n_lanes;
  guint     n_threads;
  gboolean  reserve;
  gboolean  out;
  double    pace;
  gint64    n_visits;
} Worker;

/**
 * Lane:
 * @block: the one that it visits, or −1
 * @gave_back: it did not visit the block that it had taken
 * @device_failed: what failed was the operation on the device
 * @busy_seconds: of its visits
 * @file_seconds: in which it read and wrote
 * @files_since: when it began to
 */
typedef struct
{
  WfLane     public;
  WfWorkers *workers;
  Worker    *worker;
  gint64     block;
  gboolean   gave_back;
  gboolean   device_failed;
  double     busy_seconds;
  double     file_seconds;
  gint64     files_since;
} Lane;

/**
 * WfWorkers:
 * @context: the caller's
 * @stop: cancels all lanes
 * @cancellable: the caller's, or NULL; @stop_handler: its
 * @is_worth_several: the image is, to workers who work on it together
 * @has_told_missing: the report says which device is missing
 * @files: held while a source is read or a sink written
 * @lock: of all that follows, and of the pass
 * @changed: a lane has finished a visit, or all are to stop
 * @running: for each block whether a lane visits it
 * @from, @step: where the next block is looked for, and in which direction
 * @n_done: visits so far
 * @n_in_order: blocks from the first on that have been visited
 * @failure: the first error that ends the work
 */
struct _WfWorkers
{
  WfContext    *context;
  GCancellable *stop;
  GCancellable *cancellable;
  gulong        stop_handler;
  gboolean      is_worth_several;
  gboolean      has_told_missing;
  GPtrArray    *workers;
  GPtrArray    *lanes;
  GMutex        files;
  GMutex        lock;
  GCond         changed;
  WfPass       *pass;
  gboolean     *running;
  gint64        n_running;
  gint64        from;
  int           step;
  gint64        n_done;
  gint64        n_in_order;
  GError       *failure;
};

guint wf_workers_count_active (const WfWorkers *workers);
void  wf_workers_report       (WfWorkers       *workers);
void  wf_workers_judge        (WfWorkers       *workers,
                               WfOperation      operation,
                               const char      *algorithm,
                               gconstpointer    task,
                               const WfImage   *image);
