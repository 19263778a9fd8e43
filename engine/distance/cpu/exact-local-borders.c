/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The borders of the bands of `local`: the distance to the nearest background above and
 * below each band, column by column.  With these, bands are independent of each other.
 */

#include "config.h"

#include <math.h>

#include "exact-local-job.h"

/* Columns of a strip, over which borders are passed on. */
#define STRIP 512


/* A row of pixels that are foreground above @most: the image's own, or marks. */
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

/* Notes for each column the distances of the band's last background row from the band's
 * last row, and of its first background row from the band's first row.
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

/* The distance from the row above the image to the background above it in a column, or from
 * the row below to that below.
 */
static guint16
distance_beyond (const WfDistanceTask *task,
                 gboolean              above,
                 gint64                x)
{
  const WfDistanceBand *band = task->band;
  gint64                distance;

  if (! band)
    return task->border_background ? 0 : WF_NO_COLUMN;
  if ((above ? band->before : band->after)[0][x] == WF_NO_SITE)
    return WF_NO_COLUMN;
  distance = above ? band->first - 1 - band->before[0][x]
                   : band->after[0][x] - band->first - task->shape.height;
  return MIN (distance, WF_NO_COLUMN);
}

/* Passes the noted distances on, down and up, in a strip of columns. */
static gboolean
join_strip (gpointer data,
            WfRow    row)
{
  const WfLocalJob *job     = data;
  const gint64      x       = row.number * STRIP;
  const gint64      n       = MIN (STRIP, job->padded - x);
  guint16          *above   = job->above + x;
  guint16          *below   = job->below + job->n_bands * job->padded + x;

  for (gint64 i = 0; i < n; i++)
    {
      const gboolean inside = x + i < job->task->shape.width;

      above[i] = inside ? distance_beyond (job->task, TRUE, x + i) : WF_NO_COLUMN;
      below[i] = inside ? distance_beyond (job->task, FALSE, x + i) : WF_NO_COLUMN;
    }
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

/* Whether there is no column whose background is too far from some row of a band for 16 bits:
 * one of two distances may be, but not the lesser one.
 */
gboolean
wf_local_reaches_columns (const WfDistanceTask *task)
{
  const WfDistanceBand *band = task->band;

  if (! band || band->length < WF_NO_COLUMN)
    return TRUE;
  if (! band->before[0])
    return FALSE;
  for (int kind = 0; kind < 2 && band->before[kind]; kind++)
    for (gint64 x = 0; x < task->shape.width; x++)
      {
        const gint64 before = band->before[kind][x];
        const gint64 after  = band->after[kind][x];
        const gint64 last   = band->first + task->shape.height - 1;

        if ((before != WF_NO_SITE || after != WF_NO_SITE) &&
            (before == WF_NO_SITE || last - before >= WF_NO_COLUMN) &&
            (after == WF_NO_SITE || after - band->first >= WF_NO_COLUMN))
          return FALSE;
      }
  return TRUE;
}

/* All background lies below the row above the image. */
gboolean
wf_local_finds_background (const WfLocalJob *job)
{
  for (gint64 x = 0; x < job->padded; x++)
    if (job->below[x] != WF_NO_COLUMN)
      return TRUE;
  return FALSE;
}
