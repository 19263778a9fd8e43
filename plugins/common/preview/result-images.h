/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_preview_copy_image   (const WfImage  *image,
                                  WfImage        *copy,
                                  GError        **error);
gboolean wf_preview_copy_slice   (const WfImage  *image,
                                  gint64          slice,
                                  WfImage        *copy,
                                  GError        **error);
gboolean wf_preview_take_slice   (WfImage        *image,
                                  gint64          slice,
                                  WfImage        *out,
                                  GError        **error);
int      wf_preview_scale_radius (int             radius,
                                  double          scale);

G_END_DECLS
