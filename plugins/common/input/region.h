/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

/* The share of a pixel from which on it counts as selected. */
#define WF_SELECTED 0.5f

/**
 * WfRegion:
 * @x: left edge, in the drawable
 * @y: upper edge, in the drawable
 * @width: in pixels
 * @height: in pixels
 * @image_x: left edge, in the image
 * @image_y: upper edge, in the image
 * @selection: (nullable): the image's selection, if not all of the region is selected
 * @scale: 1, or less in previews: pixels that are read per pixel of the drawable; all
 *   coordinates and sizes are in pixels that are read
 *
 * The part of a drawable that is processed.
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
  double         scale;
} WfRegion;

gboolean wf_region_init           (WfRegion        *region,
                                   GimpDrawable    *drawable,
                                   gboolean         selected,
                                   GError         **error);
gboolean wf_region_is_valid       (const WfRegion  *region,
                                   GimpDrawable    *drawable,
                                   gboolean         selected);
gboolean wf_region_is_same        (const WfRegion  *region,
                                   const WfRegion  *other);
int      wf_region_to_scale       (const WfRegion  *region,
                                   int              place);
gboolean wf_region_is_covered     (const WfRegion  *region,
                                   GimpDrawable    *drawable);
void     wf_region_read_selection (const WfRegion  *region,
                                   int              row,
                                   int              n_rows,
                                   float           *selected);
gboolean wf_region_read_mask      (const WfRegion  *region,
                                   gint64           depth,
                                   WfImage         *mask,
                                   GError         **error);

G_END_DECLS
