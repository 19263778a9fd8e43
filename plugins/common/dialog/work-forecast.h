/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "run.h"
#include "tiling-chooser.h"

G_BEGIN_DECLS

GtkWidget * wf_work_forecast_new       (WfRun           *run);
void        wf_work_forecast_tell_size (WfRun           *run,
                                        WfTilingChooser *chooser);

G_END_DECLS
