/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "block.h"
#include "plugins/common/input/conversions.h"
#include "plugins/common/input/slice.h"

G_BEGIN_DECLS

/**
 * WfBlockPixels:
 * @slice: what is read; %NULL until it is set up
 * @bounds: its size, and its place in the image
 * @format: of its pixels
 * @scaled: whether GIMP gives scaled pixels of it, and full-size ones with its filters
 * @conversions: to levels and to colors
 *
 * The pixels of a slice, at any level of the pyramid.
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
                                               WfSlice             *slice,
                                               WfType               type,
                                               WfComponent          component,
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
