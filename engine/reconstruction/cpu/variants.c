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
  suffix##_memory (gconstpointer task) \
  { \
    return wf_reconstruct_##suffix##_memory (task); \
  }

WF_FOR_EACH_RECONSTRUCTION (AS_VARIANT)

#define VARIANT(suffix, name, supports, suits, checks_nan) \
  { name, supports, suits, suffix##_memory, run_##suffix, checks_nan, NULL },

const WfVariant wf_cpu_reconstruct_variants[] =
{
  WF_FOR_EACH_RECONSTRUCTION (VARIANT)
  { .algorithm = NULL }
};

#define WAY(suffix, name, supports, suits, checks_nan) \
  { name, wf_reconstruct_##suffix, wf_reconstruct_##suffix##_memory },

/* In the same order. */
static const WfReconstructWay ways[] = { WF_FOR_EACH_RECONSTRUCTION (WAY) };

/* How an operation that reconstructs on its way is to do it: by @algorithm, or, with
 * NULL or "auto", as reconstruction itself would be done.  NULL if @algorithm cannot
 * do @task.
 */
const WfReconstructWay *
wf_cpu_reconstruct_way (const char              *algorithm,
                        const WfReconstructTask *task)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (wf_variant_fits (&wf_cpu_reconstruct_variants[i], algorithm, task))
      return &ways[i];
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
