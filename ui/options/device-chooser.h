/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_DEVICE_CHOOSER (wf_device_chooser_get_type ())
G_DECLARE_FINAL_TYPE (WfDeviceChooser, wf_device_chooser, WF, DEVICE_CHOOSER, GtkComboBox)

GtkWidget  * wf_device_chooser_new             (void);
GtkWidget  * wf_device_chooser_new_for_devices (GPtrArray       *devices);
const char * wf_device_chooser_get_device      (WfDeviceChooser *chooser);
void         wf_device_chooser_set_device      (WfDeviceChooser *chooser,
                                                const char      *device);

G_END_DECLS
