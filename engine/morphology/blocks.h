/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is built on reconstruction, of images larger than memory. */

#pragma once

#include "engine/core/record.h"

/**
 * WfRegionalBlocks:
 * @image: u8, u16 or f32; NaN is refused
 * @out: takes the marks, u8
 * @maxima: or else minima
 * @wide: whether most of the image is plateaux; it only affects the time
 * @rows: of a band, at most; 0 for no limit but memory
 */
typedef struct
{
  WfContext            *context;
  const WfBlockSource  *image;
  const WfBlockSink    *out;
  int                   connectivity;
  gboolean              maxima;
  gboolean              wide;
  gint64                rows;
} WfRegionalBlocks;

gboolean wf_morphology_blocks (const WfBlocksCall      *call,
                               GError                 **error);
gboolean wf_regional_blocks   (const WfRegionalBlocks  *blocks,
                               GError                 **error);
