/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The path-reducing watershed on a GPU, with its three systems `sync`, `async` and `balanced`, for
 * comparison with the default.
 *
 *   1. L2, by fronts over plateaux: reduction-arrows.inc.cuh;
 *   2. each pixel's path leads to its smallest neighbour, within minima to an earlier pixel;
 *   3. paths are reduced, in one of three ways: reduction-paths.inc.cuh;
 *   4. roots of minima that touch are joined, each to the first, and paths reduced again;
 *   5. roots are numbered in raster order, or have a marker's label; all pixels get theirs.
 *
 * In the report 1 is "borders" and "plateaux", 2 "arrows", 3 "paths", 4 "minima", 5 "labels": the
 * paper's S1 is "borders" and "arrows", S2 "plateaux", S3 "paths" and S4 "minima".
 *
 * Ties between paths over a plateau are broken before the paths are reduced, so all three give the
 * labels of the definition, bit for bit.
 *
 * Source: Yeghiazaryan and Voiculescu, Path reducing watershed for the GPU, ICPR 2018; step 4 is
 * union-find (cuda/core/union-find.cuh).
 */

#include "cuda/core/dispatch.cuh"
#include "cuda/watershed/flood.cuh"
#include "cuda/core/union-find.cuh"
#include "cuda/watershed/ranks.cuh"
#include "reduction-paths.inc.cuh"
#include "reduction-arrows.inc.cuh"
#include "reduction.cuh"

