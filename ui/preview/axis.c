/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the pixels of a region map to a view, along one axis.
 *
 * A pixel of the view shows the pixel of the region under its middle.  Lines between two
 * pixels of the region are placed as follows:
 *
 *   - if pixels of the region are larger than those of the view, on the boundary between
 *     them, half on either side, with a width of a quarter of a pixel of the region and at
 *     least one pixel of the view;
 *   - else on the pixel whose neighbour to the right, or below, is different: the pixel
 *     that is marked in a layer with the lines.
 */

#include "config.h"

#include <math.h>

#include "axis.h"

#define TOLERANCE        1e-6
#define LINES_IN_A_PIXEL 4


/* The pixel under @position, of a region with @size pixels from @start on. */
static int
pixel_at (double position,
          int    start,
          int    size)
{
  return (int) CLAMP (floor (position + TOLERANCE) - start, 0, size - 1);
}

static int
line_width_for (double pixel,
                int    least)
{
  return MAX (least, (int) (pixel / LINES_IN_A_PIXEL));
}

/* Sets @across of the pixels of the view on both sides of the boundary at @edge, which lies
 * after the region's pixel @before.
 */
static void
put_line (WfPreviewAxis *axis,
          double         edge,
          int            before,
          int            width)
{
  int start = (int) floor (edge - width / 2.0 + 0.5);

  for (int x = MAX (start, axis->first); x < MIN (start + width, axis->end); x++)
    axis->across[x - axis->first] = axis->here[x - axis->first] == before ? before + 1 : before;
}

static void
put_lines (WfPreviewAxis *axis,
           gint64         origin,
           int            start,
           int            size,
           int            line_width)
{
  int n = axis->end - axis->first;

  if (axis->pixel < 1 + TOLERANCE)
    {
      for (int i = 0; i < n; i++)
        axis->across[i] = axis->here[i] + 1 < size
                          ? (i + 1 < n ? axis->here[i + 1] : axis->here[i] + 1)
                          : axis->here[i];
      return;
    }

  for (int i = axis->here[0] - 1; i <= axis->here[n - 1]; i++)
    if (i >= 0 && i + 1 < size)
      put_line (axis, origin + (start + i + 1) * axis->pixel, i,
                line_width_for (axis->pixel, line_width));
}

static void
init (WfPreviewAxis *axis,
      gint64         origin,
      int            view_size,
      double         pixel,
      int            start,
      int            size,
      int            line_width)
{
  double first = ceil (origin + start * pixel - 0.5 - TOLERANCE);
  double end   = ceil (origin + (start + size) * pixel - 0.5 - TOLERANCE);
  int    n;

  *axis = (WfPreviewAxis) { .pixel = pixel };
  axis->first = (int) CLAMP (first, 0, view_size);
  axis->end   = (int) CLAMP (end, axis->first, view_size);
  n = axis->end - axis->first;
  if (n == 0)
    {
      axis->first = axis->end = 0;
      return;
    }

  axis->here   = g_new (int, n);
  axis->across = g_new (int, n);
  axis->from   = g_new (int, n + 1);
  for (int i = 0; i < n; i++)
    {
      axis->here[i]   = pixel_at ((axis->first + i + 0.5 - origin) / pixel, start, size);
      axis->across[i] = axis->here[i];
      axis->from[i]   = pixel_at ((axis->first + i - origin) / pixel, start, size);
    }
  axis->from[n] = MAX (axis->from[n - 1] + 1,
                       pixel_at ((axis->end - origin) / pixel, start, size + 1));
  put_lines (axis, origin, start, size, line_width);
}

/**
 * wf_preview_axis_init_columns:
 * @axis: to initialize
 * @viewport: what the view shows
 * @region: part of the image
 * @line_width: the minimum width of lines, in pixels of the view
 */
void
wf_preview_axis_init_columns (WfPreviewAxis         *axis,
                              const WfViewport      *viewport,
                              const WfPreviewRegion *region,
                              int                    line_width)
{
  gint64 x, y;

  wf_viewport_get_origin (viewport, &x, &y);
  init (axis, x, viewport->view_width, viewport->zoom / region->scale,
        region->x, region->width, line_width);
}

/**
 * wf_preview_axis_init_rows:
 * @axis: to initialize
 * @viewport: what the view shows
 * @region: part of the image
 * @line_width: the minimum width of lines, in pixels of the view
 */
void
wf_preview_axis_init_rows (WfPreviewAxis         *axis,
                           const WfViewport      *viewport,
                           const WfPreviewRegion *region,
                           int                    line_width)
{
  gint64 x, y;

  wf_viewport_get_origin (viewport, &x, &y);
  init (axis, y, viewport->view_height, viewport->zoom / region->scale,
        region->y, region->height, line_width);
}

/**
 * wf_preview_axis_clear:
 * @axis: an axis
 */
void
wf_preview_axis_clear (WfPreviewAxis *axis)
{
  g_clear_pointer (&axis->here, g_free);
  g_clear_pointer (&axis->across, g_free);
  g_clear_pointer (&axis->from, g_free);
}

/**
 * wf_preview_axis_is_one_to_one:
 * @axis: an axis
 *
 * Returns: whether pixels of the region and of the view have the same size.
 */
gboolean
wf_preview_axis_is_one_to_one (const WfPreviewAxis *axis)
{
  return fabs (axis->pixel - 1) < TOLERANCE;
}
