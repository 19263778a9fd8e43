/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the pixels of a preview come from, as the dialog defines it. */

#pragma once

#include "wavefront.h"

#include "fetch.h"
#include "viewport.h"

G_BEGIN_DECLS

/* The levels; for an operation on two images (a marker) the second one; a mask, if not all pixels
 * count; and levels that are only measured.  Of an operation in colors also red, green, blue and,
 * if there is any, alpha; and red, green and blue of the second image.
 */
#define WF_PREVIEW_N_INPUTS   11
#define WF_PREVIEW_COMPONENTS 4
#define WF_PREVIEW_ALPHA      7
#define WF_PREVIEW_SECOND     8

/* Images of up to this many pixels are read, kept and computed on as a whole. */
#define WF_PREVIEW_WHOLE_LIMIT (G_GINT64_CONSTANT (1) << 21)

/**
 * WfPreviewPart:
 * @WF_PREVIEW_COLORS: what read_colors() of a source reads
 * @WF_PREVIEW_INPUTS: what read_inputs() reads
 *
 * What is wanted of a region.
 */
typedef enum
{
  WF_PREVIEW_COLORS,
  WF_PREVIEW_INPUTS
} WfPreviewPart;

/**
 * WfPreviewSource:
 * @width: of the image, in pixels
 * @height: of the image, in pixels
 * @read_colors: reads a region for showing: R, G, B, A of 8 bits, not premultiplied, rows
 *   without gaps between them
 * @read_inputs: reads a region for computing: allocates the first of @inputs, and the
 *   second if the computation has two, by wf_image_allocate() with the region's size, and
 *   fills them; likewise the third, u8, 0 where pixels do not count, if there are such, and
 *   the fourth, if other levels are measured, and the others for an operation in colors; all are
 *   zero before
 * @fetch: (nullable): fetches some of a region whose pixels take long to come; a region
 *   is read only once it is complete, except that colors may be read before: missing
 *   pixels are transparent
 * @invalidate: (nullable): marks the fetched pixels as possibly outdated: they stay until
 *   @fetch, which exists then, has fetched them again.  Returns %FALSE if nothing is to be
 *   fetched again, because the preview was given another source
 * @has_changed: of a source with @invalidate: whether anything that was fetched again since
 *   then may be different
 * @n_slices: of a stack; 0 as 1
 * @slice: of a stack: the slice that is shown first
 *
 * Where pixels come from.  The functions are called in the main thread, whenever the view
 * needs other pixels, with a scale of up to 1.  A pixel of a scaled region should be the
 * mean of those under it; array.h does this for pixels in memory.
 */
typedef struct
{
  int        width;
  int        height;
  gboolean (* read_colors) (const WfPreviewRegion  *region,
                            guint8                 *pixels,
                            gpointer                data,
                            GError                **error);
  gboolean (* read_inputs) (const WfPreviewRegion  *region,
                            WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                            gpointer                data,
                            GError                **error);
  gboolean (* fetch)       (const WfPreviewRegion  *region,
                            WfPreviewPart           part,
                            WfFetch                *fetch,
                            gpointer                data,
                            GError                **error);
  gboolean (* invalidate)  (gpointer                data);
  gboolean (* has_changed) (WfPreviewPart           part,
                            gpointer                data);
  int        n_slices;
  int        slice;
} WfPreviewSource;

G_END_DECLS
