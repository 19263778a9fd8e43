/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

extern const WfProcedure wf_threshold_procedure;

G_END_DECLS
