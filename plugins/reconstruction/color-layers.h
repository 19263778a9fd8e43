/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

void     wf_color_layer_add  (WfJob          *run,
                              const char     *name,
                              const char     *value,
                              gboolean        next,
                              const WfImage   components[3]);
gboolean wf_color_layers_run (WfJob          *run,
                              GError        **error);

G_END_DECLS
