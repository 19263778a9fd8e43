/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fetching pixels a little at a time.
 *
 * Pixels can take seconds to come: GIMP may have to compute them first.  The preview
 * therefore fetches them in steps of some milliseconds, while the main loop is idle.  A
 * #WfFetch is one step.  It is handed down unchanged from the preview to the code that
 * asks for pixels, which stops at the deadline and records whether anything is missing.
 * An incomplete step is followed by another one, for what the view shows by then; a fetch
 * is cancelled by not making another step.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * WfFetch:
 * @deadline: the monotonic time at which to stop
 * @complete: whether everything that was asked for is there
 * @n_requests: how many requests the present stage has made
 *
 * One step of fetching pixels.
 */
typedef struct
{
  gint64   deadline;
  gboolean complete;
  guint    n_requests;
} WfFetch;


static inline void
wf_fetch_init (WfFetch *fetch,
               gint64   deadline)
{
  *fetch = (WfFetch) { .deadline = deadline, .complete = TRUE };
}

/* A step has a stage for each place that pixels come from.  Each stage makes one request
 * even after the deadline, so that every step makes progress.
 */
static inline void
wf_fetch_begin_stage (WfFetch *fetch)
{
  fetch->n_requests = 0;
}

/* Returns whether the stage may make another request; the caller counts those it makes. */
static inline gboolean
wf_fetch_has_time (const WfFetch *fetch)
{
  return fetch->n_requests == 0 || g_get_monotonic_time () < fetch->deadline;
}

G_END_DECLS
