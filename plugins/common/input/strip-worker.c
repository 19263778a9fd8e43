/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that is done while the main thread asks GIMP.
 *
 * Only the main thread may ask GIMP for pixels or hand it some, and most of that time it
 * waits for GIMP's process.  What is made of the pixels meanwhile costs no time of its own.
 */

#include "config.h"

#include "pixels.h"
#include "strip-worker.h"

struct _WfAside
{
  GThreadPool *pool;    /* of one thread, which has the others help it */
  GAsyncQueue *done;
  WfAsideFunc  func;
  gsize        width;
  gpointer     data;
  gpointer     work;
  int          n_rows;
  gboolean     begun;
};


static void
do_rows (gsize    first,
         gsize    n,
         gpointer data)
{
  const WfAside *aside = data;

  aside->func (aside->work, (int) first, (int) n, aside->data);
}

static void
work_aside (gpointer data,
            gpointer unused)
{
  WfAside *aside = data;

  gegl_parallel_distribute_range ((gsize) aside->n_rows, WF_THREAD_COST / (double) aside->width,
                                  do_rows, aside);
  g_async_queue_push (aside->done, aside);
}

/**
 * wf_aside_new:
 * @func: does rows of a piece of work
 * @width: pixels of a row
 * @data: for @func
 *
 * Returns: (transfer full): where work can be handed in
 */
WfAside *
wf_aside_new (WfAsideFunc func,
              gsize       width,
              gpointer    data)
{
  WfAside *aside = g_new0 (WfAside, 1);

  aside->func  = func;
  aside->width = width;
  aside->data  = data;
  aside->done  = g_async_queue_new ();
  aside->pool  = g_thread_pool_new (work_aside, NULL, 1, FALSE, NULL);
  return aside;
}

/**
 * wf_aside_free:
 * @aside: (transfer full): what was begun is done first
 */
void
wf_aside_free (WfAside *aside)
{
  g_thread_pool_free (aside->pool, FALSE, TRUE);
  g_async_queue_unref (aside->done);
  g_free (aside);
}

/**
 * wf_aside_begin:
 * @aside: where, and nothing is being done there
 * @work: what is to be done by all processors; it is theirs until wf_aside_wait() has returned
 * @n_rows: how many rows it has
 */
void
wf_aside_begin (WfAside  *aside,
                gpointer  work,
                int       n_rows)
{
  g_return_if_fail (! aside->begun);

  aside->work   = work;
  aside->n_rows = n_rows;
  aside->begun  = TRUE;
  g_thread_pool_push (aside->pool, aside, NULL);
}

/**
 * wf_aside_wait:
 * @aside: where
 *
 * Waits until what was begun is done.
 */
void
wf_aside_wait (WfAside *aside)
{
  if (aside->begun)
    g_async_queue_pop (aside->done);
  aside->begun = FALSE;
}
