/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed's steps for one type of pixel, which the including file gives as
 * WF_PIXEL, WF_NAME(), WF_MAXIMUM and WF_RAISE (value, tolerance).
 */


/*  L2: distance into a plateau  */

typedef struct
{
  const WF_PIXEL *level;
  guint32        *plateau;
  int            *too_wide;
} WF_NAME (State);

#define WF_STATE WF_NAME (State)
#define WF_CHANGES(s, p, q) \
  ((s)->level[p] == (s)->level[q] && (s)->plateau[p] < (s)->plateau[q] && \
   (s)->plateau[q] - (s)->plateau[p] > 1 && ! wf_plateau_is_full ((s)->plateau[p], (s)->too_wide))
#define WF_CHANGE(s, p, q) ((s)->plateau[q] = (s)->plateau[p] + 1)

#include "wavefront.inc.h"

typedef struct
{
  WF_NAME (Front)  front;
  WfFifo          *queues;
} WF_NAME (Job);

/* Whether p, which nothing has reached, lies beside a pixel of its plateau that has
 * a lower neighbour or is a marker.
 */
static inline gboolean
WF_NAME (is_reached) (const WF_NAME (Front) *front,
                      const WfBox           *image,
                      WfPoint                point,
                      gint64                 p)
{
  const WfNeighbourhood *nb    = &front->neighbours;
  const WF_NAME (State) *state = front->state;

  for (int i = 0; i < nb->n; i++)
    if (wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        state->plateau[p + nb->step[i]] == 0 && state->level[p + nb->step[i]] == state->level[p])
      return TRUE;
  return FALSE;
}

/* The first ring inside each plateau; most pixels lie on none. */
static gboolean
WF_NAME (queue_reached) (const WF_NAME (Front)  *front,
                         const WfBox            *box,
                         WfFifo                 *queue,
                         GError                **error)
{
  const WfBox image = wf_shape_box (&front->shape);

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        WfPoint point = { box->x0, y, z };
        gint64  p     = wf_index_of_point (point, &front->shape);

        for (; point.x < box->x1; point.x++, p++)
          if (front->state->plateau[p] == WF_UNREACHED &&
              WF_NAME (is_reached) (front, &image, point, p))
            {
              front->state->plateau[p] = 1;
              if (! wf_fifo_push (queue, p, error))
                return FALSE;
            }
        if (! wf_run_advance (front->run, box->x1 - box->x0))
          return wf_run_set_cancelled (error);
      }
  return TRUE;
}

static gboolean
WF_NAME (visit) (gpointer       data,
                 guint          worker,
                 const WfBox   *tile,
                 gboolean       first,
                 WfSpill       *spill,
                 GError       **error)
{
  WF_NAME (Job) *job   = data;
  WfFifo        *queue = &job->queues[worker];

  if (first && ! WF_NAME (queue_reached) (&job->front, tile, queue, error))
    return FALSE;
  return WF_NAME (propagate) (&job->front, tile, queue, spill, error);
}

static gboolean
WF_NAME (propagate_plateaux) (const WfFlood  *flood,
                              GError        **error)
{
  int             too_wide = FALSE;
  WF_NAME (State) state    = { flood->level, flood->plateau, &too_wide };
  WF_NAME (Job)   job      = { .front.state = &state, .front.shape = flood->task->shape,
                               .front.neighbours = flood->neighbours, .front.run = flood->run };
  gboolean        done;

  job.queues = wf_fifos_new (flood->run->n_threads);
  done = wf_pipeline_run (flood->run, &flood->task->shape, 0, WF_NAME (visit), &job, error);
  wf_fifos_free (job.queues, flood->run->n_threads);
  return done && wf_plateaux_check (too_wide, error);
}

/* A row of the image with a pixel more at either end; outside the image lies the
 * largest value.
 */
