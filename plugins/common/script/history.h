/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "call.h"

G_BEGIN_DECLS

GPtrArray * wf_history_read    (GimpItem        *item,
                                GError         **error);
char *      wf_history_to_json (GPtrArray       *calls);

void        wf_history_begin   (WfJob           *run);
void        wf_history_add     (WfJob           *run,
                                const WfSource  *source,
                                GimpItem        *item);

G_END_DECLS
