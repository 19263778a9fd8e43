/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a stroke: those of the lines between its successive points, without holes for
 * either kind of neighbors.
 *
 * A line from (x0, y0) to (x1, y1) takes dx = |x1 − x0| steps along the row and dy = |y1 − y0|
 * along the column, one at a time.  After i of the former and j of the latter the next one is
 * along the row if the middle of the pixel's side there comes first on the way, (2i + 1) dy < (2j
 * + 1) dx, or else along the column.
 *
 * Pixels outside the image are skipped, not walked through: the line starts where it comes in,
 * which the same comparison gives, so that the time is that of the image's width and height.
 */

#include "config.h"

#include "stroke.h"

/**
 * Line:
 * @dx: steps along the row
 * @dy: steps along the column
 */
typedef struct
{
  gint64 dx;
  gint64 dy;
} Line;

/* Steps along the column that were made when step @i along the row is, @i at least 1. */
static gint64
find_down (const Line *line,
           gint64      i)
{
  const gint64 way = (2 * i - 1) * line->dy;

  return way < line->dx ? 0 : (way - line->dx) / (2 * line->dx) + 1;
}

/* Steps along the row that were made when step @j along the column is. */
static gint64
find_across (const Line *line,
             gint64      j)
{
  const gint64 way = (2 * j - 1) * line->dx;

  return way <= line->dy ? 0 : (way - line->dy + 2 * line->dy - 1) / (2 * line->dy);
}

/* The first and the last step at which a coordinate is inside; %FALSE if there is none. */
static gboolean
find_inside (gint64  from,
             gint64  n_steps,
             int     direction,
             gint64  size,
             gint64 *first,
             gint64 *last)
{
  *first = MAX (direction > 0 ? -from : from - (size - 1), 0);
  *last  = MIN (direction > 0 ? size - 1 - from : from, n_steps);
  return *first <= *last;
}

/**
 * wf_stroke_walk:
 * @width: of the image
 * @height: of the image
 * @from: the first pixel, no further than 2²⁶ from the image
 * @to: the last pixel, likewise
 * @visit: called for each pixel of the line in the image
 * @data: for @visit
 *
 * Returns: whether all of the line was visited
 */
gboolean
wf_stroke_walk (gint64              width,
                gint64              height,
                const WfPixelPlace *from,
                const WfPixelPlace *to,
                WfStrokeFunc        visit,
                gpointer            data)
{
  const Line line   = { ABS (to->x - from->x), ABS (to->y - from->y) };
  const int  across = to->x < from->x ? -1 : 1;
  const int  down   = to->y < from->y ? -1 : 1;
  gint64     first_i, last_i, first_j, last_j, i, j;

  if (! find_inside (from->x, line.dx, across, width, &first_i, &last_i) ||
      ! find_inside (from->y, line.dy, down, height, &first_j, &last_j))
    return TRUE;
  i = first_i;
  j = first_i > 0 ? find_down (&line, first_i) : 0;
  if (j < first_j)
    {
      i = find_across (&line, first_j);
      j = first_j;
    }
  while (i <= last_i && j <= last_j)
    {
      if (i >= first_i && ! visit (from->x + across * i, from->y + down * j, data))
        return FALSE;
      if (i == line.dx && j == line.dy)
        break;
      if ((2 * i + 1) * line.dy < (2 * j + 1) * line.dx)
        i++;
      else
        j++;
    }
  return TRUE;
}

/**
 * wf_stroke_walk_all:
 * @width: of the image
 * @height: of the image
 * @points: (array length=n_points): of the stroke
 * @n_points: how many they are; one is a stroke of a pixel
 * @visit: called for each pixel of the stroke in the image, for some of them more than once
 * @data: for @visit
 */
void
wf_stroke_walk_all (gint64              width,
                    gint64              height,
                    const WfPixelPlace *points,
                    guint               n_points,
                    WfStrokeFunc        visit,
                    gpointer            data)
{
  for (guint i = 0; i + 1 < MAX (n_points, 2); i++)
    if (! wf_stroke_walk (width, height, &points[i], &points[MIN (i + 1, n_points - 1)], visit,
                          data))
      return;
}
