/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings of images of at most two levels. */

#pragma once

#include "engine/core/tasks.h"

/* Of a run, for finding out whether there are more. */
#define WF_SHARE_OF_LEVELS 0.02

gboolean wf_cpu_open_two_levels        (const WfAttributeTask  *task,
                                        WfRun                  *run,
                                        gboolean               *opened,
                                        GError                **error);
guint64  wf_cpu_open_two_levels_memory (const WfAttributeTask  *task,
                                        guint                   n_threads);
