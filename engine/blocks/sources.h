/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the operations in blocks ask of their sources. */

#pragma once

#include "engine/core/context.h"

WfImage       wf_source_view      (const WfBlockSource  *source);
WfImage       wf_source_image     (const WfBlockSource  *source);
gboolean      wf_source_check_room (const WfBlockSource *source,
                                   const char           *what,
                                   GError              **error);
gboolean      wf_sink_check_room  (const WfBlockSink    *sink,
                                   const char           *what,
                                   GError              **error);
gboolean      wf_source_check     (const WfBlockSource  *source,
                                   const char           *what,
                                   GError              **error);
gboolean      wf_source_check_as  (const WfBlockSource  *source,
                                   WfType                type,
                                   const char           *what,
                                   const WfBlockSource  *other,
                                   const char           *other_what,
                                   GError              **error);
gboolean      wf_source_check_nan (WfContext            *context,
                                   const WfBlockSource  *source,
                                   const char           *what,
                                   GError              **error);
gboolean      wf_source_check_marked
                                  (const WfContext      *context,
                                   gboolean              marked,
                                   GError              **error);
WfBlockSource wf_source_in_memory (const WfImage        *image);
WfBlockSource wf_source_of_sink   (const WfBlockSink    *sink,
                                   const WfBlockSource  *model);
WfBlockSink   wf_sink_with_calls  (const WfBlockSink    *sink);
