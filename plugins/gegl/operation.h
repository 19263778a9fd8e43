/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "kind.h"

G_BEGIN_DECLS

void wf_gegl_operation_register   (GTypeModule      *module,
                                   const WfGeglKind *kind);
void wf_gegl_operation_get_color  (GeglOperation    *operation,
                                   float             color[4]);

G_END_DECLS
