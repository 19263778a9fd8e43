/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

extern const WfProcedure wf_remove_small_procedure;
extern const WfProcedure wf_keep_largest_procedure;
extern const WfProcedure wf_expand_labels_procedure;
extern const WfProcedure wf_relabel_procedure;

void wf_label_tools_adapt (WfOperation  operation,
                           gpointer     options);

G_END_DECLS
