/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps with a spacing, in doubles, and the search for their nearest pixels.
 *
 * With rounded sums and with maxima, pixels at different partial distances can be at
 * equal final distances, so a pass that keeps one pixel may keep the wrong one.  The
 * distance itself is right.  So the nearest pixel is searched for afterwards: the first x
 * for which that distance is reached, then the first y, then the first z.
 */

#include "config.h"

#include <math.h>

#include "exact-envelope.h"

typedef struct
{
  const WfDistanceWork *work;
  const WfDistanceTask *task;
  double               *after_z;    /* distances within a line along z */
  double               *after_y;    /* within a plane of y and z */
  double               *after_x;    /* distances */
} Fields;


static inline double
step_value (const WfDistanceTask *task,
            int                   axis,
            gint64                steps)
{
  return wf_metric_step (task->metric, steps, task->spacing[axis]);
}

/* The partial distance of pixel @q to the pixels of the other kind than @kind; 0 if it is
 * one itself.
 */
static inline double
partial_distance (const Fields *fields,
                  const double *values,
                  gint64        q,
                  guint8        kind)
{
  if (fields->work->foreground[q] != kind)
    return 0.0;
  return values ? fabs (values[q]) : INFINITY;
}

/* Combines @found with the steps along the axes before @axis. */
static inline double
total (const WfDistanceTask *task,
       const double         *before,
       int                   axis,
       double                found)
{
  while (--axis >= 0)
    found = wf_metric_combine (task->metric, before[axis], found);
  return found;
}

/* The first position along @axis through @p where the distance @wanted, from pixels of @kind
 * to the other kind, is reached.  @before holds the steps along the previous axes and gets
 * the step along this one.
 */
static gint64
first_position (const Fields *fields,
                int           axis,
                gint64        p,
                guint8        kind,
                double        wanted,
                double       *before)
{
  const WfDistanceTask *task   = fields->task;
  const double         *values = axis == 0 ? fields->after_y : axis == 1 ? fields->after_z : NULL;
  const gint64          step   = wf_shape_step (&task->shape, axis);
  const gint64          length = wf_shape_along (&task->shape, axis);
  const gint64          here   = p / step % length;
  const gboolean        outer  = kind && task->border_background;
  const gint64          first  = outer ? -1 : 0;
  const gint64          end    = outer ? length + 1 : length;
  gint64                i      = here;

  while (i > first && total (task, before, axis, step_value (task, axis, i - 1 - here)) <= wanted)
    i--;
  for (; i < end; i++)
    {
      gint64 q     = p + (i - here) * step;
      double value = i < 0 || i >= length ? 0.0 : partial_distance (fields, values, q, kind);

      before[axis] = step_value (task, axis, i - here);
      value        = wf_metric_combine (task->metric, before[axis], value);
      if (total (task, before, axis, value) == wanted)
        return i;
    }
  g_return_val_if_reached (WF_NO_SITE);
}

/* The same along the axis of a band, the last one, in the whole image.  Where the first
 * position lies before the last site above the band, @since gets the first that it may be, and
 * the result is that site.
 */
static gint64
first_position_of_whole (const Fields *fields,
                         gint64        p,
                         guint8        kind,
                         double        wanted,
                         const double *before,
                         gint32       *since)
{
  const WfDistanceTask *task   = fields->task;
  const WfDistanceBand *band   = task->band;
  const int             axis   = band->axis;
  const gint64          step   = wf_shape_step (&task->shape, axis);
  const gint64          column = p % step;
  const gint64          here   = p / step;
  const gint64          above  = wf_band_position (band, band->before[! kind], column);
  const gint64          first  = -band->first - (kind && task->border_background ? 1 : 0);
  gint64                i      = here;

  while (i > first && total (task, before, axis, step_value (task, axis, i - 1 - here)) <= wanted)
    i--;
  if (i < -band->first)
    return i;
  if (above != WF_NO_SITE && i <= above)
    {
      *since = i < above ? i + band->first : WF_NO_SITE;
      return above;
    }

  for (i = MAX (i, 0); i < wf_shape_along (&task->shape, axis); i++)
    if (fields->work->foreground[column + i * step] != kind &&
        total (task, before, axis, step_value (task, axis, i - here)) == wanted)
      return i;
  return wf_band_position (band, band->after[! kind], column);
}

