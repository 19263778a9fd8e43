/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps with unit spacing, in integers. */

#include "config.h"

#include <math.h>

#include "distance.h"


static void
start_field (const WfDistanceTask *task,
             gint64               *field,
             guint                 n_threads)
{
  gint64 n = wf_shape_n_pixels (&task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    field[p] = task->foreground[p] ? WF_FAR : 0;
}

static void
write_distances (const WfDistanceTask *task,
                 const gint64         *field,
                 guint                 n_threads)
{
  gint64 n = wf_shape_n_pixels (&task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    if (task->metric == WF_METRIC_SQUARED)
      ((guint64 *) task->out)[p] = field[p] == WF_FAR ? G_MAXUINT64 : (guint64) field[p];
    else if (field[p] == WF_FAR)
      ((float *) task->out)[p] = INFINITY;
    else if (task->metric == WF_METRIC_EUCLIDEAN)
      ((float *) task->out)[p] = (float) sqrt ((double) field[p]);
    else
      ((float *) task->out)[p] = (float) field[p];
}

/* Follows the positions that the passes have left: along x, then y, then z. */
static guint64
find_nearest (const WfShape *shape,
              gint32        *from[3],
              gint64         p)
{
  for (int axis = 0; axis < (shape->depth > 1 ? 3 : 2); axis++)
    {
      gint64 step     = wf_shape_step (shape, axis);
      gint64 length   = wf_shape_along (shape, axis);
      gint64 position = from[axis][p];

      if (position < 0 || position >= length)
        return WF_NEAREST_NONE;
      p += (position - p / step % length) * step;
    }
  return p;
}

static void
write_nearest (const WfDistanceTask  *task,
               gint32                *from[3],
               guint                  n_threads)
{
  gint64 n = wf_shape_n_pixels (&task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    task->nearest[p] = find_nearest (&task->shape, from, p);
}

gboolean
wf_distance_integers (const WfDistanceTask  *task,
                      WfRun                 *run,
                      GError               **error)
{
  const gint64        n       = wf_shape_n_pixels (&task->shape);
  const int           axes    = task->shape.depth > 1 ? 3 : 2;
  g_autofree gint64  *field   = wf_allocate (n, sizeof (gint64), error);
  g_autofree gint32  *x_from  = NULL;
  g_autofree gint32  *y_from  = NULL;
  g_autofree gint32  *z_from  = NULL;
  gint32             *from[3];

  if (! field)
    return FALSE;
  if (task->wants_nearest &&
      (! (x_from = wf_allocate (n, sizeof (gint32), error)) ||
       ! (y_from = wf_allocate (n, sizeof (gint32), error)) ||
       (axes == 3 && ! (z_from = wf_allocate (n, sizeof (gint32), error)))))
    return FALSE;

  from[0] = x_from;
  from[1] = y_from;
  from[2] = z_from;
  start_field (task, field, run->n_threads);
  for (int axis = axes - 1; axis >= 0; axis--)
    {
      wf_run_begin (run, 0.95 / axes, n);
      if (! wf_distance_pass (task, axis, wf_line_envelope, field, from[axis], run, error))
        return FALSE;
    }
  if (task->wants_out)
    write_distances (task, field, run->n_threads);
  if (task->wants_nearest)
    write_nearest (task, from, run->n_threads);
  return TRUE;
}
