/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

#define WF_MARKER_STROKES "marker-strokes"

/* The width of the pen in the dialog; 0 until one was chosen. */
#define WF_PEN_WIDTH      "pen-width"

void     wf_marker_strokes_add_argument (GimpProcedure  *procedure);
gboolean wf_marker_strokes_read         (GObject        *config,
                                         WfStrokes     **strokes,
                                         GError        **error);
void     wf_marker_strokes_recall       (WfJob          *run);
void     wf_marker_strokes_remember     (WfJob          *run);

G_END_DECLS
