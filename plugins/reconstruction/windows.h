/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

extern const WfProcedure wf_erosion_procedure;
extern const WfProcedure wf_dilation_procedure;
extern const WfProcedure wf_opening_procedure;
extern const WfProcedure wf_closing_procedure;
extern const WfProcedure wf_white_top_hat_procedure;
extern const WfProcedure wf_black_top_hat_procedure;
extern const WfProcedure wf_gradient_procedure;
extern const WfProcedure wf_median_procedure;

G_END_DECLS
