/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

gboolean wf_reconstruct_marker_read         (WfJob          *run,
                                             const WfImage  *mask,
                                             WfComponent     component,
                                             WfDirection     by,
                                             double          height,
                                             WfImage        *marker,
                                             GError        **error);
gboolean wf_reconstruct_marker_fetch        (WfJob          *part,
                                             gpointer       *fetched,
                                             WfFetch        *fetch,
                                             GError        **error);
void     wf_reconstruct_marker_invalidate   (gpointer        fetched);
void     wf_reconstruct_marker_free         (gpointer        fetched);
gboolean wf_reconstruct_marker_read_fetched_component
                                            (WfJob          *part,
                                             gpointer        fetched,
                                             int             component,
                                             const WfImage  *mask,
                                             WfDirection     by,
                                             WfImage        *marker,
                                             GError        **error);
gboolean wf_reconstruct_marker_read_fetched (WfJob          *part,
                                             gpointer        fetched,
                                             const WfImage  *mask,
                                             WfDirection     by,
                                             WfImage        *marker,
                                             GError        **error);

G_END_DECLS
