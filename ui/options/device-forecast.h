/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_DEVICE_FORECAST (wf_device_forecast_get_type ())
G_DECLARE_FINAL_TYPE (WfDeviceForecast, wf_device_forecast, WF, DEVICE_FORECAST, GtkLabel)

GtkWidget * wf_device_forecast_new      (void);
void        wf_device_forecast_set_work (WfDeviceForecast       *label,
                                         WfOperation             operation,
                                         WfType                  type,
                                         gint64                  width,
                                         gint64                  height,
                                         gint64                  depth,
                                         gconstpointer           options,
                                         const WfContextOptions *context);

char *      wf_device_forecast_describe (const WfForecast       *forecast);

G_END_DECLS
