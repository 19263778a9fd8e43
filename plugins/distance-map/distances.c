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

#include <float.h>
#include <math.h>
#include <string.h>

#include "distances.h"


static double
distance_from_squared (guint64 squared)
{
  return squared == G_MAXUINT64 ? INFINITY : (double) squared;
}

static double
get_distance (const WfImage *distances,
              gsize          i)
{
  switch (distances->type)
    {
    case WF_TYPE_U64:
      return distance_from_squared (((const guint64 *) distances->data)[i]);
    case WF_TYPE_F64:
      return ((const double *) distances->data)[i];
    default:
      return ((const float *) distances->data)[i];
    }
}

/* By all processors, and without a branch. */
#define FIND_RANGE(Type, most) \
  G_STMT_START \
    { \
      const Type *pixels  = distances->data; \
      Type        least   = 0; \
      Type        largest = 0; \
\
      _Pragma ("omp parallel for simd schedule(static) reduction(min: least) reduction(max: largest)") \
      for (gsize i = 0; i < n; i++) \
        { \
          Type distance = pixels[i]; \
\
          distance = distance >= -(most) && distance <= (most) ? distance : 0; \
          least    = MIN (least, distance); \
          largest  = MAX (largest, distance); \
        } \
      *minimum = least; \
      *maximum = largest; \
    } \
  G_STMT_END

static void
find_range_of_squares (const guint64 *pixels,
                       gsize          n,
                       double        *maximum)
{
  guint64 largest = 0;

#pragma omp parallel for schedule(static) reduction(max: largest)
  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, pixels[i] == G_MAXUINT64 ? 0 : pixels[i]);
  *maximum = (double) largest;
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
  if (distances->type == WF_TYPE_U64)
    find_range_of_squares (distances->data, n, maximum);
  else if (distances->type == WF_TYPE_F64)
    FIND_RANGE (double, DBL_MAX);
  else
    FIND_RANGE (float, FLT_MAX);
}

/* What is rounded is rounded as by round(), which is not called for every pixel, and without
 * a branch on what no processor can guess.
 */
#define GET_LEVELS(get) \
  for (gsize x = 0; x < width; x++) \
    { \
      double level = ((get) - scale->black) * scale->factor; \
\
      if (limited) \
        { \
          level = level > 0 ? level : 0; \
          level = level < scale->white ? level : scale->white; \
        } \
      if (scale->whole) \
        { \
          gint32 below = (gint32) level; \
\
          levels[x] = (float) (below + (level - (double) below >= 0.5)); \
        } \
      else \
        levels[x] = (float) level; \
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
  const gsize    width   = (gsize) distances->width;
  const gsize    start   = (gsize) row * width;
  const gboolean limited = scale->whole || scale->clip;

  switch (distances->type)
    {
    case WF_TYPE_U64:
      GET_LEVELS (distance_from_squared (((const guint64 *) distances->data)[start + x]))
      break;
    case WF_TYPE_F64:
      GET_LEVELS (((const double *) distances->data)[start + x])
      break;
    default:
      GET_LEVELS (((const float *) distances->data)[start + x])
      break;
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
