/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the tests of the preview's painters: views, surfaces and random levels. */

#pragma once

#include <math.h>

#include "ui/preview/painter.h"
#include "ui/preview/pixels.h"

G_BEGIN_DECLS

#define CHECK 8

#define OPAQUE(color) (0xff000000u | (color))


static inline cairo_surface_t *
make_surface (const WfViewport *viewport)
{
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                     viewport->view_width, viewport->view_height);
}

static inline guint32
pixel_of (cairo_surface_t *surface,
          int              x,
          int              y)
{
  return wf_surface_row (surface, y)[x];
}

/* A view of an image of this size at @zoom. */
static inline WfViewport
make_view (int    image_width,
           int    image_height,
           int    view_width,
           int    view_height,
           double zoom)
{
  WfViewport viewport;

  wf_viewport_init (&viewport, image_width, image_height);
  wf_viewport_set_view_size (&viewport, view_width, view_height);
  wf_viewport_zoom_at (&viewport, zoom, 0, 0);
  return viewport;
}

/* The column and row of the image's pixel under a pixel of the view. */
static inline gboolean
image_pixel_at (const WfViewport *viewport,
                int               x,
                int               y,
                int              *column,
                int              *row)
{
  double image_x, image_y;

  wf_viewport_to_image (viewport, x + 0.5, y + 0.5, &image_x, &image_y);
  *column = (int) floor (image_x + 1e-6);
  *row    = (int) floor (image_y + 1e-6);
  return *column >= 0 && *row >= 0 &&
         *column < viewport->image_width && *row < viewport->image_height;
}

static inline void
fill_random (WfImage *image)
{
  for (gint64 i = 0; i < wf_image_n_pixels (image); i++)
    switch (image->type)
      {
      case WF_TYPE_U8:
        ((guint8 *) image->data)[i] = (guint8) g_test_rand_int ();
        break;
      case WF_TYPE_U16:
        ((guint16 *) image->data)[i] = (guint16) g_test_rand_int ();
        break;
      default:
        ((float *) image->data)[i] = (float) g_test_rand_double_range (-1, 2);
      }
}

static inline double
level_of (const WfImage *image,
          gint64         i)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) image->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) image->data)[i];
    default:
      return ((const float *) image->data)[i];
    }
}

G_END_DECLS
