/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on the CPU, `envelope`: a separable exact transform.  The passes
 * go along z, y and x in this order, so that among pixels at equal distance the
 * one with the smallest x, then y, then z is found last and stays.
 *
 * With unit spacing everything is counted in 64-bit integers.  With another
 * spacing distances are sums of rounded products in double precision, grouped as
 * x + (y + z): rounding is monotone, so the least of each pass gives the least of
 * all, bit for bit.
 *
 * A signed map comes from the same passes.  A pixel is at distance 0 from its own kind,
 * so one value is enough for each, how far the other kind is, and a bit for the
 * pixel's own kind.  Each line is transformed twice, with the values of the one kind
 * and 0 for the other; each pixel keeps the result for its kind.
 */

#include "config.h"

#include <math.h>

#include "exact-envelope.h"

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
  gint64                across;        /* bundles that these are divided into */
} Pass;

/* Of @length values each; @in and @scratch of more. */
typedef struct
{
  gint64 *in;
  gint64 *kind;         /* of a signed map: one line's values for one kind of pixels */
  gint64 *out;
  gint64 *scratch;
  gint32 *from;
} Buffers;

/* Divides a worker's memory. */
static Buffers
buffers_in (gpointer memory,
            gint64   length)
{
  Buffers buffers = { .in = memory };

  buffers.kind    = buffers.in + LINES_AT_ONCE * length;
  buffers.out     = buffers.kind + length;
  buffers.scratch = buffers.out + length;
  buffers.from    = (gint32 *) (buffers.scratch + 3 * (length + 2));
  return buffers;
}

static gsize
buffers_size (gint64 length)
{
  return ((LINES_AT_ONCE + 2) * length + 3 * (length + 2)) * sizeof (gint64)
         + length * sizeof (gint32);
}

/* Transforms a line, whose first pixel is number @first of the field. */
static void
transform_line (const Pass       *pass,
                const WfLineWork *work,
                gint64            first)
{
  const gint64 *out = work->out;

  pass->transform (work);
  for (gint64 k = 0; k < pass->length; k++)
    {
      pass->field[first + k * pass->step] = out[k];
      if (pass->from)
        pass->from[first + k * pass->step] = work->from[k];
    }
}

/* The same for the pixels of one kind alone, whose values are @in; for them the
 * pixels of the other kind are at distance 0.
 */
static void
transform_kind (const Pass    *pass,
                const Buffers *buffers,
                WfLineWork    *work,
                const gint64  *in,
                guint64        kind,
                gint64         first)
{
  gboolean found = FALSE;

  for (gint64 k = 0; k < pass->length; k++)
    {
      gboolean belongs = (in[k] & WF_BACKGROUND_BIT) == kind;

      buffers->kind[k] = belongs ? (gint64) (in[k] & ~WF_BACKGROUND_BIT) : 0;
      found           |= belongs;
    }
  if (! found)
    return;

  work->in                = buffers->kind;
  work->border_background = kind == 0 && pass->task->border_background;
  pass->transform (work);
  for (gint64 k = 0; k < pass->length; k++)
    if ((in[k] & WF_BACKGROUND_BIT) == kind)
      {
        pass->field[first + k * pass->step] = buffers->out[k] | kind;
        if (pass->from)
          pass->from[first + k * pass->step] = buffers->from[k];
      }
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
      gint64 *in = buffers->in + line * pass->length;

      if (pass->task->signed_distance)
        {
          transform_kind (pass, buffers, &work, in, 0, first + line);
          transform_kind (pass, buffers, &work, in, WF_BACKGROUND_BIT, first + line);
          continue;
        }
      work.in = in;
      transform_line (pass, &work, first + line);
    }
}

