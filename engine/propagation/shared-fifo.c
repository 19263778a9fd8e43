/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each thread works on a queue of its own.  While a thread is idle, threads with long
 * queues move half of their queue to the shared one, from which the idle thread takes
 * items.  The work ends when all threads are idle at the same time: a thread that shares
 * items is not idle, so nothing is left then.
 *
 * Idle threads sleep.  Items pass through a lock, so the thread that takes an item sees
 * all that was written before.
 */

#include "config.h"

#include "shared-fifo.h"

/* Shorter queues are not shared. */
#define MUCH 256

/* The most items that a thread takes at a time, so that others get some. */
#define HANDFUL 4096

/* How often the calling thread reports progress while it sleeps. */
#define NAP (G_USEC_PER_SEC / 25)


void
wf_shared_fifo_init (WfSharedFifo *shared)
{
  *shared = (WfSharedFifo) { 0 };
  g_mutex_init (&shared->lock);
  g_cond_init (&shared->wake);
}

void
wf_shared_fifo_clear (WfSharedFifo *shared)
{
  g_clear_error (&shared->error);
  wf_fifo_clear (&shared->fifo);
  g_mutex_clear (&shared->lock);
  g_cond_clear (&shared->wake);
}

static gboolean
move (WfFifo  *from,
      WfFifo  *to,
      gint64   n,
      GError **error)
{
  while (n-- > 0)
    if (! wf_fifo_push (to, wf_fifo_pop (from), error))
      return FALSE;
  return TRUE;
}

static void
take_error (WfSharedFifo *shared,
            GError       *error)
{
  if (shared->error)
    g_error_free (error);
  else
    shared->error = error;
  __atomic_store_n (&shared->stop, TRUE, __ATOMIC_RELAXED);
  g_cond_broadcast (&shared->wake);
}

static void
take_nap (WfSharedFifo *shared,
          guint         worker,
          WfRun        *run)
{
  if (worker > 0)
    g_cond_wait (&shared->wake, &shared->lock);
  else if (! g_cond_wait_until (&shared->wake, &shared->lock, g_get_monotonic_time () + NAP))
    {
      g_mutex_unlock (&shared->lock);
      wf_run_advance (run, 0);      /* reports progress */
      g_mutex_lock (&shared->lock);
    }
}

/* With the lock held. */
static gboolean
wait_for_some (WfSharedFifo *shared,
               WfFifo       *queue,
               guint         worker,
               guint         n_workers,
               WfRun        *run)
{
  GError *error = NULL;

  while (! shared->stop)
    {
      if (shared->fifo.n > 0)
        {
          if (move (&shared->fifo, queue, MIN (shared->fifo.n, HANDFUL), &error))
            return TRUE;
          take_error (shared, error);
          return FALSE;
        }
      if (__atomic_add_fetch (&shared->n_hungry, 1, __ATOMIC_RELAXED) == n_workers)
        {
          __atomic_store_n (&shared->stop, TRUE, __ATOMIC_RELAXED);
          g_cond_broadcast (&shared->wake);
          return FALSE;
        }
      take_nap (shared, worker, run);
      __atomic_sub_fetch (&shared->n_hungry, 1, __ATOMIC_RELAXED);
    }
  return FALSE;
}

/* Waits until @queue, the worker's own, holds items; FALSE if all work is done or has
 * failed.
 */
gboolean
wf_shared_fifo_take (WfSharedFifo *shared,
                     WfFifo       *queue,
                     guint         worker,
                     guint         n_workers,
                     WfRun        *run)
{
  gboolean taken;

  if (queue->n > 0)
    return ! __atomic_load_n (&shared->stop, __ATOMIC_RELAXED);
  g_mutex_lock (&shared->lock);
  taken = wait_for_some (shared, queue, worker, n_workers, run);
  g_mutex_unlock (&shared->lock);
  return taken;
}

/* Shares half of @queue if it is long and a thread is idle. */
gboolean
wf_shared_fifo_give (WfSharedFifo  *shared,
                     WfFifo        *queue,
                     GError       **error)
{
  gboolean given;

  if (queue->n < MUCH || __atomic_load_n (&shared->n_hungry, __ATOMIC_RELAXED) == 0)
    return TRUE;
  g_mutex_lock (&shared->lock);
  given = move (queue, &shared->fifo, queue->n / 2, error);
  g_cond_broadcast (&shared->wake);
  g_mutex_unlock (&shared->lock);
  return given;
}

/* Ends the work.  @error: (transfer full): the first one is kept */
void
wf_shared_fifo_fail (WfSharedFifo *shared,
                     GError       *error)
{
  g_mutex_lock (&shared->lock);
  take_error (shared, error);
  g_mutex_unlock (&shared->lock);
}