static void
WF_NAME (copy_row) (const WfFlood *flood,
                    gint64         y,
                    gint64         z,
                    WF_PIXEL      *row)
{
  const WfShape  *shape  = &flood->task->shape;
  const WF_PIXEL *source = (const WF_PIXEL *) flood->level + (z * shape->height + y) * shape->width;

  row[0] = row[shape->width + 1] = WF_MAXIMUM;
  if (y >= 0 && y < shape->height && z >= 0 && z < shape->depth)
    memcpy (row + 1, source, shape->width * sizeof (WF_PIXEL));
  else
    for (gint64 x = 1; x <= shape->width; x++)
      row[x] = WF_MAXIMUM;
}

static void
WF_NAME (start_row) (const WfFlood *flood,
                     WfPoint        point,
                     gpointer       scratch)
{
  const WfNeighbourhood *nb     = &flood->neighbours;
  const gint64           width  = flood->task->shape.width;
  const gint64           p      = wf_index_of_point (point, &flood->task->shape);
  const int              deep   = nb->n == 6 || nb->n == 26;
  WF_PIXEL              *rows   = scratch;
  WfArrowRow             row    = { .n = width, .n_neighbours = nb->n,
                                    .last_index = flood->task->last_index,
                                    .arrows = flood->arrows + p };

  for (int dz = -deep; dz <= deep; dz++)
    for (int dy = -1; dy <= 1; dy++)
      WF_NAME (copy_row) (flood, point.y + dy, point.z + dz,
                          rows + ((dz + 1) * 3 + dy + 1) * (width + 2));
  for (int i = 0; i < nb->n; i++)
    row.beside[i] = rows + ((nb->dz[i] + 1) * 3 + nb->dy[i] + 1) * (width + 2) + 1 + nb->dx[i];
  row.here = rows + 4 * (width + 2) + 1;
  flood->point_row (&row);

  for (gint64 x = 0; x < width; x++)
    {
      if (flood->markers && flood->markers[p + x])
        row.arrows[x] = WF_ARROW_ROOT;
      flood->plateau[p + x] = row.arrows[x] == WF_ARROW_PLATEAU ? WF_UNREACHED : 0;
    }
}

static gboolean
WF_NAME (start_plateaux) (const WfFlood  *flood,
                          GError        **error)
{
  return wf_flood_rows (flood, WF_NAME (start_row),
                        9 * (flood->task->shape.width + 2) * sizeof (WF_PIXEL), error);
}


/*  Paths  */

/* Whether a comes before b in the order (L1, L2). */
static inline gboolean
WF_NAME (precedes) (const WfFlood *flood,
                    gint64         a,
                    gint64         b)
{
  const WF_PIXEL *level = flood->level;

  return level[a] < level[b] || (level[a] == level[b] && flood->plateau[a] < flood->plateau[b]);
}

static inline gint64
WF_NAME (parent) (const WfFlood *flood,
                  const WfBox   *image,
                  gint64         p)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const WfPoint          point = wf_point_of_index (p, &flood->task->shape);
  const gboolean         last  = flood->task->last_index;
  gint64                 best  = -1;

  for (int i = 0; i < nb->n; i++)
    {
      gint64 q = p + nb->step[i];

      if (! wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i]))
        continue;
      if (best < 0 || WF_NAME (precedes) (flood, q, best) ||
          (last && ! WF_NAME (precedes) (flood, best, q)))
        best = q;
    }
  return best;
}

/* Where the water of p runs.  Among several lowest neighbours, and inside a plateau,
 * L2 decides, which was not known yet when the arrows were found; mostly it is 0 for
 * the one that the arrow points at, and then that is the one.
 */
static inline gint64
WF_NAME (next) (const WfFlood *flood,
                const WfBox   *image,
                gint64         p)
{
  const guint8 arrow = flood->arrows[p];

  if (arrow < WF_MAX_NEIGHBOURS)
    return p + flood->neighbours.step[arrow];
  if (arrow < WF_ARROW_PLATEAU)
    {
      gint64 q = p + flood->neighbours.step[arrow & ~WF_ARROW_TIED];

      if (flood->plateau[q] == 0)
        return q;
    }
  return WF_NAME (parent) (flood, image, p);
}

/* Walks down from each pixel of a row to the first that has a label, and writes that
 * label along the way.  Another thread may write the same label to the same pixel.
 */
