/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Euclidean distances of images on the CPU, `local`: exact, in integers.
 *
 * Column distances first, in strips of columns, down and up: 2 bytes a pixel.  Then
 * each row on its own.  The square of a pixel's distance is the least, over the
 * columns at a step k, of k² plus the square of the column's distance.  Blocks of 64
 * pixels take in steps 1, 2, 3, … on both sides, as vectors of 16-bit squares, until
 * k² alone, with the least square of the blocks around, is no better than their
 * worst pixel.  Blocks that are not settled within WF_REACH steps are far from any
 * background, and get their distances from the lower envelope of the row, built once
 * for all of them.
 *
 * Bytes a pixel: the image's own read, 2 written and read for the columns, 4 written
 * for the result, and the same once more where it is written last.  Operations: a
 * dozen on 16-bit lanes a step, four steps on the outlines of tissue.
 */

#include "config.h"

#include <math.h>

#include "distance-local.h"

#define STRIP 256

typedef struct
{
  const WfDistanceTask *task;
  const WfLocalSteps   *steps;
  WfRun                *run;
  guint16              *columns;
  gpointer              own;        /* the result, where it is not written in place */
  float                *distances;
  guint64              *squared;
  gint64                stride;     /* of the result */
} Job;


static const WfLocalSteps *
choose_steps (void)
{
  static const WfLocalSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_local);

  return tables[wf_simd_level ()];
}

static void
job_clear (Job *job)
{
  g_free (job->columns);
  g_free (job->own);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
measure_strip (const Job *job,
               gint64     x,
               gint64     n)
{
  const WfDistanceTask *task   = job->task;
  const gint64          width  = task->shape.width;
  const gint64          height = task->shape.height;
  guint8                foreground[STRIP];
  guint16               outside[STRIP];

  for (gint64 i = 0; i < STRIP; i++)
    outside[i] = task->border_background ? 0 : WF_NO_COLUMN;

  for (gint64 y = 0; y < height; y++)
    {
      guint16 *here = job->columns + y * width + x;

      wf_distance_mark_pixels (task, y * task->image->row_stride + x, n, foreground);
      job->steps->down (foreground, y > 0 ? here - width : outside, here, n);
    }
  for (gint64 y = height - 1; y >= 0; y--)
    {
      guint16 *here = job->columns + y * width + x;

      job->steps->up (y < height - 1 ? here + width : outside, here, n);
    }
}

static gboolean
measure_columns (const Job  *job,
                 GError    **error)
{
  const WfShape *shape    = &job->task->shape;
  const gint64   n_strips = (shape->width + STRIP - 1) / STRIP;
  int            stop     = FALSE;

#pragma omp parallel for schedule(dynamic) num_threads(job->run->n_threads) \
  if (job->run->n_threads > 1)
  for (gint64 strip = 0; strip < n_strips; strip++)
    {
      gint64 x = strip * STRIP;
      gint64 n = MIN (STRIP, shape->width - x);

      if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
        continue;
      measure_strip (job, x, n);
      if (! wf_run_advance (job->run, n * shape->height))
        __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
    }
  return stop ? wf_run_set_cancelled (error) : TRUE;
}

/* A column without background is without it in every row, the first one too. */
static gboolean
finds_background (const Job *job)
{
  for (gint64 x = 0; x < job->task->shape.width; x++)
    if (job->columns[x] != WF_NO_COLUMN)
      return TRUE;
  return FALSE;
}

typedef struct
{
  guint16 *squares;
  guint16 *least;
  gint64  *sites;
  guint8  *done;
} Scratch;

static void
scratch_clear (Scratch *scratch)
{
  g_free (scratch->squares);
  g_free (scratch->least);
  g_free (scratch->sites);
  g_free (scratch->done);
}

static gboolean
scratch_init (Scratch    *scratch,
              const Job  *job,
              GError    **error)
{
  const gint64 width    = job->task->shape.width;
  const gint64 n_blocks = (width + WF_BLOCK - 1) / WF_BLOCK;

  if (! (scratch->squares = wf_allocate ((n_blocks + 2) * WF_BLOCK, sizeof (guint16), error)) ||
      ! (scratch->least = wf_allocate (n_blocks + 2, sizeof (guint16), error)) ||
      ! (scratch->sites = wf_allocate (3 * (width + 2), sizeof (gint64), error)) ||
      ! (scratch->done = wf_allocate (n_blocks, 1, error)))
    return FALSE;

  for (gint64 i = 0; i < (n_blocks + 2) * WF_BLOCK; i++)
    scratch->squares[i] = WF_FAR_SQUARE;
  if (job->task->border_background)
    scratch->squares[WF_BLOCK - 1] = scratch->squares[WF_BLOCK + width] = 0;
  return TRUE;
}

static void
finish_row (const Job     *job,
            const Scratch *scratch,
            gint64         y)
{
  const gint64 width = job->task->shape.width;

  job->steps->row (&(WfLocalRow) {
    .width             = width,
    .columns           = job->columns + y * width,
    .border_background = job->task->border_background,
    .squares           = scratch->squares + WF_BLOCK,
    .least             = scratch->least + 1,
    .sites             = scratch->sites,
    .site_squares      = scratch->sites + width + 2,
    .starts            = scratch->sites + 2 * (width + 2),
    .done              = scratch->done,
    .distances         = job->distances ? job->distances + y * job->stride : NULL,
    .squared           = job->squared ? job->squared + y * job->stride : NULL,
  });
}

static gboolean
finish_rows (const Job  *job,
             GError    **error)
{
  const WfShape *shape   = &job->task->shape;
  GError        *failure = NULL;
  int            stop    = FALSE;

#pragma omp parallel num_threads(job->run->n_threads) if (job->run->n_threads > 1)
  {
    Scratch  scratch = { 0 };
    GError  *mine    = NULL;

    if (! scratch_init (&scratch, job, &mine))
      __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);

#pragma omp for schedule(dynamic, 16)
    for (gint64 y = 0; y < shape->height; y++)
      {
        if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
          continue;
        finish_row (job, &scratch, y);
        if (! wf_run_advance (job->run, shape->width))
          __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
      }

#pragma omp critical
    if (mine && ! failure)
      failure = g_steal_pointer (&mine);
    g_clear_error (&mine);
    scratch_clear (&scratch);
  }

  if (failure)
    g_propagate_error (error, failure);
  else if (stop)
    wf_run_set_cancelled (error);
  return ! failure && ! stop;
}

