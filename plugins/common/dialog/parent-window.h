/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void wf_parent_window_check (GtkWidget *window);

G_END_DECLS
