/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of reconstruction. */

#include "config.h"

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

/* The default, for operations that reconstruct on their way. */
gboolean
wf_cpu_reconstruct (const WfReconstructTask  *task,
                    WfRun                    *run,
                    double                    share,
                    GError                  **error)
{
  return is_image (task) && suits_sweeps (task)
         ? wf_reconstruct_sweeps (task, run, share, error)
         : wf_reconstruct_hybrid (task, run, share, error);
}

guint64
wf_cpu_reconstruct_memory (const WfReconstructTask *task)
{
  return is_image (task) && suits_sweeps (task) ? wf_reconstruct_sweeps_memory (task)
                                                : wf_reconstruct_hybrid_memory (task);
}

static gboolean
run_sweeps (gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  return wf_reconstruct_sweeps (task, run, 1.0, error);
}

static guint64
sweeps_memory (gconstpointer task)
{
  return wf_reconstruct_sweeps_memory (task);
}

static gboolean
run_hybrid (gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  return wf_reconstruct_hybrid (task, run, 1.0, error);
}

static guint64
hybrid_memory (gconstpointer task)
{
  return wf_reconstruct_hybrid_memory (task);
}

const WfVariant wf_cpu_reconstruct_variants[] =
{
  { "sweeps", is_image, suits_sweeps, sweeps_memory, run_sweeps },
  { "hybrid", NULL, NULL, hybrid_memory, run_hybrid },
  { NULL, NULL, NULL, NULL, NULL }
};
