/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Euclidean distances of images on the CPU, `local`: exact.
 *
 * The square of a pixel's distance is the least, over the columns at a step k, of
 * k² plus the square of the distance to the nearest background in that column
 * (Saito and Toriwaki 1994).  How it is found here:
 *
 *   1. Bands of WF_BAND rows note where each column has its first and its last
 *      background in them.  Passed on from band to band, that tells each band how
 *      far the background above and below it is, column by column; from then on
 *      bands need nothing of one another.
 *   2. A band's column distances, up and then down, stay in the cache.  Each row is
 *      searched as soon as its distances are there: blocks of 64 pixels take in steps
 *      1, 2, 3, … on both sides, as vectors of 16-bit squares, until k² alone,
 *      with the least square of the blocks around, is no better than their worst
 *      pixel.  What is not settled within WF_REACH steps is far from any background,
 *      and is found by halving (distance-local-far.inc.h).
 *
 * Bytes a pixel: the image's own read twice, 4 written for the result.
 *
 * Outputs change only when the operation can no longer be cancelled, and a whole
 * second result would take more memory than all the rest.  So most bands are first
 * kept in short, 2 bytes a pixel: squares of distances where they are near, and where
 * they are far the sites from which they are quickly found again.  A few bands, spread
 * over the image, tell how long one takes; as soon as the rest can be done within
 * LAST_SECONDS nothing more is kept: the run is committed, the rest goes right into
 * the output, and the kept bands are finished there.
 */

#include "config.h"

#include <math.h>

#include "distance-local.h"

/* Rows of a band: enough that what is known of its borders takes little memory and
 * time, and so few that its column distances stay in the second cache.
 */
#define WF_BAND 32

#define LAST_SECONDS 0.05

/* One band in so many is measured, and one in so many is never kept, which makes
 * room for what is known of the bands' borders.
 */
#define BANDS_A_SAMPLE 32
#define BANDS_A_LAST   8

/* Columns over which borders are passed on at a time. */
#define STRIP 512

typedef struct
{
  guint8  *foreground;
  guint8  *first;
  guint8  *last;
  guint16 *above;
  guint16 *columns;     /* of a whole band */
  guint16 *squares;
  double  *heights;
  double  *candidates;
  double  *candidate_heights;
  gint32  *sites;
} Worker;

/**
 * Job:
 * @padded: width in whole blocks
 * @above: column distances in the row above each band, and below the last
 * @below: column distances in the row above the image, and below each band
 * @order: the bands, those to be kept first
 * @n_kept: how many are kept
 * @first: in @order, of the bands under way
 * @own: the result, where it cannot be written in place
 * @stride: of the result
 */
typedef struct
{
  const WfDistanceTask *task;
  const WfLocalSteps   *steps;
  WfRun                *run;
  gint64                padded;
  gint64                n_bands;
  guint16              *above;
  guint16              *below;
  gint64               *order;
  gint64                n_kept;
  gint64                first;
  guint16              *kept;
  guint8               *has_far;    /* a byte for each band that is kept */
  guint                 n_workers;
  Worker               *workers;
  gpointer              own;
  gpointer              result;
  gint64                stride;
} Job;


static const WfLocalSteps *
choose_steps (void)
{
  static const WfLocalSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_local);

  return tables[wf_simd_level ()];
}


/*  Memory  */

static gint64
padded_width (const WfDistanceTask *task)
{
  return (task->shape.width + WF_BLOCK - 1) / WF_BLOCK * WF_BLOCK;
}

static gint64
count_bands (const WfDistanceTask *task)
{
  return (task->shape.height + WF_BAND - 1) / WF_BAND;
}

static gint64
count_samples (gint64 n_bands,
               guint  n_workers)
{
  return MIN (MAX (n_bands / BANDS_A_SAMPLE, n_workers), n_bands);
}

static gint64
most_kept_bands (gint64 n_bands,
                 guint  n_workers)
{
  return MAX (n_bands - n_bands / BANDS_A_LAST, count_samples (n_bands, n_workers));
}

static void
worker_clear (Worker *worker)
{
  g_free (worker->foreground);
  g_free (worker->first);
  g_free (worker->last);
  g_free (worker->above);
  g_free (worker->columns);
  g_free (worker->squares);
  g_free (worker->heights);
  g_free (worker->candidates);
  g_free (worker->candidate_heights);
  g_free (worker->sites);
}

