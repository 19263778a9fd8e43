/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "dialog.h"

G_BEGIN_DECLS

GtkWidget * wf_stain_control_add (WfDialog     *dialog,
                                  WfOptionGrid *grid);

G_END_DECLS
