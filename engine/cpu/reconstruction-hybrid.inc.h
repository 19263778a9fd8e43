/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vincent's hybrid reconstruction for one type of pixel and one direction, which
 * the including file gives as WF_PIXEL, WF_NAME() and WF_ABOVE (a, b): whether a
 * is further than b in the direction of growth.
 */

typedef struct
{
  const WF_PIXEL *mask;
  WF_PIXEL       *result;
} WF_NAME (State);

#define WF_STATE WF_NAME (State)
#define WF_CHANGES(s, p, q) \
  (WF_ABOVE ((s)->result[p], (s)->result[q]) && WF_ABOVE ((s)->mask[q], (s)->result[q]))
#define WF_CHANGE(s, p, q) \
  ((s)->result[q] = WF_ABOVE ((s)->result[p], (s)->mask[q]) ? (s)->mask[q] : (s)->result[p])

#include "wavefront.inc.h"

/* Takes over the largest value among p and half of its neighbours, clamped. */
static inline WF_PIXEL
WF_NAME (scan_pixel) (const WF_NAME (Front) *front,
                      const WfBox           *image,
                      WfPoint                point,
                      gint64                 p,
                      int                    from,
                      int                    to,
                      gboolean               inner)
{
  const WfNeighbourhood *nb     = &front->neighbours;
  const WF_PIXEL        *result = front->state->result;
  WF_PIXEL               value  = result[p];
  WF_PIXEL               limit  = front->state->mask[p];

  for (int i = from; i < to; i++)
    if ((inner || wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i])) &&
        WF_ABOVE (result[p + nb->step[i]], value))
      value = result[p + nb->step[i]];
  return WF_ABOVE (value, limit) ? limit : value;
}

static gboolean
WF_NAME (scan_forward) (const WF_NAME (Front)  *front,
                        const WfBox            *box,
                        GError                **error)
{
  const WfBox    image = wf_shape_box (&front->shape);
  const int      half  = front->neighbours.n / 2;
  const gboolean stack = front->neighbours.n == 6 || front->neighbours.n == 26;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        WfPoint point = { box->x0, y, z };
        gint64  p     = wf_index_of_point (point, &front->shape);

        for (; point.x < box->x1; point.x++, p++)
          front->state->result[p] =
            WF_NAME (scan_pixel) (front, &image, point, p, 0, half,
                                  wf_point_is_inner (point, &image, stack));
        if (! wf_run_advance (front->run, box->x1 - box->x0))
          return wf_run_set_cancelled (error);
      }
  return TRUE;
}

/* Whether p can still raise a neighbour that the backward scan has left behind. */
static inline gboolean
WF_NAME (is_seed) (const WF_NAME (Front) *front,
                   const WfBox           *box,
                   WfPoint                point,
                   gint64                 p)
{
  const WfNeighbourhood *nb = &front->neighbours;

  for (int i = nb->n / 2; i < nb->n; i++)
    if (wf_box_holds (box, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        WF_CHANGES (front->state, p, p + nb->step[i]))
      return TRUE;
  return FALSE;
}

static gboolean
WF_NAME (scan_backward) (const WF_NAME (Front)  *front,
                         const WfBox            *box,
                         WfFifo                 *queue,
                         GError                **error)
{
  const WfBox    image = wf_shape_box (&front->shape);
  const int      half  = front->neighbours.n / 2;
  const gboolean stack = front->neighbours.n == 6 || front->neighbours.n == 26;

  for (gint64 z = box->z1 - 1; z >= box->z0; z--)
    for (gint64 y = box->y1 - 1; y >= box->y0; y--)
      {
        WfPoint point = { box->x1 - 1, y, z };
        gint64  p     = wf_index_of_point (point, &front->shape);

        for (; point.x >= box->x0; point.x--, p--)
          {
            front->state->result[p] =
              WF_NAME (scan_pixel) (front, &image, point, p, half, 2 * half,
                                    wf_point_is_inner (point, &image, stack));
            if (WF_NAME (is_seed) (front, box, point, p) && ! wf_fifo_push (queue, p, error))
              return FALSE;
          }
        if (! wf_run_advance (front->run, box->x1 - box->x0))
          return wf_run_set_cancelled (error);
      }
  return TRUE;
}

typedef struct
{
  WF_NAME (Front)  front;
  WfFifo          *queues;
} WF_NAME (Job);

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

  if (first && (! WF_NAME (scan_forward) (&job->front, tile, error) ||
                ! WF_NAME (scan_backward) (&job->front, tile, queue, error)))
    return FALSE;
  return WF_NAME (propagate) (&job->front, tile, queue, spill, error);
}

static gboolean
WF_NAME (grow) (const WfReconstructTask  *task,
                gconstpointer             mask,
                gpointer                  result,
                WfRun                    *run,
                GError                  **error)
{
  WF_NAME (State) state = { mask, result };
  WF_NAME (Job)   job   = { .front.state = &state, .front.shape = task->shape, .front.run = run };
  gboolean        done;

  wf_neighbourhood_init (&job.front.neighbours, task->connectivity, &task->shape);
  job.queues = wf_fifos_new (run->n_threads);
  done = wf_pipeline_run (run, &task->shape, 0, WF_NAME (visit), &job, error);
  wf_fifos_free (job.queues, run->n_threads);
  return done;
}

#undef WF_STATE
#undef WF_CHANGES
#undef WF_CHANGE
#undef WF_PIXEL
#undef WF_NAME
#undef WF_ABOVE
