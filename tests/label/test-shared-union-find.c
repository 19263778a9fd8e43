/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets that several threads join at once, with pauses where another thread may come between. */

#include "config.h"

#include <sched.h>

#include <glib.h>

static void pause_sometimes (void);

#define WF_PAUSE() pause_sometimes ()

#include "engine/cpu/shared-union-find.h"
#include "engine/cpu/union-find.h"
#include "tests/support/tiers.h"

#define MOST_THREADS 8

/* Of a thread: on a machine that is busy each takes long. */
#define MOST_PAUSES 4

/* Of the thread: where it is in its pauses, and how many are left. */
static _Thread_local guint32 pauses;
static _Thread_local guint   n_left;

static void
pause_sometimes (void)
{
  pauses = pauses * 1664525 + 1013904223;
  if (n_left == 0 || pauses >> 27 != 0)
    return;
  n_left--;
  sched_yield ();
}

/**
 * Team:
 * @pairs: nodes to be joined, two and two; each thread has every @n_threads-th pair
 * @linked: for each pair the node that it linked, or G_MAXUINT32
 * @seed: of the pauses
 * @waiting: threads that have not joined all their pairs yet; @joined: when that changes
 */
typedef struct
{
  guint32 *node;
  guint32 *pairs;
  guint32 *linked;
  guint    n_pairs;
  guint    n_threads;
  guint32  seed;
  guint    waiting;
  GMutex   lock;
  GCond    joined;
} Team;

typedef struct
{
  Team  *team;
  guint  number;
} Member;

/* Until all have joined their pairs. */
static void
await_team (Team *team)
{
  g_mutex_lock (&team->lock);
  if (--team->waiting == 0)
    g_cond_broadcast (&team->joined);
  while (team->waiting > 0)
    g_cond_wait (&team->joined, &team->lock);
  g_mutex_unlock (&team->lock);
}

static gpointer
join_and_settle (gpointer data)
{
  const Member *member = data;
  Team         *team   = member->team;

  pauses = team->seed + member->number * 7919;
  n_left = MOST_PAUSES;
  for (guint i = member->number; i < team->n_pairs; i += team->n_threads)
    if (! wf_shared_unite (team->node, team->pairs[2 * i], team->pairs[2 * i + 1],
                           &team->linked[i]))
      team->linked[i] = G_MAXUINT32;
  await_team (team);
  for (guint i = member->number; i < team->n_pairs; i += team->n_threads)
    if (team->linked[i] != G_MAXUINT32)
      wf_shared_settle (team->node, team->linked[i]);
  return NULL;
}

/* Pairs of any nodes, or each node and the one before it, the last one first: that makes one long
 * path, because each is a root when it is linked.
 */
static void
make_pairs (Team    *team,
            guint32  n)
{
  const gboolean path = g_test_rand_bit ();

  for (guint i = 0; i < team->n_pairs; i++)
    {
      const guint32 a = path ? n - 1 - i % (n - 1) : (guint32) g_test_rand_int_range (0, n);

      team->pairs[2 * i]     = a;
      team->pairs[2 * i + 1] = path ? a - 1 : (guint32) g_test_rand_int_range (0, n);
    }
}

static void
run_team (Team *team)
{
  Member   members[MOST_THREADS];
  GThread *threads[MOST_THREADS];

  team->waiting = team->n_threads;
  team->seed    = (guint32) g_test_rand_int ();
  g_mutex_init (&team->lock);
  g_cond_init (&team->joined);
  for (guint t = 0; t < team->n_threads; t++)
    {
      members[t] = (Member) { team, t };
      threads[t] = g_thread_new ("join", join_and_settle, &members[t]);
    }
  for (guint t = 0; t < team->n_threads; t++)
    g_thread_join (threads[t]);
  g_mutex_clear (&team->lock);
  g_cond_clear (&team->joined);
}

/* Every node that was linked holds the root of its set, which is the set's first node. */
static void
check_team (const Team *team,
            guint32     n)
{
  g_autofree guint32 *alone  = g_new (guint32, n);
  g_autofree guint8  *linked = g_new0 (guint8, n);

  for (guint32 i = 0; i < n; i++)
    alone[i] = i;
  for (guint i = 0; i < team->n_pairs; i++)
    {
      const guint32 a = wf_find_root (alone, team->pairs[2 * i]);
      const guint32 b = wf_find_root (alone, team->pairs[2 * i + 1]);

      alone[MAX (a, b)] = MIN (a, b);
      if (team->linked[i] != G_MAXUINT32)
        {
          g_assert_cmpuint (linked[team->linked[i]], ==, 0);
          linked[team->linked[i]] = 1;
        }
    }
  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpuint (team->node[i], ==, wf_find_root (alone, i));
      g_assert_cmpint (linked[i], ==, team->node[i] != i);
    }
}

static void
test_join (void)
{
  for (guint repeat = 0; repeat < test_count (100, 600); repeat++)
    {
      const guint32       n      = g_test_rand_int_range (2, 400);
      const guint         pairs  = g_test_rand_int_range (1, 600);
      g_autofree guint32 *node   = g_new (guint32, n);
      g_autofree guint32 *ends   = g_new (guint32, 2 * pairs);
      g_autofree guint32 *linked = g_new (guint32, pairs);
      Team                team   = { .node = node, .pairs = ends, .linked = linked,
                                     .n_pairs = pairs,
                                     .n_threads = g_test_rand_int_range (1, MOST_THREADS + 1) };

      for (guint32 i = 0; i < n; i++)
        node[i] = i;
      make_pairs (&team, n);
      run_team (&team);
      check_team (&team, n);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/shared-union-find/join", test_join);
  return g_test_run ();
}
