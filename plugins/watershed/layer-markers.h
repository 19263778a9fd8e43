/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

gboolean wf_layer_markers_read         (WfJob     *run,
                                        WfImage   *labels,
                                        GError   **error);

gboolean wf_layer_markers_fetch        (WfJob     *part,
                                        gpointer  *fetched,
                                        WfFetch   *fetch,
                                        GError   **error);
void     wf_layer_markers_invalidate   (gpointer   fetched);
void     wf_layer_markers_free         (gpointer   fetched);
gboolean wf_layer_markers_read_fetched (WfJob     *part,
                                        gpointer   fetched,
                                        WfImage   *labels,
                                        GError   **error);

G_END_DECLS
