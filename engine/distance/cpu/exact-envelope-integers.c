/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps with unit spacing, in integers. */

#include "config.h"

#include <math.h>

#include "exact-envelope.h"


static void
start_field (const WfDistanceWork *work,
             gint64               *field,
             guint                 n_threads)
{
  gint64 n = wf_shape_n_pixels (&work->task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    field[p] = work->foreground[p] ? WF_FAR
             : work->task->signed_distance ? (gint64) (WF_FAR | WF_BACKGROUND_BIT) : 0;
}

static inline float
real_distance (WfMetric metric,
               gint64   value)
{
  return value == WF_FAR ? INFINITY : (float) wf_metric_result (metric, value);
}

static void
write_distances (const WfDistanceWork *work,
                 const gint64         *field,
                 guint                 n_threads)
{
  gint64 n = wf_shape_n_pixels (&work->task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    if (work->task->metric == WF_METRIC_SQUARED)
      ((guint64 *) work->out)[p] = field[p] == WF_FAR ? G_MAXUINT64 : (guint64) field[p];
    else if (field[p] < 0)
      ((float *) work->out)[p] = 0 - real_distance (work->task->metric,
                                                    field[p] & ~WF_BACKGROUND_BIT);
    else
      ((float *) work->out)[p] = real_distance (work->task->metric, field[p]);
}

/* Follows the positions that the passes have stored: along x, then y, then z.  In a signed
 * map the path ends at the first pixel of the other kind.
 */
static guint64
find_nearest (const WfDistanceWork *work,
              gint32               *from[3],
              gint64                p)
{
  const WfShape *shape = &work->task->shape;
  const int      axes  = wf_distance_count_axes (work->task);
  const guint8   kind  = work->foreground[p];

  for (int axis = 0; axis < axes; axis++)
    {
      gint64 step     = wf_shape_step (shape, axis);
      gint64 length   = wf_shape_along (shape, axis);
      gint64 position = from[axis][p];

      if (! wf_distance_holds (work->task, axis, position))
        return WF_NEAREST_NONE;
      p += (position - p / step % length) * step;
      if (axis + 1 < axes && work->foreground[p] != kind)
        break;
    }
  return p + wf_distance_first_index (work->task);
}

static void
write_nearest (const WfDistanceWork  *work,
               gint32                *from[3],
               guint                  n_threads)
{
  gint64 n = wf_shape_n_pixels (&work->task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    work->nearest[p] = find_nearest (work, from, p);
}

gboolean
wf_distance_integers (const WfDistanceWork  *work,
                      WfRun                 *run,
                      GError               **error)
{
  const WfDistanceTask *task  = work->task;
  const gint64        n       = wf_shape_n_pixels (&task->shape);
  const int           axes    = wf_distance_count_axes (task);
  g_autofree gint64  *field   = wf_allocate (n, sizeof (gint64), error);
  g_autofree gint32  *x_from  = NULL;
  g_autofree gint32  *y_from  = NULL;
  g_autofree gint32  *z_from  = NULL;
  gint32             *from[3];

  if (! field)
    return FALSE;
  if (work->nearest &&
      (! (x_from = wf_allocate (n, sizeof (gint32), error)) ||
       ! (y_from = wf_allocate (n, sizeof (gint32), error)) ||
       (axes == 3 && ! (z_from = wf_allocate (n, sizeof (gint32), error)))))
    return FALSE;

  from[0] = x_from;
  from[1] = y_from;
  from[2] = z_from;
  start_field (work, field, run->n_threads);
  for (int axis = axes - 1; axis >= 0; axis--)
    {
      wf_run_begin (run, 0.95 / axes, n);
      if (! wf_distance_pass (task, axis, wf_line_envelope, field, from[axis], run, error))
        return FALSE;
    }
  if (work->out)
    write_distances (work, field, run->n_threads);
  if (work->nearest)
    write_nearest (work, from, run->n_threads);
  return TRUE;
}
