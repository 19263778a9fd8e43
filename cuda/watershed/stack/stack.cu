/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floods of stacks: 6 and 26 neighbours.  How they go is said at the tops of
 * tile.inc.cuh, -classes, -spread, -growth, -corridors, -paths, -minima and
 * -labels.cuh.
 */

#include "cuda/core/dispatch.cuh"
#include "classes.inc.cuh"
#include "chain-contraction.inc.cuh"
#include "labels.inc.cuh"
#include "paths.inc.cuh"

/* After so many rounds corridors are contracted, and again after eight times as many. */
#define PATIENCE 124

/* Tiles in a launch of find_paths, which takes its time where everything is deep. */
#define MOST_TILES ((gint64) 32768)

/* Words of bits in a block of the map of first voxels. */
#define BLOCK_VOXELS ((gint64) WF_BLOCK_WORDS * 32)

namespace stack_flood
{

template <int N>
struct StackOnDevice
{
  WfCuda                 *cuda;
  const WfCudaFlood      *flood;
  WfStack                 stack;
  gint64                  n;
  gint64                  n_words;      /* of a fact of one bit */
  gint64                  n_blocks;     /* of the map of first voxels */
  gint64                  n_columns;    /* blocks of classify */
  WfEnds                  ends;

  WfDeviceArray<guint32>  waiting;
  WfDeviceArray<guint32>  seeds;
  WfDeviceArray<uint4>    facts;
  WfDeviceArray<guint32>  roots;
  WfDeviceArray<guint32>  depths;
  WfDeviceArray<guint16>  ends_of_voxels;
  WfDeviceArray<guint32>  first_ends;   /* of tiles, and how many there are in all */
  WfDeviceArray<guint32>  forest_memory;
  WfDeviceArray<guint32>  found_memory;
  WfDeviceArray<guint32>  firsts;
  WfDeviceArray<guint32>  before;
  WfDeviceArray<guint64>  blocks;
  WfDeviceArray<int>      unfinished;

  gboolean allocate (GError **error);
  gboolean spread_fronts (GError **error);
  gboolean rank_chains (WfBoundaryVoxels  boundary,
                        gint64     n_links,
                        int       *changed,
                        GError   **error);
  gboolean contract_chains
                          (int     *found,
                           GError **error);
  gboolean relax          (GError **error);
  gboolean connect        (GError **error);
  gboolean walk           (GError **error);
  gboolean run            (GError **error);

  template <typename Pixel>
  gboolean
  classify_levels (GError **error)
  {
    classify<N, Pixel><<<n_columns, WF_TILE_X * WF_COLUMNS_Y, 0, cuda->stream>>>
      (stack, (const Pixel *) flood->level, flood->markers);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }

  /* Four voxels of a row lie like one. */
  template <typename T>
  bool
  has_whole_fours (const T *voxels) const
  {
    return stack.width % 4 == 0 && (guintptr) voxels % (4 * sizeof (T)) == 0;
  }

  template <typename Pixel>
  gboolean
  find_paths_of (GError **error)
  {
    const Pixel *level = (const Pixel *) flood->level;

    for (gint64 first = 0; first < stack.n_tiles; first += MOST_TILES)
      {
        const gint64 n_tiles = MIN (MOST_TILES, stack.n_tiles - first);

        find_paths<N, Pixel><<<n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
          (stack, first, level, flood->markers != NULL, flood->task->last_index,
           has_whole_fours (level), ends, firsts.data);
        WF_CUDA_CHECK_LAUNCH ();
        if (! wf_cuda_advance (cuda, 0, error))
          return FALSE;
      }
    return TRUE;
  }

