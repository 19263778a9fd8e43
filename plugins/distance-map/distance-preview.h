/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "operation-preview.h"

G_BEGIN_DECLS

extern const WfPreviewKind wf_distance_map_preview;

void wf_distance_map_preview_show_histogram (WfPreview *preview,
                                             GtkWidget *threshold);

G_END_DECLS
