/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass of the separable distance transform: every line along an axis. */

#include "config.h"

#include "exact-envelope.h"

/* Adjacent lines are transformed together, to use whole cache lines. */
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

/* Arrays of @length values; @in and @scratch are longer. */
typedef struct
{
  gint64 *in;
  gint64 *kind;         /* of a signed map: one line's values for one kind of pixels */
  gint64 *out;
  gint64 *scratch;
  gint32 *from;
} Buffers;

/* Divides a worker's scratch memory. */
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

/* Finds the sites beyond the ends of a line.  @kind: of the pixels that are measured */
static void
find_ends (const Pass *pass,
           guint64     kind,
           gint64      first,
           WfLineWork *work)
{
  const WfDistanceBand *band    = pass->task->band;
  const int             site    = kind ? 1 : 0;
  const gboolean        outside = pass->task->border_background && ! kind;

  if (band && band->axis == pass->axis)
    {
      work->before = wf_band_position (band, band->before[site], first);
      work->after  = wf_band_position (band, band->after[site], first);
    }
  else
    {
      work->before = outside ? -1 : WF_NO_SITE;
      work->after  = outside ? pass->length : WF_NO_SITE;
    }
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

/* The same for the pixels of one kind only: for them, pixels of the other kind are at
 * distance 0.
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

  work->in = buffers->kind;
  find_ends (pass, kind, first, work);
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
    .length  = pass->length,
    .out     = buffers->out,
    .from    = pass->from ? buffers->from : NULL,
    .scratch = buffers->scratch,
    .metric  = pass->task->metric,
    .spacing = pass->task->spacing[pass->axis],
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
      find_ends (pass, 0, first + line, &work);
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
