/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants, as its back end and one another know them. */

#pragma once

#include "backend.h"
#include "fifo.h"
#include "pipeline.h"

extern const WfVariant wf_cpu_reconstruct_variants[];
extern const WfVariant wf_cpu_distance_variants[];
extern const WfVariant wf_cpu_watershed_variants[];

gboolean wf_cpu_reconstruct        (const WfReconstructTask  *task,
                                    WfRun                    *run,
                                    double                    share,
                                    GError                  **error);
guint64  wf_cpu_reconstruct_memory (const WfReconstructTask  *task);

/* A queue for each worker of a run. */
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
