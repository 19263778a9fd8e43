/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `sweeps`: tiles of 64 × 64 pixels, each of which is
 * swept along its columns and along its rows in turn until nothing changes.
 *
 * A row of bytes is one cache line and up to four of the processor's vectors, so a
 * sweep along the columns takes a maximum and a minimum for 16 to 64 pixels at
 * once.  For the sweeps along the rows the square is transposed.  Tiles that a
 * neighbour can raise are visited again; a visit starts from the rows and columns
 * that have risen, so a long winding corridor costs a few sweeps a tile and not a
 * visit a pixel.
 *
 * Work: on natural images about two visits a tile and a dozen sweeps, each of
 * 4096 pixels in 64 to 512 vector steps.  Memory: the squares, and a sixteenth more
 * for the columns at their sides.
 */

#include "config.h"

#include "reconstruction.h"
#include "reconstruction-tiles.h"

/* A square takes its room whatever part of it a smaller tile uses. */
#define LEAST_SIDE 32

typedef struct
{
  WfTileStore         store;
  const WfTileSteps  *steps;
  WfTileScratch      *scratch;      /* one for each worker */
  WfRun              *run;
} Job;


static const WfTileSteps *
choose_steps (WfType type)
{
  static const WfTileTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_tiles);
  const WfTileTable *table = tables[wf_simd_level ()];

  return wf_type_size (type) == 1 ? &table->of_8
       : wf_type_size (type) == 2 ? &table->of_16 : &table->of_32;
}

static gsize
square_size (WfType type)
{
  return WF_SIDE * WF_SIDE * wf_type_size (type);
}

static void
job_clear (Job *job)
{
  for (guint i = 0; job->scratch && i < job->run->n_threads; i++)
    {
      g_free (job->scratch[i].mask);
      g_free (job->scratch[i].mask_transposed);
      g_free (job->scratch[i].result_transposed);
    }
  g_free (job->scratch);
  g_free (job->store.squares);
  g_free (job->store.columns);
  g_free (job->store.mask_columns);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static gboolean
job_init (Job                      *job,
          const WfReconstructTask  *task,
          WfRun                    *run,
          GError                  **error)
{
  gint64 side   = run->tile_size > 0 ? CLAMP (run->tile_size, LEAST_SIDE, WF_SIDE) : WF_SIDE;
  gint64 across = (task->shape.width + side - 1) / side;
  gint64 down   = (task->shape.height + side - 1) / side;
  gint64 rim    = across * down * 2 * WF_SIDE;
  gsize  square = square_size (task->type);

  job->run   = run;
  job->steps = choose_steps (task->type);
  job->store = (WfTileStore) {
    .shape    = task->shape,
    .type     = task->type,
    .flip     = task->by == WF_BY_EROSION,
    .diagonal = task->connectivity == 8,
    .side     = side,
    .across   = across,
    .down     = down,
    .mask     = task->mask,
    .marker   = task->marker,
  };
  job->scratch = g_new0 (WfTileScratch, run->n_threads);
  for (guint i = 0; i < run->n_threads; i++)
    if (! (job->scratch[i].mask = wf_allocate (1, square, error)) ||
        ! (job->scratch[i].mask_transposed = wf_allocate (1, square, error)) ||
        ! (job->scratch[i].result_transposed = wf_allocate (1, square, error)))
      return FALSE;
  return (job->store.squares = wf_allocate (across * down, square, error)) &&
         (job->store.columns = wf_allocate (rim, wf_type_size (task->type), error)) &&
         (job->store.mask_columns = wf_allocate (rim, wf_type_size (task->type), error));
}

static gboolean
load_tiles (const Job  *job,
            GError    **error)
{
  gint64 n    = job->store.across * job->store.down;
  int    stop = FALSE;

#pragma omp parallel for num_threads(job->run->n_threads) if (job->run->n_threads > 1)
  for (gint64 tile = 0; tile < n; tile++)
    {
      if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
        continue;
      job->steps->load (&job->store, tile);
      if ((tile & 63) == 0 && ! wf_run_advance (job->run, 0))
        __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
    }
  return stop ? wf_run_set_cancelled (error) : TRUE;
}

/* Nothing can stop this: what it writes is the caller's. */
static void
unload_tiles (const Job     *job,
              const WfImage *out)
{
  gint64 n = job->store.across * job->store.down;

#pragma omp parallel for num_threads(job->run->n_threads) if (job->run->n_threads > 1)
  for (gint64 tile = 0; tile < n; tile++)
    job->steps->unload (&job->store, tile, out);
}

static gboolean
visit (gpointer       data,
       guint          worker,
       const WfBox   *box,
       gboolean       first,
       WfSpill       *spill,
       GError       **error)
{
  Job               *job   = data;
  const WfTileStore *store = &job->store;
  gint64             tile  = box->y0 / store->side * store->across + box->x0 / store->side;

  *spill = job->steps->visit (store, &job->scratch[worker], tile, first);
  return wf_run_advance (job->run, first ? 1 : 0) || wf_run_set_cancelled (error);
}

gboolean
wf_reconstruct_sweeps (const WfReconstructTask  *task,
                       WfRun                    *run,
                       double                    share,
                       GError                  **error)
{
  g_auto (Job) job = { 0 };

  if (! job_init (&job, task, run, error))
    return FALSE;

  wf_run_begin (run, share, 2 * job.store.across * job.store.down);
  if (! load_tiles (&job, error) ||
      ! wf_pipeline_run (run, &task->shape, job.store.side, visit, &job, error))
    return FALSE;

  unload_tiles (&job, task->out);
  return TRUE;
}

guint64
wf_reconstruct_sweeps_memory (const WfReconstructTask *task)
{
  guint64 n_tiles = ((task->shape.width + WF_SIDE - 1) / WF_SIDE)
                    * ((task->shape.height + WF_SIDE - 1) / WF_SIDE);

  return n_tiles * (square_size (task->type) + 4 * WF_SIDE * wf_type_size (task->type)
                    + 2 + sizeof (gint64));
}
