/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "viewport.h"

G_BEGIN_DECLS

/**
 * WfPreviewAxis:
 * @first: the first pixel of the view that the region covers
 * @end: the first after those
 * @pixel: device pixels for a pixel of the region
 * @here: for each pixel of the view from @first on the pixel of the region that it shows
 * @across: likewise, the pixel on the other side if it lies on a line between two pixels;
 *   else the same as @here
 * @from: likewise, the first pixel of the region under it; with one more at the end
 *
 * How the columns, or the rows, of a region map to a view.
 */
typedef struct
{
  int     first;
  int     end;
  double  pixel;
  int    *here;
  int    *across;
  int    *from;
} WfPreviewAxis;

void     wf_preview_axis_init_columns  (WfPreviewAxis         *axis,
                                        const WfViewport      *viewport,
                                        const WfPreviewRegion *region,
                                        int                    line_width);
void     wf_preview_axis_init_rows     (WfPreviewAxis         *axis,
                                        const WfViewport      *viewport,
                                        const WfPreviewRegion *region,
                                        int                    line_width);
void     wf_preview_axis_clear         (WfPreviewAxis         *axis);
gboolean wf_preview_axis_is_one_to_one (const WfPreviewAxis   *axis);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPreviewAxis, wf_preview_axis_clear)

G_END_DECLS
