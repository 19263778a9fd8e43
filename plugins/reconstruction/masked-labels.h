/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_masked_labels_run (WfContext      *context,
                               WfOperation     operation,
                               const WfImage  *mask,
                               WfImage        *labels,
                               guint32        *n_regions,
                               gconstpointer   options,
                               GError        **error);

G_END_DECLS
