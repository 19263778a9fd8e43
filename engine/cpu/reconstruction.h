/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's ways to reconstruct.  Each takes @share of the run's progress. */

#pragma once

#include "cpu.h"

#define WF_DECLARE_RECONSTRUCT(name) \
  gboolean wf_reconstruct_##name          (const WfReconstructTask  *task, \
                                           WfRun                    *run, \
                                           double                    share, \
                                           GError                  **error); \
  guint64  wf_reconstruct_##name##_memory (const WfReconstructTask  *task);

WF_DECLARE_RECONSTRUCT (sweeps)
WF_DECLARE_RECONSTRUCT (tiled)
WF_DECLARE_RECONSTRUCT (non_tiled)
WF_DECLARE_RECONSTRUCT (sequential)
WF_DECLARE_RECONSTRUCT (queue)
WF_DECLARE_RECONSTRUCT (hybrid)
