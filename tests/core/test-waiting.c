/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Threads that wait for others take no processor for long: what a process takes in which one thread
 * sleeps between meetings with another.
 */

#include <omp.h>
#include <sys/resource.h>

#include "engine/core/waiting.h"
#include "tests/support/tiers.h"

#define N_MEETINGS  20
#define SLEEP       30000      /* µs */
#define N_THREADS   2

/* What a thread may take that sleeps at once, of @SLEEP. */
#define SHORT_PART  10

static int n_met;

static void
meet (void)
{
#pragma omp parallel num_threads(N_THREADS)
#pragma omp atomic
  n_met++;
}

static gint64
get_processor_time (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_utime.tv_sec * G_USEC_PER_SEC + usage.ru_utime.tv_usec;
}

/* µs a meeting */
static gint64
measure_waits (void)
{
  gint64 start;

  meet ();
  start = get_processor_time ();
  for (int i = 0; i < N_MEETINGS; i++)
    {
      g_usleep (SLEEP);
      meet ();
    }
  return (get_processor_time () - start) / N_MEETINGS;
}

static void
test_waits (void)
{
  const gint64 before = measure_waits ();
  gint64       after;

#ifdef __clang__
  g_test_skip ("only GNU's runtime is told to wait for a shorter time");
  return;
#endif
  if (omp_get_num_procs () < N_THREADS || before < SLEEP / SHORT_PART)
    {
      g_test_skip ("threads wait for a short time here anyway");
      return;
    }
  wf_shorten_waits_of (N_THREADS);
  g_usleep (SLEEP);   /* until the others have met */
  after = measure_waits ();
  g_test_message ("%" G_GINT64_FORMAT " µs a meeting, %" G_GINT64_FORMAT " µs before", after,
                  before);
  g_assert_cmpint (after, <, SLEEP / SHORT_PART);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/waiting/waits", test_waits);
  return g_test_run ();
}
