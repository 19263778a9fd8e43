/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "communicator.h"
#include "engine/core/context-private.h"

/* How often a rank at work looks whether another one has failed, in microseconds. */
#define LOOK_INTERVAL (G_USEC_PER_SEC / 20)

/**
 * WfCommunicator:
 * @host_rank, @n_host_ranks: of the ranks on this host
 * @shares: rows, or slices, for each rank in proportion; %NULL: all have as many
 * @granule: rows, or slices, that are not divided
 * @failed: whether a rank has failed
 */
struct _WfCommunicator
{
  gatomicrefcount    ref_count;
  WfRankLinks        links;
  gpointer           state;
  guint              rank;
  guint              n_ranks;
  guint              host_rank;
  guint              n_host_ranks;
  gint64            *shares;
  gint64             granule;
  gboolean           failed;
  WfRankReport       report;
};


/**
 * wf_communicator_new:
 * @links: how messages travel
 * @state: for @links
 * @rank: the number of this process, from 0
 * @n_ranks: how many processes there are
 *
 * Makes ranks of processes, or of threads, that can send messages to each other.
 *
 * Returns: (transfer full): the communicator of this rank.
 */
WfCommunicator *
wf_communicator_new (const WfRankLinks *links,
                     gpointer           state,
                     guint              rank,
                     guint              n_ranks)
{
  WfCommunicator *ranks;

  g_return_val_if_fail (links != NULL && links->size > 0 && rank < n_ranks, NULL);

  ranks = g_new0 (WfCommunicator, 1);
  g_atomic_ref_count_init (&ranks->ref_count);
  memcpy (&ranks->links, links, MIN (links->size, sizeof ranks->links));
  ranks->state   = state;
  ranks->rank    = rank;
  ranks->n_ranks = n_ranks;
  ranks->granule = 1;
  wf_communicator_set_host (ranks, rank, n_ranks);
  return ranks;
}

/**
 * wf_communicator_ref:
 * @communicator: a communicator
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @communicator.
 */
WfCommunicator *
wf_communicator_ref (WfCommunicator *communicator)
{
  g_return_val_if_fail (communicator != NULL, NULL);

  g_atomic_ref_count_inc (&communicator->ref_count);
  return communicator;
}

/**
 * wf_communicator_unref:
 * @communicator: (transfer full): a communicator
 *
 * Drops a reference.  The last one waits until all ranks have dropped theirs.
 */
void
wf_communicator_unref (WfCommunicator *communicator)
{
  g_return_if_fail (communicator != NULL);

  if (! g_atomic_ref_count_dec (&communicator->ref_count))
    return;
  communicator->links.free (communicator->state);
  g_free (communicator->shares);
  g_free (communicator);
}

/**
 * wf_communicator_get_rank:
 * @communicator: a communicator
 *
 * Tells which of the processes this one is.
 *
 * Returns: the number of this process, from 0.
 */
guint
wf_communicator_get_rank (const WfCommunicator *communicator)
{
  g_return_val_if_fail (communicator != NULL, 0);

  return communicator->rank;
}

/**
 * wf_communicator_get_n_ranks:
 * @communicator: a communicator
 *
 * Counts the processes.
 *
 * Returns: how many processes there are.
 */
guint
wf_communicator_get_n_ranks (const WfCommunicator *communicator)
{
  g_return_val_if_fail (communicator != NULL, 1);

  return communicator->n_ranks;
}

/**
 * wf_communicator_get_host_rank:
 * @communicator: a communicator
 * @n_ranks: (out) (optional): how many processes there are on this host
 *
 * Tells which of the processes of its host this one is: which GPU it may take.
 *
 * Returns: the number of this process among those of its host, from 0.
 */
guint
wf_communicator_get_host_rank (const WfCommunicator *communicator,
                               guint                *n_ranks)
{
  g_return_val_if_fail (communicator != NULL, 0);

  if (n_ranks)
    *n_ranks = communicator->n_host_ranks;
  return communicator->host_rank;
}

const WfRankLinks *
wf_communicator_get_links (const WfCommunicator  *ranks,
                           gpointer              *state)
{
  *state = ranks->state;
  return &ranks->links;
}

/* All ranks are on one host unless this is called. */
void
wf_communicator_set_host (WfCommunicator *ranks,
                          guint           host_rank,
                          guint           n_host_ranks)
{
  ranks->host_rank    = host_rank;
  ranks->n_host_ranks = n_host_ranks;
}

