/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation of an image by a rectangle, in tiles. */

#pragma once

#include "structuring-element.h"

gboolean wf_cpu_square_tiles_suit   (const WfElementTask  *task,
                                     gint64                radius_x,
                                     gint64                radius_y);
gboolean wf_cpu_square_tiles        (const WfElementTask  *task,
                                     gint64                radius_x,
                                     gint64                radius_y,
                                     WfRun                *run,
                                     double                share,
                                     GError              **error);
guint64  wf_cpu_square_tiles_memory (const WfElementTask  *task,
                                     gint64                radius_x,
                                     gint64                radius_y);
