/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of widgets, for a person to look at. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void pictures_init     (void);
void pictures_set_dark (gboolean    dark);
void pictures_save     (GtkWidget  *window,
                        const char *name,
                        gboolean    dark);

G_END_DECLS
