/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/color/color-filter.h"
#include "plugins/common/preview/operation-preview.h"

G_BEGIN_DECLS

gboolean wf_color_preview_compute (const WfPreviewInputs    *inputs,
                                   const WfPreviewSettings  *settings,
                                   WfColorFilter             filter,
                                   gpointer                  data,
                                   WfPreviewResult          *result,
                                   GError                  **error);

G_END_DECLS
