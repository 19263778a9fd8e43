/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

double   wf_mask_lowest    (WfType          type);
double   wf_mask_highest   (WfType          type);
void     wf_mask_fill      (const WfImage  *mask,
                            WfImage        *image,
                            double          level);
gboolean wf_mask_copy      (const WfImage  *image,
                            WfImage        *copy,
                            GError        **error);
void     wf_mask_copy_pixels
                           (const WfImage  *image,
                            WfImage        *copy);
gboolean wf_mask_spread    (WfContext      *context,
                            const WfImage  *mask,
                            WfImage        *levels,
                            GError        **error);
gboolean wf_mask_to_floats (const WfImage  *mask,
                            const WfImage  *levels,
                            double          outside,
                            WfImage        *floats,
                            GError        **error);
void     wf_mask_from_floats
                           (const WfImage  *mask,
                            WfImage        *floats,
                            WfImage        *levels);
WfHistogram *
         wf_mask_histogram (const WfImage  *mask,
                            const WfImage  *levels,
                            GError        **error);

G_END_DECLS
