/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long OpenMP's threads spin while they wait.
 *
 * A thread of GNU's runtime that waits for others looks some 300,000 times before it sleeps, which
 * takes 20 ms on present processors.  Where processors are shared with other programs, or with
 * other virtual machines, the waiting threads take the time of those that they wait for: on a
 * virtual machine with 64 processors the threads met 3 ms late, and labels took three times as long
 * as with 300 looks.
 *
 * The runtime looks a hundred times where a process has more threads than there are processors, and
 * nothing but that, or a variable that is read before main(), changes it.  So a process that works
 * with many threads gets some that only sleep.
 */

#include "config.h"

#include <glib.h>

#include "waiting.h"

#ifdef _OPENMP
#include <omp.h>

/* Fewer threads than that meet soon enough. */
#define MANY_THREADS 16

/* @n threads meet once, and are kept as long as the one that calls. */
static guint
meet (guint n)
{
  guint n_met = 0;

#pragma omp parallel num_threads(n) reduction (+: n_met)
  n_met += 1;
  return n_met;
}

static gpointer
keep_threads (gpointer data)
{
  const guint n = GPOINTER_TO_UINT (data);
  GMutex      never;
  GCond       called;

  g_debug ("%u threads of %u wait, so that others wait for less time", meet (n), n);

  g_mutex_init (&never);
  g_cond_init (&called);
  g_mutex_lock (&never);
  while (TRUE)
    g_cond_wait (&called, &never);
  return NULL;
}

/* Whether the user has said how threads wait. */
static gboolean
is_set_by_user (void)
{
  return g_getenv ("OMP_WAIT_POLICY") || g_getenv ("GOMP_SPINCOUNT");
}

/* For a process in which @n_threads or more work together. */
void
wf_shorten_waits_of (guint n_threads)
{
  /* together with them one more than there are processors */
  const int  n      = omp_get_num_procs () - (int) n_threads + 2;
  GThread   *thread = NULL;

  if (n > 1 && ! is_set_by_user ())
    thread = g_thread_try_new ("waiting", keep_threads, GUINT_TO_POINTER ((guint) n), NULL);
  if (thread)
    g_thread_unref (thread);
}

static gpointer
shorten_waits (gpointer data)
{
  if (omp_get_num_procs () >= MANY_THREADS)
    wf_shorten_waits_of (MANY_THREADS);
  return data;
}
#endif

void
wf_shorten_waits (guint team)
{
#ifdef _OPENMP
  static GOnce once = G_ONCE_INIT;

  if (team >= MANY_THREADS)
    g_once (&once, shorten_waits, NULL);
#endif
}
