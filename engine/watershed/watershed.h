/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/core/context.h"
#include "engine/core/tasks.h"

gboolean wf_watershed_check_images  (const WfImage             *image,
                                     const WfImage             *markers,
                                     const WfImage             *labels,
                                     GError                   **error);
gboolean wf_watershed_check_options (const WfWatershedOptions  *options,
                                     gboolean                   from_markers,
                                     GError                   **error);

gboolean wf_watershed_shared        (WfContext                 *context,
                                     const WfWatershedTask     *task,
                                     const WfWatershedOptions  *options,
                                     GError                   **error);
