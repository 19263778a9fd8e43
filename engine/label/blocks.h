/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels of an image in memory by several devices, in the blocks of blocks.c. */

#pragma once

#include "engine/core/context.h"
#include "engine/core/tasks.h"

gboolean wf_label_shared (WfContext             *context,
                          const WfLabelTask     *task,
                          const WfLabelOptions  *options,
                          GError               **error);
