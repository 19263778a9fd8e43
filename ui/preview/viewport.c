/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The part of an image that a view shows: the arithmetic of zooming and panning, without a
 * widget.
 *
 * Lengths in the view are device pixels, so that 1:1 is one pixel of the image for one of
 * the screen, at any density.  The image's corner always lies on a whole device pixel: so
 * at integer zooms all pixels of the image have the same size, and below 1:1 a pixel of the
 * scaled image is one of the screen.
 *
 * An image that is smaller than the view is centred; a larger one always covers the view.
 */

#include "config.h"

#include <math.h>

#include "viewport.h"

/* For comparing zooms and truncating scaled sizes, because of rounding. */
#define TOLERANCE 1e-6

static const double steps[] =
{
  1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6, 1.0 / 4, 1.0 / 3, 1.0 / 2, 1.0 / 1.5,
  1, 1.5, 2, 3, 4, 6, 8, 12, 16
};


static double
fitting_zoom (const WfViewport *viewport)
{
  double zoom = fmin ((double) viewport->view_width  / viewport->image_width,
                      (double) viewport->view_height / viewport->image_height);

  /* enlarged pixels should have the same size, so large zooms are whole numbers */
  if (zoom >= 2 - TOLERANCE)
    return fmin (floor (zoom + TOLERANCE), WF_MAX_ZOOM);
  if (zoom > 1)
    return zoom >= 1.5 ? 1.5 : 1;
  return zoom;
}

/* The smallest zoom shows the whole image. */
static double
clamp_zoom (const WfViewport *viewport,
            double            zoom)
{
  return CLAMP (zoom, fmin (WF_MIN_ZOOM, fitting_zoom (viewport)), WF_MAX_ZOOM);
}

static double
clamp_center (double center,
              int    image_size,
              int    view_size,
              double zoom)
{
  double half = view_size / zoom / 2;

  if (2 * half >= image_size)
    return image_size / 2.0;
  return CLAMP (center, half, image_size - half);
}

/* Returns whether anything has changed. */
static gboolean
place (WfViewport *viewport,
       double      zoom,
       double      center_x,
       double      center_y)
{
  const WfViewport before = *viewport;

  viewport->zoom     = zoom;
  viewport->center_x = clamp_center (center_x, viewport->image_width,
                                     viewport->view_width, zoom);
  viewport->center_y = clamp_center (center_y, viewport->image_height,
                                     viewport->view_height, zoom);
  return before.zoom     != viewport->zoom     ||
         before.center_x != viewport->center_x ||
         before.center_y != viewport->center_y;
}

/**
 * wf_viewport_init:
 * @viewport: set to fit the image into a view of one pixel
 * @image_width: at least 1
 * @image_height: at least 1
 */
void
wf_viewport_init (WfViewport *viewport,
                  int         image_width,
                  int         image_height)
{
  *viewport = (WfViewport)
    {
      .image_width  = MAX (image_width, 1),
      .image_height = MAX (image_height, 1),
      .view_width   = 1,
      .view_height  = 1,
    };
  wf_viewport_fit (viewport);
}

/**
 * wf_viewport_set_view_size:
 * @viewport: a viewport
 * @view_width: in device pixels
 * @view_height: likewise
 *
 * The middle stays in place, and a fitted image is fitted again.
 *
 * Returns: whether the size has changed.
 */
gboolean
wf_viewport_set_view_size (WfViewport *viewport,
                           int         view_width,
                           int         view_height)
{
  view_width  = MAX (view_width, 1);
  view_height = MAX (view_height, 1);
  if (view_width == viewport->view_width && view_height == viewport->view_height)
    return FALSE;

  viewport->view_width  = view_width;
  viewport->view_height = view_height;
  if (viewport->fitting)
    wf_viewport_fit (viewport);
  else
    place (viewport, clamp_zoom (viewport, viewport->zoom),
           viewport->center_x, viewport->center_y);
  return TRUE;
}

