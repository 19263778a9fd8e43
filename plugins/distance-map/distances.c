/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversions of a distance map: to levels, contour lines and the colours of nearest pixels.
 *
 * Rows are counted through all slices of a stack.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "distances.h"
#include "plugins/common/swap/swap.h"
#include "ui/options/level-fraction.h"


static double
distance_from_squared (guint64 squared)
{
  return squared == G_MAXUINT64 ? INFINITY : (double) squared;
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
  *minimum = *maximum = 0;
  WF_FOR_PARTS (part, distances)
    {
      const WfImage view = wf_swap_view (distances, &part);
      double        least;
      double        largest;

      wf_image_find_range (&view, &least, &largest);
      *minimum = MIN (*minimum, least);
      *maximum = MAX (*maximum, largest);
    }
}

/**
 * wf_distance_scale_init:
 * @scale: set
 * @minimum: the least finite distance of the map
 * @maximum: the largest finite one
 * @clipped: the distance that becomes white in clipped output
 * @output: the kind of levels
 * @type: of the levels
 *
 * In a normalized map without any background all distances are infinite, so all pixels are white.
 */
void
wf_distance_scale_init (WfDistanceScale   *scale,
                        double             minimum,
                        double             maximum,
                        double             clipped,
                        WfDistancesOutput  output,
                        WfType             type)
{
  *scale = (WfDistanceScale) {
    .factor = 1,
    .white  = wf_level_maximum (type),
    .whole  = type != WF_TYPE_F32,
    .clip   = output == WF_DISTANCES_CLIPPED,
  };
  if (output == WF_DISTANCES_NORMALIZED && maximum > minimum)
    {
      scale->black  = minimum;
      scale->factor = scale->white / (maximum - minimum);
    }
  if (output == WF_DISTANCES_CLIPPED)
    scale->factor = scale->white / clipped;
}

/* Rounds as round() does, without a call for every pixel, and without an unpredictable
 * branch.
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
 * @row: index of the row
 * @scale: from distances to levels
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

/**
 * wf_distances_mark_contours:
 * @distances: a distance map
 * @row: index of the row
 * @step: between two lines, greater than 0
 * @marks: set: 1 on a line, else 0
 */
void
wf_distances_mark_contours (const WfImage *distances,
                            gint64         row,
                            double         step,
                            guint8        *marks)
{
  WfImage image;

  wf_image_init (&image, WF_TYPE_U8, distances->width, 1, 1, marks, NULL);
  wf_distance_mark_contours (distances, row, step, &image);
}

/**
 * wf_nearest_copy_row:
 * @nearest: u64: for each pixel the index of the nearest pixel
 * @row: index of the row
 * @pixels: all pixels of the image
 * @size: of a pixel, in bytes
 * @copy: set to the nearest pixels of the row; 0 if there is none
 */
void
wf_nearest_copy_row (const WfImage *nearest,
                     gint64         row,
                     const guint8  *pixels,
                     gsize          size,
                     guint8        *copy)
{
  const guint64 *indices = (const guint64 *) nearest->data + row * nearest->width;
  WfReach        reach   = { 0 };

  for (gint64 x = 0; x < nearest->width; x++, copy += size)
    if (indices[x] == WF_NEAREST_NONE)
      memset (copy, 0, size);
    else
      {
        wf_swap_reach (&reach, indices[x] * size);
        memcpy (copy, pixels + indices[x] * size, size);
      }
  wf_swap_reach_end (&reach);
}
