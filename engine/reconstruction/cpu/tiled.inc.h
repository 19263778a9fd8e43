/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans and a queue in each tile, for one type of pixel and one direction
 * (types.inc.h).
 */

#include "front.inc.h"

typedef struct
{
  WF_NAME (Front)  front;
  const WfPacked  *packed;
  WfFifo          *queues;      /* one for each worker */
} WF_NAME (Job);

/* The scratch for a row is as wide as the tile. */
static gboolean
WF_NAME (scan_tile) (WF_NAME (Job)  *job,
                     guint           worker,
                     const WfBox    *tile,
                     GError        **error)
{
  const WfShape  *shape = &job->front.shape;
  WF_NAME (Scan)  scan;
  gboolean        done;

  done = WF_NAME (scan_init) (&scan, job->packed, job->front.run, tile->x1 - tile->x0, error);
  if (done)
    {
      scan.box    = *tile;
      scan.view   = wf_shape_box (shape);
      scan.amount = tile->x1 - tile->x0;
      done = WF_NAME (scan_forward) (&scan, NULL, error) &&
             WF_NAME (scan_backward) (&scan, &job->queues[worker], NULL, error);
    }
  WF_NAME (scan_clear) (&scan);
  return done;
}

static gboolean
WF_NAME (visit) (gpointer       data,
                 guint          worker,
                 const WfBox   *tile,
                 gboolean       first,
                 WfReach       *reach,
                 GError       **error)
{
  WF_NAME (Job) *job = data;

  if (first && ! WF_NAME (scan_tile) (job, worker, tile, error))
    return FALSE;
  return WF_NAME (propagate) (&job->front, tile, &job->queues[worker], reach, error);
}

static gboolean
WF_NAME (grow_tiled) (const WfPacked  *packed,
                      WfRun           *run,
                      GError         **error)
{
  const WfShape   *shape    = &packed->task->shape;
  WF_NAME (State)  state    = { packed->mask, packed->result };
  WF_NAME (Job)    job      = { .front.state = &state, .front.shape = *shape, .front.run = run,
                                .packed = packed, .queues = wf_fifos_new (run->n_threads) };
  const WfPipeline pipeline = { .shape = *shape, .box = wf_shape_box (shape), .first = TRUE,
                                .propagate = WF_NAME (visit), .data = &job };
  gboolean         done;

  wf_neighbourhood_init (&job.front.neighbours, packed->task->connectivity, shape);
  done = wf_pipeline_run (run, &pipeline, NULL, error);
  wf_fifos_free (job.queues, run->n_threads);
  return done;
}
