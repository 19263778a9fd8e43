/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the distance map of a whole image (distance.c) and that in bands (blocks.c) share. */

#pragma once

#include "engine/core/tasks.h"

gboolean wf_distance_take_options  (const WfDistanceOptions  *options,
                                    WfDistanceOptions        *taken,
                                    GError                  **error);
gboolean wf_distance_check_outputs (gboolean                  distances,
                                    gboolean                  nearest,
                                    GError                  **error);
gboolean wf_distance_make_task     (WfDistanceTask           *task,
                                    const WfImage            *image,
                                    WfImage                  *out,
                                    WfImage                  *nearest,
                                    const WfDistanceOptions  *options,
                                    GError                  **error);
void     wf_distance_report_no_background
                                   (WfContext                *context);