/* There is no background in the padding, which stays as it is. */
static gboolean
worker_init (Worker     *worker,
             const Job  *job,
             GError    **error)
{
  const gint64 n      = job->padded;
  const gint64 wide   = n + 2 * WF_REACH;
  const gint64 a_band = n * WF_BAND;
  const gint64 more   = n + 2 * WF_GROUP;

  if (! (worker->foreground = wf_allocate (n, sizeof *worker->foreground, error)) ||
      ! (worker->first = wf_allocate (n, sizeof *worker->first, error)) ||
      ! (worker->last = wf_allocate (n, sizeof *worker->last, error)) ||
      ! (worker->above = wf_allocate (n, sizeof *worker->above, error)) ||
      ! (worker->columns = wf_allocate (a_band, sizeof *worker->columns, error)) ||
      ! (worker->squares = wf_allocate (wide, sizeof *worker->squares, error)) ||
      ! (worker->heights = wf_allocate (more, sizeof (double), error)) ||
      ! (worker->candidates = wf_allocate (more, sizeof (double), error)) ||
      ! (worker->candidate_heights = wf_allocate (more, sizeof (double), error)) ||
      ! (worker->sites = wf_allocate (n / WF_GROUP + 1, sizeof *worker->sites, error)))
    return FALSE;

  memset (worker->columns, G_MAXUINT8, a_band * sizeof *worker->columns);
  for (gint64 i = 0; i < wide; i++)
    worker->squares[i] = WF_FAR_SQUARE;
  if (job->task->border_background)
    worker->squares[WF_REACH - 1] = worker->squares[WF_REACH + job->task->shape.width] = 0;
  return TRUE;
}

