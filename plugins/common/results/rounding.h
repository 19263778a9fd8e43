/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_colors_are_grey (const float *colors,
                             guint32      n);
void     wf_colors_round    (const float *colors,
                             guint32      n,
                             WfType       type,
                             int          n_colors,
                             gboolean     alpha,
                             guint8      *pixels);
void     wf_alpha_multiply  (WfType       type,
                             const float *coverage,
                             gsize        n,
                             int          n_components,
                             guint8      *pixels);

G_END_DECLS
