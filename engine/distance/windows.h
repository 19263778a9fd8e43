/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A large distance map in windows, where distances are short. */

#pragma once

#include "engine/core/tasks.h"

gboolean wf_distance_windows (WfContext             *context,
                              const WfDistanceTask  *task,
                              const char            *algorithm,
                              gboolean              *done,
                              GError               **error);
