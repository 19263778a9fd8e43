/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/preview/operation-preview.h"

G_BEGIN_DECLS

extern const WfPreviewKind wf_distance_map_preview;

const WfHistogram * wf_distance_map_preview_find_histogram (const WfPreviewResult *result);

G_END_DECLS
