/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

/* Rows that are read or written at once. */
#define WF_STRIP_ROWS 64

/**
 * WfRegion:
 * @x: left edge, in the drawable
 * @y: upper edge, in the drawable
 * @width: in pixels
 * @height: in pixels
 * @image_x: left edge, in the image
 * @image_y: upper edge, in the image
 * @selection: the image's selection, or %NULL where all of the region is selected
 *
 * The part of a drawable that is worked on.
 */
typedef struct
{
  int            x;
  int            y;
  int            width;
  int            height;
  int            image_x;
  int            image_y;
  GimpDrawable  *selection;
} WfRegion;

gboolean     wf_region_init            (WfRegion        *region,
                                        GimpDrawable    *drawable,
                                        GError         **error);
void         wf_region_read_coverage   (const WfRegion  *region,
                                        int              row,
                                        int              n_rows,
                                        float           *coverage);

WfType       wf_pixels_get_type        (GimpDrawable    *drawable);
const Babl * wf_pixels_get_grey_format (GimpDrawable    *drawable,
                                        gboolean         alpha,
                                        WfType           type);
gboolean     wf_pixels_read            (GimpDrawable    *drawable,
                                        int              x,
                                        int              y,
                                        int              width,
                                        int              height,
                                        WfType           type,
                                        WfImage         *image,
                                        GError         **error);

G_END_DECLS
