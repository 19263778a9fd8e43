/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A background worker that processes one strip of rows while the main thread transfers
 * another.
 *
 * Only the main thread may read pixels from GIMP or write them to it, and most of that time
 * it waits for GIMP's process.  Converting pixels on a worker during that wait is free.
 */

#include "config.h"

#include <gegl.h>

#include "strip-worker.h"

/* The cost of giving rows to another thread, in pixels. */
#define THREAD_COST 20000.0

/* @pool has one thread, which distributes the rows over GEGL's threads. */
struct _WfStripWorker
{
  GThreadPool       *pool;
  GAsyncQueue       *done;
  WfStripWorkerFunc  func;
  gsize              width;
  gpointer           data;
  gpointer           strip;
  int                n_rows;
  gboolean           busy;
};


static void
process_rows (gsize    first,
              gsize    n,
              gpointer data)
{
  const WfStripWorker *worker = data;

  worker->func (worker->strip, (int) first, (int) n, worker->data);
}

static void
process_strip (gpointer data,
               gpointer unused)
{
  WfStripWorker *worker = data;

  gegl_parallel_distribute_range ((gsize) worker->n_rows,
                                  THREAD_COST / (double) worker->width,
                                  process_rows, worker);
  g_async_queue_push (worker->done, worker);
}

/**
 * wf_strip_worker_new:
 * @func: processes rows of a strip
 * @width: of a row, in pixels
 * @data: for @func
 *
 * Returns: (transfer full): a worker without a strip
 */
WfStripWorker *
wf_strip_worker_new (WfStripWorkerFunc func,
                     gsize             width,
                     gpointer          data)
{
  WfStripWorker *worker = g_new0 (WfStripWorker, 1);

  worker->func  = func;
  worker->width = width;
  worker->data  = data;
  worker->done  = g_async_queue_new ();
  worker->pool  = g_thread_pool_new (process_strip, NULL, 1, FALSE, NULL);
  return worker;
}

/**
 * wf_strip_worker_free:
 * @worker: (transfer full): a worker; its strip is finished first
 */
void
wf_strip_worker_free (WfStripWorker *worker)
{
  g_thread_pool_free (worker->pool, FALSE, TRUE);
  g_async_queue_unref (worker->done);
  g_free (worker);
}

/**
 * wf_strip_worker_begin:
 * @worker: a worker that is not busy
 * @strip: the strip to process, in use until wf_strip_worker_wait() has returned
 * @n_rows: the number of its rows
 *
 * Starts to process @strip in the background.
 */
void
wf_strip_worker_begin (WfStripWorker *worker,
                       gpointer       strip,
                       int            n_rows)
{
  g_return_if_fail (! worker->busy);

  worker->strip  = strip;
  worker->n_rows = n_rows;
  worker->busy   = TRUE;
  g_thread_pool_push (worker->pool, worker, NULL);
}

/**
 * wf_strip_worker_wait:
 * @worker: a worker
 *
 * Waits until its strip, if there is one, is finished.
 */
void
wf_strip_worker_wait (WfStripWorker *worker)
{
  if (worker->busy)
    g_async_queue_pop (worker->done);
  worker->busy = FALSE;
}
