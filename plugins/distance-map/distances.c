/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is made of a distance map: levels, contour lines, the colours of nearest pixels;
 * and the size of a pixel, which it is made from.
 *
 * A contour line runs where distances pass a multiple of the step: it is drawn on the
 * pixel whose band, the distance divided by the step and rounded down, is higher than that
 * of one of its four neighbours.  So a line is one pixel thin, and lies within what is
 * at least so far away.  What is infinitely far has no lines.
 *
 * Rows of a stack are counted on from slice to slice.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "distances.h"


static double
get_distance (const WfImage *distances,
              gsize          i)
{
  guint64 squared;

  switch (distances->type)
    {
    case WF_TYPE_U64:
      squared = ((const guint64 *) distances->data)[i];
      return squared == G_MAXUINT64 ? INFINITY : (double) squared;
    case WF_TYPE_F64:
      return ((const double *) distances->data)[i];
    default:
      return ((const float *) distances->data)[i];
    }
}

/**
 * wf_distances_find_range:
 * @distances: a distance map
 * @minimum: (out): the least finite distance, at most 0
 * @maximum: (out): the largest finite distance, at least 0
 */
void
wf_distances_find_range (const WfImage *distances,
                         double        *minimum,
                         double        *maximum)
{
  gsize n = (gsize) wf_image_n_pixels (distances);

  *minimum = *maximum = 0;
  for (gsize i = 0; i < n; i++)
    {
      double distance = get_distance (distances, i);

      if (! isfinite (distance))
        continue;
      *minimum = MIN (*minimum, distance);
      *maximum = MAX (*maximum, distance);
    }
}

/**
 * wf_distances_get_levels:
 * @distances: a distance map
 * @row: which row
 * @scale: how distances become levels
 * @levels: set
 */
void
wf_distances_get_levels (const WfImage         *distances,
                         gint64                 row,
                         const WfDistanceScale *scale,
                         float                 *levels)
{
  const gsize width = (gsize) distances->width;

  for (gsize x = 0; x < width; x++)
    {
      double distance = get_distance (distances, (gsize) row * width + x);
      double level    = (distance - scale->black) * scale->factor;

      if (scale->whole)
        level = round (level);
      if (scale->whole || scale->clip)
        level = CLAMP (level, 0, scale->white);
      levels[x] = (float) level;
    }
}

/* NaN stands for no band. */
static double
band_of (double distance,
         double step)
{
  return isfinite (distance) ? floor (distance / step) : NAN;
}

/**
 * wf_distances_mark_contours:
 * @distances: a distance map
 * @row: which row
 * @step: from one line to the next, above 0
 * @marks: set: 1 on a line, else 0
 */
void
wf_distances_mark_contours (const WfImage *distances,
                            gint64         row,
                            double         step,
                            guint8        *marks)
{
  const gint64 width = distances->width;
  const gint64 y     = row % distances->height;
  const gsize  start = (gsize) (row * width);

  for (gint64 x = 0; x < width; x++)
    {
      const gsize  i    = start + (gsize) x;
      const double here = band_of (get_distance (distances, i), step);

      marks[x] = (x > 0 && here > band_of (get_distance (distances, i - 1), step)) ||
                 (x + 1 < width && here > band_of (get_distance (distances, i + 1), step)) ||
                 (y > 0 &&
                  here > band_of (get_distance (distances, i - (gsize) width), step)) ||
                 (y + 1 < distances->height &&
                  here > band_of (get_distance (distances, i + (gsize) width), step));
    }
}

/**
 * wf_spacing_from_resolution:
 * @x_per_inch: pixels on an inch, across
 * @y_per_inch: pixels on an inch, down
 * @units_per_inch: how many of the image's unit are an inch
 * @spacing: set to the size of a pixel in that unit; slices are as far apart as columns
 */
void
wf_spacing_from_resolution (double x_per_inch,
                            double y_per_inch,
                            double units_per_inch,
                            double spacing[3])
{
  spacing[0] = units_per_inch / x_per_inch;
  spacing[1] = units_per_inch / y_per_inch;
  spacing[2] = spacing[0];
}

/**
 * wf_nearest_copy_row:
 * @nearest: u64: for each pixel the index of the nearest one
 * @row: which row
 * @pixels: all pixels of the image
 * @size: bytes of one of them
 * @copy: set to the nearest ones of that row; 0 where there is none
 */
void
wf_nearest_copy_row (const WfImage *nearest,
                     gint64         row,
                     const guint8  *pixels,
                     gsize          size,
                     guint8        *copy)
{
  const guint64 *indices = (const guint64 *) nearest->data + row * nearest->width;

  for (gint64 x = 0; x < nearest->width; x++, copy += size)
    if (indices[x] == WF_NEAREST_NONE)
      memset (copy, 0, size);
    else
      memcpy (copy, pixels + indices[x] * size, size);
}
