/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by an element of few pixels: a line, or a small disc. */

#pragma once

#include "structuring-element.h"

gboolean wf_cpu_listed_suits  (const WfElementTask  *task);
gboolean wf_cpu_listed        (const WfElementTask  *task,
                               WfRun                *run,
                               double                share,
                               GError              **error);
guint64  wf_cpu_listed_memory (const WfElementTask  *task);
