/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "dialog.h"

G_BEGIN_DECLS

void        wf_line_color_add_argument (GimpProcedure *procedure);
void        wf_line_color_get          (GObject       *config,
                                        float          color[4]);
GtkWidget * wf_line_color_add_control  (WfDialog      *dialog,
                                        WfOptionGrid  *grid);

G_END_DECLS
