/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "pixels.h"
#include "region.h"

G_BEGIN_DECLS

/**
 * WfSlice:
 * @drawable: what is worked on
 * @pixels: what has its pixels as they are seen: @drawable, or where it has filters a
 *   copy with these applied
 * @copy: the image that holds the copy, or %NULL
 * @opaque: whether its pixels have been read and are all opaque
 *
 * One drawable, open for reading.
 */
typedef struct
{
  GimpDrawable *drawable;
  GimpDrawable *pixels;
  GimpImage    *copy;
  gboolean      opaque;
} WfSlice;

void     wf_slice_open            (WfSlice         *slice,
                                   GimpDrawable    *drawable);
void     wf_slice_close           (WfSlice         *slice);

void     wf_slice_read_levels     (WfSlice         *slice,
                                   const WfRegion  *region,
                                   WfComponent      component,
                                   WfImage         *image,
                                   gint64           index);
void     wf_slice_read_colors     (const WfSlice   *slice,
                                   const WfRegion  *region,
                                   int              row,
                                   int              n_rows,
                                   const Babl      *format,
                                   gpointer         pixels);
void     wf_slice_pick_colors     (const WfSlice   *slice,
                                   const WfRegion  *region,
                                   int              row,
                                   int              n_rows,
                                   const Babl      *format,
                                   gpointer         pixels);
gboolean wf_slice_has_alpha       (const WfSlice   *slice);
gboolean wf_slice_is_transparent  (const WfSlice   *slice);
void     wf_slice_multiply_alpha  (const WfSlice   *slice,
                                   const WfRegion  *region,
                                   int              row,
                                   int              n_rows,
                                   float           *coverage);

G_END_DECLS
