/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>
#include <libgimp/gimp.h>

G_BEGIN_DECLS

void wf_icon_set        (GimpProcedure *procedure);
void wf_icon_set_window (GtkWindow     *window,
                         const char    *procedure);

G_END_DECLS
