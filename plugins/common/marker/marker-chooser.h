/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

GtkWidget * wf_marker_chooser_new              (WfJob      *run,
                                               const char *none);
void        wf_marker_chooser_make_alternative (GtkWidget  *chooser,
                                               GtkWidget  *widget);

G_END_DECLS
