/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "thread-ranks.h"

#define MOST_RANKS 16

/**
 * Network:
 * @messages: from each rank to each other, #GBytes
 * @failure: of the first rank that has failed
 */
typedef struct
{
  GMutex  lock;
  GCond   changed;
  guint   n;
  GQueue  messages[MOST_RANKS][MOST_RANKS];
  char   *failure;
} Network;

typedef struct
{
  Network      *network;
  guint         rank;
  const gint64 *shares;
  RankFunc      run;
  gpointer      data;
} Rank;

static gint64 n_bytes;

/* Bytes that all ranks have sent since the last call. */
gint64
count_rank_bytes (void)
{
  const gint64 n = n_bytes;

  n_bytes = 0;
  return n;
}

/* Called with the lock held. */
static gboolean
check (const Network  *network,
       GError        **error)
{
  if (! network->failure)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_RANK, network->failure);
  return FALSE;
}

static gboolean
send (gpointer        state,
      guint           to,
      gconstpointer   data,
      gsize           n,
      GError        **error)
{
  const Rank *rank    = state;
  Network    *network = rank->network;
  gboolean    sound;

  g_assert_cmpuint (to, <, network->n);
  g_assert_cmpuint (to, !=, rank->rank);
  g_mutex_lock (&network->lock);
  sound = check (network, error);
  if (sound)
    g_queue_push_tail (&network->messages[rank->rank][to], g_bytes_new (data, n));
  n_bytes += n;
  g_cond_broadcast (&network->changed);
  g_mutex_unlock (&network->lock);
  return sound;
}

static gboolean
receive (gpointer   state,
         guint      from,
         gpointer   data,
         gsize      n,
         GError   **error)
{
  const Rank        *rank    = state;
  Network           *network = rank->network;
  g_autoptr (GBytes) message = NULL;
  gboolean           sound;

  g_assert_cmpuint (from, <, network->n);
  g_mutex_lock (&network->lock);
  while ((sound = check (network, error)) &&
         ! (message = g_queue_pop_head (&network->messages[from][rank->rank])))
    g_cond_wait (&network->changed, &network->lock);
  g_mutex_unlock (&network->lock);
  if (! sound)
    return FALSE;
  g_assert_cmpuint (g_bytes_get_size (message), ==, n);
  memcpy (data, g_bytes_get_data (message, NULL), n);
  return TRUE;
}

static gboolean
look (gpointer   state,
      GError   **error)
{
  Network  *network = ((Rank *) state)->network;
  gboolean  sound;

  g_mutex_lock (&network->lock);
  sound = check (network, error);
  g_mutex_unlock (&network->lock);
  return sound;
}

static void
fail (gpointer    state,
      const char *message)
{
  Network *network = ((Rank *) state)->network;

  g_mutex_lock (&network->lock);
  if (! network->failure)
    network->failure = g_strdup (message);
  g_cond_broadcast (&network->changed);
  g_mutex_unlock (&network->lock);
}

static void
forget (gpointer state)
{
}

static gpointer
run_rank (gpointer data)
{
  static const WfRankLinks   links = { sizeof links, send, receive, look, fail, forget };
  Rank                      *rank  = data;
  g_autoptr (WfCommunicator) ranks = wf_communicator_new (&links, rank, rank->rank,
                                                          rank->network->n);

  wf_communicator_set_shares (ranks, rank->shares);
  rank->run (ranks, rank->data);
  return NULL;
}

static void
free_message (gpointer message)
{
  g_bytes_unref (message);
}

/* Runs @n ranks to their ends.  Where none has failed all messages must have been received. */
void
run_ranks (guint         n,
           const gint64 *shares,
           RankFunc      run,
           gpointer      data)
{
  Network  network = { .n = n };
  Rank     ranks[MOST_RANKS];
  GThread *threads[MOST_RANKS];

  g_assert_cmpuint (n, <=, MOST_RANKS);
  g_mutex_init (&network.lock);
  g_cond_init (&network.changed);
  for (guint i = 0; i < n; i++)
    {
      ranks[i]   = (Rank) { &network, i, shares, run, data };
      threads[i] = g_thread_new ("rank", run_rank, &ranks[i]);
    }
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < n * n; i++)
    {
      GQueue *messages = &network.messages[i / n][i % n];

      g_assert_true (network.failure || g_queue_is_empty (messages));
      g_queue_clear_full (messages, free_message);
    }
  g_free (network.failure);
  g_mutex_clear (&network.lock);
  g_cond_clear (&network.changed);
}
