/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's ways to reconstruct.  Each takes @share of the run's progress. */

#pragma once

#include "cpu.h"

gboolean wf_reconstruct_hybrid        (const WfReconstructTask  *task,
                                       WfRun                    *run,
                                       double                    share,
                                       GError                  **error);
guint64  wf_reconstruct_hybrid_memory (const WfReconstructTask  *task);

gboolean wf_reconstruct_sweeps        (const WfReconstructTask  *task,
                                       WfRun                    *run,
                                       double                    share,
                                       GError                  **error);
guint64  wf_reconstruct_sweeps_memory (const WfReconstructTask  *task);
