/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "preview.h"

G_BEGIN_DECLS

#define WF_TYPE_SLICE_CHOOSER (wf_slice_chooser_get_type ())
G_DECLARE_FINAL_TYPE (WfSliceChooser, wf_slice_chooser, WF, SLICE_CHOOSER, GtkBox)

GtkWidget * wf_slice_chooser_new (WfPreview *preview);

G_END_DECLS
