/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Windows: a stretch of a row and its neighbours, for one type of pixel and one of L2
 * (steps.inc.h).
 */

/* Where pixels at the image's border take part, the stretch is copied, of one of these
 * lengths; elsewhere it is looked at where it lies.
 */
#define WF_SEGMENT 1024
#define WF_EDGE    128

typedef struct
{
  WF_PIXEL level[9][WF_SEGMENT + 2];
  WF_L2    plateau[9][WF_SEGMENT + 2];
} WF_NAME (Window);

/* How many pixels from @x on make one window, up to @end. */
static inline gint64
WF_NAME (segment_length) (gint64 x,
                          gint64 end)
{
  const gint64 left = end - x;

  return x == 0 || left <= WF_EDGE ? MIN (left, WF_EDGE) : MIN (left - WF_EDGE, WF_SEGMENT);
}

/* @n pixels of a row from @point on and one more at either end; outside the image lies
 * the largest level, and nothing to run to.
 */
static void
WF_NAME (copy_row) (const WfFlood     *flood,
                    WfPoint            point,
                    gint64             n,
                    gboolean           plateaux,
                    WF_NAME (Window)  *window,
                    int                number)
{
  const WfShape *shape   = &flood->task->shape;
  WF_PIXEL      *level   = window->level[number];
  WF_L2         *plateau = window->plateau[number];
  const gint64   before  = point.x > 0;
  const gint64   after   = point.x + n < shape->width;
  const gboolean inside  = point.y >= 0 && point.y < shape->height &&
                           point.z >= 0 && point.z < shape->depth;
  const gint64   p       = wf_index_of_point (point, shape) - before;
  const gint64   length  = n + before + after;

  level[0]   = level[n + 1]   = WF_MAXIMUM;
  plateau[0] = plateau[n + 1] = WF_OUTSIDE;
  if (! inside)
    for (gint64 i = 1; i <= n; i++)
      {
        level[i]   = WF_MAXIMUM;
        plateau[i] = WF_OUTSIDE;
      }
  else
    {
      memcpy (level + 1 - before, (const WF_PIXEL *) flood->level + p, length * sizeof (WF_PIXEL));
      if (plateaux)
        memcpy (plateau + 1 - before, (const WF_L2 *) flood->plateau + p, length * sizeof (WF_L2));
    }
}

static WfArrowRow
WF_NAME (start_window) (const WfFlood *flood,
                        gint64         n)
{
  return (WfArrowRow) { .n = n, .n_neighbours = flood->neighbours.n,
                        .last_index = flood->task->last_index };
}

/* The pixels themselves: no neighbour lies outside the image. */
static WfArrowRow
WF_NAME (look_at) (const WfFlood *flood,
                   WfPoint        point,
                   gint64         n)
{
  const WfNeighbourhood *nb      = &flood->neighbours;
  const gint64           p       = wf_index_of_point (point, &flood->task->shape);
  const WF_PIXEL        *level   = (const WF_PIXEL *) flood->level + p;
  const WF_L2           *plateau = (const WF_L2 *) flood->plateau + p;
  WfArrowRow             row     = WF_NAME (start_window) (flood, n);

  row.here    = level;
  row.plateau = plateau;
  for (int i = 0; i < nb->n; i++)
    {
      row.beside[i]         = level + nb->step[i];
      row.plateau_beside[i] = plateau + nb->step[i];
    }
  return row;
}

static WfArrowRow
WF_NAME (copy) (const WfFlood     *flood,
                WfPoint            point,
                gint64             n,
                gboolean           plateaux,
                WF_NAME (Window)  *window)
{
  const WfNeighbourhood *nb     = &flood->neighbours;
  WfArrowRow             row    = WF_NAME (start_window) (flood, n);
  guint                  copied = 1u << 4;

  WF_NAME (copy_row) (flood, point, n, plateaux, window, 4);
  row.here    = window->level[4] + 1;
  row.plateau = window->plateau[4] + 1;
  for (int i = 0; i < nb->n; i++)
    {
      const int     number = (nb->dz[i] + 1) * 3 + nb->dy[i] + 1;
      const WfPoint beside = { point.x, point.y + nb->dy[i], point.z + nb->dz[i] };

      if (! (copied & 1u << number))
        WF_NAME (copy_row) (flood, beside, n, plateaux, window, number);
      copied |= 1u << number;
      row.beside[i]         = window->level[number] + 1 + nb->dx[i];
      row.plateau_beside[i] = window->plateau[number] + 1 + nb->dx[i];
    }
  return row;
}

/* The window of @n pixels from @point on, with L2 if @plateaux; its result is still to
 * be named.
 */
static WfArrowRow
WF_NAME (open_window) (const WfFlood     *flood,
                       WfPoint            point,
                       gint64             n,
                       gboolean           plateaux,
                       WF_NAME (Window)  *window)
{
  const WfBox    image = wf_shape_box (&flood->task->shape);
  const gboolean stack = flood->neighbours.n == 6 || flood->neighbours.n == 26;
  const WfPoint  last  = { point.x + n - 1, point.y, point.z };

  if (wf_point_is_inner (point, &image, stack) && wf_point_is_inner (last, &image, stack))
    return WF_NAME (look_at) (flood, point, n);
  return WF_NAME (copy) (flood, point, n, plateaux, window);
}
