/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* About the size of a scale's handle; themes draw it larger than GtkRange reports. */
#define WF_SCALE_HANDLE 24

void wf_scale_drag_add (GtkScale *scale);

G_END_DECLS
