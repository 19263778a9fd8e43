/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages between processes of MPI; to be started by an MPI launcher.  Each rank prints what
 * failed, and the first one a line for each check.
 *
 *   test-links        messages of many sizes
 *   test-links FAIL   the rank with this number fails while the others work and wait
 */

#include <stdlib.h>
#include <string.h>

#include "engine/ranks/tree.h"

static guint n_checks;

/* All ranks check the same, in the same order. */
static void
check (const WfCommunicator *ranks,
       gboolean              holds,
       const char           *what)
{
  n_checks++;
  if (! holds)
    g_print ("not ok %u - %s (rank %u)\n", n_checks, what, wf_communicator_get_rank (ranks));
  else if (wf_communicator_get_rank (ranks) == 0)
    g_print ("ok %u - %s\n", n_checks, what);
}

static void
fill (guint8 *bytes,
      gsize   n,
      guint   seed)
{
  for (gsize i = 0; i < n; i++)
    bytes[i] = i * 31 + i / 251 + seed;
}

/* Every rank sends to the next one, and the last to the first.  A single one sends nothing. */
static gboolean
pass_on (WfCommunicator *ranks,
         gsize           n)
{
  const guint        n_ranks  = wf_communicator_get_n_ranks (ranks);
  const guint        rank     = wf_communicator_get_rank (ranks);
  const guint        from     = (rank + n_ranks - 1) % n_ranks;
  g_autofree guint8 *sent     = g_malloc (n);
  g_autofree guint8 *received = g_malloc0 (n);
  gboolean           done     = TRUE;

  if (n_ranks == 1)
    return TRUE;
  fill (sent, n, rank);
  if (rank > 0)
    done = wf_ranks_receive (ranks, from, received, n, 1, NULL);
  done = done && wf_ranks_send (ranks, (rank + 1) % n_ranks, sent, n, 1, NULL);
  if (rank == 0)
    done = done && wf_ranks_receive (ranks, from, received, n, 1, NULL);
  fill (sent, n, from);
  return done && memcmp (sent, received, n) == 0;
}

static void
check_messages (WfCommunicator *ranks)
{
  static const gsize sizes[] = { 1, 7, 4096, 65537, 1 << 22, (1 << 24) + 3 };
  const guint        n_ranks = wf_communicator_get_n_ranks (ranks);
  gint64             values[] = { 1, wf_communicator_get_rank (ranks), (gint64) 1 << 40 };
  guint              n_host;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    check (ranks, pass_on (ranks, sizes[i]), "a message around all ranks");
  check (ranks, wf_ranks_sum (ranks, values, 3, NULL) && values[0] == n_ranks &&
                values[1] == n_ranks * (n_ranks - 1) / 2 && values[2] == (gint64) n_ranks << 40,
         "sums over all ranks");
  check (ranks, wf_communicator_get_host_rank (ranks, &n_host) < n_host && n_host <= n_ranks,
         "the ranks of this host");
}

/* A message of more bytes than MPI counts. */
static void
check_long_message (WfCommunicator *ranks)
{
  const gsize        n     = ((gsize) 1 << 31) + 5;
  const guint        rank  = wf_communicator_get_rank (ranks);
  g_autofree guint8 *bytes = rank < 2 ? g_try_malloc0 (n) : NULL;
  gboolean           done  = TRUE;

  if (bytes && rank == 0)
    bytes[n - 1] = 17;
  if (rank == 0)
    done = wf_ranks_send (ranks, 1, bytes, n, 1, NULL);
  else if (rank == 1)
    done = wf_ranks_receive (ranks, 0, bytes, n, 1, NULL) && bytes[n - 1] == 17;
  check (ranks, done, "a message of more than 2³¹ bytes");
}

/* The first rank waits for a message that never comes, others send what nobody takes. */
static void
check_failure (WfCommunicator *ranks,
               guint           failing)
{
  const guint           rank    = wf_communicator_get_rank (ranks);
  const gsize           n       = 1 << 22;
  g_autofree guint8    *bytes   = g_malloc0 (n);
  g_autofree char      *message = g_strdup_printf ("Rank %u on %s: It is full.", failing,
                                                   g_get_host_name ());
  g_autoptr (WfContext) context = wf_context_new ();
  g_autoptr (GError)    error   = NULL;
  WfJointWork           work;
  gboolean              done;

  wf_context_set_communicator (context, ranks);
  wf_joint_work_begin (&work, context);
  if (rank == failing)
    g_set_error_literal (&error, WF_ERROR, WF_ERROR_MEMORY, "It is full.");
  else if (rank == 0)
    wf_ranks_receive (ranks, failing, bytes, n, 1, &error);
  else
    wf_ranks_send (ranks, 0, bytes, n, 1, &error);
  done = wf_joint_work_end (&work, error == NULL, &error);
  check (ranks, ! done && error && strcmp (error->message, message) == 0,
         "all ranks are told which one has failed, and why");
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError)         error = NULL;
  g_autoptr (WfCommunicator) ranks = wf_communicator_open_mpi (&error);

  if (! ranks)
    {
      g_print ("Bail out! %s\n", error->message);
      return 1;
    }
  if (argc > 1)
    check_failure (ranks, atoi (argv[1]));
  else
    {
      check_messages (ranks);
      if (g_strcmp0 (g_getenv ("WAVEFRONT_TEST_TIER"), "all") == 0 &&
          wf_communicator_get_n_ranks (ranks) > 1)
        check_long_message (ranks);
    }
  if (wf_communicator_get_rank (ranks) == 0)
    g_print ("1..%u\n", n_checks);
  return 0;
}
