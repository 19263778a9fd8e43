/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "run.h"

G_BEGIN_DECLS

void        wf_marker_add_arguments            (GimpProcedure  *procedure);
gboolean    wf_marker_recall                   (WfRun          *run,
                                                GError        **error);
void        wf_marker_remember                 (WfRun          *run);
gboolean    wf_marker_read                     (WfRun          *run,
                                                const WfImage  *mask,
                                                WfDirection     by,
                                                double          height,
                                                WfImage        *marker,
                                                GError        **error);

GtkWidget * wf_marker_chooser_new              (WfRun          *run);
void        wf_marker_chooser_make_alternative (GtkWidget      *chooser,
                                                GtkWidget      *widget);

G_END_DECLS
