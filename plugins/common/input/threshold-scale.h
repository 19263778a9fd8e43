/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

void     wf_threshold_scale_add_argument (GimpProcedure       *procedure);
void     wf_threshold_scale_recall       (WfJob               *run);
void     wf_threshold_scale_remember     (WfJob               *run,
                                          GimpProcedureConfig *config);

gboolean wf_threshold_scale_is_linear    (WfJob               *run);
double   wf_threshold_scale_encode       (double               level,
                                          gpointer             run);

G_END_DECLS
