/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

void wf_history_window_run (const char *procedure,
                            GimpItem   *item,
                            GPtrArray  *calls,
                            GPtrArray  *filters);

G_END_DECLS
