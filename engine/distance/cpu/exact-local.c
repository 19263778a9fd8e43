/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Euclidean distances of images on the CPU, `local`: exact.
 *
 * The square of a pixel's distance is the least, over the columns at a step k, of
 * k² plus the square of the distance to the nearest background in that column
 * (Saito and Toriwaki 1994).  How it is found here:
 *
 *   1. For each band of WF_BAND rows the first and the last background row of each
 *      column are noted (exact-local-borders.c).  Passed on from band to band, these give
 *      the distance from each band's borders to the nearest background above and below, so
 *      that bands are independent of each other.
 *   2. A band's column distances, upwards and then downwards, stay in the cache.  Each row
 *      is searched as soon as its distances are complete (exact-local-simd.c): blocks of 64
 *      pixels take in steps 1, 2, 3, … on both sides, as vectors of 16-bit squares, until k²
 *      plus the least square of the blocks around is no better than the block's worst
 *      pixel.  Blocks that are not settled within WF_REACH steps are far from any
 *      background; their distances are found by halving (exact-local-far.inc.h).
 *
 * Bytes a pixel: those of the image, read twice, and 4 written for the result.
 *
 * The output may change only when the operation can no longer be cancelled, and a
 * second result would take more memory than everything else.  So most bands are first
 * kept in a short form of 2 bytes a pixel: the squares of near blocks, and for far blocks
 * the sites from which their distances are quickly computed again.  A few bands, spread
 * over the image, are timed.  When the rest can be done within LAST_SECONDS, the run
 * is committed, the rest is written to the output directly, and the kept bands are finished
 * there.
 */

#include "config.h"

#include "exact-local-job.h"
#include "engine/cpu/stream.h"

#define LAST_SECONDS 0.05

#define CACHE_LINE 64

/* One band of BANDS_A_SAMPLE is timed.  One of BANDS_A_LAST is never kept, which makes room
 * for the borders of the bands.
 */
#define BANDS_A_SAMPLE 32
#define BANDS_A_LAST   8


const WfLocalSteps *
wf_local_choose_steps (void)
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

/* Takes @n pieces of @size bytes of a worker's memory, each from a cache line on.  @used: bytes */
static gpointer
take (guint8 *memory,
      gsize  *used,
      gint64  n,
      gsize   size)
{
  gpointer taken = memory ? memory + *used : NULL;

  *used += (n * size + CACHE_LINE - 1) & -(gsize) CACHE_LINE;
  return taken;
}

/* Divides a worker's memory; returns how much it is.  @memory: %NULL: only that */
static gsize
divide_memory (WfLocalWorker    *worker,
               const WfLocalJob *job,
               guint8           *memory)
{
  const gint64 n    = job->padded;
  const gint64 more = n + 2 * WF_GROUP;
  gsize        used = 0;

  worker->foreground        = take (memory, &used, n, sizeof *worker->foreground);
  worker->first             = take (memory, &used, n, sizeof *worker->first);
  worker->last              = take (memory, &used, n, sizeof *worker->last);
  worker->above             = take (memory, &used, n, sizeof *worker->above);
  worker->columns           = take (memory, &used, n * WF_BAND, sizeof *worker->columns);
  worker->squares           = take (memory, &used, n + 2 * WF_REACH, sizeof *worker->squares);
  worker->heights           = take (memory, &used, more, sizeof (double));
  worker->candidates        = take (memory, &used, more, sizeof (double));
  worker->candidate_heights = take (memory, &used, more, sizeof (double));
  worker->sites             = take (memory, &used, n / WF_GROUP + 1, sizeof *worker->sites);
  if (job->is_streamed)
    worker->line = take (memory, &used, n, wf_type_size (job->task->out->type));
  if (job->kept_is_streamed)
    worker->kept_line = take (memory, &used, n, sizeof *worker->kept_line);
  return used;
}

/* The padding holds no background and does not change. */
static void
fill_padding (WfLocalWorker    *worker,
              const WfLocalJob *job)
{
  const gint64 n     = job->padded;
  const gint64 width = job->task->shape.width;

  for (gint64 row = 0; row < WF_BAND; row++)
    for (gint64 x = width; x < n; x++)
      worker->columns[row * n + x] = WF_NO_COLUMN;
  for (gint64 i = 0; i < n + 2 * WF_REACH; i++)
    worker->squares[i] = WF_FAR_SQUARE;
  if (job->task->border_background)
    worker->squares[WF_REACH - 1] = worker->squares[WF_REACH + width] = 0;
}

static void
init_workers (gpointer data,
              guint    worker,
              guint    n_workers)
{
  WfLocalJob *job = data;

  for (guint i = worker; i < job->n_workers; i += n_workers)
    {
      divide_memory (&job->workers[i], job, job->scratch + i * job->worker_room);
      fill_padding (&job->workers[i], job);
    }
}

