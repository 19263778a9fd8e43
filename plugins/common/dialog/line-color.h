/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "dialog.h"
#include "ui/preview/line-contrast.h"

G_BEGIN_DECLS

/* The name of an argument. */
#define WF_TO_RGB "convert-to-rgb"

void        wf_line_color_add_argument   (GimpProcedure  *procedure);
void        wf_line_color_get            (GObject        *config,
                                          float           color[4]);
gboolean    wf_line_color_is_used        (const WfJob    *run);
gboolean    wf_line_color_wants_rgb      (const WfJob    *run);
void        wf_line_color_get_contrast   (const WfJob    *run,
                                          WfLineContrast *line);
GtkWidget * wf_line_color_add_control    (WfDialog       *dialog,
                                          WfOptionGrid   *grid);
GtkWidget * wf_line_color_add_conversion (WfDialog       *dialog,
                                          WfOptionGrid   *grid);

G_END_DECLS
