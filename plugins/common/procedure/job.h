/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "run.h"

G_BEGIN_DECLS

void             wf_job_begin        (WfJob         *run,
                                      GimpProcedure *procedure);
void             wf_job_clear        (WfJob         *run);
void             wf_job_make_changes (WfJob         *run);
const WfSource * wf_job_get_source   (GimpImage     *image);

G_END_DECLS
