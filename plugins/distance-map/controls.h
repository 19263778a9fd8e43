/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

void wf_distance_controls_add_result (WfDialog     *dialog,
                                      WfOptionGrid *grid);

G_END_DECLS
