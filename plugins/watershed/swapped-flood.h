/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_swapped_relief_make  (WfContext                 *context,
                                  WfImage                   *levels,
                                  const WfReliefOptions     *options,
                                  WfImage                   *relief,
                                  WfImage                   *objects,
                                  GError                   **error);
gboolean wf_swapped_relief_flood (WfContext                 *context,
                                  const WfImage             *relief,
                                  const WfImage             *objects,
                                  gboolean                   from_markers,
                                  WfImage                   *labels,
                                  guint32                   *n_basins,
                                  const WfWatershedOptions  *options,
                                  GError                   **error);

G_END_DECLS
