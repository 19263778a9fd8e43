/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters, of images larger than memory. */

#pragma once

#include "engine/core/record.h"

gboolean wf_filter_blocks (const WfBlocksCall  *call,
                           GError             **error);