/* Inputs are not spoiled, whatever the caller allows for outputs. */
static gboolean
prepare_result (Job      *job,
                GError  **error)
{
  const WfDistanceTask *task   = job->task;
  gpointer              result = task->out->data;

  job->stride = task->out->row_stride;
  if (! job->run->partial_outputs || wf_image_overlaps (task->image, task->out))
    {
      result = job->own = wf_allocate (wf_shape_n_pixels (&task->shape),
                                       wf_type_size (task->out->type), error);
      job->stride = task->shape.width;
    }
  if (task->metric == WF_METRIC_SQUARED)
    job->squared = result;
  else
    job->distances = result;
  return result != NULL;
}

gboolean
wf_distance_local (gconstpointer   data,
                   WfRun          *run,
                   GError        **error)
{
  const WfDistanceTask *task = data;
  const gint64          n    = wf_shape_n_pixels (&task->shape);
  g_auto (Job)          job  = { .task = task, .steps = choose_steps (), .run = run };

  if (! (job.columns = wf_allocate (n, sizeof (guint16), error)))
    return FALSE;
  wf_run_begin (run, 0.4, n);
  if (! measure_columns (&job, error))
    return FALSE;

  *task->no_background = ! task->border_background && ! finds_background (&job);
  if (! prepare_result (&job, error))
    return FALSE;
  wf_run_begin (run, 0.6, n);
  if (! finish_rows (&job, error))
    return FALSE;

  if (job.own)
    wf_image_unpack (task->out, job.own);
  return TRUE;
}

guint64
wf_distance_local_memory (gconstpointer data)
{
  const WfDistanceTask *task = data;

  return wf_shape_n_pixels (&task->shape) * (sizeof (guint16) + wf_type_size (task->out->type));
}

/* Squares of steps along a row are exact in doubles, column distances fit 16 bits. */
gboolean
wf_distance_local_supports (gconstpointer data)
{
  const WfDistanceTask *task = data;

  return task->shape.depth == 1 && task->exact_integers && ! task->nearest &&
         (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         task->shape.height < WF_NO_COLUMN && task->shape.width < 1 << 24;
}
