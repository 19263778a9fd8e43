/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_foreground_find_threshold (const WfImage     *image,
                                       const WfImage     *mask,
                                       gboolean           automatic,
                                       double            *threshold,
                                       double            *fraction,
                                       GError           **error);
gboolean wf_foreground_find_level     (const WfImage     *image,
                                       const WfImage     *mask,
                                       WfThresholdMethod  method,
                                       double             percent,
                                       double            *threshold,
                                       GError           **error);
void     wf_foreground_mark_parts     (const WfImage  *image,
                                       double          threshold,
                                       gboolean        above,
                                       WfImage        *foreground);
gboolean wf_foreground_limit_parts    (const WfImage  *foreground,
                                       WfImage        *labels);

G_END_DECLS
