/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thresholds of engine/threshold/threshold.c as a step of other work. */

#pragma once

#include "engine/core/tasks.h"

gboolean wf_cpu_threshold        (const WfThresholdTask  *task,
                                  WfImage                *target,
                                  WfRun                  *run,
                                  GError                **error);
guint64  wf_cpu_threshold_memory (const WfThresholdTask  *task,
                                  guint                   n_threads);
gint64   wf_cpu_threshold_margin (const WfThresholdTask  *task);
