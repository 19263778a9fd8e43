/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants, for its back end, and reconstruction, for other operations. */

#pragma once

#include "engine/core/tasks.h"
#include "engine/propagation/fifo.h"
#include "engine/propagation/pipeline.h"

extern const WfVariant wf_cpu_reconstruct_variants[];
extern const WfVariant wf_cpu_distance_variants[];
extern const WfVariant wf_cpu_geodesic_variants[];
extern const WfVariant wf_cpu_watershed_variants[];
extern const WfVariant wf_cpu_extrema_variants[];
extern const WfVariant wf_cpu_morphology_variants[];
extern const WfVariant wf_cpu_gaussian_variants[];
extern const WfVariant wf_cpu_gradient_variants[];
extern const WfVariant wf_cpu_attribute_variants[];
extern const WfVariant wf_cpu_threshold_variants[];
extern const WfVariant wf_cpu_erosion_variants[];
extern const WfVariant wf_cpu_opening_variants[];
extern const WfVariant wf_cpu_median_variants[];
extern const WfVariant wf_cpu_label_variants[];
extern const WfVariant wf_cpu_label_tool_variants[];
extern const WfVariant wf_cpu_expand_variants[];
extern const WfVariant wf_cpu_hierarchy_variants[];
extern const WfVariant wf_cpu_measure_variants[];

/**
 * WfReconstructVariant:
 * @algorithm: its name
 * @reconstruct: does the task; takes @share of the run's progress
 * @memory: bytes of memory beyond the task's images
 *
 * A variant of reconstruction as a step of another operation.
 */
typedef struct
{
  const char *algorithm;
  gboolean (* reconstruct) (const WfReconstructTask  *task,
                            WfRun                    *run,
                            double                    share,
                            GError                  **error);
  guint64  (* memory)      (const WfReconstructTask  *task,
                            guint                     n_threads);
} WfReconstructVariant;

const WfReconstructVariant *
         wf_cpu_reconstruct_find   (const char               *algorithm,
                                    const WfReconstructTask  *task);
gboolean wf_cpu_reconstruct        (const WfReconstructTask  *task,
                                    WfRun                    *run,
                                    double                    share,
                                    GError                  **error);
guint64  wf_cpu_reconstruct_memory (const WfReconstructTask  *task,
                                    guint                     n_threads);

/* One queue for each worker of a run. */
static inline WfFifo *
wf_fifos_new (guint n)
{
  return g_new0 (WfFifo, n);
}

static inline void
wf_fifos_free (WfFifo *fifos,
               guint   n)
{
  for (guint i = 0; i < n; i++)
    wf_fifo_clear (&fifos[i]);
  g_free (fifos);
}
