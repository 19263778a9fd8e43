/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_OPTION_GRID (wf_option_grid_get_type ())
G_DECLARE_FINAL_TYPE (WfOptionGrid, wf_option_grid, WF, OPTION_GRID, GtkGrid)

GtkWidget * wf_option_grid_new        (GObject        *settings,
                                       WfType          type,
                                       GtkSizeGroup   *labels);
GtkWidget * wf_option_grid_add_option (WfOptionGrid   *grid,
                                       const WfOption *option);
void        wf_option_grid_add_widget (WfOptionGrid   *grid,
                                       const char     *label,
                                       GtkWidget      *widget,
                                       const char     *tooltip);

G_END_DECLS
