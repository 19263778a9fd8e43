/* SPDX-License-Identifier: GPL-3.0-or-later */

/* BigTIFF files in compressed tiles, with overviews, written as the rows of an image come. */

#pragma once

#include "wavefront.h"

typedef struct _TiffBlocks TiffBlocks;

/**
 * TiffPlan:
 * @type: of the pixels
 * @content: what they mean
 * @overviews: whether the file gets copies of half the size, a quarter …
 * @n_threads: that compress
 *
 * How a file is written; its size is that of an image.
 */
typedef struct
{
  WfType    type;
  WfContent content;
  gboolean  overviews;
  guint     n_threads;
} TiffPlan;

guint64      tiff_blocks_get_memory (const TiffPlan *plan,
                                     const WfImage  *model,
                                     guint64         most);
guint64      tiff_blocks_get_size   (const TiffPlan *plan,
                                     const WfImage  *model);
TiffBlocks * tiff_blocks_new        (const TiffPlan *plan,
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
                                    (const TiffPlan *plan,
                                     const WfImage  *image,
                                     int             descriptor,
                                     GError        **error);
void         tiff_blocks_free       (TiffBlocks     *blocks);
