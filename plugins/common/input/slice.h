/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "levels.h"
#include "region.h"

G_BEGIN_DECLS

/**
 * WfSlice:
 * @drawable: the drawable
 * @filtered: whether it has visible filters
 * @seen: a copy of its visible pixels, made by wf_slice_copy() if it has filters
 * @left: left edge of @seen in the image
 * @top: upper edge of @seen in the image
 * @opaque: whether its pixels have been read and are all opaque
 *
 * One drawable, open for reading.
 */
typedef struct
{
  GimpDrawable *drawable;
  gboolean      filtered;
  WfPixels      seen;
  int           left;
  int           top;
  gboolean      opaque;
} WfSlice;

void         wf_slice_open            (WfSlice              *slice,
                                       GimpDrawable         *drawable);
gboolean     wf_slice_copy            (WfSlice              *slice,
                                       const GeglRectangle  *part,
                                       GError              **error);
void         wf_slice_close           (WfSlice              *slice);

gboolean     wf_slice_is_copy         (const WfSlice        *slice);
const Babl * wf_slice_get_format      (const WfSlice        *slice);
void         wf_slice_get_bounds      (const WfSlice        *slice,
                                       GeglRectangle        *bounds);
void         wf_slice_open_pixels     (const WfSlice        *slice,
                                       WfPixels             *pixels);

void         wf_slice_read_levels     (WfSlice              *slice,
                                       const WfRegion       *region,
                                       WfComponent           component,
                                       WfImage              *image,
                                       gint64                index);
void         wf_slice_read_parts      (WfSlice              *slice,
                                       const WfRegion       *region,
                                       WfComponent           component,
                                       WfImage              *image,
                                       gint64                index);
void         wf_slice_read_colors     (const WfSlice        *slice,
                                       const WfRegion       *region,
                                       int                   row,
                                       int                   n_rows,
                                       const Babl           *format,
                                       gpointer              pixels);
gboolean     wf_slice_has_alpha       (const WfSlice        *slice);
gboolean     wf_slice_is_transparent  (const WfSlice        *slice);
void         wf_slice_multiply_alpha  (const WfSlice        *slice,
                                       const WfRegion       *region,
                                       int                   row,
                                       int                   n_rows,
                                       float                *coverage);

G_END_DECLS
