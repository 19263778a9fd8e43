/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

void     wf_marker_add_arguments   (GimpProcedure  *procedure);
gboolean wf_marker_takes_selection (WfJob          *run);
gboolean wf_marker_is_given        (WfJob          *run);
gboolean wf_marker_recall          (WfJob          *run,
                                    GError        **error);
void     wf_marker_remember        (WfJob          *run);
gboolean wf_marker_check           (WfJob          *run,
                                    GimpDrawable   *marker,
                                    GError        **error);
gboolean wf_marker_read            (WfJob          *run,
                                    const WfImage  *mask,
                                    WfDirection     by,
                                    double          height,
                                    WfImage        *marker,
                                    GError        **error);
gboolean wf_marker_fetch           (WfJob          *part,
                                    gpointer       *fetched,
                                    WfFetch        *fetch,
                                    GError        **error);
gboolean wf_marker_read_fetched    (WfJob          *part,
                                    gpointer        fetched,
                                    const WfImage  *mask,
                                    WfDirection     by,
                                    WfImage        *marker,
                                    GError        **error);

G_END_DECLS