/* All in one piece, which all threads touch together: the borders of bands, and the workers'. */
static gboolean
allocate_memory (WfLocalJob  *job,
                 GError     **error)
{
  const gint64 borders = (job->n_bands + 1) * job->padded;
  const gsize  size    = 2 * borders * sizeof (guint16);

  job->workers     = g_new0 (WfLocalWorker, job->n_workers);
  job->worker_room = wf_run_worker_room (divide_memory (job->workers, job, NULL));
  job->memory      = wf_run_allocate (job->run, size + job->n_workers * job->worker_room, 1,
                                      error);
  if (! job->memory)
    return FALSE;
  job->above   = (gpointer) job->memory;
  job->below   = job->above + borders;
  job->scratch = job->memory + size;
  wf_run_together (job->run, job->n_workers, init_workers, job);
  return TRUE;
}

static void
job_clear (WfLocalJob *job)
{
  g_free (job->workers);
  g_free (job->memory);
  g_free (job->order);
  g_free (job->kept);
  g_free (job->has_far);
  g_free (job->own);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfLocalJob, job_clear)

/* A band may overwrite its own rows of the image, but no others. */
static gboolean
needs_own_result (const WfDistanceTask *task)
{
  return wf_image_overlaps (task->image, task->out) &&
         ! wf_image_is_same_view (task->image, task->out);
}

/* Whether the result may be written while the run can still fail.  Partial outputs do not
 * allow the input to be overwritten.
 */
static gboolean
writes_at_once (const WfLocalJob *job)
{
  return job->own ||
         (job->run->partial_outputs && ! wf_image_overlaps (job->task->image, job->task->out));
}

static gboolean
job_init_result (WfLocalJob  *job,
                 GError     **error)
{
  const WfDistanceTask *task = job->task;

  job->result      = task->out->data;
  job->stride      = task->out->row_stride;
  job->is_streamed = wf_image_is_streamed (task->out);
  if (needs_own_result (task))
    {
      job->result = job->own = wf_run_allocate (job->run, wf_shape_n_pixels (&task->shape),
                                                wf_type_size (task->out->type), error);
      job->stride = task->shape.width;
    }
  return job->result != NULL;
}

/* Allocates all memory: nothing may fail once the output is written. */
static gboolean
job_init (WfLocalJob            *job,
          const WfDistanceTask  *task,
          WfRun                 *run,
          GError               **error)
{
  const gint64 padded  = padded_width (task);
  const gint64 n_bands = count_bands (task);
  gint64       most;

  job->task      = task;
  job->steps     = wf_local_choose_steps ();
  job->run       = run;
  job->padded    = padded;
  job->n_bands   = n_bands;
  job->n_workers = wf_run_team (run, n_bands, n_bands * WF_BAND * task->shape.width);
  most           = most_kept_bands (n_bands, job->n_workers);

  if (! job_init_result (job, error) ||
      ! (job->order = wf_allocate (n_bands, sizeof *job->order, error)) ||
      ! (job->has_far = wf_allocate (n_bands, 1, error)))
    return FALSE;
  if (! writes_at_once (job) &&
      ! (job->kept = wf_run_allocate (run, most * WF_BAND * padded, sizeof *job->kept,
                                      error)))
    return FALSE;
  job->kept_is_streamed = job->kept && wf_is_streamed (most * WF_BAND * padded *
                                                       (gint64) sizeof *job->kept,
                                                       WF_STREAM_BYTES);

  return allocate_memory (job, error);
}


/*  Bands, from the inside  */

static WfLocalRow
row_at (const WfLocalJob    *job,
        const WfLocalWorker *worker,
        gint64               y)
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
    row.squared = job->is_streamed ? worker->line : (guint64 *) job->result + y * job->stride;
  else
    row.distances = job->is_streamed ? worker->line : (float *) job->result + y * job->stride;
  return row;
}

/* Streams the worker's line to the result. */
static void
write_line (const WfLocalJob    *job,
            const WfLocalWorker *worker,
            gint64               y)
{
  const gsize pixel = wf_type_size (job->task->out->type);

  if (job->is_streamed)
    wf_stream_row ((guint8 *) job->result + y * job->stride * pixel, worker->line,
                   job->task->shape.width * pixel);
}

/* Column distances to background in each of the band's rows or below. */
static void
measure_up (const WfLocalJob    *job,
            const WfLocalWorker *worker,
            gint64               band)
{
  const guint16 *below = job->below + (band + 1) * job->padded;

  memcpy (worker->above, job->above + band * job->padded, job->padded * sizeof *worker->above);
  for (gint64 row = wf_local_band_height (job, band) - 1; row >= 0; row--)
    {
      guint8        most;
      const guint8 *pixels = wf_local_pixels_at (job, worker, band * WF_BAND + row, &most);
      guint16      *here   = worker->columns + row * job->padded;

      job->steps->up (pixels, most, below, here, job->task->shape.width);
      below = here;
    }
}

