/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of reconstruction (reconstruction.h lists them). */

#include "config.h"

#include "reconstruction.h"

/* In thinner images the tiles of `sweeps`, WF_SIDE pixels square, would be mostly empty. */
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

#define AS_VARIANT(suffix, name, supports, suits, checks_nan) \
  static gboolean \
  run_##suffix (gconstpointer   task, \
                WfRun          *run, \
                GError        **error) \
  { \
    return wf_reconstruct_##suffix (task, run, 1.0, error); \
  } \
\
  static guint64 \
  suffix##_memory (gconstpointer task, \
                   guint         n_threads) \
  { \
    return wf_reconstruct_##suffix##_memory (task, n_threads); \
  }

WF_FOR_EACH_RECONSTRUCTION (AS_VARIANT)

#define VARIANT(suffix, name, supports_it, suits_it, checks) \
  { \
    .algorithm  = name, \
    .supports   = supports_it, \
    .suits      = suits_it, \
    .memory     = suffix##_memory, \
    .run        = run_##suffix, \
    .checks_nan = checks, \
  },

const WfVariant wf_cpu_reconstruct_variants[] =
{
  WF_FOR_EACH_RECONSTRUCTION (VARIANT)
  { .algorithm = NULL }
};

#define STEP(suffix, name, supports, suits, checks_nan) \
  { \
    .algorithm   = name, \
    .reconstruct = wf_reconstruct_##suffix, \
    .memory      = wf_reconstruct_##suffix##_memory, \
  },

/* In the same order. */
static const WfReconstructVariant steps[] = { WF_FOR_EACH_RECONSTRUCTION (STEP) };

/* The variant for an operation that has a reconstruction as a step: @algorithm, or, with
 * NULL or "auto", the one that wf_reconstruct() would choose.  NULL if @algorithm does
 * not support @task.
 */
const WfReconstructVariant *
wf_cpu_reconstruct_find (const char              *algorithm,
                         const WfReconstructTask *task)
{
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (wf_variant_fits (&wf_cpu_reconstruct_variants[i], algorithm, task))
      return &steps[i];
  return NULL;
}

/* The default, for operations that have a reconstruction as a step. */
gboolean
wf_cpu_reconstruct (const WfReconstructTask  *task,
                    WfRun                    *run,
                    double                    share,
                    GError                  **error)
{
  return wf_cpu_reconstruct_find (NULL, task)->reconstruct (task, run, share, error);
}

guint64
wf_cpu_reconstruct_memory (const WfReconstructTask *task,
                           guint                    n_threads)
{
  return wf_cpu_reconstruct_find (NULL, task)->memory (task, n_threads);
}
