/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "blocks.h"

guint64  wf_reconstruct_rounds_memory (const WfRim                *rim);
gboolean wf_reconstruct_rounds        (const WfReconstructBlocks  *blocks,
                                       const WfBands              *bands,
                                       const WfImage              *mask,
                                       WfImage                    *levels,
                                       gboolean                   *settled,
                                       GError                    **error);
