/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Device pixels for a pixel of the image. */
#define WF_MIN_ZOOM (1.0 / 16)
#define WF_MAX_ZOOM 16.0

/**
 * WfPreviewRegion:
 * @scale: pixels for a pixel of the image, above 0 and at most 1
 * @x: left edge, in pixels of the scaled image
 * @y: upper edge
 * @width: in pixels of the scaled image
 * @height: likewise
 * @slice: of a stack: the slice, from 0
 *
 * A part of the image at a scale: its pixel (i, j) covers the image from
 * ((@x + i) / @scale, (@y + j) / @scale) on, 1 / @scale wide and high.
 */
typedef struct
{
  double scale;
  int    x;
  int    y;
  int    width;
  int    height;
  int    slice;
} WfPreviewRegion;

/**
 * WfViewport:
 * @image_width: of the whole image, in pixels
 * @image_height: likewise
 * @view_width: of the view, in device pixels
 * @view_height: likewise
 * @zoom: device pixels for a pixel of the image
 * @center_x: the point in the middle of the view, in pixels of the image
 * @center_y: likewise
 * @fitting: whether the image is fitted again when the view changes its size
 * @slice: of a stack: the shown slice
 *
 * The part of an image that a view shows.
 */
typedef struct
{
  int      image_width;
  int      image_height;
  int      view_width;
  int      view_height;
  double   zoom;
  double   center_x;
  double   center_y;
  gboolean fitting;
  int      slice;
} WfViewport;

void     wf_viewport_init           (WfViewport            *viewport,
                                     int                    image_width,
                                     int                    image_height);
gboolean wf_viewport_set_view_size  (WfViewport            *viewport,
                                     int                    view_width,
                                     int                    view_height);
gboolean wf_viewport_fit            (WfViewport            *viewport);
gboolean wf_viewport_zoom_at        (WfViewport            *viewport,
                                     double                 zoom,
                                     double                 view_x,
                                     double                 view_y);
double   wf_viewport_next_zoom      (const WfViewport      *viewport,
                                     int                    direction);
gboolean wf_viewport_pan            (WfViewport            *viewport,
                                     double                 view_dx,
                                     double                 view_dy);

void     wf_viewport_get_origin     (const WfViewport      *viewport,
                                     gint64                *x,
                                     gint64                *y);
void     wf_viewport_to_image       (const WfViewport      *viewport,
                                     double                 view_x,
                                     double                 view_y,
                                     double                *image_x,
                                     double                *image_y);
double   wf_viewport_get_scale      (const WfViewport      *viewport);
void     wf_viewport_get_region     (const WfViewport      *viewport,
                                     int                    margin,
                                     WfPreviewRegion       *region);

void     wf_preview_region_whole    (WfPreviewRegion       *region,
                                     int                    image_width,
                                     int                    image_height,
                                     double                 scale);
gboolean wf_preview_region_holds    (const WfPreviewRegion *region,
                                     const WfPreviewRegion *part);
gint64   wf_preview_region_n_pixels (const WfPreviewRegion *region);
char *   wf_zoom_format             (double                 zoom);

G_END_DECLS