gboolean
wf_ranks_are_several (const WfCommunicator *ranks)
{
  return ranks && ranks->n_ranks > 1;
}


/*  Parts  */

/**
 * wf_communicator_set_shares:
 * @communicator: a communicator
 * @shares: (nullable) (array): for each rank a number, not negative; %NULL: all have equal parts
 *
 * Gives each rank a part of the rows (of a stack: of the slices) in proportion to its number, but
 * at least one row.  All ranks must be given the same numbers.
 */
void
wf_communicator_set_shares (WfCommunicator *communicator,
                            const gint64   *shares)
{
  g_return_if_fail (communicator != NULL);

  g_free (communicator->shares);
  communicator->shares = shares ? g_memdup2 (shares, communicator->n_ranks * sizeof *shares) : NULL;
}

/**
 * wf_communicator_set_granule:
 * @communicator: a communicator
 * @units: rows (of a stack: slices); 1 by default
 *
 * Makes parts begin at multiples of @units, for results whose pieces only one rank may write.  All
 * ranks must be given the same number.
 */
void
wf_communicator_set_granule (WfCommunicator *communicator,
                             gint64          units)
{
  g_return_if_fail (communicator != NULL && units > 0);

  communicator->granule = units;
}

/* The first row, or slice, of rank @rank of @n that have rows: at least one each. */
static gint64
find_first (const WfCommunicator *ranks,
            guint                 rank,
            guint                 n,
            gint64                units)
{
  gint64 before = 0;
  gint64 all    = 0;
  gint64 first  = 0;

  if (! ranks->shares)
    return units / n * rank + MIN (rank, units % n);
  for (guint i = 0; i < n; i++)
    all += ranks->shares[i];
  for (guint i = 0; i < rank; i++)
    {
      before += ranks->shares[i];
      first   = MAX (first + 1, (gint64) (units * ((double) before / MAX (all, 1))));
      first   = MIN (first, units - (gint64) (n - i - 1));
    }
  return first;
}

/* The part of this rank of @units rows, or slices: all of them without a communicator.  No part is
 * empty unless there are fewer granules than ranks.
 */
WfPart
wf_ranks_find_part (const WfCommunicator *ranks,
                    gint64                units)
{
  WfPart part = { 0, units, 1 };
  gint64 n;

  if (! wf_ranks_are_several (ranks))
    return part;
  n            = (units + ranks->granule - 1) / ranks->granule;
  part.n_ranks = MIN (n, ranks->n_ranks);
  part.first   = units;
  if (ranks->rank >= part.n_ranks)
    return part;
  part.first = find_first (ranks, ranks->rank, part.n_ranks, n) * ranks->granule;
  if (ranks->rank + 1 < part.n_ranks)
    part.end = find_first (ranks, ranks->rank + 1, part.n_ranks, n) * ranks->granule;
  return part;
}

/**
 * wf_communicator_find_part:
 * @communicator: a communicator
 * @units: rows of an image, slices of a stack
 * @first: (out): the first one of this rank's part
 * @end: (out): the one after its last; @first where there are fewer rows than ranks
 *
 * Tells which part of a result this rank writes.
 */
void
wf_communicator_find_part (const WfCommunicator *communicator,
                           gint64                units,
                           gint64               *first,
                           gint64               *end)
{
  WfPart part;

  g_return_if_fail (communicator != NULL && first != NULL && end != NULL);

  part   = wf_ranks_find_part (communicator, units);
  *first = part.first;
  *end   = part.end;
}


/*  Messages  */

