/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "block.h"
#include "plugins/common/input/conversions.h"
#include "plugins/common/input/source.h"

G_BEGIN_DECLS

/**
 * WfBlockPixels:
 * @slice: where the pixels are; %NULL before the first of them is asked for
 * @bounds: of it, at the place that counts for the source
 * @format: of it
 * @scaled: whether GIMP gives scaled pixels of it, and full-size ones as filters leave them
 * @conversions: to levels and to colours
 *
 * Where blocks of a slice come from.
 */
typedef struct
{
  WfSlice       *slice;
  GeglRectangle  bounds;
  const Babl    *format;
  gboolean       scaled;
  WfConversions *conversions;
  /*< private >*/
  WfPixels       tiles;
  GByteArray    *scratch;
} WfBlockPixels;

gboolean      wf_block_pixels_have_thumbnails (void);

void          wf_block_pixels_init            (WfBlockPixels       *pixels,
                                               const WfSource      *source,
                                               guint                slice,
                                               gboolean             scaled,
                                               const Babl          *colors,
                                               WfConversions       *like);
void          wf_block_pixels_clear           (WfBlockPixels       *pixels);

gboolean      wf_block_pixels_can_be_read     (const WfBlockPixels *pixels);
gboolean      wf_block_pixels_are_valid       (const WfBlockPixels *pixels);
void          wf_block_pixels_touch           (WfBlockPixels       *pixels,
                                               int                  pyramid_level,
                                               int                  x,
                                               int                  y);
gboolean      wf_block_pixels_read            (WfBlockPixels       *pixels,
                                               int                  pyramid_level,
                                               const GeglRectangle *part,
                                               WfBlock             *block);
gconstpointer wf_block_pixels_get             (WfBlockPixels       *pixels,
                                               const GeglRectangle *part);
void          wf_block_pixels_release         (WfBlockPixels       *pixels);

G_END_DECLS
