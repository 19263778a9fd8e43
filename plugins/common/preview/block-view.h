/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "block-store.h"
#include "ui/preview/viewport.h"

G_BEGIN_DECLS

/**
 * WfBlockView:
 * @store: that has the pixels
 * @slice: which slice
 * @pyramid_level: of the pixels that are read
 * @x: left edge of the view, in such pixels, from the slice's corner
 * @y: upper edge
 * @step: how many such pixels lie under one of the view, along an axis
 * @width: of the view, in its own pixels
 * @height: likewise
 * @columns: of the slice at that level
 * @rows: likewise
 *
 * A region of a slice at any scale.
 */
typedef struct
{
  WfBlockStore *store;
  guint         slice;
  int           pyramid_level;
  double        x;
  double        y;
  double        step;
  int           width;
  int           height;
  int           columns;
  int           rows;
} WfBlockView;

void wf_block_view_init          (WfBlockView           *view,
                                  WfBlockStore          *store,
                                  guint                  slice,
                                  int                    pyramid_level,
                                  const WfRegion        *whole,
                                  const WfPreviewRegion *region);
void wf_block_view_init_in_image (WfBlockView           *view,
                                  WfBlockStore          *store,
                                  guint                  slice,
                                  const WfRegion        *region);
void wf_block_view_fetch         (const WfBlockView     *view,
                                  gboolean               colors,
                                  WfFetch               *fetch);
void wf_block_view_read_levels   (const WfBlockView     *view,
                                  WfImage               *levels,
                                  gint64                 index);
void wf_block_view_read_colors   (const WfBlockView     *view,
                                  guint8                *pixels);

G_END_DECLS
