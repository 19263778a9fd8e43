/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

void wf_flooded_picture_add_arguments (GimpProcedure *procedure);
void wf_flooded_picture_add_control   (WfDialog      *dialog,
                                       WfOptionGrid  *grid);

G_END_DECLS
