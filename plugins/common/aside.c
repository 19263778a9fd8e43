/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that is done while the main thread asks GIMP.
 *
 * Only the main thread may ask GIMP for pixels or hand it some, and most of that time it
 * waits for GIMP's process.  What is made of the pixels meanwhile costs no time of its own.
 */

#include "config.h"

#include "aside.h"

struct _WfAside
{
  GThreadPool *pool;    /* of one thread */
  GAsyncQueue *done;
  GFunc        func;
  gpointer     data;
  guint        n_begun;
};


static void
work_aside (gpointer work,
            gpointer data)
{
  WfAside *aside = data;

  aside->func (work, aside->data);
  g_async_queue_push (aside->done, work);
}

/**
 * wf_aside_new:
 * @func: does a piece of work; it must not ask GIMP
 * @data: for @func
 *
 * Returns: (transfer full): where work can be handed in
 */
WfAside *
wf_aside_new (GFunc    func,
              gpointer data)
{
  WfAside *aside = g_new0 (WfAside, 1);

  aside->func = func;
  aside->data = data;
  aside->done = g_async_queue_new ();
  aside->pool = g_thread_pool_new (work_aside, aside, 1, FALSE, NULL);
  return aside;
}

/**
 * wf_aside_free:
 * @aside: (transfer full): all that was begun is done first
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
 * @aside: where
 * @work: what is to be done, one after the other; it is the other thread's until
 *   wf_aside_wait() has returned
 */
void
wf_aside_begin (WfAside  *aside,
                gpointer  work)
{
  aside->n_begun++;
  g_thread_pool_push (aside->pool, work, NULL);
}

/**
 * wf_aside_wait:
 * @aside: where
 *
 * Waits until all that was begun is done.
 */
void
wf_aside_wait (WfAside *aside)
{
  for (; aside->n_begun > 0; aside->n_begun--)
    g_async_queue_pop (aside->done);
}
