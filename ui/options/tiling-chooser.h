/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_TILING_CHOOSER (wf_tiling_chooser_get_type ())
G_DECLARE_FINAL_TYPE (WfTilingChooser, wf_tiling_chooser, WF, TILING_CHOOSER, GtkBox)

GtkWidget * wf_tiling_chooser_new      (int              maximum);
void        wf_tiling_chooser_set_size (WfTilingChooser *chooser,
                                        gint64           width,
                                        gint64           height,
                                        gint64           depth);

G_END_DECLS
