/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the distance into a plateau, for one type of pixel and one of L2 (steps.inc.h):
 *
 *   1. start_plateaux: 0 at markers and at pixels with a lower neighbour, unreached
 *      elsewhere, in the halo of a band what is known;
 *   2. queue_ring: 1 at unreached pixels beside a pixel of the same level with an L2 of 0;
 *   3. propagate: a wavefront (engine/propagation/wavefront.inc.h) from these into the
 *      plateau, until no pixel has a neighbour of the same level with an L2 more than 1
 *      below its own.
 *
 * 2 and 3 are for stacks; images have plateau-sweeps.c.
 *
 * Pixels that remain unreached are minima.  plateau-distance.c calls these steps.
 */

typedef struct
{
  const WF_PIXEL *level;
  WF_L2          *plateau;
  int            *too_wide;
} WF_NAME (State);

/* The last distance before WF_OUTSIDE also stands for greater ones. */
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

/* Sets the L2 of the marked pixels of a stretch to 1 and queues them. */
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

/* Queues the first ring inside each plateau. */
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

/* Queues the pixels of a halo that L2 has reached: it may go on from there. */
static gboolean
WF_NAME (queue_halo) (const WF_NAME (Job)  *job,
                      const WfBox          *box,
                      WfFifo               *queue,
                      GError              **error)
{
  const WF_L2 *plateau = job->front.state->plateau;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      for (gint64 x = box->x0; wf_flood_halo_row (job->flood, y, z) && x < box->x1; x++)
        {
          const gint64 p = wf_index_of_point ((WfPoint) { x, y, z }, &job->front.shape);

          if (plateau[p] > 0 && plateau[p] < WF_OUTSIDE && ! wf_fifo_push (queue, p, error))
            return FALSE;
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

  if (first && (! WF_NAME (queue_ring) (job, tile, queue, error) ||
                ! WF_NAME (queue_halo) (job, tile, queue, error)))
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

/* Takes over L2 of a row of a halo.  The last distance of the type also stands for greater ones:
 * it is full, see is_full().
 */
static void
WF_NAME (take_halo) (const WfFlood *flood,
                     gint64         y,
                     gint64         z,
                     const guint32 *halo)
{
  const WfShape *shape   = &flood->task->shape;
  WF_L2         *plateau = (WF_L2 *) flood->plateau
                           + wf_index_of_point ((WfPoint) { 0, y, z }, shape);

  for (gint64 x = 0; x < shape->width; x++)
    plateau[x] = halo[x] == WF_UNREACHED_WIDE ? WF_UNREACHED : MIN (halo[x], WF_OUTSIDE - 1);
}

static gboolean
WF_NAME (start_row) (gpointer data,
                     WfRow    row)
{
  const WfFlood       *flood   = data;
  const WfShape       *shape   = &flood->task->shape;
  const guint32       *markers = flood->markers;
  const WfArrowSteps  *arrows  = WF_STEPS ();
  const gint64         y       = row.number % shape->height;
  const gint64         z       = row.number / shape->height;
  const guint32       *halo    = wf_flood_halo_row (flood, y, z);
  WF_NAME (Window)     window;
  gint64               n;

  if (halo)
    {
      WF_NAME (take_halo) (flood, y, z, halo);
      return TRUE;
    }
  for (gint64 x = 0; x < shape->width; x += n)
    {
      const WfPoint point   = { x, y, z };
      const gint64  p       = wf_index_of_point (point, shape);
      WF_L2        *plateau = (WF_L2 *) flood->plateau + p;
      WfArrowRow    arrow_row;

      n                = WF_NAME (segment_length) (x, shape->width);
      arrow_row        = WF_NAME (open_window) (flood, point, n, FALSE, &window);
      arrow_row.result = plateau;
      arrows->start (&arrow_row);
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

#undef WF_STATE
#undef WF_CHANGES
#undef WF_CHANGE
#undef WF_URGENCY