static gboolean
transform_bundle (gpointer data,
                  WfRow    row)
{
  const Pass    *pass    = data;
  const Buffers  buffers = buffers_in (row.scratch, pass->length);
  const gint64   line    = row.number % pass->across * LINES_AT_ONCE;
  const gint64   first   = row.number / pass->across * pass->side_by_side * pass->length + line;

  transform_lines (pass, &buffers, first, MIN (LINES_AT_ONCE, pass->side_by_side - line));
  return TRUE;
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
  const gint64 n    = wf_shape_n_pixels (&task->shape);
  Pass         pass = { task, axis, transform, field, from,
                        wf_shape_along (&task->shape, axis),
                        wf_shape_step (&task->shape, axis), 1, 1 };
  WfRows       bundles;

  if (axis > 0)
    pass.side_by_side = pass.step;
  pass.across = (pass.side_by_side + LINES_AT_ONCE - 1) / LINES_AT_ONCE;

  bundles.n            = n / pass.length / pass.side_by_side * pass.across;
  bundles.chunk        = 0;
  bundles.amount       = n / bundles.n;
  bundles.scratch_size = buffers_size (pass.length);
  return wf_run_rows (run, &bundles, transform_bundle, &pass, error);
}


/*  Foreground  */

/* A whole number is above a threshold if it is above its whole part; unset, the
 * threshold is 0.  −1 stands for all that are below every pixel.
 */
static int
whole_threshold (double threshold)
{
  if (isnan (threshold))
    return 0;
  return threshold < 0 ? -1 : threshold >= G_MAXUINT16 ? G_MAXUINT16 : (int) threshold;
}

static void
mark_u8 (const guint8 *pixels,
         gint64        n,
         int           threshold,
         guint8       *foreground)
{
  const guint8 most = MIN (threshold, G_MAXUINT8);

  if (threshold < 0)
    memset (foreground, TRUE, n);
  else
    for (gint64 i = 0; i < n; i++)
      foreground[i] = pixels[i] > most;
}

static void
mark_u16 (const guint16 *pixels,
          gint64         n,
          int            threshold,
          guint8        *foreground)
{
  for (gint64 i = 0; i < n; i++)
    foreground[i] = pixels[i] > threshold;
}

static void
mark_f32 (const float *pixels,
          gint64       n,
          double       threshold,
          guint8      *foreground)
{
  if (isnan (threshold))
    for (gint64 i = 0; i < n; i++)
      foreground[i] = pixels[i] != 0;
  else
    for (gint64 i = 0; i < n; i++)
      foreground[i] = (double) pixels[i] > threshold;
}

/* @first: of the task's image, in pixels from its start. */
void
wf_distance_mark_pixels (const WfDistanceTask *task,
                         gint64                first,
                         gint64                n,
                         guint8               *foreground)
{
  switch (task->image->type)
    {
    case WF_TYPE_U8:
      mark_u8 ((const guint8 *) task->image->data + first, n,
               whole_threshold (task->threshold), foreground);
      break;
    case WF_TYPE_U16:
      mark_u16 ((const guint16 *) task->image->data + first, n,
                whole_threshold (task->threshold), foreground);
      break;
    default:
      mark_f32 ((const float *) task->image->data + first, n, task->threshold, foreground);
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
      wf_distance_mark_pixels (task, wf_image_offset (image, 0, y, z), image->width, foreground);
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
    wf_image_unpack (task->out, work.out, run);
  if (task->nearest)
    wf_image_unpack (task->nearest, work.nearest, run);
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

/* `local` itself knows no signs. */
static gboolean
supports_local (gconstpointer data)
{
  WfDistanceTask task = *(const WfDistanceTask *) data;

  task.signed_distance = FALSE;
  return wf_distance_local_supports (&task);
}

static guint64
local_memory (gconstpointer data)
{
  const WfDistanceTask *task  = data;
  guint64               bytes = wf_distance_local_memory (task);

  return task->signed_distance ? bytes + wf_distance_signed_local_memory (task) : bytes;
}

static gboolean
run_local (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  const WfDistanceTask *task = data;

  return (task->signed_distance ? wf_distance_signed_local : wf_distance_local) (task, run, error);
}

/* `propagation` is there to be compared with: the exact algorithms are faster. */
const WfVariant wf_cpu_distance_variants[] =
{
  { "local", supports_local, NULL, local_memory, run_local, FALSE, NULL },
  { "envelope", NULL, NULL, envelope_memory, run_envelope, FALSE, NULL },
  { "propagation", wf_distance_propagation_supports, wf_by_name_only,
    wf_distance_propagation_memory, wf_distance_propagation, FALSE, NULL },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
