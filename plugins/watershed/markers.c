/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that were set as points: each is one marker of a single pixel. */

#include "config.h"

#include <math.h>

#include "markers.h"


/**
 * wf_point_markers_draw:
 * @points: x and y of each point, in pixels of the image
 * @n_points: the number of points
 * @left: left edge of @labels in the image
 * @top: upper edge of @labels in the image
 * @labels: u32, a 2-D image, all 0; set to 1, 2, … at the points, in their order
 *
 * Ignores points outside @labels, and points on a pixel that already has one.
 *
 * Returns: the number of markers
 */
guint32
wf_point_markers_draw (const double *points,
                       gsize         n_points,
                       double        left,
                       double        top,
                       WfImage      *labels)
{
  guint32 n = 0;

  for (gsize i = 0; i < n_points; i++)
    {
      double   x = floor (points[2 * i] - left);
      double   y = floor (points[2 * i + 1] - top);
      guint32 *label;

      if (! (x >= 0 && y >= 0 && x < labels->width && y < labels->height))
        continue;

      label = (guint32 *) labels->data + (gint64) y * labels->row_stride + (gint64) x;
      if (*label == 0)
        *label = ++n;
    }
  return n;
}
