/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/input/source.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

typedef struct _WfLayerPixels WfLayerPixels;

WfLayerPixels * wf_layer_pixels_new         (GPtrArray      *drawables,
                                             WfType          type,
                                             WfComponent     component,
                                             gboolean        colors);
void            wf_layer_pixels_free        (gpointer        pixels);
guint           wf_layer_pixels_get_n       (WfLayerPixels  *pixels);
gboolean        wf_layer_pixels_are_of      (WfLayerPixels  *pixels,
                                             GPtrArray      *drawables);
void            wf_layer_pixels_get_bounds  (WfLayerPixels  *pixels,
                                             guint           slice,
                                             GeglRectangle  *bounds);

gboolean        wf_layer_pixels_is_begun    (WfLayerPixels  *pixels,
                                             const WfRegion *region);
void            wf_layer_pixels_fetch       (gpointer       *kept,
                                             const WfRegion *region,
                                             WfFetch        *fetch);
void            wf_layer_pixels_invalidate  (gpointer        pixels);

void            wf_layer_pixels_read_levels (WfLayerPixels  *pixels,
                                             guint           slice,
                                             const WfRegion *region,
                                             WfImage        *image,
                                             gint64          index);
void            wf_layer_pixels_read_colors (WfLayerPixels  *pixels,
                                             guint           slice,
                                             const WfRegion *region,
                                             guint8         *colors);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfLayerPixels, wf_layer_pixels_free)

G_END_DECLS