static gboolean
WF_NAME (follow_row) (const WfFlood  *flood,
                      gint64          start,
                      WfFifo         *path,
                      GError        **error)
{
  const WfBox  image  = wf_shape_box (&flood->task->shape);
  guint32     *basins = flood->basins;
  guint32      label;

  for (gint64 x = 0; x < flood->task->shape.width; x++)
    {
      gint64 p = start + x;
      gint64 q;

      if (__atomic_load_n (&basins[p], __ATOMIC_RELAXED) != 0)
        continue;

      /* Half of the pixels run to one that came before. */
      q     = WF_NAME (next) (flood, &image, p);
      label = __atomic_load_n (&basins[q], __ATOMIC_RELAXED);
      while (label == 0)
        {
          if (! wf_fifo_push (path, q, error))
            return FALSE;
          q     = WF_NAME (next) (flood, &image, q);
          label = __atomic_load_n (&basins[q], __ATOMIC_RELAXED);
        }
      __atomic_store_n (&basins[p], label, __ATOMIC_RELAXED);
      while (path->n > 0)
        __atomic_store_n (&basins[wf_fifo_pop_last (path)], label, __ATOMIC_RELAXED);
    }
  return TRUE;
}


/*  Lines  */

/* Whether a comes before b in the order (not a marker, L1, L2, index). */
static inline gboolean
WF_NAME (floods_before) (const WfFlood *flood,
                         gint64         a,
                         gint64         b)
{
  const gboolean a_is_marker = flood->arrows[a] == WF_ARROW_ROOT;
  const gboolean b_is_marker = flood->arrows[b] == WF_ARROW_ROOT;

  if (a_is_marker != b_is_marker)
    return a_is_marker;
  return WF_NAME (precedes) (flood, a, b) || (! WF_NAME (precedes) (flood, b, a) && a < b);
}

static void
WF_NAME (draw_row) (const WfFlood *flood,
                    WfPoint        point,
                    gpointer       data)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const WfBox            image = wf_shape_box (&flood->task->shape);
  gint64                 p     = wf_index_of_point (point, &flood->task->shape);

  for (; point.x < image.x1; point.x++, p++)
    {
      flood->labels[p] = flood->basins[p];
      for (int i = 0; i < nb->n; i++)
        {
          gint64 q = p + nb->step[i];

          if (wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
              flood->basins[q] != flood->basins[p] && WF_NAME (floods_before) (flood, q, p))
            flood->labels[p] = 0;
        }
    }
}

static gboolean
WF_NAME (draw_lines) (const WfFlood  *flood,
                      GError        **error)
{
  return wf_flood_rows (flood, WF_NAME (draw_row), 0, error);
}


/*  L1: markers of reconstructions by erosion  */

static void
WF_NAME (raise) (const WfFlood *flood,
                 gpointer       result)
{
  const WF_PIXEL *image = flood->image;
  gint64          n     = wf_shape_n_pixels (&flood->task->shape);

  for (gint64 p = 0; p < n; p++)
    ((WF_PIXEL *) result)[p] = WF_RAISE (image[p], flood->task->tolerance);
}

static void
WF_NAME (start_levels) (const WfFlood *flood,
                        const guint32 *markers,
                        gpointer       result)
{
  const WF_PIXEL *image = flood->image;
  gint64          n     = wf_shape_n_pixels (&flood->task->shape);

  for (gint64 p = 0; p < n; p++)
    ((WF_PIXEL *) result)[p] = markers[p] ? image[p] : WF_MAXIMUM;
}

const WfFloodSteps WF_NAME (wf_flood_steps) =
{
  WF_NAME (start_plateaux),
  WF_NAME (propagate_plateaux),
  WF_NAME (follow_row),
  WF_NAME (draw_lines),
  WF_NAME (raise),
  WF_NAME (start_levels),
};

#undef WF_STATE
#undef WF_CHANGES
#undef WF_CHANGE
#undef WF_PIXEL
#undef WF_NAME
#undef WF_MAXIMUM
#undef WF_RAISE
