/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "viewport.h"
#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_preview_array_read_levels (const WfImage          *levels,
                                       const WfPreviewRegion  *region,
                                       WfImage                *out,
                                       GError                **error);
void     wf_preview_array_read_colors (const guint8           *colors,
                                       int                     width,
                                       int                     height,
                                       const WfPreviewRegion  *region,
                                       guint8                 *out);

G_END_DECLS
