/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

char * wf_threshold_propose (WfJob         *run,
                             const WfImage *levels,
                             double         scale,
                             gboolean      *dark);

G_END_DECLS