static void
job_clear (Job *job)
{
  for (guint i = 0; job->workers && i < job->n_workers; i++)
    worker_clear (&job->workers[i]);
  g_free (job->workers);
  g_free (job->above);
  g_free (job->below);
  g_free (job->order);
  g_free (job->kept);
  g_free (job->has_far);
  g_free (job->own);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static gboolean
is_same_view (const WfImage *image,
              const WfImage *other)
{
  return image->data == other->data && image->type == other->type &&
         image->row_stride == other->row_stride;
}

/* A band may overwrite its own rows of the image, but no others. */
static gboolean
needs_own_result (const WfDistanceTask *task)
{
  return wf_image_overlaps (task->image, task->out) && ! is_same_view (task->image, task->out);
}

/* Whether the result may be written before all of it is sure.  Inputs are not spoiled,
 * whatever the caller allows for outputs.
 */
static gboolean
writes_at_once (const Job *job)
{
  return job->own ||
         (job->run->partial_outputs && ! wf_image_overlaps (job->task->image, job->task->out));
}

static gboolean
job_init_result (Job     *job,
                 GError **error)
{
  const WfDistanceTask *task = job->task;

  job->result = task->out->data;
  job->stride = task->out->row_stride;
  if (needs_own_result (task))
    {
      job->result = job->own = wf_allocate (wf_shape_n_pixels (&task->shape),
                                            wf_type_size (task->out->type), error);
      job->stride = task->shape.width;
    }
  return job->result != NULL;
}

/* All the memory at once: when the output is written nothing may fail any more. */
static gboolean
job_init (Job                   *job,
          const WfDistanceTask  *task,
          WfRun                 *run,
          GError               **error)
{
  const gint64 padded  = padded_width (task);
  const gint64 n_bands = count_bands (task);
  const gint64 borders = (n_bands + 1) * padded;
  gint64       most;

  job->task      = task;
  job->steps     = choose_steps ();
  job->run       = run;
  job->padded    = padded;
  job->n_bands   = n_bands;
  job->n_workers = wf_run_team (run, n_bands, n_bands * WF_BAND * task->shape.width);
  most           = most_kept_bands (n_bands, job->n_workers);

  if (! job_init_result (job, error) ||
      ! (job->above = wf_allocate (borders, sizeof *job->above, error)) ||
      ! (job->below = wf_allocate (borders, sizeof *job->below, error)) ||
      ! (job->order = wf_allocate (n_bands, sizeof *job->order, error)) ||
      ! (job->has_far = wf_allocate (n_bands, 1, error)))
    return FALSE;
  if (! writes_at_once (job) &&
      ! (job->kept = wf_allocate (most * WF_BAND * padded, sizeof *job->kept, error)))
    return FALSE;

  job->workers = g_new0 (Worker, job->n_workers);
  for (guint i = 0; i < job->n_workers; i++)
    if (! worker_init (&job->workers[i], job, error))
      return FALSE;
  return TRUE;
}


/*  Bands, from the outside  */

static gint64
band_height (const Job *job,
             gint64     band)
{
  return MIN (WF_BAND, job->task->shape.height - band * WF_BAND);
}

/* Pixels that are foreground above @most: the image's own, or marks made of them. */
static const guint8 *
pixels_at (const Job    *job,
           const Worker *worker,
           gint64        y,
           guint8       *most)
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
note_band (gpointer   data,
           gint64     band,
           guint      number,
           gpointer   scratch,
           GError   **error)
{
  const Job    *job    = data;
  const Worker *worker = &job->workers[number];
  const gint64  height = band_height (job, band);
  guint16      *above  = job->above + (band + 1) * job->padded;
  guint16      *below  = job->below + band * job->padded;

  memset (worker->first, WF_NO_ROW, job->padded);
  memset (worker->last, WF_NO_ROW, job->padded);
  for (gint64 row = 0; row < height; row++)
    {
      guint8        most;
      const guint8 *pixels = pixels_at (job, worker, band * WF_BAND + row, &most);

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
join_strip (gpointer   data,
            gint64     strip,
            guint      number,
            gpointer   scratch,
            GError   **error)
{
  const Job     *job     = data;
  const gint64   x       = strip * STRIP;
  const gint64   n       = MIN (STRIP, job->padded - x);
  const guint16  outside = job->task->border_background ? 0 : WF_NO_COLUMN;
  guint16       *above   = job->above + x;
  guint16       *below   = job->below + job->n_bands * job->padded + x;

  for (gint64 i = 0; i < n; i++)
    above[i] = below[i] = x + i < job->task->shape.width ? outside : WF_NO_COLUMN;
  for (gint64 band = 0; band < job->n_bands; band++, above += job->padded)
    job->steps->pass (above, band_height (job, band), above + job->padded, n);
  for (gint64 band = job->n_bands - 1; band >= 0; band--, below -= job->padded)
    job->steps->pass (below, band_height (job, band), below - job->padded, n);
  return TRUE;
}

static gboolean
measure_borders (Job     *job,
                 GError **error)
{
  const WfShape *shape  = &job->task->shape;
  const WfRows   bands  = { .n = job->n_bands, .amount = WF_BAND * shape->width };
  const WfRows   strips = { .n = (job->padded + STRIP - 1) / STRIP, .chunk = 1,
                            .amount = STRIP * job->n_bands };

  wf_run_begin (job->run, 0.1, bands.n * bands.amount);
  if (! wf_run_rows (job->run, &bands, note_band, job, error))
    return FALSE;
  wf_run_begin (job->run, 0.02, strips.n * strips.amount);
  return wf_run_rows (job->run, &strips, join_strip, job, error);
}

/* What is below the row above the image is all there is. */
static gboolean
finds_background (const Job *job)
{
  for (gint64 x = 0; x < job->padded; x++)
    if (job->below[x] != WF_NO_COLUMN)
      return TRUE;
  return FALSE;
}


/*  Bands, from the inside  */

static WfLocalRow
row_at (const Job    *job,
        const Worker *worker,
        gint64        y)
{
  WfLocalRow row = {
    .width             = job->task->shape.width,
    .border_background = job->task->border_background,
    .columns           = worker->columns + y % WF_BAND * job->padded,
    .squares           = worker->squares + WF_REACH,
    .heights           = worker->heights + WF_GROUP,
    .candidates        = worker->candidates + WF_GROUP,
    .candidate_heights = worker->candidate_heights + WF_GROUP,
    .sites             = worker->sites,
  };

  if (job->task->metric == WF_METRIC_SQUARED)
    row.squared = (guint64 *) job->result + y * job->stride;
  else
    row.distances = (float *) job->result + y * job->stride;
  return row;
}

/* Column distances to what lies in each row of the band or below. */
static void
measure_up (const Job    *job,
            const Worker *worker,
            gint64        band)
{
  const guint16 *below = job->below + (band + 1) * job->padded;

  memcpy (worker->above, job->above + band * job->padded, job->padded * sizeof *worker->above);
  for (gint64 row = band_height (job, band) - 1; row >= 0; row--)
    {
      guint8        most;
      const guint8 *pixels = pixels_at (job, worker, band * WF_BAND + row, &most);
      guint16      *here   = worker->columns + row * job->padded;

      job->steps->up (pixels, most, below, here, job->task->shape.width);
      below = here;
    }
}

/* Completes them in the next row, and squares them. */
static void
measure_down (const Job    *job,
              const Worker *worker,
              gint64        y)
{
  guint8        most;
  const guint8 *pixels = pixels_at (job, worker, y, &most);

  job->steps->down (pixels, most, worker->above, worker->columns + y % WF_BAND * job->padded,
                    worker->squares + WF_REACH, job->task->shape.width);
}

static gboolean
keep_band (gpointer   data,
           gint64     i,
           guint      number,
           gpointer   scratch,
           GError   **error)
{
  const Job    *job    = data;
  const Worker *worker = &job->workers[number];
  const gint64  rank   = job->first + i;
  const gint64  band   = job->order[rank];
  gboolean      far    = FALSE;

  measure_up (job, worker, band);
  for (gint64 row = 0; row < band_height (job, band); row++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + row);

      measure_down (job, worker, band * WF_BAND + row);
      local.kept = job->kept + (rank * WF_BAND + row) * job->padded;
      far       |= job->steps->search (&local);
    }
  job->has_far[rank] = far;
  return TRUE;
}

static void
write_band (const Job    *job,
            const Worker *worker,
            gint64        band)
{
  measure_up (job, worker, band);
  for (gint64 row = 0; row < band_height (job, band); row++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + row);

      measure_down (job, worker, band * WF_BAND + row);
      job->steps->search (&local);
    }
}

static void
finish_band (const Job    *job,
             const Worker *worker,
             gint64        rank)
{
  const gint64 band = job->order[rank];

  if (job->has_far[rank])
    measure_up (job, worker, band);
  for (gint64 row = 0; row < band_height (job, band); row++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + row);

      if (job->has_far[rank])
        measure_down (job, worker, band * WF_BAND + row);
      local.kept = job->kept + (rank * WF_BAND + row) * job->padded;
      job->steps->finish (&local);
    }
}

