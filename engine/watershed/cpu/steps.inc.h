/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed's steps for one type of pixel and one of L2, which the including file
 * gives as WF_PIXEL, WF_MAXIMUM, WF_L2, WF_UNREACHED, WF_OUTSIDE, WF_STEPS() and
 * WF_NAME().
 */


/*  Windows: a stretch of a row and its neighbours  */

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
  const gboolean stack = wf_is_stack_connectivity (flood->neighbours.n);
  const WfPoint  last  = { point.x + n - 1, point.y, point.z };

  if (wf_point_is_inner (point, &image, stack) && wf_point_is_inner (last, &image, stack))
    return WF_NAME (look_at) (flood, point, n);
  return WF_NAME (copy) (flood, point, n, plateaux, window);
}


/*  L2: distance into a plateau  */

typedef struct
{
  const WF_PIXEL *level;
  WF_L2          *plateau;
  int            *too_wide;
} WF_NAME (State);

/* The last distance before WF_OUTSIDE is not told from greater ones. */
static inline gboolean
WF_NAME (is_full) (const WF_NAME (State) *state,
                   WF_L2                  distance)
{
  if (G_LIKELY (distance < WF_OUTSIDE - 1))
    return FALSE;
  __atomic_store_n (state->too_wide, TRUE, __ATOMIC_RELAXED);
  return TRUE;
}

#define WF_STATE WF_NAME (State)
#define WF_CHANGES(s, p, q) \
  ((s)->plateau[p] < (s)->plateau[q] && (s)->plateau[q] - (s)->plateau[p] > 1 && \
   (s)->level[p] == (s)->level[q] && ! WF_NAME (is_full) (s, (s)->plateau[p]))
#define WF_CHANGE(s, p, q) ((s)->plateau[q] = (s)->plateau[p] + 1)
#define WF_URGENCY(s, p, q) (G_MAXUINT32 - (s)->plateau[p])

#include "engine/propagation/wavefront.inc.h"

typedef struct
{
  const WfFlood      *flood;
  const WfArrowSteps *arrows;
  WF_NAME (Front)     front;
  WfFifo             *queues;
} WF_NAME (Job);

/* Reaches and queues the pixels of a stretch that are marked. */
static gboolean
WF_NAME (queue_marked) (const WF_NAME (Job)  *job,
                        gint64                p,
                        const guint8         *marks,
                        gint64                n,
                        WfFifo               *queue,
                        GError              **error)
{
  WF_L2 *plateau = job->front.state->plateau;

  for (gint64 start = 0; start < n; start += 8)
    {
      guint64 eight;

      memcpy (&eight, marks + start, sizeof eight);
      if (eight == 0)
        continue;
      for (gint64 i = start; i < MIN (start + 8, n); i++)
        if (marks[i])
          {
            plateau[p + i] = 1;
            if (! wf_fifo_push (queue, p + i, error))
              return FALSE;
          }
    }
  return TRUE;
}

/* The first ring inside each plateau; most pixels lie on none. */
static gboolean
WF_NAME (queue_ring) (const WF_NAME (Job)  *job,
                      const WfBox          *box,
                      WfFifo               *queue,
                      GError              **error)
{
  WF_NAME (Window) window;
  guint8           marks[WF_SEGMENT + 8];

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        gint64 n;

        for (gint64 x = box->x0; x < box->x1; x += n)
          {
            const WfPoint point = { x, y, z };
            WfArrowRow    row;

            n   = WF_NAME (segment_length) (x, box->x1);
            row  = WF_NAME (open_window) (job->flood, point, n, TRUE, &window);

            row.result = marks;
            job->arrows->find_ring (&row);
            memset (marks + n, 0, 8);
            if (! WF_NAME (queue_marked) (job, wf_index_of_point (point, &job->front.shape),
                                          marks, n, queue, error))
              return FALSE;
          }
        if (! wf_run_advance (job->front.run, box->x1 - box->x0))
          return wf_run_set_cancelled (error);
      }
  return TRUE;
}

static gboolean
WF_NAME (visit) (gpointer       data,
                 guint          worker,
                 const WfBox   *tile,
                 gboolean       first,
                 WfReach       *reach,
                 GError       **error)
{
  WF_NAME (Job) *job   = data;
  WfFifo        *queue = &job->queues[worker];

  if (first && ! WF_NAME (queue_ring) (job, tile, queue, error))
    return FALSE;
  return WF_NAME (propagate) (&job->front, tile, queue, reach, error);
}