namespace reduction
{

/* Defaults if the caller sets none. */
#define RATE    4
#define THREADS 256

typedef struct
{
  WfCuda            *cuda;
  const WfCudaFlood *flood;
  gint64             n;
  gint64             n_words;       /* of the map of roots */
  int                rate;          /* paths that a step joins into one */
  int                threads;       /* of a block with consecutive pixels */
  unsigned int       blocks;
  WfThreadBlocks     shape;         /* how pixels with their neighbours are shared */
  int                shape_threads;
  unsigned int       shape_blocks;
  guint32           *path;
  guint32           *other;         /* the other array of `sync` */
  guint              rounds;        /* of reducing, so far */
  WfRanks            ranks;

  WfDeviceArray<guint32>  paths;
  WfDeviceArray<guint32>  others;   /* or the second list of `balanced` */
  WfDeviceArray<guint32>  depth;
  WfDeviceArray<guint32>  list;
  WfDeviceArray<WfFronts> fronts;
  WfDeviceArray<guint32>  count;
  WfDeviceArray<guint32>  bits;
  WfDeviceArray<guint32>  before;
  WfDeviceArray<guint64>  sums;
} Reduction;

template <typename Pixel>
static WfPixels<Pixel>
pixels_of (const Reduction *reduction)
{
  const WfCudaFlood *flood = reduction->flood;
  WfPixels<Pixel>    pixels;

  pixels.width   = flood->task->shape.width;
  pixels.height  = flood->task->shape.height;
  pixels.deep    = flood->task->shape.depth;
  pixels.n       = reduction->n;
  pixels.blocks  = reduction->shape;
  pixels.level   = (const Pixel *) flood->level;
  pixels.markers = flood->markers;
  pixels.depth   = reduction->depth.data;
  wf_neighbourhood_init (&pixels.neighbours, flood->task->connectivity, &flood->task->shape);
  return pixels;
}


/*  Rounds  */

/* Resets the count of what a round leaves or changes. */
static gboolean
clear_count (Reduction  *reduction,
             GError    **error)
{
  WF_CUDA_CHECK (cudaMemsetAsync (reduction->count.data, 0, sizeof (guint32),
                                  reduction->cuda->stream));
  return TRUE;
}

static gboolean
read_count (Reduction  *reduction,
            guint32    *count,
            GError    **error)
{
  return wf_cuda_read (reduction->cuda, count, reduction->count.data, sizeof *count, error) &&
         wf_cuda_advance (reduction->cuda, 0, error);
}

/* Adds to the rounds of a step of the report. */
static void
count_rounds (Reduction  *reduction,
              const char *step,
              guint       rounds)
{
  wf_run_count_step (reduction->cuda->run, step, 0.0, rounds);
}


/*  L2 and the first paths  */

template <typename Pixel>
static gboolean
grow_fronts (Reduction              *reduction,
             const WfPixels<Pixel>  &pixels,
             GError                **error)
{
  WfCuda   *cuda  = reduction->cuda;
  WfFronts *state = reduction->fronts.data;
  WfFronts  front = { 0, 0, 1 };

  if (! wf_cuda_read (cuda, &front.end, &state->end, sizeof front.end, error))
    return FALSE;
  while (front.begin < front.end)
    {
      const guint32 size = front.end - front.begin;

      if (size <= WF_NARROW)
        {
          grow_narrow_fronts<<<1, WF_FRONT_THREADS, 0, cuda->stream>>>
            (pixels, front, reduction->list.data, state);
          WF_CUDA_CHECK_LAUNCH ();
          if (! wf_cuda_read (cuda, &front, state, sizeof front, error))
            return FALSE;
        }
      else
        {
          grow_front<<<wf_cuda_blocks (cuda, size, reduction->threads), reduction->threads, 0,
                       cuda->stream>>> (pixels, front, reduction->list.data, state);
          WF_CUDA_CHECK_LAUNCH ();
          front.begin = front.end;
          front.round++;
          if (! wf_cuda_read (cuda, &front.end, &state->end, sizeof front.end, error))
            return FALSE;
        }
      if (! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  count_rounds (reduction, "plateaux", front.round - 1);
  return TRUE;
}

/* By fronts that begin at the lower borders. */
template <typename Pixel>
static gboolean
cross_by_fronts (Reduction              *reduction,
                 const WfPixels<Pixel>  &pixels,
                 GError                **error)
{
  const cudaStream_t stream = reduction->cuda->stream;

  WF_CUDA_CHECK (cudaMemsetAsync (reduction->fronts.data, 0, sizeof (WfFronts), stream));
  start_fronts<<<reduction->blocks, reduction->threads, 0, stream>>>
    (pixels, reduction->list.data, &reduction->fronts.data->end);
  WF_CUDA_CHECK_LAUNCH ();
  return grow_fronts (reduction, pixels, error);
}

/* By rounds over all pixels, the last of which changes nothing. */
template <typename Pixel>
static gboolean
cross_by_rounds (Reduction              *reduction,
                 const WfPixels<Pixel>  &pixels,
                 GError                **error)
{
  const cudaStream_t    stream  = reduction->cuda->stream;
  const WfThreadBlocks *shape   = &reduction->shape;
  const gsize           shared  = (gsize) (shape->x + 2) * (shape->y + 2)
                                  * (shape->z + (pixels.deep > 1 ? 2 : 0)) * sizeof (guint32);
  guint32               changed = 1;
  guint                 round   = 0;

  while (changed)
    {
      round++;
      if (! clear_count (reduction, error))
        return FALSE;
      if (reduction->flood->reduction == WF_REDUCTION_SYNC)
        grow_everywhere<<<reduction->shape_blocks, reduction->shape_threads, 0, stream>>>
          (pixels, round, reduction->count.data);
      else
        grow_in_blocks<<<reduction->shape_blocks, reduction->shape_threads, shared, stream>>>
          (pixels, reduction->count.data);
      WF_CUDA_CHECK_LAUNCH ();
      if (! read_count (reduction, &changed, error))
        return FALSE;
    }
  count_rounds (reduction, "plateaux", round);
  return TRUE;
}

template <typename Pixel>
static gboolean
find_arrows_of (Reduction  *reduction,
                GError    **error)
{
  const cudaStream_t    stream = reduction->cuda->stream;
  const WfPixels<Pixel> pixels = pixels_of<Pixel> (reduction);

  wf_cuda_step (reduction->cuda, "borders");
  find_lower_borders<<<reduction->shape_blocks, reduction->shape_threads, 0, stream>>> (pixels);
  WF_CUDA_CHECK_LAUNCH ();
  wf_cuda_step (reduction->cuda, "plateaux");
  if (! (reduction->shape.x > 0 ? cross_by_rounds (reduction, pixels, error)
                                : cross_by_fronts (reduction, pixels, error)))
    return FALSE;
  wf_cuda_step (reduction->cuda, "arrows");
  start_paths<<<reduction->shape_blocks, reduction->shape_threads, 0, stream>>>
    (pixels, reduction->flood->task->last_index, reduction->path);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
find_arrows_and_levels (Reduction  *reduction,
                        GError    **error)
{
  return wf_dispatch_pixels (reduction->flood->task->type, [&] (auto pixel)
    {
      return find_arrows_of<decltype (pixel)> (reduction, error);
    });
}


/*  Reducing  */

static gboolean
reduce_sync (Reduction  *reduction,
             GError    **error)
{
  guint32 unfinished = 1;

  while (unfinished)
    {
      guint32 *from = reduction->path;

      reduction->rounds++;
      if (! clear_count (reduction, error))
        return FALSE;
      reduce_paths_to<<<reduction->blocks, reduction->threads, 0, reduction->cuda->stream>>>
        (reduction->n, reduction->rate, from, reduction->other, reduction->count.data);
      WF_CUDA_CHECK_LAUNCH ();
      reduction->path  = reduction->other;
      reduction->other = from;
      if (! read_count (reduction, &unfinished, error))
        return FALSE;
    }
  return TRUE;
}

static WfPathTiles
tiles_of (const Reduction *reduction)
{
  const WfCudaFlood *flood = reduction->flood;
  const bool         stack = wf_is_stack_connectivity (flood->task->connectivity);
  WfPathTiles        tiles;

  tiles.width  = flood->task->shape.width;
  tiles.height = flood->task->shape.height;
  tiles.depth  = flood->task->shape.depth;
  tiles.x      = stack ? 16 : 32;
  tiles.y      = stack ? 8 : 32;
  tiles.z      = stack ? 8 : 1;
  tiles.across = (flood->task->shape.width + tiles.x - 1) / tiles.x;
  tiles.down   = (flood->task->shape.height + tiles.y - 1) / tiles.y;
  tiles.n      = (gint64) tiles.across * tiles.down
                 * ((flood->task->shape.depth + tiles.z - 1) / tiles.z);
  return tiles;
}

static gboolean
reduce_async (Reduction  *reduction,
              GError    **error)
{
  WfCuda           *cuda       = reduction->cuda;
  const int         threads    = reduction->threads;
  const WfPathTiles tiles      = tiles_of (reduction);
  guint32           unfinished = 1;

  reduce_paths_in_tiles<<<wf_cuda_blocks (cuda, tiles.n * threads, threads), threads, 0,
                          cuda->stream>>> (tiles, reduction->rate, reduction->path);
  WF_CUDA_CHECK_LAUNCH ();
  while (unfinished)
    {
      reduction->rounds++;
      if (! clear_count (reduction, error))
        return FALSE;
      reduce_paths<<<reduction->blocks, reduction->threads, 0, cuda->stream>>>
        (reduction->n, reduction->rate, reduction->path, reduction->count.data);
      WF_CUDA_CHECK_LAUNCH ();
      if (! read_count (reduction, &unfinished, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
reduce_balanced (Reduction  *reduction,
                 GError    **error)
{
  WfCuda    *cuda    = reduction->cuda;
  const int  threads = reduction->threads;
  guint32   *path    = reduction->path;
  guint32   *list    = NULL;
  guint32   *left    = reduction->list.data;
  guint32   *spare   = reduction->others.data;
  guint32    n_left  = 1;
  gint64     n       = reduction->n;

  while (n_left > 0)
    {
      reduction->rounds++;
      if (! clear_count (reduction, error))
        return FALSE;
      reduce_listed_paths<<<wf_cuda_blocks (cuda, n, threads), threads, 0, cuda->stream>>>
        (n, reduction->rate, list, path, left, reduction->count.data);
      WF_CUDA_CHECK_LAUNCH ();
      if (! read_count (reduction, &n_left, error))
        return FALSE;
      n     = n_left;
      list  = left;
      left  = spare;
      spare = list;
    }
  return TRUE;
}

static gboolean
reduce_by_system (Reduction  *reduction,
                  GError    **error)
{
  switch (reduction->flood->reduction)
    {
    case WF_REDUCTION_SYNC:
      return reduce_sync (reduction, error);
    case WF_REDUCTION_ASYNC:
      return reduce_async (reduction, error);
    default:
      return reduce_balanced (reduction, error);
    }
}

/* In the report this is, or belongs to, @step. */
static gboolean
reduce (Reduction   *reduction,
        const char  *step,
        GError     **error)
{
  reduction->rounds = 0;
  if (! reduce_by_system (reduction, error))
    return FALSE;
  count_rounds (reduction, step, reduction->rounds);
  return TRUE;
}


/*  Labels  */

static gboolean
number_roots (Reduction  *reduction,
              GError    **error)
{
  const cudaStream_t stream   = reduction->cuda->stream;
  const gint64       n_blocks = reduction->n_words / WF_BLOCK_WORDS;
  guint64            n_minima;

  wf_cuda_step (reduction->cuda, "minima");
  join_minima<<<reduction->shape_blocks, reduction->shape_threads, 0, stream>>>
    (pixels_of<guint8> (reduction), reduction->path);
  WF_CUDA_CHECK_LAUNCH ();
  if (! reduce (reduction, "minima", error))
    return FALSE;
  mark_minima<<<reduction->blocks, reduction->threads, 0, stream>>>
    (reduction->n, reduction->n_words, reduction->depth.data, reduction->path,
     reduction->bits.data);
  WF_CUDA_CHECK_LAUNCH ();
  wf_count_bits<<<n_blocks, WF_BLOCK_THREADS, 0, stream>>>
    (reduction->bits.data, reduction->before.data, reduction->sums.data);
  WF_CUDA_CHECK_LAUNCH ();
  wf_scan_blocks<<<1, 1024, 0, stream>>> (reduction->sums.data, n_blocks,
                                          reduction->sums.data + n_blocks);
  WF_CUDA_CHECK_LAUNCH ();
  reduction->ranks = { reduction->bits.data, reduction->before.data, reduction->sums.data };

  if (! wf_cuda_read (reduction->cuda, &n_minima, reduction->sums.data + n_blocks,
                      sizeof n_minima, error))
    return FALSE;
  *reduction->flood->n_minima = n_minima;
  return TRUE;
}

template <typename Pixel>
static gboolean
draw_lines_of (Reduction  *reduction,
               GError    **error)
{
  const WfCudaFlood *flood = reduction->flood;

  draw_lines_of_paths<<<reduction->blocks, reduction->threads, 0, reduction->cuda->stream>>>
    (pixels_of<Pixel> (reduction), reduction->path, flood->basins, flood->markers != NULL,
     flood->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static gboolean
write_basins (Reduction  *reduction,
              GError    **error)
{
  const WfCudaFlood *flood = reduction->flood;

  wf_cuda_step (reduction->cuda, "labels");
  label_paths<<<reduction->blocks, reduction->threads, 0, reduction->cuda->stream>>>
    (reduction->n, reduction->depth.data, reduction->path, reduction->ranks, flood->markers,
     flood->minima_only, flood->draws_lines () ? flood->basins : flood->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return ! flood->draws_lines () || wf_dispatch_pixels (flood->task->type, [&] (auto pixel)
           {
             return draw_lines_of<decltype (pixel)> (reduction, error);
           });
}


/*  All of it  */

static gint64
count_words (gint64 n)
{
  const gint64 in_block = WF_BLOCK_WORDS * 32;

  return (n + in_block - 1) / in_block * WF_BLOCK_WORDS;
}

/* What looks at neighbours has blocks of the shape that the caller sets, if any. */
static void
set_shape (Reduction *reduction)
{
  const WfWatershedTask *task  = reduction->flood->task;
  const int             *sides = task->block;
  WfThreadBlocks        *shape = &reduction->shape;

  *shape                   = {};
  reduction->shape_threads = reduction->threads;
  reduction->shape_blocks  = reduction->blocks;
  if (MAX (sides[0], MAX (sides[1], sides[2])) == 0)
    return;

  shape->x      = MAX (1, sides[0]);
  shape->y      = MAX (1, sides[1]);
  shape->z      = MAX (1, sides[2]);
  shape->across = (task->shape.width + shape->x - 1) / shape->x;
  shape->down   = (task->shape.height + shape->y - 1) / shape->y;
  shape->n      = (gint64) shape->across * shape->down
                  * ((task->shape.depth + shape->z - 1) / shape->z);
  reduction->shape_threads = shape->x * shape->y * shape->z;
  reduction->shape_blocks  = wf_cuda_blocks (reduction->cuda, shape->n * reduction->shape_threads,
                                             reduction->shape_threads);
}

static gboolean
allocate (Reduction  *reduction,
          GError    **error)
{
  WfCuda       *cuda   = reduction->cuda;
  const gint64  n      = reduction->n;
  const gint64  words  = reduction->n_words;

  if (! reduction->paths.allocate (cuda, n, error) ||
      ! reduction->depth.allocate (cuda, n, error) ||
      ! reduction->list.allocate (cuda, n, error) ||
      ! reduction->fronts.allocate (cuda, 1, error) ||
      ! reduction->count.allocate (cuda, 1, error) ||
      (reduction->flood->reduction != WF_REDUCTION_ASYNC &&
       ! reduction->others.allocate (cuda, n, error)) ||
      (! reduction->flood->markers &&
       (! reduction->bits.allocate (cuda, words, error) ||
        ! reduction->before.allocate (cuda, words / 4, error) ||
        ! reduction->sums.allocate (cuda, words / WF_BLOCK_WORDS + 1, error))))
    return FALSE;
  reduction->path  = reduction->paths.data;
  reduction->other = reduction->others.data;
  return TRUE;
}

} /* namespace reduction */

/* Pixels are numbered in 32 bits, and L2 is at most WF_DEEPEST. */
gboolean
wf_cuda_flood_by_reduction_supports (gint64 n)
{
  return n <= WF_DEEPEST;
}

guint64
wf_cuda_flood_by_reduction_memory (WfReduction system,
                                   gint64      n)
{
  const guint64 words = reduction::count_words (n);

  return n * sizeof (guint32) * (system == WF_REDUCTION_ASYNC ? 3 : 4)
         + words * sizeof (guint32)
         + words / 4 * sizeof (guint32)
         + (words / WF_BLOCK_WORDS + 1) * sizeof (guint64)
         + 4096;
}

gboolean
wf_cuda_flood_by_reduction (WfCuda             *cuda,
                            const WfCudaFlood  *flood,
                            GError            **error)
{
  using namespace reduction;

  Reduction state;

  state.cuda    = cuda;
  state.flood   = flood;
  state.n       = wf_shape_n_pixels (&flood->task->shape);
  state.n_words = count_words (state.n);
  state.rate    = flood->task->reduction_rate > 0 ? flood->task->reduction_rate : RATE;
  state.threads = flood->task->block_size > 0 ? flood->task->block_size : THREADS;
  state.blocks  = wf_cuda_blocks (cuda, state.n, state.threads);
  state.ranks   = { NULL, NULL, NULL };
  set_shape (&state);
  if (! allocate (&state, error) ||
      ! find_arrows_and_levels (&state, error) ||
      ! wf_cuda_advance (cuda, 1, error))
    return FALSE;
  wf_cuda_step (cuda, "paths");
  return reduce (&state, "paths", error) &&
         (flood->markers || number_roots (&state, error)) &&
         write_basins (&state, error);
}
