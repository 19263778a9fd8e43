/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "options.h"
#include "plugins/common/dialog/dialog.h"
#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

void     wf_marker_source_add_arguments (GimpProcedure  *procedure);
gboolean wf_marker_source_recall        (WfJob          *run,
                                         GError        **error);
void     wf_marker_source_remember      (WfJob          *run);
void     wf_marker_source_add_controls  (WfDialog       *dialog,
                                         WfOptionGrid   *grid);
gboolean wf_marker_source_read          (WfJob          *run,
                                         WfMarkersFrom   from,
                                         WfImage        *labels,
                                         GError        **error);
gboolean wf_marker_source_read_strokes  (WfJob          *run,
                                         WfStrokes     **strokes,
                                         GError        **error);
gboolean wf_marker_source_fetch         (WfJob          *part,
                                         WfMarkersFrom   from,
                                         gpointer       *fetched,
                                         WfFetch        *fetch,
                                         GError        **error);
gboolean wf_marker_source_read_fetched  (WfJob          *part,
                                         WfMarkersFrom   from,
                                         gpointer        fetched,
                                         WfImage        *labels,
                                         GError        **error);

G_END_DECLS
