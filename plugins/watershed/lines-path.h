/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "run.h"

G_BEGIN_DECLS

gboolean wf_lines_path_add (WfRun          *run,
                            WfImage        *labels,
                            const WfImage  *objects,
                            gboolean        lines,
                            GError        **error);

G_END_DECLS
