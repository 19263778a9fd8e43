/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of reconstruction. */

#include "config.h"

#include <string.h>

#include "reconstruction.h"

/* In thinner images the squares of `sweeps` would be mostly empty. */
#define THIN 24


static gboolean
is_image (gconstpointer task)
{
  return ((const WfReconstructTask *) task)->shape.depth == 1;
}

static gboolean
suits_sweeps (gconstpointer data)
{
  const WfShape *shape = &((const WfReconstructTask *) data)->shape;

  return shape->width > THIN && shape->height > THIN;
}

/* The algorithms of the papers are there to be asked for by name. */
static gboolean
never (gconstpointer task)
{
  return FALSE;
}

#define VARIANT(name) \
  static gboolean \
  run_##name (gconstpointer   task, \
              WfRun          *run, \
              GError        **error) \
  { \
    return wf_reconstruct_##name (task, run, 1.0, error); \
  } \
\
  static guint64 \
  name##_memory (gconstpointer task) \
  { \
    return wf_reconstruct_##name##_memory (task); \
  }

VARIANT (sweeps)
VARIANT (tiled)
VARIANT (non_tiled)
VARIANT (sequential)
VARIANT (queue)
VARIANT (hybrid)

const WfVariant wf_cpu_reconstruct_variants[] =
{
  { "sweeps",     is_image, suits_sweeps, sweeps_memory,     run_sweeps },
  { "tiled",      NULL,     NULL,         tiled_memory,      run_tiled },
  { "non-tiled",  NULL,     never,        non_tiled_memory,  run_non_tiled },
  { "sequential", NULL,     never,        sequential_memory, run_sequential },
  { "queue",      NULL,     never,        queue_memory,      run_queue },
  { "hybrid",     NULL,     never,        hybrid_memory,     run_hybrid },
  { NULL, NULL, NULL, NULL, NULL }
};

static const WfReconstructWay ways[] =
{
  { "sweeps",     wf_reconstruct_sweeps,     wf_reconstruct_sweeps_memory },
  { "tiled",      wf_reconstruct_tiled,      wf_reconstruct_tiled_memory },
  { "non-tiled",  wf_reconstruct_non_tiled,  wf_reconstruct_non_tiled_memory },
  { "sequential", wf_reconstruct_sequential, wf_reconstruct_sequential_memory },
  { "queue",      wf_reconstruct_queue,      wf_reconstruct_queue_memory },
  { "hybrid",     wf_reconstruct_hybrid,     wf_reconstruct_hybrid_memory },
};

/* How an operation that reconstructs on its way is to do it: by @algorithm, or, with
 * NULL or "auto", as reconstruction itself would be done.  NULL if @algorithm cannot
 * do @task.
 */
const WfReconstructWay *
wf_cpu_reconstruct_way (const char              *algorithm,
                        const WfReconstructTask *task)
{
  const gboolean any = ! algorithm || strcmp (algorithm, "auto") == 0;

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      const WfVariant *variant = &wf_cpu_reconstruct_variants[i];

      if ((any ? ! variant->suits || variant->suits (task)
               : strcmp (algorithm, variant->algorithm) == 0) &&
          (! variant->supports || variant->supports (task)))
        return &ways[i];
    }
  return NULL;
}

/* The default, for operations that reconstruct on their way. */
gboolean
wf_cpu_reconstruct (const WfReconstructTask  *task,
                    WfRun                    *run,
                    double                    share,
                    GError                  **error)
{
  return wf_cpu_reconstruct_way (NULL, task)->reconstruct (task, run, share, error);
}

guint64
wf_cpu_reconstruct_memory (const WfReconstructTask *task)
{
  return wf_cpu_reconstruct_way (NULL, task)->memory (task);
}
