/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bands of `local` from the outside: how far the nearest background above and below
 * each band is, column by column.  From then on bands need nothing of one another.
 */

#include "config.h"

#include <math.h>

#include "exact-local-job.h"

/* Columns over which borders are passed on at a time. */
#define STRIP 512


/* Pixels that are foreground above @most: the image's own, or marks made of them. */
const guint8 *
wf_local_pixels_at (const WfLocalJob    *job,
                    const WfLocalWorker *worker,
                    gint64               y,
                    guint8              *most)
{
  const WfImage *image     = job->task->image;
  const double   threshold = isnan (job->task->threshold) ? 0 : job->task->threshold;

  if (image->type == WF_TYPE_U8 && threshold >= 0)
    {
      *most = MIN (threshold, G_MAXUINT8);
      return (const guint8 *) image->data + y * image->row_stride;
    }
  wf_distance_mark_pixels (job->task, y * image->row_stride, image->width, worker->foreground);
  *most = 0;
  return worker->foreground;
}

/* Notes how far the band's last background is from the row below it, less one, and its
 * first one from the row above, in each column.
 */
static gboolean
note_band (gpointer data,
           WfRow    band)
{
  const WfLocalJob    *job    = data;
  const WfLocalWorker *worker = &job->workers[band.worker];
  const gint64         height = wf_local_band_height (job, band.number);
  guint16             *above  = job->above + (band.number + 1) * job->padded;
  guint16             *below  = job->below + band.number * job->padded;

  memset (worker->first, WF_NO_ROW, job->padded);
  memset (worker->last, WF_NO_ROW, job->padded);
  for (gint64 row = 0; row < height; row++)
    {
      guint8        most;
      const guint8 *pixels = wf_local_pixels_at (job, worker, band.number * WF_BAND + row, &most);

      job->steps->note (pixels, most, row, worker->first, worker->last, job->task->shape.width);
    }
  for (gint64 x = 0; x < job->padded; x++)
    {
      above[x] = worker->last[x] == WF_NO_ROW ? WF_NO_COLUMN : height - 1 - worker->last[x];
      below[x] = worker->first[x] == WF_NO_ROW ? WF_NO_COLUMN : worker->first[x];
    }
  return TRUE;
}

/* Passes on what is noted, down and up, in a strip of columns. */
static gboolean
join_strip (gpointer data,
            WfRow    row)
{
  const WfLocalJob *job     = data;
  const gint64      x       = row.number * STRIP;
  const gint64      n       = MIN (STRIP, job->padded - x);
  const guint16     outside = job->task->border_background ? 0 : WF_NO_COLUMN;
  guint16          *above   = job->above + x;
  guint16          *below   = job->below + job->n_bands * job->padded + x;

  for (gint64 i = 0; i < n; i++)
    above[i] = below[i] = x + i < job->task->shape.width ? outside : WF_NO_COLUMN;
  for (gint64 band = 0; band < job->n_bands; band++, above += job->padded)
    job->steps->pass (above, wf_local_band_height (job, band), above + job->padded, n);
  for (gint64 band = job->n_bands - 1; band >= 0; band--, below -= job->padded)
    job->steps->pass (below, wf_local_band_height (job, band), below - job->padded, n);
  return TRUE;
}

gboolean
wf_local_measure_borders (WfLocalJob  *job,
                          GError     **error)
{
  const WfShape *shape = &job->task->shape;
  const WfRows   bands = { .n = job->n_bands, .amount = WF_BAND * shape->width };
  const WfRows   strips = { .n = (job->padded + STRIP - 1) / STRIP, .chunk = 1,
                            .amount = STRIP * job->n_bands };

  wf_run_begin (job->run, 0.1, bands.n * bands.amount);
  if (! wf_run_rows (job->run, &bands, note_band, job, error))
    return FALSE;
  wf_run_begin (job->run, 0.02, strips.n * strips.amount);
  return wf_run_rows (job->run, &strips, join_strip, job, error);
}

/* What is below the row above the image is all there is. */
gboolean
wf_local_finds_background (const WfLocalJob *job)
{
  for (gint64 x = 0; x < job->padded; x++)
    if (job->below[x] != WF_NO_COLUMN)
      return TRUE;
  return FALSE;
}
