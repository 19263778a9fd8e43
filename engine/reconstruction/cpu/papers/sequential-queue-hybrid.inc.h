/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vincent's three algorithms for one type of pixel and one direction
 * (engine/reconstruction/cpu/types.inc.h).
 */

#include "engine/reconstruction/cpu/front.inc.h"

/* The state of the queue, over a whole image. */
typedef struct
{
  const WfPacked  *packed;
  WF_NAME (State)  state;
  WF_NAME (Front)  front;
  WfBox            image;
  WfFifo           queue;
} WF_NAME (Whole);

static void
WF_NAME (whole_init) (WF_NAME (Whole) *whole,
                      const WfPacked  *packed,
                      WfRun           *run)
{
  const WfShape *shape = &packed->task->shape;

  *whole = (WF_NAME (Whole)) {
    .packed      = packed,
    .state       = { packed->mask, packed->result },
    .front.state = &whole->state,
    .front.shape = *shape,
    .front.run   = run,
    .image       = wf_shape_box (shape),
  };
  wf_neighbourhood_init (&whole->front.neighbours, packed->task->connectivity, shape);
}

static gboolean
WF_NAME (start_scans) (WF_NAME (Scan)  *scan,
                       const WfPacked  *packed,
                       WfRun           *run,
                       GError         **error)
{
  const WfShape *shape = &packed->task->shape;

  if (! WF_NAME (scan_init) (scan, packed, run, shape->width, error))
    return FALSE;
  scan->box    = scan->view = wf_shape_box (shape);
  scan->amount = shape->width;
  return TRUE;
}


/*  Sequential  */

static gboolean
WF_NAME (grow_sequential) (const WfPacked  *packed,
                           WfRun           *run,
                           GError         **error)
{
  WF_NAME (Scan) scan;
  gboolean       done    = WF_NAME (start_scans) (&scan, packed, run, error);
  gboolean       changed = TRUE;

  while (done && changed)
    {
      changed = FALSE;
      done    = WF_NAME (scan_forward) (&scan, &changed, error) &&
                WF_NAME (scan_backward) (&scan, NULL, &changed, error);
      scan.amount = 0;
    }
  WF_NAME (scan_clear) (&scan);
  return done;
}


/*  Hybrid  */

static gboolean
WF_NAME (grow_hybrid) (const WfPacked  *packed,
                       WfRun           *run,
                       GError         **error)
{
  WF_NAME (Whole) whole;
  WF_NAME (Scan)  scan;
  gboolean        done;

  WF_NAME (whole_init) (&whole, packed, run);
  done = WF_NAME (start_scans) (&scan, packed, run, error) &&
         WF_NAME (scan_forward) (&scan, NULL, error) &&
         WF_NAME (scan_backward) (&scan, &whole.queue, NULL, error) &&
         WF_NAME (drain) (&whole.front, &whole.image, &whole.queue, NULL, error);
  WF_NAME (scan_clear) (&scan);
  wf_fifo_clear (&whole.queue);
  return done;
}


/*  Queue  */

/* The level of the clamped marker; the result has changed in some pixels. */
static inline WF_PIXEL
WF_NAME (marker_at) (const WfPacked *packed,
                     gint64          p)
{
  return WF_NAME (clamped) (((const WF_PIXEL *) packed->marker)[p],
                            ((const WF_PIXEL *) packed->mask)[p]);
}

typedef gboolean (* WF_NAME (PixelFunc)) (WF_NAME (Whole)  *whole,
                                          gint64            p,
                                          WfPoint           point,
                                          GError          **error);

/* Calls @visit for every pixel of the image that is above the lowest level. */
static gboolean
WF_NAME (for_each_high) (WF_NAME (Whole)      *whole,
                         WF_NAME (PixelFunc)   visit,
                         GError              **error)
{
  const WfShape *shape = &whole->front.shape;
  gint64         p     = 0;

  for (gint64 z = 0; z < shape->depth; z++)
    for (gint64 y = 0; y < shape->height; y++)
      {
        for (gint64 x = 0; x < shape->width; x++, p++)
          if (WF_ABOVE (whole->state.result[p], WF_LOWEST) &&
              ! visit (whole, p, (WfPoint) { x, y, z }, error))
            return FALSE;
        if (! wf_run_advance (whole->front.run, shape->width))
          return wf_run_set_cancelled (error);
      }
  return TRUE;
}

/* Sets the plateau that holds @start to the lowest level. */
static gboolean
WF_NAME (sink_plateau) (WF_NAME (Whole)  *whole,
                        gint64            start,
                        GError          **error)
{
  const WfNeighbourhood *nb     = &whole->front.neighbours;
  const WF_PIXEL         level  = WF_NAME (marker_at) (whole->packed, start);
  guint32                popped = 0;

  whole->state.result[start] = WF_LOWEST;
  if (! wf_fifo_push (&whole->queue, start, error))
    return FALSE;
  while (whole->queue.n > 0)
    {
      gint64  p     = wf_fifo_pop (&whole->queue);
      WfPoint point = wf_point_of_index (p, &whole->front.shape);

      for (int i = 0; i < nb->n; i++)
        {
          gint64 q = p + nb->step[i];

          if (! wf_box_holds (&whole->image, point, nb->dx[i], nb->dy[i], nb->dz[i]) ||
              whole->state.result[q] != level)
            continue;
          whole->state.result[q] = WF_LOWEST;
          if (! wf_fifo_push (&whole->queue, q, error))
            return FALSE;
        }
      if ((++popped & 0xffff) == 0 && ! wf_run_advance (whole->front.run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* A plateau that has not been sunk has its level in all its pixels, and no other pixel beside
 * it has that level.
 */
static gboolean
WF_NAME (sink_if_no_maximum) (WF_NAME (Whole)  *whole,
                              gint64            p,
                              WfPoint           point,
                              GError          **error)
{
  const WfNeighbourhood *nb    = &whole->front.neighbours;
  const WF_PIXEL         level = whole->state.result[p];

  for (int i = 0; i < nb->n; i++)
    if (wf_box_holds (&whole->image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        WF_ABOVE (WF_NAME (marker_at) (whole->packed, p + nb->step[i]), level))
      return WF_NAME (sink_plateau) (whole, p, error);
  return TRUE;
}

static gboolean
WF_NAME (queue_if_border) (WF_NAME (Whole)  *whole,
                           gint64            p,
                           WfPoint           point,
                           GError          **error)
{
  const WfNeighbourhood *nb = &whole->front.neighbours;

  for (int i = 0; i < nb->n; i++)
    if (wf_box_holds (&whole->image, point, nb->dx[i], nb->dy[i], nb->dz[i]) &&
        ! WF_ABOVE (whole->state.result[p + nb->step[i]], WF_LOWEST))
      return wf_fifo_push (&whole->queue, p, error);
  return TRUE;
}

static gboolean
WF_NAME (grow_queue) (const WfPacked  *packed,
                      WfRun           *run,
                      GError         **error)
{
  WF_NAME (Whole) whole;
  gboolean        done;

  WF_NAME (whole_init) (&whole, packed, run);
  done = WF_NAME (for_each_high) (&whole, WF_NAME (sink_if_no_maximum), error) &&
         WF_NAME (for_each_high) (&whole, WF_NAME (queue_if_border), error) &&
         WF_NAME (drain) (&whole.front, &whole.image, &whole.queue, NULL, error);
  wf_fifo_clear (&whole.queue);
  return done;
}
