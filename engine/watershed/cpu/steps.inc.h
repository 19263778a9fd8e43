/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed's steps for one type of pixel and one of L2.  The including file defines
 * WF_PIXEL, WF_MAXIMUM, WF_L2, WF_UNREACHED, WF_OUTSIDE, WF_STEPS() and WF_NAME().
 */

#include "windows.inc.h"

#include "plateau-distance.inc.h"


/*  Arrows  */

static void
WF_NAME (point_row) (const WfFlood *flood,
                     gint64         x0,
                     gint64         x1,
                     gint64         y,
                     gint64         z)
{
  const WfShape       *shape   = &flood->task->shape;
  const guint32       *markers = flood->markers;
  const WfArrowSteps  *steps   = WF_STEPS ();
  WF_NAME (Window)     window;
  gint64               n;

  if (wf_flood_halo_row (flood, y, z))
    {
      memset (flood->arrows + wf_index_of_point ((WfPoint) { x0, y, z }, shape), WF_ARROW_ROOT,
              x1 - x0);
      return;
    }
  for (gint64 x = x0; x < x1; x += n)
    {
      const WfPoint point  = { x, y, z };
      const gint64  p      = wf_index_of_point (point, shape);
      guint8       *arrows = flood->arrows + p;
      WfArrowRow    row;

      n          = MIN (WF_NAME (segment_length) (x, shape->width), x1 - x);
      row        = WF_NAME (open_window) (flood, point, n, TRUE, &window);
      row.result = arrows;
      steps->point (&row);
      for (gint64 i = 0; markers && i < n; i++)
        {
          const guint8 arrow = arrows[i];

          arrows[i] = markers[p + i] ? WF_ARROW_ROOT : arrow;
        }
    }
}


/*  Lines  */

/* Whether a comes before b in the order (not a marker, L1, L2, index). */
static inline gboolean
WF_NAME (floods_before) (const WfFlood *flood,
                         gint64         a,
                         gint64         b)
{
  const WF_PIXEL *level       = flood->level;
  const WF_L2    *plateau     = flood->plateau;
  const gboolean  a_is_marker = flood->arrows[a] == WF_ARROW_ROOT;
  const gboolean  b_is_marker = flood->arrows[b] == WF_ARROW_ROOT;

  if (a_is_marker != b_is_marker)
    return a_is_marker;
  if (level[a] != level[b])
    return level[a] < level[b];
  return plateau[a] < plateau[b] || (plateau[a] == plateau[b] && a < b);
}

/* Whether a neighbour of another basin was flooded before pixel @p. */
static inline gboolean
WF_NAME (is_on_line) (const WfFlood *flood,
                      const WfBox   *image,
                      WfPoint        point,
                      gint64         p)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const gboolean         stack = wf_is_stack_connectivity (nb->n);
  const gboolean         inner = wf_point_is_inner (point, image, stack);

  for (int i = 0; i < nb->n; i++)
    {
      const gint64 q = p + nb->step[i];

      if ((inner || wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i])) &&
          flood->basins[q] != flood->basins[p] && WF_NAME (floods_before) (flood, q, p))
        return TRUE;
    }
  return FALSE;
}

/* Most pixels have only neighbours of their own basin; a whole stretch is checked for that
 * at once.
 */
static gboolean
WF_NAME (draw_row) (gpointer data,
                    WfRow    row)
{
  const WfFlood *flood = data;
  const WfShape *shape = &flood->task->shape;
  const WfBox    image = wf_shape_box (shape);
  WfPoint        point = { 0, row.number % shape->height, row.number / shape->height };
  gint64         p     = wf_index_of_point (point, shape);
  guint32        differences[STRETCH];

  while (point.x < shape->width)
    {
      const gint64 n = stretch_length (point.x, shape->width);

      find_differences (flood, &image, point, p, n, differences);
      for (gint64 i = 0; i < n; i++, p++, point.x++)
        flood->labels[p] = differences[i] && WF_NAME (is_on_line) (flood, &image, point, p)
                           ? 0 : flood->basins[p];
    }
  return TRUE;
}

static gboolean
WF_NAME (draw_lines) (const WfFlood  *flood,
                      GError        **error)
{
  const WfRows rows = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };

  return wf_run_rows (flood->run, &rows, WF_NAME (draw_row), (gpointer) flood, error);
}

static const WfFloodSteps WF_NAME (flood_steps) =
{
  .start_plateaux     = WF_NAME (start_plateaux),
  .propagate_plateaux = WF_NAME (propagate_plateaux),
  .point_row          = WF_NAME (point_row),
  .draw_lines         = WF_NAME (draw_lines),
};

#undef WF_SEGMENT
#undef WF_EDGE
#undef WF_PIXEL
#undef WF_MAXIMUM
#undef WF_L2
#undef WF_UNREACHED
#undef WF_OUTSIDE
#undef WF_STEPS
#undef WF_NAME
