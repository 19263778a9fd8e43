/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "object-view.h"

G_BEGIN_DECLS

void        wf_object_panel_add_arguments (GimpProcedure *procedure);
GtkWidget * wf_object_panel_add           (WfDialog      *dialog,
                                           WfObjectView  *objects);

G_END_DECLS
