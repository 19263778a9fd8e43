/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "run.h"

/* Reports twenty times a second: often enough for the eye, too seldom to cost. */
#define REPORT_INTERVAL (G_USEC_PER_SEC / 20)


static void
report (WfRun  *run,
        double  fraction)
{
  fraction = CLAMP (fraction, run->reported, 1.0);
  run->reported = fraction;
  run->progress (fraction, run->progress_data);
}

static void
begin_phase (WfRun  *run,
             double  share,
             gint64  total)
{
  run->phase_start += run->phase_share;
  run->phase_share  = share;
  run->phase_total  = MAX (total, 1);
  __atomic_store_n (&run->phase_done, 0, __ATOMIC_RELAXED);
}

/* Only the thread that called the operation calls back into the host, which may
 * be a user interface that allows nothing else.
 */
static gboolean
advance_phase (WfRun  *run,
               gint64  amount)
{
  gint64 done = __atomic_add_fetch (&run->phase_done, amount, __ATOMIC_RELAXED);

  if (run->progress && g_thread_self () == run->owner)
    {
      gint64 now = g_get_monotonic_time ();

      if (now - run->last_report >= REPORT_INTERVAL)
        {
          run->last_report = now;
          report (run, run->phase_start
                       + run->phase_share * MIN (1.0, (double) done / run->phase_total));
        }
    }
  return ! g_cancellable_is_cancelled (run->cancellable);
}

/* @reported: what the user has been shown already, by a device that failed. */
void
wf_run_init (WfRun          *run,
             GCancellable   *cancellable,
             WfProgressFunc  progress,
             gpointer        progress_data,
             double          reported)
{
  *run = (WfRun) {
    .n_threads     = 1,
    .begin         = begin_phase,
    .advance       = advance_phase,
    .cancellable   = cancellable,
    .progress      = progress,
    .progress_data = progress_data,
    .owner         = g_thread_self (),
    .reported      = reported,
  };
  if (progress)
    report (run, reported);
}

void
wf_run_finish (WfRun *run)
{
  if (run->progress)
    report (run, 1.0);
}

/* What a variant returns once wf_run_advance() has said no. */
gboolean
wf_run_set_cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The operation was cancelled."));
  return FALSE;
}
