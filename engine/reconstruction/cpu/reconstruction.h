/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of reconstruction.  Each takes @share of the run's progress. */

#pragma once

#include "engine/cpu/cpu.h"

/* DO (suffix, name, supports, suits, checks_nan) for each variant, in the order of automatic
 * choice.  @suffix: of its functions; @name: of the algorithm; the others are members of
 * WfVariant.
 */
#define WF_FOR_EACH_RECONSTRUCTION(DO) \
  DO (sweeps,     "sweeps",     is_image, suits_sweeps,    TRUE) \
  DO (tiled,      "tiled",      NULL,     NULL,            FALSE) \
  DO (non_tiled,  "non-tiled",  NULL,     wf_by_name_only, FALSE) \
  DO (sequential, "sequential", NULL,     wf_by_name_only, FALSE) \
  DO (queue,      "queue",      NULL,     wf_by_name_only, FALSE) \
  DO (hybrid,     "hybrid",     NULL,     wf_by_name_only, FALSE)

#define WF_DECLARE_RECONSTRUCT(suffix, name, supports, suits, checks_nan) \
  gboolean wf_reconstruct_##suffix          (const WfReconstructTask  *task, \
                                             WfRun                    *run, \
                                             double                    share, \
                                             GError                  **error); \
  guint64  wf_reconstruct_##suffix##_memory (const WfReconstructTask  *task, \
                                             guint                     n_threads);

WF_FOR_EACH_RECONSTRUCTION (WF_DECLARE_RECONSTRUCT)