/**
 * wf_viewport_fit:
 * @viewport: a viewport
 *
 * Shows the whole image, as large as the view allows; enlarged only by 1.5 and by whole
 * numbers.
 *
 * Returns: whether the shown part has changed.
 */
gboolean
wf_viewport_fit (WfViewport *viewport)
{
  viewport->fitting = TRUE;
  return place (viewport, fitting_zoom (viewport),
                viewport->image_width / 2.0, viewport->image_height / 2.0);
}

/**
 * wf_viewport_zoom_at:
 * @viewport: a viewport
 * @zoom: device pixels for a pixel of the image; clamped
 * @view_x: of the point that stays in place, except for clamping
 * @view_y: likewise
 *
 * Returns: whether the shown part has changed.
 */
gboolean
wf_viewport_zoom_at (WfViewport *viewport,
                     double      zoom,
                     double      view_x,
                     double      view_y)
{
  double x = (view_x - viewport->view_width  / 2.0);
  double y = (view_y - viewport->view_height / 2.0);

  if (! (zoom > 0))
    return FALSE;

  zoom = clamp_zoom (viewport, zoom);
  viewport->fitting = FALSE;
  return place (viewport, zoom,
                viewport->center_x + x / viewport->zoom - x / zoom,
                viewport->center_y + y / viewport->zoom - y / zoom);
}

/**
 * wf_viewport_next_zoom:
 * @viewport: a viewport
 * @direction: 1: larger, -1: smaller
 *
 * Returns: the next of the fixed steps, from 1:16 to 16:1; the present zoom if there is
 *   none.
 */
double
wf_viewport_next_zoom (const WfViewport *viewport,
                       int               direction)
{
  if (direction > 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        if (steps[i] > viewport->zoom * (1 + TOLERANCE))
          return steps[i];
    }
  else
    {
      for (guint i = G_N_ELEMENTS (steps); i-- > 0; )
        if (steps[i] < viewport->zoom * (1 - TOLERANCE))
          return clamp_zoom (viewport, steps[i]);
    }
  return viewport->zoom;
}

/**
 * wf_viewport_pan:
 * @viewport: a viewport
 * @view_dx: how far the image moves to the right, in device pixels
 * @view_dy: how far it moves down
 *
 * Returns: whether the shown part has changed.
 */
gboolean
wf_viewport_pan (WfViewport *viewport,
                 double      view_dx,
                 double      view_dy)
{
  gboolean moved = place (viewport, viewport->zoom,
                          viewport->center_x - view_dx / viewport->zoom,
                          viewport->center_y - view_dy / viewport->zoom);

  viewport->fitting = viewport->fitting && ! moved;
  return moved;
}

/**
 * wf_viewport_get_origin:
 * @viewport: a viewport
 * @x: set to the position of the image's left edge, in device pixels of the view
 * @y: set to that of its upper edge
 */
void
wf_viewport_get_origin (const WfViewport *viewport,
                        gint64           *x,
                        gint64           *y)
{
  *x = llround (viewport->view_width  / 2.0 - viewport->center_x * viewport->zoom);
  *y = llround (viewport->view_height / 2.0 - viewport->center_y * viewport->zoom);
}

/**
 * wf_viewport_to_image:
 * @viewport: a viewport
 * @view_x: in device pixels
 * @view_y: likewise
 * @image_x: set to the point there, in pixels of the image; may be outside of it
 * @image_y: likewise
 */
void
wf_viewport_to_image (const WfViewport *viewport,
                      double            view_x,
                      double            view_y,
                      double           *image_x,
                      double           *image_y)
{
  gint64 x, y;

  wf_viewport_get_origin (viewport, &x, &y);
  *image_x = (view_x - x) / viewport->zoom;
  *image_y = (view_y - y) / viewport->zoom;
}

