/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "plugins/common/procedure/run.h"
#include "ui/options/tiling-chooser.h"

G_BEGIN_DECLS

GtkWidget * wf_work_forecast_new         (WfJob           *run);
void        wf_work_forecast_report_size (WfJob           *run,
                                          WfTilingChooser *chooser);

G_END_DECLS
