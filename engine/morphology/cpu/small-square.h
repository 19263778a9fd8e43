/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation, opening and closing of an image by a square of 3 × 3 pixels or the disc
 * in it.
 */

#pragma once

#include "structuring-element.h"

gboolean wf_cpu_small_square_suits  (const WfElementTask  *task);
gboolean wf_cpu_small_square        (const WfElementTask  *first,
                                     const WfElementTask  *second,
                                     WfImage              *target,
                                     WfRun                *run,
                                     double                share,
                                     GError              **error);
guint64  wf_cpu_small_square_memory (const WfElementTask  *task);
