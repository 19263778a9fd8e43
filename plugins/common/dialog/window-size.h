/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "dialog.h"

G_BEGIN_DECLS

/* The height of a dialog that fits a small screen. */
#define WF_WINDOW_HIGHEST 720

/**
 * WfWindowParts:
 * @window: of the dialog
 * @columns: the paned widget of controls and preview
 * @pane: the preview with its controls
 * @image: width and height of what is previewed
 *
 * What the size of a dialog depends on.
 */
typedef struct
{
  GtkWidget *window;
  GtkWidget *columns;
  GtkWidget *pane;
  int        image[2];
} WfWindowParts;

void wf_window_get_room   (int                 *width,
                           int                 *height);
void wf_window_set_size   (const WfWindowParts *parts,
                           const char          *name);
void wf_window_keep_size  (const WfWindowParts *parts,
                           const char          *name);

G_END_DECLS
