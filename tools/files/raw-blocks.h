/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of raw files, read and written where they lie. */

#pragma once

#include "wavefront.h"

/**
 * RawBlocks:
 * @descriptor: of the file; the caller closes it
 * @shared: (nullable): the same file, which several processes write; the caller closes it, too
 * @stored: type of the pixels in the file; f64 is read as f32
 * @width: of the image
 * @height: likewise
 * @offset: bytes before the pixels
 * @rounded: whether f64 was rounded
 */
typedef struct
{
  int         descriptor;
  WfType      stored;
  gint64      width;
  gint64      height;
  gint64      offset;
  gboolean    rounded;
  WfRankFile *shared;
} RawBlocks;

gboolean raw_blocks_share (RawBlocks        *blocks,
                           const char       *path,
                           gboolean          writable,
                           GError          **error);
gboolean raw_blocks_close (RawBlocks        *blocks,
                           GError          **error);
gboolean raw_blocks_read  (RawBlocks        *blocks,
                           gint64            x,
                           gint64            y,
                           gint64            z,
                           WfImage          *block,
                           GError          **error);
gboolean raw_blocks_write (const RawBlocks  *blocks,
                           gint64            x,
                           gint64            y,
                           gint64            z,
                           const WfImage    *block,
                           GError          **error);