/* Sends @n elements of @size bytes. */
gboolean
wf_ranks_send (WfCommunicator  *ranks,
               guint            to,
               gconstpointer    data,
               gint64           n,
               gsize            size,
               GError         **error)
{
  const gint64   start = g_get_monotonic_time ();
  const gboolean sent  = n == 0 || ranks->links.send (ranks->state, to, data, n * size, error);

  ranks->report.sent_bytes     += n * size;
  ranks->report.waited_seconds += (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  return sent;
}

gboolean
wf_ranks_receive (WfCommunicator  *ranks,
                  guint            from,
                  gpointer         data,
                  gint64           n,
                  gsize            size,
                  GError         **error)
{
  const gint64   start    = g_get_monotonic_time ();
  const gboolean received = n == 0 ||
                            ranks->links.receive (ranks->state, from, data, n * size, error);

  ranks->report.received_bytes += n * size;
  ranks->report.waited_seconds += (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  return received;
}

/* Sends @own to a rank that sends @other, of the same size. */
gboolean
wf_ranks_exchange (WfCommunicator  *ranks,
                   guint            rank,
                   gconstpointer    own,
                   gpointer         other,
                   gint64           n,
                   gsize            size,
                   GError         **error)
{
  if (ranks->rank < rank)
    return wf_ranks_send (ranks, rank, own, n, size, error) &&
           wf_ranks_receive (ranks, rank, other, n, size, error);
  return wf_ranks_receive (ranks, rank, other, n, size, error) &&
         wf_ranks_send (ranks, rank, own, n, size, error);
}

static gboolean
receive_and_add (WfCommunicator  *ranks,
                 guint            from,
                 gint64          *values,
                 guint            n,
                 GError         **error)
{
  g_autofree gint64 *theirs = g_new (gint64, n);

  if (! wf_ranks_receive (ranks, from, theirs, n, sizeof *values, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    values[i] += theirs[i];
  return TRUE;
}

/* Whether a rank that exchanges something with both ranks beside it begins with the one after it.
 * Every other one does, so that pairs do not wait for each other.
 */
gboolean
wf_ranks_begin_after (const WfCommunicator *ranks)
{
  return ranks->rank % 2 == 0;
}

/* Gives all ranks the elements of the first one, down the tree by which wf_ranks_sum() goes up. */
static gboolean
spread (WfCommunicator  *ranks,
        gpointer         data,
        gint64           n,
        gsize            size,
        GError         **error)
{
  guint step = 1;

  while (step < ranks->n_ranks && ! (ranks->rank & step))
    step <<= 1;
  if (ranks->rank > 0 && ! wf_ranks_receive (ranks, ranks->rank - step, data, n, size, error))
    return FALSE;
  for (step >>= 1; step > 0; step >>= 1)
    if (ranks->rank + step < ranks->n_ranks &&
        ! wf_ranks_send (ranks, ranks->rank + step, data, n, size, error))
      return FALSE;
  return TRUE;
}

/* Replaces values by their sums over all ranks; no rank has them before all have called this.
 * Without a communicator they stay as they are.
 */
gboolean
wf_ranks_sum (WfCommunicator  *ranks,
              gint64          *values,
              guint            n,
              GError         **error)
{
  guint step = 1;

  if (! wf_ranks_are_several (ranks))
    return TRUE;
  for (; step < ranks->n_ranks && ! (ranks->rank & step); step <<= 1)
    if (ranks->rank + step < ranks->n_ranks &&
        ! receive_and_add (ranks, ranks->rank + step, values, n, error))
      return FALSE;
  return (ranks->rank == 0 ||
          wf_ranks_send (ranks, ranks->rank - step, values, n, sizeof *values, error)) &&
         spread (ranks, values, n, sizeof *values, error);
}

/* Returns when all ranks have called this.  Fails if any has failed. */
gboolean
wf_ranks_await (WfCommunicator  *ranks,
                GError         **error)
{
  gint64 none = 0;

  return wf_ranks_sum (ranks, &none, 1, error);
}

/**
 * wf_communicator_broadcast:
 * @communicator: a communicator
 * @data: (nullable): those of the first rank; in the others they are overwritten
 * @n: bytes
 * @error: %WF_ERROR_RANK if a rank has failed
 *
 * Gives all ranks the bytes of the first one.  It returns when all ranks have called it.
 *
 * Returns: success.
 */
gboolean
wf_communicator_broadcast (WfCommunicator  *communicator,
                           gpointer         data,
                           gsize            n,
                           GError         **error)
{
  g_return_val_if_fail (communicator != NULL && (data != NULL || n == 0), FALSE);

  return wf_ranks_await (communicator, error) &&
         spread (communicator, data, n, 1, error);
}

/**
 * wf_communicator_gather:
 * @communicator: a communicator
 * @data: of this rank
 * @n: bytes
 * @all: (nullable): in the first rank: takes those of all ranks, one after the other
 * @error: %WF_ERROR_RANK if a rank has failed
 *
 * Gives the first rank the bytes of all.
 *
 * Returns: success.
 */
gboolean
wf_communicator_gather (WfCommunicator  *communicator,
                        gconstpointer    data,
                        gsize            n,
                        gpointer         all,
                        GError         **error)
{
  g_return_val_if_fail (communicator != NULL && data != NULL && n > 0, FALSE);

  if (communicator->rank > 0)
    return wf_ranks_send (communicator, 0, data, n, 1, error);
  memcpy (all, data, n);
  for (guint i = 1; i < communicator->n_ranks; i++)
    if (! wf_ranks_receive (communicator, i, (char *) all + i * n, n, 1, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_communicator_get_report:
 * @communicator: a communicator
 *
 * Gets the bytes of the messages that this rank has sent and received so far, and the time for
 * which it has waited for them.
 *
 * Returns: (transfer none): a report, which later messages change.
 */
const WfRankReport *
wf_communicator_get_report (const WfCommunicator *communicator)
{
  g_return_val_if_fail (communicator != NULL, NULL);

  return &communicator->report;
}


/*  Failures  */

static void
cancel_own (GCancellable *cancellable,
            gpointer      own)
{
  g_cancellable_cancel (own);
}

/* To be ended by wf_joint_work_end(), whatever happens. */
void
wf_joint_work_begin (WfJointWork *work,
                     WfContext   *context)
{
  *work = (WfJointWork) { .context = context, .ranks = context->ranks };
  if (! wf_ranks_are_several (work->ranks) || context->joint_work)
    {
      work->ranks = NULL;
      return;
    }
  work->before         = context->cancellable;
  context->cancellable = g_cancellable_new ();
  context->joint_work  = work;
  if (work->before)
    work->handler = g_cancellable_connect (work->before, G_CALLBACK (cancel_own),
                                           g_object_ref (context->cancellable), g_object_unref);
}

/* Cancels the work of this rank if another one has failed.  @work: or NULL */
void
wf_joint_work_look (WfJointWork *work)
{
  const gint64 now = g_get_monotonic_time ();

  if (! work || now - work->looked_at < LOOK_INTERVAL)
    return;
  work->looked_at = now;
  if (! work->ranks->links.look (work->ranks->state, NULL))
    g_cancellable_cancel (work->context->cancellable);
}

/**
 * wf_communicator_fail:
 * @communicator: a communicator
 * @error: (inout): why this rank has failed
 *
 * Tells the other ranks that this one has failed; what they do, or wait for, fails with the same
 * message.  The rank is named in front of it.  If a rank has failed before, nothing is told, and
 * the message becomes that rank's.
 */
void
wf_communicator_fail (WfCommunicator *communicator,
                      GError         *error)
{
  g_autoptr (GError)  theirs = NULL;
  g_autofree char    *own    = NULL;

  g_return_if_fail (communicator != NULL && error != NULL);

  if (communicator->failed)
    return;
  communicator->failed = TRUE;
  if (communicator->links.look (communicator->state, &theirs))
    {
      own = g_strdup_printf (_("Rank %u on %s: %s"), communicator->rank, g_get_host_name (),
                             error->message);
      communicator->links.fail (communicator->state, own);
    }
  else
    {
      own           = g_strdup (theirs->message);
      error->domain = theirs->domain;
      error->code   = theirs->code;
    }
  g_free (error->message);
  error->message = g_steal_pointer (&own);
}

/* Ends the work of this rank, and waits for all others.  @done: whether it succeeded, else @error
 * is set.  Fails if any rank failed.
 */
gboolean
wf_joint_work_end (WfJointWork  *work,
                   gboolean      done,
                   GError      **error)
{
  WfContext      *context = work->context;
  WfCommunicator *ranks   = work->ranks;
  GError         *own     = NULL;

  if (! ranks)
    return done;
  if (! error)
    error = &own;
  if (! done && ! *error)
    g_set_error_literal (error, WF_ERROR, WF_ERROR_RANK, _("The operation has failed."));
  if (! done)
    wf_communicator_fail (ranks, *error);
  else if (! wf_ranks_await (ranks, error))
    {
      ranks->failed = TRUE;
      done          = FALSE;
    }
  g_clear_error (&own);

  if (work->before)
    g_cancellable_disconnect (work->before, work->handler);
  g_object_unref (context->cancellable);
  context->cancellable = work->before;
  context->joint_work  = NULL;
  return done;
}
