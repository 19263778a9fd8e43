/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on the CPU, `envelope`: a separable exact transform.  The passes
 * (exact-envelope-pass.c) go along z, y and x in this order, so that among pixels at equal
 * distance the one with the smallest x, then y, then z is found last and kept.
 *
 * With unit spacing all values are 64-bit integers (exact-envelope-integers.c).  With
 * another spacing distances are sums of rounded products in double precision, grouped as
 * x + (y + z) (exact-envelope-reals.c).  Rounding is monotone, so the least values of each
 * pass give the least distance, bit for bit.
 *
 * A signed map comes from the same passes.  A pixel is at distance 0 from its own kind,
 * so each pixel needs one value, the distance to the other kind, and a bit for its own
 * kind.  Each line is transformed twice, with the values of one kind and 0 for the other;
 * each pixel keeps the result for its kind.
 *
 * In a band of a larger image the first pass, along y or z, also takes in the nearest sites
 * before and after the band in each column.  Further ones give no shorter distance.  Where
 * rounding or a maximum makes them equal, the search of the reals says so.
 */

#include "config.h"

#include "exact-envelope.h"


/* Where passes do not keep the first of equal pixels, the search of the reals finds it. */
static gboolean
needs_reals (const WfDistanceTask *task)
{
  return ! task->exact_integers || (task->nearest && ! wf_metric_keeps_ties (task->metric));
}

static void
work_clear (WfDistanceWork *work)
{
  g_free (work->foreground);
  g_free (work->out);
  g_free (work->nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfDistanceWork, work_clear)

gboolean
wf_distance_envelope (gconstpointer   data,
                      WfRun          *run,
                      GError        **error)
{
  const WfDistanceTask    *task = data;
  gint64                   n    = wf_shape_n_pixels (&task->shape);
  g_auto (WfDistanceWork)  work = { .task = task };

  if (wf_distance_is_summary (task))
    return wf_distance_note_band (task, run, error);
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

guint64
wf_distance_envelope_memory (gconstpointer data)
{
  const WfDistanceTask *task  = data;
  int                   axes  = wf_distance_count_axes (task);
  guint64               bytes = 1 + sizeof (gint64);

  if (wf_distance_is_summary (task))
    return 0;
  if (task->out)
    bytes += wf_type_size (task->out->type);
  if (task->nearest)
    bytes += sizeof (guint64)
             + (needs_reals (task) ? (axes - 1) * sizeof (double) : axes * sizeof (gint32));
  return bytes * wf_shape_n_pixels (&task->shape);
}
