/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in blocks with dark and bright exchanged, as they are read and written. */

#pragma once

#include "wavefront.h"

/**
 * BlockInverse:
 * @source: the inverted levels of an image
 * @sink: takes and gives inverted levels of a result
 *
 * It is used through its members, so it stays where it was made, as long as they are in use.
 */
typedef struct
{
  WfBlockSource        source;
  WfBlockSink          sink;
  /*< private >*/
  const WfBlockSource *image;
  const WfBlockSink   *result;
} BlockInverse;

void block_inverse_init (BlockInverse         *inverse,
                         const WfBlockSource  *image,
                         const WfBlockSink    *result);
