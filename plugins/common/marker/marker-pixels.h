/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/input/levels.h"
#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

gboolean wf_marker_read_levels           (WfJob        *run,
                                          GPtrArray    *list,
                                          WfComponent   component,
                                          WfImage      *levels,
                                          GError      **error);
gboolean wf_marker_read_coverage         (WfJob        *run,
                                          WfImage      *coverage,
                                          GError      **error);
gboolean wf_marker_fetch                 (WfJob        *part,
                                          gpointer     *fetched,
                                          WfType        type,
                                          WfComponent   component,
                                          WfFetch      *fetch,
                                          GError      **error);
gboolean wf_marker_read_fetched_levels   (WfJob        *part,
                                          gpointer      fetched,
                                          WfImage      *levels,
                                          GError      **error);
gboolean wf_marker_read_fetched_coverage (WfJob        *part,
                                          gpointer      fetched,
                                          WfImage      *coverage,
                                          GError      **error);

G_END_DECLS
