/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A thread that cancels work under way, and the time that the work takes to stop. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How many times slower the machine's instructions are. */
#ifdef __SANITIZE_ADDRESS__
#define SLOWNESS 4
#else
#define SLOWNESS 1
#endif

/* Times are processor time of the process, so that they do not depend on other load.
 * Cancelling takes effect within 0.1 s on each of two threads; the rest of this limit allows
 * for caches that other processes have emptied.
 */
#define CANCEL_SECONDS (0.5 * SLOWNESS)

/**
 * Canceller:
 * @cancellable: that it cancels
 *
 * The other members are private to canceller.c.
 */
typedef struct
{
  GCancellable *cancellable;
  GThread      *thread;
  double        begun_at;
  double        delay;
  double        cancelled_at;
  gint          returned;
} Canceller;

void   canceller_start (Canceller *canceller,
                        double     delay);
double canceller_stop  (Canceller *canceller);

G_END_DECLS
