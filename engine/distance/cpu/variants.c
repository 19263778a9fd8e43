/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of distance maps.
 *
 *   local        Euclidean, 2-D, unit spacing: a search around each pixel   exact-local*
 *   envelope     every task: a transform of lines along each axis           exact-envelope*
 *   propagation  for comparison: sites spread from pixel to pixel           papers/
 */

#include "config.h"

#include "distance.h"


/* `local` itself makes unsigned maps; exact-signed.c makes a signed one of two. */
static gboolean
supports_local (gconstpointer data)
{
  WfDistanceTask task = *(const WfDistanceTask *) data;

  task.signed_distance = FALSE;
  return wf_distance_local_supports (&task);
}

static guint64
local_memory (gconstpointer data,
              guint         n_threads)
{
  const WfDistanceTask *task  = data;
  guint64               bytes = wf_distance_local_memory (task, n_threads)
                                + wf_distance_window_memory (task);

  return task->signed_distance ? bytes + wf_distance_signed_local_memory (task) : bytes;
}

static gboolean
measure_local (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  const WfDistanceTask *task = data;

  return (task->signed_distance ? wf_distance_signed_local : wf_distance_local) (task, run, error);
}

static gboolean
run_local (gconstpointer   task,
           WfRun          *run,
           GError        **error)
{
  return wf_distance_in_window (task, measure_local, run, error);
}

static guint64
envelope_memory (gconstpointer task,
                 guint         n_threads)
{
  return wf_distance_envelope_memory (task) + wf_distance_window_memory (task);
}

static gboolean
run_envelope (gconstpointer   task,
              WfRun          *run,
              GError        **error)
{
  return wf_distance_in_window (task, wf_distance_envelope, run, error);
}

static guint64
propagation_memory (gconstpointer task,
                    guint         n_threads)
{
  return wf_distance_propagation_memory (task);
}

const WfVariant wf_cpu_distance_variants[] =
{
  {
    .algorithm = "local",
    .supports  = supports_local,
    .memory    = local_memory,
    .run       = run_local,
  },
  {
    .algorithm = "envelope",
    .memory    = envelope_memory,
    .run       = run_envelope,
  },
  {
    .algorithm = "propagation",
    .supports  = wf_distance_propagation_supports,
    .suits     = wf_by_name_only,
    .memory    = propagation_memory,
    .run       = wf_distance_propagation,
  },
  { .algorithm = NULL }
};
