/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional maxima and minima without reconstruction. */

#pragma once

#include "engine/core/tasks.h"

gboolean wf_cpu_extrema        (const WfImage  *image,
                                int             connectivity,
                                gboolean        maxima,
                                gboolean        wide,
                                WfImage        *state,
                                WfRun          *run,
                                double          share,
                                GError        **error);
gboolean wf_cpu_extrema_clear  (const WfImage  *image,
                                int             connectivity,
                                gint64          n,
                                const guint8   *first,
                                const guint8   *last,
                                WfImage        *state,
                                WfRun          *run,
                                GError        **error);
guint64  wf_cpu_extrema_memory (const WfShape  *shape);
