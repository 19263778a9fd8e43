/* SPDX-License-Identifier: GPL-3.0-or-later */

/* BigTIFF files in compressed tiles, with overviews, written as the rows of an image come. */

#pragma once

#include "tile-blocks.h"

typedef struct _TiffBlocks TiffBlocks;

guint64      tiff_blocks_get_memory (const TilePlan *plan,
                                     const WfImage  *model,
                                     guint64         most);
guint64      tiff_blocks_get_size   (const TilePlan *plan,
                                     const WfImage  *model);
TiffBlocks * tiff_blocks_new        (const TilePlan *plan,
                                     const WfImage  *model,
                                     guint64         most,
                                     int             descriptor,
                                     GError        **error);
gboolean     tiff_blocks_write      (TiffBlocks     *blocks,
                                     gint64          x,
                                     gint64          y,
                                     gint64          z,
                                     const WfImage  *block,
                                     GError        **error);
gboolean     tiff_blocks_finish     (TiffBlocks     *blocks,
                                     GError        **error);
gboolean     tiff_blocks_write_image
                                    (const TilePlan *plan,
                                     const WfImage  *image,
                                     int             descriptor,
                                     GError        **error);
void         tiff_blocks_free       (TiffBlocks     *blocks);
