/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the fronts of the filters share. */

#pragma once

#include "engine/core/record.h"

gboolean wf_filter_run      (WfOperation             operation,
                             WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);
gboolean wf_filter_take     (WfOperation             operation,
                             gint64                  depth,
                             gconstpointer           options,
                             WfFilterOptions        *taken,
                             GError                **error);
gboolean wf_filter_call     (const WfCall           *call,
                             GError                **error);
double   wf_element_effort  (gconstpointer           task);
gboolean wf_filter_estimate (WfOperation             operation,
                             const WfImage          *image,
                             gconstpointer           options,
                             WfEstimate             *result,
                             GError                **error);
