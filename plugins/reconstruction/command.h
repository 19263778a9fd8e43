/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/script/command-line.h"

G_BEGIN_DECLS

void wf_reconstruct_write_command (WfCommandLine *line);
void wf_filter_write_command      (WfCommandLine *line);

G_END_DECLS
