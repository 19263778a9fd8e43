/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

GtkWidget * wf_option_widget_new (const WfOption *option,
                                  GObject        *settings,
                                  WfType          type);

G_END_DECLS
