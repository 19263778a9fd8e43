/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All threads in one image, for one type of pixel and one direction
 * (engine/reconstruction/cpu/types.inc.h).
 */

#include "engine/reconstruction/cpu/scan.inc.h"

typedef struct
{
  const WfPacked  *packed;
  WfRun           *run;
  WfNeighbourhood  neighbours;
  WfFifo          *queues;      /* one for each worker */
  WfSharedFifo     shared;
  gint64           n_bands;
  gint64           next_band;
} WF_NAME (Job);


/*  Scans  */

/* Bands divide the last axis that is long enough. */
static WfBox
WF_NAME (band) (const WF_NAME (Job) *job,
                gint64               i)
{
  const WfShape *shape = &job->packed->task->shape;
  WfBox          box   = wf_shape_box (shape);

  if (shape->depth >= job->n_bands)
    {
      box.z0 = shape->depth * i / job->n_bands;
      box.z1 = shape->depth * (i + 1) / job->n_bands;
    }
  else
    {
      box.y0 = shape->height * i / job->n_bands;
      box.y1 = shape->height * (i + 1) / job->n_bands;
    }
  return box;
}

static void
WF_NAME (scan_bands) (gpointer data,
                      guint    worker,
                      guint    n_workers)
{
  WF_NAME (Job)  *job   = data;
  GError         *error = NULL;
  WF_NAME (Scan)  scan;
  gboolean        done;

  done = WF_NAME (scan_init) (&scan, job->packed, job->run, job->packed->task->shape.width, &error);
  scan.amount = job->packed->task->shape.width;
  while (done)
    {
      gint64 i = __atomic_fetch_add (&job->next_band, 1, __ATOMIC_RELAXED);

      if (i >= job->n_bands)
        break;
      scan.box = scan.view = WF_NAME (band) (job, i);
      done = WF_NAME (scan_forward) (&scan, NULL, &error) &&
             WF_NAME (scan_backward) (&scan, NULL, NULL, &error);
    }
  if (! done)
    wf_shared_fifo_fail (&job->shared, error);
  WF_NAME (scan_clear) (&scan);
}

/* No pixel is written while rows are queued. */
static gboolean
WF_NAME (queue_row) (gpointer data,
                     WfRow    row)
{
  WF_NAME (Job)  *job   = data;
  const WfShape  *shape = &job->packed->task->shape;
  WF_NAME (Scan)  scan  = {
    .packed = job->packed,
    .lines  = wf_lines (job->packed->task->connectivity),
    .box    = wf_shape_box (shape),
    .view   = wf_shape_box (shape),
    .reach  = row.scratch,
    .flags  = (guint8 *) row.scratch + shape->width * sizeof (WF_PIXEL),
  };

  return WF_NAME (queue_seeds) (&scan, row.number % shape->height, row.number / shape->height, TRUE,
                                &job->queues[row.worker], row.error);
}


/*  Queues  */

static inline WF_PIXEL
WF_NAME (read) (const WF_PIXEL *pixel)
{
  WF_PIXEL level;

  __atomic_load (pixel, &level, __ATOMIC_RELAXED);
  return level;
}

/* Returns whether this call has raised the pixel. */
static inline gboolean
WF_NAME (raise) (WF_PIXEL *pixel,
                 WF_PIXEL  level)
{
  WF_PIXEL old = WF_NAME (read) (pixel);

  while (WF_ABOVE (level, old))
    if (__atomic_compare_exchange (pixel, &old, &level, TRUE, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return TRUE;
  return FALSE;
}

static inline gboolean
WF_NAME (visit_pixel) (const WF_NAME (Job)  *job,
                       const WfBox          *image,
                       gint64                p,
                       WfFifo               *queue,
                       GError              **error)
{
  const WfNeighbourhood *nb     = &job->neighbours;
  const WF_PIXEL        *mask   = job->packed->mask;
  WF_PIXEL              *result = job->packed->result;
  const WfPoint          point  = wf_point_of_index (p, &job->packed->task->shape);
  const gboolean         inner  = wf_point_is_inner (point, image,
                                                      wf_is_stack_connectivity (nb->n));
  const WF_PIXEL         level  = WF_NAME (read) (&result[p]);

  for (int i = 0; i < nb->n; i++)
    {
      gint64 q = p + nb->step[i];

      if ((inner || wf_box_holds (image, point, nb->dx[i], nb->dy[i], nb->dz[i])) &&
          WF_NAME (raise) (&result[q], WF_NAME (clamped) (level, mask[q])) &&
          ! wf_fifo_push (queue, q, error))
        return FALSE;
    }
  return TRUE;
}

/* There is a queue for each thread allowed; if fewer workers run, they also empty the
 * remaining queues.
 */
static gboolean
WF_NAME (adopt_queues) (WF_NAME (Job)  *job,
                        guint           worker,
                        guint           n_workers,
                        GError        **error)
{
  for (guint i = worker + n_workers; i < job->run->n_threads; i += n_workers)
    while (job->queues[i].n > 0)
      if (! wf_fifo_push (&job->queues[worker], wf_fifo_pop (&job->queues[i]), error))
        return FALSE;
  return TRUE;
}

static void
WF_NAME (empty_queues) (gpointer data,
                        guint    worker,
                        guint    n_workers)
{
  WF_NAME (Job) *job   = data;
  const WfBox    image = wf_shape_box (&job->packed->task->shape);
  WfFifo        *queue = &job->queues[worker];
  GError        *error = NULL;

  if (! WF_NAME (adopt_queues) (job, worker, n_workers, &error))
    wf_shared_fifo_fail (&job->shared, error);
  while (wf_shared_fifo_take (&job->shared, queue, worker, n_workers, job->run))
    {
      gboolean done = TRUE;

      for (int i = 0; i < STINT && queue->n > 0 && done; i++)
        done = WF_NAME (visit_pixel) (job, &image, wf_fifo_pop (queue), queue, &error);
      if (done && ! wf_run_advance (job->run, 0))
        done = wf_run_set_cancelled (&error);
      if (done)
        done = wf_shared_fifo_give (&job->shared, queue, &error);
      if (! done)
        wf_shared_fifo_fail (&job->shared, error);
    }
}

static gboolean
WF_NAME (grow_non_tiled) (const WfPacked  *packed,
                          WfRun           *run,
                          GError         **error)
{
  const WfShape *shape = &packed->task->shape;
  const gint64   n     = wf_shape_n_pixels (shape);
  const guint    team  = wf_run_team (run, MAX (shape->height, shape->depth), n);
  const WfRows   rows  = { .n = shape->height * shape->depth, .amount = shape->width,
                           .scratch_size = shape->width * (sizeof (WF_PIXEL) + 1) };
  WF_NAME (Job)  job   = { .packed = packed, .run = run, .n_bands = team,
                           .queues = wf_fifos_new (run->n_threads) };
  gboolean       done  = FALSE;

  wf_neighbourhood_init (&job.neighbours, packed->task->connectivity, shape);
  wf_shared_fifo_init (&job.shared);

  wf_run_together (run, team, WF_NAME (scan_bands), &job);
  if (! job.shared.error && wf_run_rows (run, &rows, WF_NAME (queue_row), &job, error))
    {
      wf_run_together (run, team, WF_NAME (empty_queues), &job);
      done = ! job.shared.error;
    }
  if (job.shared.error)
    g_propagate_error (error, g_steal_pointer (&job.shared.error));

  wf_shared_fifo_clear (&job.shared);
  wf_fifos_free (job.queues, run->n_threads);
  return done;
}
