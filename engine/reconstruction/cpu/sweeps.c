/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `sweeps`: tiles of 64 × 64 pixels, each of which is
 * swept along its columns and along its rows alternately until nothing changes.
 *
 * A row of bytes is one cache line and one to four vectors, so a sweep along the
 * columns takes a maximum and a minimum for 16 to 64 pixels at once.  For sweeps along the
 * rows the square is transposed.  Tiles that a neighbour can raise are visited again; a
 * visit starts from the rows and columns that have risen, so a long winding corridor costs
 * a few sweeps for each tile, not a visit for each pixel.
 *
 * Work: on natural images about two visits of each tile and a dozen sweeps, each of
 * 4096 pixels in 64 to 512 vector steps.  Memory: the squares, and a sixteenth more
 * for the columns at their borders.  If partial outputs are allowed, the squares lie in
 * the memory of the output, strip by strip as far as they fit, and only the sixteenth is
 * needed.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "reconstruction.h"
#include "sweeps-tiles.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* The least side of tiles: a square takes the same memory for smaller ones. */
#define LEAST_SIDE 32

/* The alignment for vectors. */
#define CACHE_LINE 64

typedef struct
{
  WfTileStore         store;
  const WfTileSteps  *steps;
  WfTileScratch      *scratch;      /* one for each worker */
  guint8             *scratch_memory;
  gpointer            own_squares;  /* squares that are not in the output */
  gint64             *n_inside;     /* for each strip: its squares in the output */
  guint8             *strips;       /* for each worker: a copy of those of one strip */
  gsize               strip_room;
  WfRun              *run;
  gboolean            found_nan;    /* ends the run; the error is set afterwards */
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
  g_free (job->scratch);
  g_free (job->scratch_memory);
  g_free (job->strips);
  g_free (job->n_inside);
  g_free (job->own_squares);
  g_free (job->store.squares);
  g_free (job->store.columns);
  g_free (job->store.mask_columns);
  g_free (job->store.loaded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* Whether the output may hold squares: partial outputs are allowed, it shares no memory with
 * the inputs, and there are no gaps between its rows.
 */
static gboolean
is_free_memory (const WfReconstructTask *task,
                const WfRun             *run)
{
  return run->partial_outputs && wf_image_is_packed (task->out) &&
         ! wf_image_overlaps (task->out, task->mask) &&
         ! wf_image_overlaps (task->out, task->marker);
}

/* How many threads write the output. */
static guint
count_writers (const Job *job)
{
  return MIN (job->run->n_threads, job->store.down);
}

/* What a worker needs to visit a tile. */
static gsize
scratch_room (WfType type)
{
  return wf_run_worker_room (3 * square_size (type));
}

/* The memory of strip @ty in the output; returns the number of squares that fit there. */
static gint64
find_room (const Job                *job,
           const WfReconstructTask  *task,
           gint64                    ty,
           guint8                  **room)
{
  const gsize    row   = task->shape.width * wf_type_size (task->type);
  const gint64   y0    = ty * job->store.side;
  const gint64   y1    = MIN (y0 + job->store.side, task->shape.height);
  const guintptr start = (guintptr) task->out->data + y0 * row;
  const guintptr end   = (guintptr) task->out->data + y1 * row;
  const guintptr first = (start + CACHE_LINE - 1) & -(guintptr) CACHE_LINE;

  *room = (guint8 *) first;
  return first < end ? MIN (job->store.across,
                            (gint64) ((end - first) / square_size (task->type)))
                     : 0;
}

static gboolean
place_squares (Job                      *job,
               const WfReconstructTask  *task,
               GError                  **error)
{
  const gsize    square = square_size (task->type);
  const gboolean inside = is_free_memory (task, job->run);
  gint64         most   = 0;
  gint64         n_own  = 0;
  guint8        *room   = NULL;
  guint8        *own;

  for (gint64 ty = 0; ty < job->store.down; ty++)
    {
      job->n_inside[ty] = inside ? find_room (job, task, ty, &room) : 0;
      most              = MAX (most, job->n_inside[ty]);
      n_own            += job->store.across - job->n_inside[ty];
    }

  if (! (job->own_squares = wf_run_allocate (job->run, n_own, square, error)))
    return FALSE;
  job->strip_room = wf_run_worker_room (most * square);
  if (most > 0 && ! (job->strips = wf_allocate (count_writers (job), job->strip_room, error)))
    return FALSE;

  own = job->own_squares;
  for (gint64 ty = 0; ty < job->store.down; ty++)
    {
      if (inside)
        find_room (job, task, ty, &room);
      for (gint64 tx = 0; tx < job->store.across; tx++)
        if (tx < job->n_inside[ty])
          job->store.squares[ty * job->store.across + tx] = room + tx * square;
        else
          {
            job->store.squares[ty * job->store.across + tx] = own;
            own += square;
          }
    }
  return TRUE;
}

static gboolean
allocate_scratch (Job     *job,
                  GError **error)
{
  const gsize square = square_size (job->store.type);
  const gsize room   = scratch_room (job->store.type);
  guint8     *memory = wf_allocate (job->run->n_threads, room, error);

  job->scratch        = g_new0 (WfTileScratch, job->run->n_threads);
  job->scratch_memory = memory;
  for (guint i = 0; memory && i < job->run->n_threads; i++, memory += room)
    {
      job->scratch[i].mask              = (gpointer) memory;
      job->scratch[i].mask_transposed   = (gpointer) (memory + square);
      job->scratch[i].result_transposed = (gpointer) (memory + 2 * square);
    }
  return memory != NULL;
}

static gboolean
job_init (Job                      *job,
          const WfReconstructTask  *task,
          WfRun                    *run,
          GError                  **error)
{
  gint64 side    = run->tile_size > 0 ? CLAMP (run->tile_size, LEAST_SIDE, WF_SIDE) : WF_SIDE;
  gint64 across  = (task->shape.width + side - 1) / side;
  gint64 down    = (task->shape.height + side - 1) / side;
  gint64 columns = across * down * 2 * WF_SIDE;

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
  if (! allocate_scratch (job, error) ||
      ! (job->store.loaded = wf_allocate (across * down, 1, error)))
    return FALSE;
  memset (job->store.loaded, FALSE, across * down);
  return (job->store.columns = wf_run_allocate (run, columns, wf_type_size (task->type), error)) &&
         (job->store.mask_columns = wf_run_allocate (run, columns, wf_type_size (task->type),
                                                     error)) &&
         (job->store.squares = wf_allocate (across * down, sizeof (gpointer), error)) &&
         (job->n_inside = wf_allocate (down, sizeof (gint64), error)) &&
         place_squares (job, task, error);
}

/* Squares in the output are copied first, as the strip's pixels overwrite them. */
static void
unload_strip (const Job     *job,
              gint64         ty,
              guint          worker,
              const WfImage *out)
{
  const gsize  square = square_size (job->store.type);
  const gint64 first  = ty * job->store.across;
  guint8      *strip  = job->strips ? job->strips + worker * job->strip_room : NULL;

  if (job->n_inside[ty] > 0)
    memcpy (strip, job->store.squares[first], job->n_inside[ty] * square);
  for (gint64 tx = 0; tx < job->store.across; tx++)
    job->steps->unload (&job->store, first + tx,
                        tx < job->n_inside[ty] ? strip + tx * square
                                               : job->store.squares[first + tx],
                        out);
}

/* Cannot fail or be cancelled: it writes the output. */
static void
unload_tiles (const Job     *job,
              const WfImage *out)
{
  const guint team = count_writers (job);

#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
  for (gint64 ty = 0; ty < job->store.down; ty++)
    {
#ifdef _OPENMP
      unload_strip (job, ty, omp_get_thread_num (), out);
#else
      unload_strip (job, ty, 0, out);
#endif
    }
}

static gboolean
visit (gpointer       data,
       guint          worker,
       const WfBox   *box,
       gboolean       first,
       WfReach       *reach,
       GError       **error)
{
  Job               *job   = data;
  const WfTileStore *store = &job->store;
  gint64             tile  = box->y0 / store->side * store->across + box->x0 / store->side;

  if (! job->steps->visit (store, &job->scratch[worker], tile, first, reach))
    {
      job->found_nan = TRUE;
      return wf_run_set_cancelled (error);
    }
  return wf_run_advance (job->run, first ? 1 : 0) || wf_run_set_cancelled (error);
}

/* Refuses a mask or a marker that holds a NaN, by its name and row. */
static gboolean
check_nan (const WfReconstructTask  *task,
           WfRun                    *run,
           GError                  **error)
{
  wf_run_begin (run, 0, 2 * wf_shape_n_pixels (&task->shape));
  return wf_image_check_nan (task->mask, _("mask"), run, error) &&
         wf_image_check_nan (task->marker, _("marker"), run, error);
}

/* A NaN is detected when tiles are loaded and then located for the message.  If squares lie
 * in the output, the images are checked before.
 */
gboolean
wf_reconstruct_sweeps (const WfReconstructTask  *task,
                       WfRun                    *run,
                       double                    share,
                       GError                  **error)
{
  g_auto (Job)       job      = { 0 };
  g_autoptr (GError) failure  = NULL;
  WfPipeline         pipeline = { .shape = task->shape, .box = wf_shape_box (&task->shape),
                                  .first = TRUE, .propagate = visit, .data = &job };

  if ((is_free_memory (task, run) && ! check_nan (task, run, error)) ||
      ! job_init (&job, task, run, error))
    return FALSE;

  pipeline.side = job.store.side;
  wf_run_begin (run, share, job.store.across * job.store.down);
  if (! wf_pipeline_run (run, &pipeline, NULL, &failure))
    {
      if (! job.found_nan || check_nan (task, run, error))
        g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }

  unload_tiles (&job, task->out);
  return TRUE;
}

guint64
wf_reconstruct_sweeps_memory (const WfReconstructTask *task,
                              guint                    n_threads)
{
  guint64 n_tiles = ((task->shape.width + WF_SIDE - 1) / WF_SIDE)
                    * ((task->shape.height + WF_SIDE - 1) / WF_SIDE);

  return n_tiles * (square_size (task->type) + 4 * WF_SIDE * wf_type_size (task->type)
                    + 1 + sizeof (gpointer))
         + n_threads * scratch_room (task->type) + wf_pipeline_memory (&task->shape, WF_SIDE);
}
