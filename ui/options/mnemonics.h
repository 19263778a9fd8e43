/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void wf_mnemonics_make_unique (GtkWidget *window,
                               GtkWidget *content);

G_END_DECLS
