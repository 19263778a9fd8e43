/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L1 of a watershed in bands, where it is not the image itself (band-levels.c). */

#pragma once

#include "blocks.h"

gboolean wf_band_levels_make   (WfFloodBlocks        *blocks,
                                GError              **error);
guint64  wf_band_levels_memory (const WfFloodBlocks  *blocks);