static gboolean
complete_band (gpointer   data,
               gint64     rank,
               guint      number,
               gpointer   scratch,
               GError   **error)
{
  const Job    *job    = data;
  const Worker *worker = &job->workers[number];

  if (rank < job->n_kept)
    finish_band (job, worker, rank);
  else
    write_band (job, worker, job->order[rank]);
  return TRUE;
}


/*  Which bands are kept  */

/* Samples first, evenly spread, then the rest. */
static void
order_bands (Job    *job,
             gint64  n_samples)
{
  gint64 sample = 0;

  for (gint64 band = 0; band < job->n_bands; band++)
    if (sample < n_samples && band == sample * job->n_bands / n_samples)
      job->order[sample++] = band;
    else
      job->order[n_samples + band - sample] = band;
}

static gboolean
keep_bands (Job     *job,
            gint64   end,
            GError **error)
{
  const WfRows rows = { .n = end - job->n_kept, .chunk = 1,
                        .amount = WF_BAND * job->task->shape.width };

  job->first = job->n_kept;
  wf_run_begin (job->run, 0.7 * rows.n / job->n_bands, rows.n * rows.amount);
  if (! wf_run_rows (job->run, &rows, keep_band, job, error))
    return FALSE;
  job->n_kept = end;
  return TRUE;
}

static gboolean
keep_most_bands (Job     *job,
                 GError **error)
{
  const gint64 n_samples = count_samples (job->n_bands, job->n_workers);
  const gint64 start     = g_get_monotonic_time ();
  double       seconds;
  gint64       n_last;

  order_bands (job, n_samples);
  if (! keep_bands (job, n_samples, error))
    return FALSE;

  seconds = MAX (g_get_monotonic_time () - start, 1) / (double) G_USEC_PER_SEC;
  n_last  = MIN ((double) job->n_bands, LAST_SECONDS / seconds * n_samples);
  return keep_bands (job, CLAMP (job->n_bands - n_last, n_samples,
                                 most_kept_bands (job->n_bands, job->n_workers)), error);
}

gboolean
wf_distance_local (gconstpointer   data,
                   WfRun          *run,
                   GError        **error)
{
  const WfDistanceTask *task = data;
  g_auto (Job)          job  = { 0 };
  WfRows                bands;

  if (! job_init (&job, task, run, error) ||
      ! measure_borders (&job, error))
    return FALSE;
  *task->no_background = ! finds_background (&job);

  order_bands (&job, 0);
  if (! writes_at_once (&job))
    {
      if (! keep_most_bands (&job, error))
        return FALSE;
      wf_run_commit (run);
    }

  bands = (WfRows) { .n = job.n_bands, .chunk = 1, .amount = WF_BAND * task->shape.width };
  wf_run_begin (run, 0.88 - 0.7 * job.n_kept / job.n_bands, bands.n * bands.amount);
  if (! wf_run_rows (run, &bands, complete_band, &job, error))
    return FALSE;
  if (job.own)
    wf_image_unpack (task->out, job.own);
  return TRUE;
}

guint64
wf_distance_local_memory (gconstpointer data)
{
  const WfDistanceTask *task    = data;
  const gint64          n_bands = count_bands (task);

  return padded_width (task) * sizeof (guint16) *
         (most_kept_bands (n_bands, 1) * WF_BAND + 2 * (n_bands + 1) + WF_BAND);
}

/* Column distances fit 16 bits; squares are exact in doubles. */
gboolean
wf_distance_local_supports (gconstpointer data)
{
  const WfDistanceTask *task = data;

  return task->shape.depth == 1 && task->exact_integers && ! task->nearest &&
         ! task->signed_distance &&
         (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         task->shape.height < WF_NO_COLUMN && task->shape.width < 1 << 24;
}
