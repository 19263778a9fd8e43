/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the fronts of the thresholds share. */

#pragma once

#include "engine/core/record.h"
#include "engine/filters/gaussian.h"

void     wf_threshold_make_task (WfThresholdTask           *task,
                                 WfGaussian                *gaussian,
                                 const WfImage             *image,
                                 WfImage                   *out,
                                 const WfThresholdOptions  *options);
gboolean wf_threshold_blocks    (const WfBlocksCall        *call,
                                 GError                   **error);
