/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"
#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

void     wf_measured_levels_add_arguments (GimpProcedure  *procedure);
gboolean wf_measured_levels_recall        (WfJob          *run,
                                           GError        **error);
void     wf_measured_levels_remember      (WfJob          *run);
void     wf_measured_levels_add_controls  (WfDialog       *dialog,
                                           WfOptionGrid   *grid);

gboolean wf_measured_levels_are_others    (GObject        *config);
WfType   wf_measured_levels_get_type      (WfJob          *run);
gboolean wf_measured_levels_read          (WfJob          *run,
                                           WfImage        *levels,
                                           GError        **error);

gboolean wf_measured_levels_fetch         (WfJob          *part,
                                           gpointer       *fetched,
                                           WfFetch        *fetch,
                                           GError        **error);
gboolean wf_measured_levels_read_fetched  (WfJob          *part,
                                           gpointer        fetched,
                                           gint64          first,
                                           gint64          n,
                                           WfImage        *levels,
                                           GError        **error);

G_END_DECLS
