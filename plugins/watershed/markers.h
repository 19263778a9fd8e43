/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

guint32 wf_point_markers_draw (const double *points,
                               gsize         n_points,
                               double        left,
                               double        top,
                               WfImage      *labels);

G_END_DECLS
