/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_swapped_cut_extrema  (WfContext                  *context,
                                  const WfImage              *image,
                                  WfImage                    *cut,
                                  gboolean                    maxima,
                                  const WfMorphologyOptions  *options,
                                  GError                    **error);
gboolean wf_swapped_mark_extrema (WfContext                  *context,
                                  const WfImage              *image,
                                  WfImage                    *marks,
                                  gboolean                    maxima,
                                  const WfMorphologyOptions  *options,
                                  GError                    **error);

G_END_DECLS
