/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the engine itself needs of options.c beyond wavefront.h. */

#pragma once

#include "wavefront.h"

gboolean wf_option_group_take (const WfOptionGroup  *group,
                               gconstpointer         options,
                               gpointer              taken,
                               GError              **error);
