/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

extern const WfProcedure wf_area_opening_procedure;
extern const WfProcedure wf_area_closing_procedure;
extern const WfProcedure wf_height_opening_procedure;
extern const WfProcedure wf_height_closing_procedure;
extern const WfProcedure wf_volume_opening_procedure;
extern const WfProcedure wf_volume_closing_procedure;

G_END_DECLS
