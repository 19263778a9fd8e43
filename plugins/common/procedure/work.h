/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "run.h"

G_BEGIN_DECLS

gboolean wf_job_work (WfJob   *run,
                      GError **error);

G_END_DECLS