/* Completes and squares the column distances of the next row. */
static void
measure_down (const WfLocalJob    *job,
              const WfLocalWorker *worker,
              gint64               y)
{
  guint8        most;
  const guint8 *pixels = wf_local_pixels_at (job, worker, y, &most);

  job->steps->down (pixels, most, worker->above, worker->columns + y % WF_BAND * job->padded,
                    worker->squares + WF_REACH, job->task->shape.width);
}

static gboolean
keep_band (gpointer data,
           WfRow    row)
{
  const WfLocalJob    *job    = data;
  const WfLocalWorker *worker = &job->workers[row.worker];
  const gint64         rank   = job->first + row.number;
  const gint64         band   = job->order[rank];
  gboolean             far    = FALSE;

  measure_up (job, worker, band);
  for (gint64 y = 0; y < wf_local_band_height (job, band); y++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + y);
      guint16   *kept  = job->kept + (rank * WF_BAND + y) * job->padded;

      measure_down (job, worker, band * WF_BAND + y);
      local.kept = worker->kept_line ? worker->kept_line : kept;
      far       |= job->steps->search (&local);
      if (worker->kept_line)
        wf_stream_row (kept, worker->kept_line, job->padded * sizeof *kept);
    }
  job->has_far[rank] = far;
  return TRUE;
}

static void
write_band (const WfLocalJob    *job,
            const WfLocalWorker *worker,
            gint64               band)
{
  measure_up (job, worker, band);
  for (gint64 row = 0; row < wf_local_band_height (job, band); row++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + row);

      measure_down (job, worker, band * WF_BAND + row);
      job->steps->search (&local);
      write_line (job, worker, band * WF_BAND + row);
    }
}

static void
finish_band (const WfLocalJob    *job,
             const WfLocalWorker *worker,
             gint64               rank)
{
  const gint64 band = job->order[rank];

  if (job->has_far[rank])
    measure_up (job, worker, band);
  for (gint64 row = 0; row < wf_local_band_height (job, band); row++)
    {
      WfLocalRow local = row_at (job, worker, band * WF_BAND + row);

      if (job->has_far[rank])
        measure_down (job, worker, band * WF_BAND + row);
      local.kept = job->kept + (rank * WF_BAND + row) * job->padded;
      job->steps->finish (&local);
      write_line (job, worker, band * WF_BAND + row);
    }
}

static gboolean
complete_band (gpointer data,
               WfRow    row)
{
  const WfLocalJob    *job    = data;
  const WfLocalWorker *worker = &job->workers[row.worker];

  if (row.number < job->n_kept)
    finish_band (job, worker, row.number);
  else
    write_band (job, worker, job->order[row.number]);
  return TRUE;
}


/*  Which bands are kept  */

/* The samples, evenly spread, come first. */
static void
order_bands (WfLocalJob *job,
             gint64      n_samples)
{
  gint64 sample = 0;

  for (gint64 band = 0; band < job->n_bands; band++)
    if (sample < n_samples && band == sample * job->n_bands / n_samples)
      job->order[sample++] = band;
    else
      job->order[n_samples + band - sample] = band;
}

static gboolean
keep_bands (WfLocalJob  *job,
            gint64       end,
            GError     **error)
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
keep_most_bands (WfLocalJob  *job,
                 GError     **error)
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
  g_auto (WfLocalJob)          job  = { 0 };
  WfRows                bands;

  if (! job_init (&job, task, run, error) ||
      ! wf_local_measure_borders (&job, error))
    return FALSE;
  *task->no_background = ! wf_local_finds_background (&job);

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
    wf_image_unpack (task->out, job.own, run);
  return TRUE;
}

guint64
wf_distance_local_memory (gconstpointer data,
                          guint         n_threads)
{
  const WfDistanceTask *task      = data;
  const gint64          n_bands   = count_bands (task);
  const guint           n_workers = MIN (n_threads, n_bands);
  const WfLocalJob      job       = { .task = task, .padded = padded_width (task),
                                      .is_streamed = TRUE, .kept_is_streamed = TRUE };
  WfLocalWorker         worker;

  return job.padded * sizeof (guint16) *
         (most_kept_bands (n_bands, n_workers) * WF_BAND + 2 * (n_bands + 1))
         + n_workers * wf_run_worker_room (divide_memory (&worker, &job, NULL));
}

/* Column distances fit 16 bits; squares are exact in doubles. */
gboolean
wf_distance_local_supports (gconstpointer data)
{
  const WfDistanceTask *task = data;

  return task->shape.depth == 1 && (! task->band || task->band->axis == 1) &&
         ! wf_distance_is_summary (task) && task->exact_integers && ! task->nearest &&
         ! task->signed_distance &&
         wf_metric_is_squared (task->metric) && wf_local_reaches_columns (task) &&
         task->shape.height < WF_NO_COLUMN && task->shape.width < 1 << 24;
}
