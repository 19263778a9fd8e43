/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "canceller.h"
#include "work.h"

static gpointer
cancel_later (gpointer data)
{
  Canceller *canceller = data;

  while (work_clock () < canceller->begun_at + canceller->delay &&
         ! g_atomic_int_get (&canceller->returned))
    g_usleep (500);
  canceller->cancelled_at = work_clock ();
  g_cancellable_cancel (canceller->cancellable);
  return NULL;
}

/* Cancels after the process has worked for @delay seconds. */
void
canceller_start (Canceller *canceller,
                 double     delay)
{
  canceller->begun_at = work_clock ();
  canceller->delay    = delay;
  canceller->returned = FALSE;
  canceller->thread   = g_thread_new ("canceller", cancel_later, canceller);
}

/* Called when the work has returned.  Returns the seconds that the process has worked since it
 * was cancelled; negative: the work returned before.
 */
double
canceller_stop (Canceller *canceller)
{
  const double returned_at = work_clock ();

  g_atomic_int_set (&canceller->returned, TRUE);
  g_thread_join (canceller->thread);
  return returned_at - canceller->cancelled_at;
}