/**
 * wf_viewport_get_scale:
 * @viewport: a viewport
 *
 * Returns: the scale at which the image is read: the zoom, but at most 1.
 */
double
wf_viewport_get_scale (const WfViewport *viewport)
{
  return fmin (viewport->zoom, 1);
}

/* The visible part of a row of @size scaled pixels, @k device pixels each, and @margin pixels
 * more on each side.
 */
static void
visible_part (gint64  origin,
              int     view_size,
              double  k,
              int     size,
              int     margin,
              int    *start,
              int    *length)
{
  double first = CLAMP (floor (-origin / k + TOLERANCE), 0, size - 1);
  double end   = CLAMP (ceil ((view_size - origin) / k - TOLERANCE), first + 1, size);

  *start  = MAX ((int) first - margin, 0);
  *length = MIN ((int) end + margin, size) - *start;
}

/**
 * wf_viewport_get_region:
 * @viewport: a viewport
 * @margin: pixels beyond the visible part, on each side, clamped to the image
 * @region: set to that part, at the scale of wf_viewport_get_scale()
 */
void
wf_viewport_get_region (const WfViewport *viewport,
                        int               margin,
                        WfPreviewRegion  *region)
{
  double          scale = wf_viewport_get_scale (viewport);
  double          k     = viewport->zoom / scale;
  WfPreviewRegion whole;
  gint64          x, y;

  wf_preview_region_whole (&whole, viewport->image_width, viewport->image_height, scale);
  wf_viewport_get_origin (viewport, &x, &y);
  region->scale = scale;
  region->slice = viewport->slice;
  visible_part (x, viewport->view_width, k, whole.width, margin, &region->x, &region->width);
  visible_part (y, viewport->view_height, k, whole.height, margin, &region->y, &region->height);
}

/**
 * wf_preview_region_whole:
 * @region: set to all of the image
 * @image_width: in pixels
 * @image_height: in pixels
 * @scale: above 0 and at most 1
 *
 * Pixels that the image covers only in part are left out.
 */
void
wf_preview_region_whole (WfPreviewRegion *region,
                         int              image_width,
                         int              image_height,
                         double           scale)
{
  *region = (WfPreviewRegion)
    {
      .scale  = scale,
      .width  = MAX ((int) floor (image_width  * scale + TOLERANCE), 1),
      .height = MAX ((int) floor (image_height * scale + TOLERANCE), 1),
    };
}

/**
 * wf_preview_region_holds:
 * @region: a region
 * @part: another
 *
 * Returns: whether @region contains @part, at the same scale and in the same slice.
 */
gboolean
wf_preview_region_holds (const WfPreviewRegion *region,
                         const WfPreviewRegion *part)
{
  return region->scale == part->scale && region->slice == part->slice &&
         region->x <= part->x && region->x + region->width  >= part->x + part->width &&
         region->y <= part->y && region->y + region->height >= part->y + part->height;
}

/**
 * wf_preview_region_n_pixels:
 * @region: a region
 *
 * Returns: its number of pixels.
 */
gint64
wf_preview_region_n_pixels (const WfPreviewRegion *region)
{
  return (gint64) region->width * region->height;
}

/* In the locale, with at most one decimal place. */
static char *
format_factor (double factor)
{
  double tenths = round (factor * 10);

  if (factor >= 10 || fmod (tenths, 10) == 0)
    return g_strdup_printf ("%.0f", factor);
  return g_strdup_printf ("%.1f", factor);
}

/**
 * wf_zoom_format:
 * @zoom: above 0
 *
 * Returns: (transfer full): the zoom as a ratio: "1:4", "1:1", "3:1".
 */
char *
wf_zoom_format (double zoom)
{
  g_autofree char *factor = format_factor (zoom < 1 ? 1 / zoom : zoom);

  return zoom < 1 ? g_strdup_printf ("1:%s", factor) : g_strdup_printf ("%s:1", factor);
}
