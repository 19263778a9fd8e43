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

static gboolean
WF_NAME (queue_reached) (const WF_NAME (Front)  *front,
                         const WfBox            *box,
                         WfFifo                 *queue,
                         GError                **error)
{
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        gint64 p = wf_index_of_point ((WfPoint) { box->x0, y, z }, &front->shape);

        for (gint64 x = box->x0; x < box->x1; x++, p++)
          if (front->state->plateau[p] == 0 && ! wf_fifo_push (queue, p, error))
            return FALSE;
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

static inline gboolean
WF_NAME (has_lower) (const WfFlood *flood,
                     const WfBox   *image,
                     WfPoint        point,
                     gint64         p)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const WF_PIXEL        *level = flood->level;

  for (int i = 0; i < nb->n; i++)
    if (wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        level[p + nb->step[i]] < level[p])
      return TRUE;
  return FALSE;
}

static void
WF_NAME (start_row) (const WfFlood *flood,
                     WfPoint        point,
                     gpointer       data)
{
  const WfBox image = wf_shape_box (&flood->task->shape);
  gint64      p     = wf_index_of_point (point, &flood->task->shape);

  for (; point.x < image.x1; point.x++, p++)
    flood->plateau[p] = (flood->is_marker && flood->is_marker[p]) ||
                        WF_NAME (has_lower) (flood, &image, point, p) ? 0 : WF_UNREACHED;
}

static gboolean
WF_NAME (start_plateaux) (const WfFlood  *flood,
                          GError        **error)
{
  return wf_flood_rows (flood, WF_NAME (start_row), NULL, error);
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

/* Walks down from each pixel to the first that has a label, and writes that label
 * along the way: each pixel is walked over twice.
 */
static gboolean
WF_NAME (follow) (const WfFlood  *flood,
                  GError        **error)
{
  const WfBox  image = wf_shape_box (&flood->task->shape);
  gint64       n     = wf_shape_n_pixels (&flood->task->shape);
  WfFifo       path  = { 0 };
  gboolean     done  = TRUE;

  for (gint64 start = 0; start < n && done; start++)
    {
      gint64 p = start;

      for (; flood->basins[p] == 0 && done; p = WF_NAME (parent) (flood, &image, p))
        done = wf_fifo_push (&path, p, error);
      while (path.n > 0)
        flood->basins[wf_fifo_pop_last (&path)] = flood->basins[p];
      if ((start & 0xffff) == 0 && done && ! wf_run_advance (flood->run, 0x10000))
        done = wf_run_set_cancelled (error);
    }
  wf_fifo_clear (&path);
  return done;
}


/*  Lines  */

/* Whether a comes before b in the order (not a marker, L1, L2, index). */
static inline gboolean
WF_NAME (floods_before) (const WfFlood *flood,
                         gint64         a,
                         gint64         b)
{
  if (flood->is_marker[a] != flood->is_marker[b])
    return flood->is_marker[a];
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
  return wf_flood_rows (flood, WF_NAME (draw_row), NULL, error);
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
  WF_NAME (follow),
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
