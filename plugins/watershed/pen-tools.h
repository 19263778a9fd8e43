/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

void wf_pen_tools_add (WfDialog  *dialog,
                       GtkWidget *look);

G_END_DECLS
