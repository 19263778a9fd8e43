/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "source-pixels.h"

G_BEGIN_DECLS

typedef struct _WfColorPixels WfColorPixels;

WfColorPixels * wf_color_pixels_new         (WfJob                  *run,
                                             GError                **error);
void            wf_color_pixels_free        (WfColorPixels          *pixels);
gboolean        wf_color_pixels_invalidate  (WfColorPixels          *pixels,
                                             WfJob                  *run);
gboolean        wf_color_pixels_has_changed (const WfColorPixels    *pixels);
gboolean        wf_color_pixels_fetch       (WfColorPixels          *pixels,
                                             const WfPreviewRegion  *region,
                                             WfFetch                *fetch,
                                             GError                **error);
gboolean        wf_color_pixels_read        (WfColorPixels          *pixels,
                                             const WfPreviewRegion  *region,
                                             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                                             GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfColorPixels, wf_color_pixels_free)

G_END_DECLS
