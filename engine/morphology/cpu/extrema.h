/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional maxima and minima without a reconstruction. */

#pragma once

#include "engine/core/operations.h"

gboolean wf_cpu_extrema        (const WfImage  *image,
                                int             connectivity,
                                gboolean        maxima,
                                gboolean        wide,
                                WfImage        *state,
                                WfRun          *run,
                                double          share,
                                GError        **error);
guint64  wf_cpu_extrema_memory (const WfShape  *shape);
