/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "preview.h"

G_BEGIN_DECLS

#define WF_TYPE_PREVIEW_PANE (wf_preview_pane_get_type ())
G_DECLARE_FINAL_TYPE (WfPreviewPane, wf_preview_pane, WF, PREVIEW_PANE, GtkBox)

GtkWidget * wf_preview_pane_new         (gboolean       basins);
WfPreview * wf_preview_pane_get_preview (WfPreviewPane *pane);

G_END_DECLS
