/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "corrected-view.h"

G_BEGIN_DECLS

GtkWidget * wf_correction_tools_add (WfDialog        *dialog,
                                     WfCorrectedView *view);

G_END_DECLS
