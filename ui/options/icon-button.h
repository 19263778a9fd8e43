/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget * wf_icon_button_fill (GtkWidget  *button,
                                 const char *icon,
                                 const char *name);

G_END_DECLS