static gboolean
WF_NAME (propagate_plateaux) (const WfFlood  *flood,
                              gboolean       *too_wide,
                              GError        **error)
{
  WF_NAME (State) state    = { flood->level, flood->plateau, too_wide };
  WF_NAME (Job)   job      = { .flood = flood, .arrows = WF_STEPS (),
                               .front.state = &state, .front.shape = flood->task->shape,
                               .front.neighbours = flood->neighbours, .front.run = flood->run };
  WfPipeline      pipeline = { .shape = flood->task->shape,
                               .box = wf_shape_box (&flood->task->shape), .first = TRUE,
                               .side = wf_plateau_side (flood),
                               .propagate = WF_NAME (visit), .data = &job };
  gboolean        done;

  job.queues = wf_fifos_new (flood->run->n_threads);
  done = wf_pipeline_run (flood->run, &pipeline, NULL, error);
  wf_fifos_free (job.queues, flood->run->n_threads);
  return done;
}

static gboolean
WF_NAME (start_row) (gpointer   data,
                     gint64     number,
                     guint      worker,
                     gpointer   scratch,
                     GError   **error)
{
  const WfFlood       *flood   = data;
  const WfShape       *shape   = &flood->task->shape;
  const guint32       *markers = flood->markers;
  const WfArrowSteps  *arrows  = WF_STEPS ();
  WF_NAME (Window)     window;
  gint64               n;

  for (gint64 x = 0; x < shape->width; x += n)
    {
      const WfPoint point   = { x, number % shape->height, number / shape->height };
      const gint64  p       = wf_index_of_point (point, shape);
      WF_L2        *plateau = (WF_L2 *) flood->plateau + p;
      WfArrowRow    row;

      n          = WF_NAME (segment_length) (x, shape->width);
      row        = WF_NAME (open_window) (flood, point, n, FALSE, &window);
      row.result = plateau;
      arrows->start (&row);
      for (gint64 i = 0; markers && i < n; i++)
        {
          const WF_L2 distance = plateau[i];

          plateau[i] = markers[p + i] ? 0 : distance;
        }
    }
  return TRUE;
}

static gboolean
WF_NAME (start_plateaux) (const WfFlood  *flood,
                          GError        **error)
{
  const WfRows rows = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };

  return wf_run_rows (flood->run, &rows, WF_NAME (start_row), (gpointer) flood, error);
}


/*  Arrows  */

static void
WF_NAME (point_row) (const WfFlood *flood,
                     gint64         y,
                     gint64         z)
{
  const WfShape       *shape   = &flood->task->shape;
  const guint32       *markers = flood->markers;
  const WfArrowSteps  *steps   = WF_STEPS ();
  WF_NAME (Window)     window;
  gint64               n;

  for (gint64 x = 0; x < shape->width; x += n)
    {
      const WfPoint point  = { x, y, z };
      const gint64  p      = wf_index_of_point (point, shape);
      guint8       *arrows = flood->arrows + p;
      WfArrowRow    row;

      n          = WF_NAME (segment_length) (x, shape->width);
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

/* Whether a neighbour of another basin was flooded before. */
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

/* Most pixels have only neighbours of their own basin, which is seen of many at once. */
static gboolean
WF_NAME (draw_row) (gpointer   data,
                    gint64     number,
                    guint      worker,
                    gpointer   scratch,
                    GError   **error)
{
  const WfFlood *flood = data;
  const WfShape *shape = &flood->task->shape;
  const WfBox    image = wf_shape_box (shape);
  WfPoint        point = { 0, number % shape->height, number / shape->height };
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
  WF_NAME (start_plateaux),
  WF_NAME (propagate_plateaux),
  WF_NAME (point_row),
  WF_NAME (draw_lines),
};

#undef WF_STATE
#undef WF_CHANGES
#undef WF_CHANGE
#undef WF_URGENCY
#undef WF_SEGMENT
#undef WF_EDGE
#undef WF_PIXEL
#undef WF_MAXIMUM
#undef WF_L2
#undef WF_UNREACHED
#undef WF_OUTSIDE
#undef WF_STEPS
#undef WF_NAME
