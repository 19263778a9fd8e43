/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"
#include "plugins/common/preview/operation-preview.h"
#include "corrected-view.h"

G_BEGIN_DECLS

extern const WfPreviewKind wf_watershed_preview;

const WfHistogram * wf_watershed_preview_find_histogram (const WfPreviewResult *result);
void                wf_watershed_preview_connect        (WfDialog              *dialog,
                                                         GtkWidget             *slider,
                                                         WfObjectView          *objects,
                                                         WfCorrectedView       *corrected);

G_END_DECLS
