/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers on objects: white with a dark edge, so that they are read on any picture. */

#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * WfPreviewNumber:
 * @x: of the middle, in pixels of the image, from the left edge of its first pixel
 * @y: likewise
 * @radius: of the circle around it inside the object, likewise
 * @number: what is written there
 *
 * The number of an object.
 */
typedef struct
{
  double  x;
  double  y;
  double  radius;
  guint32 number;
} WfPreviewNumber;

double wf_number_find_size (cairo_t  *cr,
                            guint32   number,
                            double    radius);
void   wf_number_get_box   (cairo_t  *cr,
                            guint32   number,
                            double    size,
                            double   *width,
                            double   *height);
void   wf_number_draw      (cairo_t  *cr,
                            guint32   number,
                            double    x,
                            double    y,
                            double    size);

G_END_DECLS
