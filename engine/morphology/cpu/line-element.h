/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by a line. */

#pragma once

#include "structuring-element.h"

gboolean wf_cpu_line        (const WfElementTask  *task,
                             WfRun                *run,
                             double                share,
                             GError              **error);
guint64  wf_cpu_line_memory (const WfElementTask  *task);
