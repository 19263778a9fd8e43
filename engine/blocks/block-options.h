/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/wavefront.h"

gboolean wf_block_options_take (const WfBlockOptions  *options,
                                WfBlockOptions        *taken,
                                GError               **error);
