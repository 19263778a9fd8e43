/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "run.h"

G_BEGIN_DECLS

const WfOptionGroup * wf_memory_limit_get_options (void);
gboolean              wf_memory_limit_choose      (WfJob   *run,
                                                   GError **error);

G_END_DECLS
