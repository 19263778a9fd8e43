/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on the CPU, `envelope`: a separable exact transform.  The passes
 * go along z, y and x in this order, so that among pixels at equal distance the
 * one with the smallest x, then y, then z is found last and stays.
 *
 * With unit spacing everything is counted in 64-bit integers.  With another
 * spacing distances are sums of rounded products in double precision, grouped as
 * x + (y + z): rounding is monotone, so the least of each pass gives the least of
 * all, bit for bit.
 */

#include "config.h"

#include <math.h>

#include "distance.h"

/* Lines that lie side by side are worked on together, to use whole cache lines. */
#define LINES_AT_ONCE 16


/*  A pass along one axis  */

typedef struct
{
  const WfDistanceTask *task;
  int                   axis;
  WfLineFunc            transform;
  gint64               *field;
  gint32               *from;
  gint64                length;
  gint64                step;
  gint64                side_by_side;  /* lines whose first pixels are neighbours */
} Pass;

typedef struct
{
  gint64 *in;
  gint64 *out;
  gint64 *scratch;
  gint32 *from;
} Buffers;

static void
buffers_clear (Buffers *buffers)
{
  g_free (buffers->in);
  g_free (buffers->out);
  g_free (buffers->scratch);
  g_free (buffers->from);
}

static gboolean
buffers_init (Buffers  *buffers,
              gint64    length,
              GError  **error)
{
  return (buffers->in = wf_allocate (length * LINES_AT_ONCE, sizeof (gint64), error)) &&
         (buffers->out = wf_allocate (length, sizeof (gint64), error)) &&
         (buffers->scratch = wf_allocate ((length + 2) * 3, sizeof (gint64), error)) &&
         (buffers->from = wf_allocate (length, sizeof (gint32), error));
}

static void
transform_lines (const Pass    *pass,
                 const Buffers *buffers,
                 gint64         first,
                 gint64         n)
{
  WfLineWork work = {
    .length            = pass->length,
    .out               = buffers->out,
    .from              = pass->from ? buffers->from : NULL,
    .scratch           = buffers->scratch,
    .metric            = pass->task->metric,
    .border_background = pass->task->border_background,
    .spacing           = pass->task->spacing[pass->axis],
  };

  for (gint64 k = 0; k < pass->length; k++)
    for (gint64 line = 0; line < n; line++)
      buffers->in[line * pass->length + k] = pass->field[first + k * pass->step + line];

  for (gint64 line = 0; line < n; line++)
    {
      work.in = buffers->in + line * pass->length;
      pass->transform (&work);
      for (gint64 k = 0; k < pass->length; k++)
        {
          pass->field[first + k * pass->step + line] = buffers->out[k];
          if (pass->from)
            pass->from[first + k * pass->step + line] = buffers->from[k];
        }
    }
}

/* Transforms, in place, every line of @field along @axis; @from may be NULL. */
gboolean
wf_distance_pass (const WfDistanceTask  *task,
                  int                    axis,
                  WfLineFunc             transform,
                  gpointer               field,
                  gint32                *from,
                  WfRun                 *run,
                  GError               **error)
{
  Pass   pass      = { task, axis, transform, field, from,
                       wf_shape_along (&task->shape, axis), wf_shape_step (&task->shape, axis), 1 };
  gint64 n_lines   = wf_shape_n_pixels (&task->shape) / pass.length;
  gint64 n_bundles;
  GError *failure  = NULL;
  int    stop      = FALSE;

  pass.side_by_side = axis == 0 ? 1 : pass.step;
  n_bundles = (pass.side_by_side + LINES_AT_ONCE - 1) / LINES_AT_ONCE
              * (n_lines / pass.side_by_side);

#pragma omp parallel num_threads(run->n_threads) if (run->n_threads > 1)
  {
    Buffers  buffers = { 0 };
    GError  *mine    = NULL;
    gint64   across  = n_bundles / (n_lines / pass.side_by_side);

    if (! buffers_init (&buffers, pass.length, &mine))
      __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);

#pragma omp for schedule(dynamic, 4)
    for (gint64 bundle = 0; bundle < n_bundles; bundle++)
      {
        gint64 line  = bundle % across * LINES_AT_ONCE;
        gint64 n     = MIN (LINES_AT_ONCE, pass.side_by_side - line);
        gint64 first = bundle / across * pass.side_by_side * pass.length + line;

        if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
          continue;
        transform_lines (&pass, &buffers, first, n);
        if (! wf_run_advance (run, n * pass.length))
          __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
      }

#pragma omp critical
    if (mine && ! failure)
      failure = g_steal_pointer (&mine);
    g_clear_error (&mine);
    buffers_clear (&buffers);
  }

  if (failure)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return stop ? wf_run_set_cancelled (error) : TRUE;
}


