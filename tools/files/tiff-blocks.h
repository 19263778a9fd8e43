/* SPDX-License-Identifier: GPL-3.0-or-later */

/* BigTIFF files in compressed tiles, written as the rows of an image come. */

#pragma once

#include "wavefront.h"

typedef struct _TiffBlocks TiffBlocks;

guint64      tiff_blocks_get_memory (WfType          type,
                                     const WfImage  *model);
TiffBlocks * tiff_blocks_new        (int             descriptor,
                                     WfType          type,
                                     const WfImage  *model,
                                     GError        **error);
gboolean     tiff_blocks_write      (TiffBlocks     *blocks,
                                     gint64          x,
                                     gint64          y,
                                     gint64          z,
                                     const WfImage  *block,
                                     GError        **error);
gboolean     tiff_blocks_finish     (TiffBlocks     *blocks,
                                     GError        **error);
void         tiff_blocks_free       (TiffBlocks     *blocks);