static guint64
find_nearest (const Fields *fields,
              gint64        p)
{
  const WfDistanceTask *task   = fields->task;
  const gint64          whole  = wf_distance_first_index (task);
  const guint8          kind   = fields->work->foreground[p];
  const double          wanted = fabs (fields->after_x[p]);
  gint32               *since  = task->band ? task->band->since + p : NULL;
  double                before[3];

  if (! kind && ! task->signed_distance)
    return p + whole;
  if (isinf (wanted))
    return WF_NEAREST_NONE;
  for (int axis = 0; axis < wf_distance_count_axes (task); axis++)
    {
      gint64 step     = wf_shape_step (&task->shape, axis);
      gint64 length   = wf_shape_along (&task->shape, axis);
      gint64 position = task->band && task->band->axis == axis
                        ? first_position_of_whole (fields, p, kind, wanted, before, since)
                        : first_position (fields, axis, p, kind, wanted, before);

      if (! wf_distance_holds (task, axis, position))
        return WF_NEAREST_NONE;
      p += (position - p / step % length) * step;
    }
  return p + whole;
}

static gboolean
write_nearest (gpointer data,
               WfRow    row)
{
  const Fields *fields = data;
  const gint64  width  = fields->task->shape.width;

  for (gint64 p = row.number * width; p < (row.number + 1) * width; p++)
    fields->work->nearest[p] = find_nearest (fields, p);
  return TRUE;
}

static inline float
real_distance (WfMetric metric,
               double   value)
{
  double distance = wf_metric_result (metric, fabs (value));

  return signbit (value) ? 0 - (float) distance : (float) distance;
}

static void
write_distances (const WfDistanceWork *work,
                 const double         *field,
                 guint                 n_threads)
{
  gint64 n = wf_shape_n_pixels (&work->task->shape);

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 p = 0; p < n; p++)
    if (work->out_type == WF_TYPE_U64)
      ((guint64 *) work->out)[p] = isinf (field[p]) ? G_MAXUINT64 : (guint64) field[p];
    else if (work->out_type == WF_TYPE_F64)
      ((double *) work->out)[p] = field[p];
    else
      ((float *) work->out)[p] = real_distance (work->task->metric, field[p]);
}

static double *
copy_field (const double  *field,
            gint64         n,
            GError       **error)
{
  double *copy = wf_allocate (n, sizeof (double), error);

  if (copy)
    memcpy (copy, field, n * sizeof (double));
  return copy;
}

gboolean
wf_distance_reals (const WfDistanceWork  *work,
                   WfRun                 *run,
                   GError               **error)
{
  const WfDistanceTask *task    = work->task;
  const gint64          n       = wf_shape_n_pixels (&task->shape);
  const WfRows          rows    = { .n = task->shape.height * task->shape.depth,
                                    .amount = task->shape.width };
  const int             axes    = wf_distance_count_axes (task);
  const double          share   = (work->nearest ? 0.5 : 0.95) / axes;
  g_autofree double    *field   = wf_allocate (n, sizeof (double), error);
  g_autofree double    *after_z = NULL;
  g_autofree double    *after_y = NULL;
  Fields                fields;

  if (! field)
    return FALSE;
  for (gint64 p = 0; p < n; p++)
    field[p] = work->foreground[p] ? INFINITY : task->signed_distance ? -INFINITY : 0.0;

  for (int axis = axes - 1; axis >= 0; axis--)
    {
      wf_run_begin (run, share, n);
      if (! wf_distance_pass (task, axis, wf_line_search, field, NULL, run, error))
        return FALSE;
      if (work->nearest && axis == 2 && ! (after_z = copy_field (field, n, error)))
        return FALSE;
      if (work->nearest && axis == 1 && ! (after_y = copy_field (field, n, error)))
        return FALSE;
    }

  fields = (Fields) { work, task, after_z, after_y, field };
  if (work->nearest)
    {
      wf_run_begin (run, 0.45, n);
      if (! wf_run_rows (run, &rows, write_nearest, &fields, error))
        return FALSE;
    }
  if (work->out)
    write_distances (work, field, run->n_threads);
  return TRUE;
}