/*  Foreground  */

#define IS_FOREGROUND(pixel, threshold) \
  (isnan (threshold) ? (pixel) != 0 : (double) (pixel) > (threshold))

#define MARK_ROW(type) \
  for (gint64 x = 0; x < image->width; x++) \
    foreground[x] = IS_FOREGROUND (((const type *) image->data)[first + x], threshold)

static void
mark_row (const WfImage *image,
          gint64         first,
          double         threshold,
          guint8        *foreground)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      MARK_ROW (guint8);
      break;
    case WF_TYPE_U16:
      MARK_ROW (guint16);
      break;
    default:
      MARK_ROW (float);
      break;
    }
}

void
wf_distance_mark (const WfDistanceTask *task,
                  guint8               *foreground)
{
  const WfImage *image = task->image;

  for (gint64 z = 0; z < image->depth; z++)
    for (gint64 y = 0; y < image->height; y++, foreground += image->width)
      mark_row (image, z * image->slice_stride + y * image->row_stride, task->threshold, foreground);
}


/*  The variant  */

/* A chessboard tie is not settled pass by pass: equal maxima hide which of the
 * pixels behind them comes first.  The reals' own search settles it.
 */
static gboolean
needs_reals (const WfDistanceTask *task)
{
  return ! task->exact_integers || (task->metric == WF_METRIC_CHESSBOARD && task->nearest);
}

static void
work_clear (WfDistanceWork *work)
{
  g_free (work->foreground);
  g_free (work->out);
  g_free (work->nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfDistanceWork, work_clear)

static gboolean
run_envelope (gconstpointer   data,
              WfRun          *run,
              GError        **error)
{
  const WfDistanceTask    *task = data;
  gint64                   n    = wf_shape_n_pixels (&task->shape);
  g_auto (WfDistanceWork)  work = { .task = task };

  if (task->out)
    work.out_type = task->out->type;
  if (! (work.foreground = wf_allocate (n, 1, error)) ||
      (task->out && ! (work.out = wf_allocate (n, wf_type_size (work.out_type), error))) ||
      (task->nearest && ! (work.nearest = wf_allocate (n, sizeof (guint64), error))))
    return FALSE;

  wf_distance_mark (task, work.foreground);
  *task->no_background = ! task->border_background && ! memchr (work.foreground, 0, n);
  if (! (needs_reals (task) ? wf_distance_reals : wf_distance_integers) (&work, run, error))
    return FALSE;

  if (task->out)
    wf_image_unpack (task->out, work.out);
  if (task->nearest)
    wf_image_unpack (task->nearest, work.nearest);
  return TRUE;
}

static guint64
envelope_memory (gconstpointer data)
{
  const WfDistanceTask *task  = data;
  int                   axes  = task->shape.depth > 1 ? 3 : 2;
  guint64               bytes = 1 + sizeof (gint64);

  if (task->out)
    bytes += wf_type_size (task->out->type);
  if (task->nearest)
    bytes += sizeof (guint64)
             + (needs_reals (task) ? (axes - 1) * sizeof (double) : axes * sizeof (gint32));
  return bytes * wf_shape_n_pixels (&task->shape);
}

const WfVariant wf_cpu_distance_variants[] =
{
  { "envelope", NULL, NULL, envelope_memory, run_envelope },
  { NULL, NULL, NULL, NULL, NULL }
};
