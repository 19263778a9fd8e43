/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contour lines of distance maps.
 *
 * A contour line runs where distances pass a multiple of the step: it is drawn on the pixels whose
 * band, the distance divided by the step and rounded down, is higher than that of one of their four
 * neighbors in the slice.  So a line is one pixel wide, and its pixels have at least the distance
 * of the line.  Infinite distances have no lines.
 */

#include "config.h"

#include <math.h>

#include "engine/core/image.h"


/* NaN means no band. */
static double
find_band (const WfImage *distances,
           gint64         row,
           gint64         x,
           double         step)
{
  gconstpointer pixels = wf_image_row (distances, row);
  double        distance;

  switch (distances->type)
    {
    case WF_TYPE_U64:
      distance = ((const guint64 *) pixels)[x] == G_MAXUINT64
                 ? INFINITY : (double) ((const guint64 *) pixels)[x];
      break;
    case WF_TYPE_F64:
      distance = ((const double *) pixels)[x];
      break;
    default:
      distance = ((const float *) pixels)[x];
      break;
    }
  return isfinite (distance) ? floor (distance / step) : NAN;
}

static void
mark_row (const WfImage *distances,
          gint64         row,
          double         step,
          guint8        *marks)
{
  const gint64   width = distances->width;
  const gint64   y     = row % distances->height;
  const gboolean above = y > 0;
  const gboolean below = y + 1 < distances->height;
  double         left  = NAN;
  double         here  = find_band (distances, row, 0, step);

  for (gint64 x = 0; x < width; x++)
    {
      const double right = x + 1 < width ? find_band (distances, row, x + 1, step) : NAN;

      marks[x] = here > left || here > right ||
                 (above && here > find_band (distances, row - 1, x, step)) ||
                 (below && here > find_band (distances, row + 1, x, step));
      left     = here;
      here     = right;
    }
}

/**
 * wf_distance_mark_contours:
 * @distances: f32, f64 or u64, as wf_distance() makes them, in main memory; squared ones are taken
 *   as they are
 * @row: of @distances, counted through all slices, that the first row of @marks is for
 * @step: between two lines, greater than 0
 * @marks: u8, as wide as @distances, in main memory, with some of their rows: set to 1 on contour
 *   lines, 0 elsewhere
 *
 * Marks contour lines in rows of a distance map, in each slice of a stack; see the top of
 * contours.c for the definition.
 *
 * Time: some nanoseconds for each pixel of @marks, on all processors.
 */
void
wf_distance_mark_contours (const WfImage *distances,
                           gint64         row,
                           double         step,
                           WfImage       *marks)
{
  const gint64 n_rows = marks->height * marks->depth;

  g_return_if_fail (distances->memory == WF_MEMORY_HOST && marks->memory == WF_MEMORY_HOST);
  g_return_if_fail (marks->type == WF_TYPE_U8 && marks->width == distances->width && step > 0);
  g_return_if_fail (row >= 0 && row + n_rows <= distances->height * distances->depth);

#pragma omp parallel for if (wf_image_is_large (marks))
  for (gint64 i = 0; i < n_rows; i++)
    mark_row (distances, row + i, step, wf_image_row (marks, i));
}