  template <typename Pixel>
  gboolean
  draw_lines_of (GError **error)
  {
    draw_stack_lines<N, Pixel><<<stack.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
      (stack, (const Pixel *) flood->level, flood->basins, flood->labels);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }
};

/* The longest sides first where others are 1: numbers and neighbours stay the same. */
WfShape
without_flat_sides (const WfShape *shape)
{
  const gint64 sides[3] = { shape->width, shape->height, shape->depth };
  gint64       kept[3]  = { 1, 1, 1 };
  int          n        = 0;

  for (int k = 0; k < 3; k++)
    if (sides[k] > 1)
      kept[n++] = sides[k];
  return { kept[0], kept[1], kept[2] };
}

WfStack
stack_of (const WfShape *given)
{
  const WfShape shape = without_flat_sides (given);
  WfStack       stack = {};

  stack.width   = shape.width;
  stack.height  = shape.height;
  stack.depth   = shape.depth;
  stack.slice   = shape.width * shape.height;
  stack.across  = (shape.width + WF_TILE_X - 1) / WF_TILE_X;
  stack.down    = (shape.height + WF_TILE_Y - 1) / WF_TILE_Y;
  stack.n_tiles = stack.across * stack.down * ((shape.depth + WF_TILE_Z - 1) / WF_TILE_Z);
  return stack;
}

gint64
count_words (const WfStack &stack)
{
  return (gint64) stack.across * stack.height * stack.depth;
}

gint64
count_blocks (gint64 n)
{
  return (n + BLOCK_VOXELS - 1) / BLOCK_VOXELS;
}

/* Room for the ends of all voxels, and for the fronts before. */
gint64
count_ends (gint64 n,
            gint64 n_words)
{
  return MAX (n, n_words * WF_N_FRONTS * (gint64) (sizeof (guint32) / sizeof (guint16)));
}

template <int N>
gboolean
StackOnDevice<N>::allocate (GError **error)
{
  const bool minima = ! flood->markers;

  if (! waiting.allocate (cuda, n_words, error) ||
      ! seeds.allocate (cuda, n_words, error) ||
      ! roots.allocate (cuda, n_words, error) ||
      ! facts.allocate (cuda, n_words, error) ||
      ! depths.allocate (cuda, n, error) ||
      ! ends_of_voxels.allocate (cuda, count_ends (n, n_words), error) ||
      ! first_ends.allocate (cuda, (gint64) stack.n_tiles + 1, error) ||
      ! unfinished.allocate (cuda, 1, error) ||
      (! minima && ! flood->draws_lines () && ! forest_memory.allocate (cuda, n, error)) ||
      (flood->draws_lines () && ! found_memory.allocate (cuda, n, error)) ||
      (minima && (! firsts.allocate (cuda, n_blocks * WF_BLOCK_WORDS, error) ||
                  ! before.allocate (cuda, n_blocks * WF_BLOCK_THREADS, error) ||
                  ! blocks.allocate (cuda, n_blocks + 1, error))))
    return FALSE;

  stack.waiting = waiting.data;
  stack.seeds   = seeds.data;
  stack.facts   = facts.data;
  stack.roots   = roots.data;
  stack.ends    = seeds.data;
  stack.depths  = depths.data;
  ends          = { ends_of_voxels.data, first_ends.data, first_ends.data + stack.n_tiles,
                    flood->draws_lines () ? flood->basins
                    : minima ? flood->labels : forest_memory.data,
                    flood->draws_lines () ? found_memory.data : depths.data };
  WF_CUDA_CHECK (cudaMemsetAsync (ends.n, 0, sizeof (guint32), cuda->stream));
  if (minima)
    WF_CUDA_CHECK (cudaMemsetAsync (firsts.data, 0, n_blocks * WF_BLOCK_WORDS * sizeof (guint32),
                                    cuda->stream));
  return TRUE;
}

/* Blocks of threads for words. */
gint64
count_spreads (gint64 n_words)
{
  return (n_words + WF_SPREAD_THREADS - 1) / WF_SPREAD_THREADS;
}

/* L2 up to WF_SHALLOW.  The memory of ends is not needed yet. */
template <int N>
gboolean
StackOnDevice<N>::spread_fronts (GError **error)
{
  const gint64  n_blocks = count_spreads (n_words);
  guint32      *fronts   = (guint32 *) ends_of_voxels.data;

  for (int k = 0; k < WF_N_FRONTS; k++)
    {
      spread<N><<<n_blocks, WF_SPREAD_THREADS, 0, cuda->stream>>>
        (stack, n_words, k == 0 ? seeds.data : fronts + (k - 1) * n_words, fronts + k * n_words);
      WF_CUDA_CHECK_LAUNCH ();
    }
  gather_facts<N><<<n_blocks, WF_SPREAD_THREADS, 0, cuda->stream>>> (stack, n_words, fronts);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <int N>
gboolean
StackOnDevice<N>::rank_chains (WfBoundaryVoxels   boundary,
                               gint64             n_links,
                               int               *changed,
                               GError           **error)
{
  const unsigned int     blocks = wf_cuda_blocks (cuda, n_links, 256, 8);
  WfDeviceArray<WfLink>  others;
  const WfLink          *ranked;

  if (! others.allocate (cuda, n_links, error))
    return FALSE;

  WfLink *const arrays[] = { boundary.links, others.data };

  cross_tile_borders<N><<<blocks, 256, 0, cuda->stream>>> (stack, boundary, n_links);
  WF_CUDA_CHECK_LAUNCH ();

  if (! wf_cuda_rank_chains (cuda, n_links, arrays, changed, &ranked, error))
    return FALSE;
  lower_depths<<<blocks, 256, 0, cuda->stream>>> (stack, n_links, ranked, boundary.voxels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* L2 along corridors, if any are @found.  The forest's memory is not needed yet. */
template <int N>
gboolean
StackOnDevice<N>::contract_chains (int     *found,
                                   GError **error)
{
  const unsigned int     tiles    = (stack.n_tiles + WF_CHAIN_WARPS - 1) / WF_CHAIN_WARPS;
  guint32                n        = 0;
  WfBoundaryVoxels       boundary = { ends.forest, NULL, NULL, NULL };
  WfDeviceArray<guint32> count;
  WfDeviceArray<int>     changed;
  WfDeviceArray<guint32> voxels;
  WfDeviceArray<guint32> across;
  WfDeviceArray<WfLink>  links;

  *found = 0;
  if (! count.allocate (cuda, 1, error) || ! changed.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (count.data, 0, sizeof (guint32), cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (changed.data, 0, sizeof (int), cuda->stream));
  number_boundary_voxels<N><<<tiles, WF_CHAIN_WARPS * 32, 0, cuda->stream>>>
    (stack, boundary.numbers, count.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &n, count.data, sizeof n, error))
    return FALSE;
  if (n == 0)
    return TRUE;

  if (! voxels.allocate (cuda, n, error) || ! across.allocate (cuda, n, error) ||
      ! links.allocate (cuda, n, error))
    return FALSE;
  boundary = { ends.forest, voxels.data, across.data, links.data };
  find_voxels_across<N><<<tiles, WF_CHAIN_WARPS * 32, 0, cuda->stream>>> (stack, boundary);
  WF_CUDA_CHECK_LAUNCH ();
  link_chains<N><<<tiles, WF_CHAIN_WARPS * 32, 0, cuda->stream>>> (stack, boundary, changed.data);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_read (cuda, found, changed.data, sizeof *found, error) &&
         (! *found || rank_chains (boundary, n, changed.data, error));
}

/* Round after round, until no tile has news for another. */
template <int N>
gboolean
StackOnDevice<N>::relax (GError **error)
{
  const unsigned int all  = wf_cuda_blocks (cuda, (gint64) stack.n_tiles * WF_TILE_THREADS,
                                            WF_TILE_THREADS, 4);
  const unsigned int some = MIN (all, (unsigned int) cuda->n_units * 8);

  return wf_cuda_rounds (cuda, stack.n_tiles, PATIENCE,
                         [&] (bool whole, bool every, const WfTileLists &lists)
                         {
                           if (whole && ! every)
                             list_tiles<N><<<count_spreads (n_words), WF_SPREAD_THREADS, 0,
                                             cuda->stream>>> (stack, n_words, lists);
                           else
                             relax_tiles<N><<<whole ? all : some, WF_TILE_THREADS, 0,
                                              cuda->stream>>> (stack, every, lists);
                         },
                         [&] (int *found, GError **problem)
                         {
                           return contract_chains (found, problem);
                         },
                         error);
}

/* Puts the count of minima last in @blocks. */
template <int N>
gboolean
StackOnDevice<N>::connect (GError **error)
{
  const WfRanks ranks = { firsts.data, before.data, blocks.data };

  connect_tiles<<<stack.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>> (stack, ends,
                                                                      flood->markers);
  WF_CUDA_CHECK_LAUNCH ();
  if (flood->markers)
    return TRUE;
  join_tiles<N><<<stack.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>> (stack, ends, firsts.data);
  WF_CUDA_CHECK_LAUNCH ();
  wf_count_bits<<<n_blocks, WF_BLOCK_THREADS, 0, cuda->stream>>> (firsts.data, before.data,
                                                                  blocks.data);
  WF_CUDA_CHECK_LAUNCH ();
  wf_scan_blocks<<<1, 1024, 0, cuda->stream>>> (blocks.data, n_blocks, blocks.data + n_blocks);
  WF_CUDA_CHECK_LAUNCH ();
  label_firsts<<<wf_cuda_blocks (cuda, n, 256, 1), 256, 0, cuda->stream>>> (ends, ranks);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Most stacks are walked over in one launch. */
template <int N>
gboolean
StackOnDevice<N>::walk (GError **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, n, 256, 1);
  int                left   = 1;

  while (left)
    {
      WF_CUDA_CHECK (cudaMemsetAsync (unfinished.data, 0, sizeof (int), cuda->stream));
      walk_forest<<<blocks, 256, 0, cuda->stream>>> (ends, unfinished.data);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_read (cuda, &left, unfinished.data, sizeof left, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return TRUE;
}

template <int N>
gboolean
StackOnDevice<N>::run (GError **error)
{
  const gboolean  minima   = flood->markers == NULL;
  guint32        *labels   = flood->draws_lines () ? flood->basins : flood->labels;
  const WfType    type     = flood->task->type;
  guint64         n_minima = 0;

  if (! allocate (error) ||
      ! wf_dispatch_pixels (type, [&] (auto pixel)
          {
            return classify_levels<decltype (pixel)> (error);
          }) ||
      ! spread_fronts (error))
    return FALSE;
  find_tile_depths<N><<<(stack.n_tiles + WF_DEPTH_WARPS - 1) / WF_DEPTH_WARPS,
                        WF_DEPTH_WARPS * 32, 0, cuda->stream>>> (stack);
  WF_CUDA_CHECK_LAUNCH ();
  if (! relax (error) || ! wf_cuda_advance (cuda, 1, error) ||
      ! wf_dispatch_pixels (type, [&] (auto pixel)
          {
            return find_paths_of<decltype (pixel)> (error);
          }) ||
      ! connect (error) || ! walk (error))
    return FALSE;
  if (minima && ! wf_cuda_read (cuda, &n_minima, blocks.data + n_blocks, sizeof n_minima, error))
    return FALSE;
  if (minima)
    *flood->n_minima = n_minima;

  write_stack<<<stack.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
    (stack, ends, flood->minima_only, has_whole_fours (labels), labels);
  WF_CUDA_CHECK_LAUNCH ();
  return ! flood->draws_lines () || wf_dispatch_pixels (type, [&] (auto pixel)
           {
             return draw_lines_of<decltype (pixel)> (error);
           });
}

template <int N>
gboolean
flood_stack (WfCuda             *cuda,
             const WfCudaFlood  *flood,
             GError            **error)
{
  StackOnDevice<N> state;
  WfStack         &stack = state.stack;

  stack           = stack_of (&flood->task->shape);
  state.cuda      = cuda;
  state.flood     = flood;
  state.n         = wf_shape_n_pixels (&flood->task->shape);
  state.n_words   = count_words (stack);
  state.n_blocks  = count_blocks (state.n);
  state.n_columns = (gint64) stack.across * ((stack.height + WF_COLUMNS_Y - 1) / WF_COLUMNS_Y)
                    * ((stack.depth + WF_COLUMNS_Z - 1) / WF_COLUMNS_Z);
  return state.run (error);
}

} /* namespace stack_flood */

using namespace stack_flood;


gboolean
wf_cuda_flood_stack (WfCuda             *cuda,
                     const WfCudaFlood  *flood,
                     GError            **error)
{
  const bool straight = flood->task->connectivity == 6 || flood->task->connectivity == 4;

  return straight ? flood_stack<6> (cuda, flood, error) : flood_stack<26> (cuda, flood, error);
}

gboolean
wf_cuda_flood_stack_supports (const WfShape *shape)
{
  return wf_shape_n_pixels (shape) <= WF_MOST_VOXELS;
}

guint64
wf_cuda_flood_stack_memory (const WfShape *shape,
                            gboolean       markers,
                            gboolean       lines)
{
  const WfStack stack = stack_of (shape);
  const guint64 n     = wf_shape_n_pixels (shape);

  return n * (sizeof (guint32)                                 /* L2 */
              + (markers || lines ? sizeof (guint32) : 0))     /* a forest or labels of ends */
         + count_ends (n, count_words (stack)) * sizeof (guint16)
         + count_words (stack) * (3 * sizeof (guint32) + sizeof (uint4))   /* bits, facts */
         + stack.n_tiles * 4 * sizeof (guint32)                /* lists, first ends */
         + count_blocks (n) * (WF_BLOCK_WORDS + WF_BLOCK_THREADS + 2) * sizeof (guint32)
         + (WF_MOST_ROUNDS + 16) * sizeof (guint32);
}
