/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

void        wf_marker_add_arguments   (GimpProcedure  *procedure);
gboolean    wf_marker_takes_selection (WfJob          *run);
gboolean    wf_marker_is_given        (WfJob          *run);
gboolean    wf_marker_recall          (WfJob          *run,
                                       GError        **error);
void        wf_marker_remember        (WfJob          *run);
gboolean    wf_marker_check           (WfJob          *run,
                                       GimpDrawable   *marker,
                                       GError        **error);
gboolean    wf_marker_check_number    (WfJob          *run,
                                       guint           n_layers,
                                       guint           n_slices,
                                       GError        **error);
GPtrArray * wf_marker_list            (WfJob          *run,
                                       guint           n_slices,
                                       GError        **error);

G_END_DECLS
