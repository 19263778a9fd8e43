/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

gboolean wf_marks_read         (WfJob          *run,
                                const WfImage  *levels,
                                WfImage        *marks,
                                GError        **error);
gboolean wf_marks_fetch        (WfJob          *part,
                                gpointer       *fetched,
                                WfFetch        *fetch,
                                GError        **error);
gboolean wf_marks_read_fetched (WfJob          *part,
                                gpointer        fetched,
                                const WfImage  *levels,
                                WfImage        *marks,
                                GError        **error);

G_END_DECLS
