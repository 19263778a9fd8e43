/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is bright and what is dark in an image that is read in blocks. */

#pragma once

#include "arguments.h"

/**
 * BlockForeground:
 * @source: a mask, u8: the pixels of @image that are above @threshold, or those that are not
 */
typedef struct
{
  WfBlockSource        source;
  const WfBlockSource *image;
  double               threshold;
  gboolean             above;
} BlockForeground;

gboolean block_foreground_find_threshold (const WfBlockSource  *image,
                                          const ThresholdWay   *way,
                                          WfProgressFunc        progress,
                                          double               *threshold,
                                          GError              **error);
void     block_foreground_mark           (BlockForeground      *foreground,
                                          const WfBlockSource  *image,
                                          double                threshold,
                                          gboolean              above);
