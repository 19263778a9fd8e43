/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

gboolean wf_masked_windows_run (WfContext              *context,
                                WfOperation             operation,
                                const WfImage          *mask,
                                WfImage                *image,
                                WfImage                *result,
                                gconstpointer           options,
                                GError                **error);

G_END_DECLS
