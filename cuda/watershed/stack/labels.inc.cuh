/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of the watershed of stacks on a GPU: paths are continued over the tiles' borders,
 * minima are numbered, and every voxel gets its label.
 *
 * The ends of all tiles make a forest: an exit points to the end of its path in the next tile, a
 * root to a root of the same minimum, the first one to itself.  Walks in it are short, and each
 * shortens later ones.  Minima are numbered by a map of their first voxels
 * (cuda/watershed/ranks.cuh).
 *
 * Bytes a voxel: 0.25 read, and about 40 for each end; write_stack() reads 2 and writes 4.
 */

#pragma once

#include "cuda/core/block-scan.cuh"
#include "cuda/watershed/ranks.cuh"
#include "minima.inc.cuh"

namespace stack_flood
{

/* Steps of a walk in one launch. */
#define WF_WALK_STEPS 64

/* Calls visit (voxel, x, y, z) for the voxels of a tile, in rows by warps. */
template <typename Visit>
__device__ __forceinline__ void
each_voxel_of_tile (const WfStack      &stack,
                    const WfStackTile  &tile,
                    Visit             &&visit)
{
  const int     n_rows = (int) min (stack.depth - tile.z, (guint32) WF_TILE_Z) * WF_TILE_Y;
  const guint32 x      = tile.x + threadIdx.x % 32;

  if (x < stack.width)
#pragma unroll 4
    for (int row = threadIdx.x / 32; row < n_rows; row += WF_TILE_THREADS / 32)
      {
        const guint32 y = tile.y + row % WF_TILE_Y;
        const guint32 z = tile.z + row / WF_TILE_Y;

        if (y < stack.height)
          visit (stack.voxel (x, y, z), x, y, z);
      }
}

/* One block a tile: exits get the ends that they lead to, roots their voxels, or with @markers
 * their labels.
 */
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
connect_tiles (WfStack        stack,
               WfEnds         ends,
               const guint32 *markers)
{
  __shared__ guint16 list[WF_TILE_VOXELS];

  const WfStackTile tile  = wf_stack_tile (stack, blockIdx.x);
  const guint32     first = ends.firsts[tile.index];
  guint32           bits  = wf_row_word (stack, stack.ends, tile.word,
                                         tile.y + threadIdx.x % WF_TILE_Y,
                                         tile.z + threadIdx.x / WF_TILE_Y);
  int               n;
  int               k     = wf_block_sum_before (__popc (bits), &n);

  /* In the order of their numbers. */
  for (; bits != 0; bits &= bits - 1)
    list[k++] = threadIdx.x * WF_TILE_X + __ffs (bits) - 1;
  __syncthreads ();
  for (int k = threadIdx.x; k < n; k += WF_TILE_THREADS)
    {
      const int     i     = list[k];
      const guint32 x     = tile.x + i % WF_TILE_X;
      const guint32 y     = tile.y + i / WF_TILE_X % WF_TILE_Y;
      const guint32 z     = tile.z + i / (WF_TILE_X * WF_TILE_Y);
      const guint32 voxel = stack.voxel (x, y, z);

      if (wf_row_word (stack, stack.roots, tile.word, y, z) >> x % 32 & 1)
        ends.found[first + k] = markers ? markers[voxel] : voxel;
      else
        {
          const guint32 place = ends.forest[first + k];
          const guint32 far_x = x + place % 3 - 1;
          const guint32 far_y = y + place / 3 % 3 - 1;
          const guint32 far_z = z + place / 9 - 1;

          ends.forest[first + k] = ends.of (stack.voxel (far_x, far_y, far_z),
                                            wf_stack_tile_at (stack, far_x, far_y, far_z).index);
        }
    }
}

/* Pairs of touching roots of a tile's border that are listed together. */
#define WF_BORDER_PAIRS 2048

/* One block a tile. */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
join_tiles (WfStack  stack,
            WfEnds   ends,
            guint32 *firsts)
{
  __shared__ guint32 list[WF_BORDER_PAIRS];
  __shared__ guint32 n_pairs;

  if (threadIdx.x == 0)
    n_pairs = 0;
  __syncthreads ();
  join_minima_outside<N> (stack, wf_stack_tile (stack, blockIdx.x), ends, firsts,
                          { WF_BORDER_PAIRS, &n_pairs, list });
}

/* The labels of minima, at their first voxels' ends. */
static __global__ void
label_firsts (WfEnds  ends,
              WfRanks ranks)
{
  for (gint64 k = blockIdx.x * (gint64) blockDim.x + threadIdx.x; k < *ends.n;
       k += (gint64) gridDim.x * blockDim.x)
    if (ends.forest[k] == k)
      ends.found[k] = wf_rank (ranks, ends.found[k]);
}

/* Labels of the other ends whose walk reaches its root; sets @unfinished if some are left. */
static __global__ void
walk_forest (WfEnds  ends,
             int    *unfinished)
{
  volatile guint32 *next = ends.forest;

  for (gint64 k = blockIdx.x * (gint64) blockDim.x + threadIdx.x; k < *ends.n;
       k += (gint64) gridDim.x * blockDim.x)
    {
      guint32 at   = k;
      guint32 then = next[at];

      for (int step = 0; then != at && step < WF_WALK_STEPS; step++)
        {
          at   = then;
          then = next[at];
        }
      if (at == k)
        continue;
      next[k] = at;
      if (then != at)
        *unfinished = 1;
      else
        ends.found[k] = ends.found[at];
    }
}

/* Fours of voxels that a thread of write_stack() loads together. */
#define WF_WRITE_FOURS 4

/* One block a tile.  With @minima_only, what is no minimum gets 0.  @whole: rows are whole
 * fours of voxels, where fours can be read and written.
 */
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
write_stack (WfStack  stack,
             WfEnds   ends,
             bool     minima_only,
             bool     whole,
             guint32 *labels)
{
  constexpr int ROWS = WF_TILE_THREADS / WF_FOURS;

  const WfStackTile  tile   = wf_stack_tile (stack, blockIdx.x);
  const int          column = threadIdx.x % WF_FOURS;
  const guint32      x      = tile.x + 4 * column;
  const guint32     *found  = ends.found + ends.firsts[tile.index];

  for (int start = threadIdx.x / WF_FOURS; start < WF_TILE_ROWS; start += WF_WRITE_FOURS * ROWS)
    {
      WfFour<guint16> end[WF_WRITE_FOURS];
      WfFour<guint32> label[WF_WRITE_FOURS];
      guint32         voxel[WF_WRITE_FOURS];
      int             n[WF_WRITE_FOURS];

#pragma unroll
      for (int k = 0; k < WF_WRITE_FOURS; k++)
        {
          const guint32 y = tile.y + (start + k * ROWS) % WF_TILE_Y;
          const guint32 z = tile.z + (start + k * ROWS) / WF_TILE_Y;

          voxel[k] = stack.voxel (x, y, z);
          n[k]     = x < stack.width && y < stack.height && z < stack.depth
                     ? (int) min (stack.width - x, 4u) : 0;
          end[k]   = {};
          if (whole && n[k] > 0)
            end[k] = *(const WfFour<guint16> *) (ends.of_voxels + voxel[k]);
          else
#pragma unroll
            for (int j = 0; j < 4; j++)
              if (j < n[k])
                end[k].of[j] = ends.of_voxels[voxel[k] + j];
        }
#pragma unroll
      for (int k = 0; k < WF_WRITE_FOURS; k++)
        {
          const guint32 y     = tile.y + (start + k * ROWS) % WF_TILE_Y;
          const guint32 z     = tile.z + (start + k * ROWS) / WF_TILE_Y;
          const guint32 shown = minima_only && n[k] > 0
                                ? stack.roots[stack.row (y, z) + tile.word] >> 4 * column : ~0u;

#pragma unroll
          for (int j = 0; j < 4; j++)
            label[k].of[j] = j < n[k] && (shown >> j & 1) ? found[end[k].of[j]] : 0;
        }
#pragma unroll
      for (int k = 0; k < WF_WRITE_FOURS; k++)
        if (whole && n[k] > 0)
          *(WfFour<guint32> *) (labels + voxel[k]) = label[k];
        else
#pragma unroll
          for (int j = 0; j < 4; j++)
            if (j < n[k])
              labels[voxel[k] + j] = label[k].of[j];
    }
}


/*  Lines  */

/* One block a tile: 0 where a neighbour of another basin comes before the voxel in the
 * order (not a marker, L1, L2, index).
 */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
draw_stack_lines (WfStack        stack,
                  const Pixel   *level,
                  const guint32 *basins,
                  guint32       *labels)
{
  typedef WfDirections<N> To;

  auto is = [&] (const guint32 *bits, guint32 x, guint32 y, guint32 z)
    {
      return wf_row_word (stack, bits, x / 32, y, z) >> x % 32 & 1;
    };

  each_voxel_of_tile (stack, wf_stack_tile (stack, blockIdx.x),
                      [&] (guint32 voxel, guint32 x, guint32 y, guint32 z)
    {
      const guint32 own  = basins[voxel];
      bool          line = false;

      for (int d = 0; d < N && ! line; d++)
        {
          const guint32 far_x = x + To::dx (d);
          const guint32 far_y = y + To::dy (d);
          const guint32 far_z = z + To::dz (d);

          if (far_x >= stack.width || far_y >= stack.height || far_z >= stack.depth)
            continue;

          const guint32 other = stack.voxel (far_x, far_y, far_z);

          if (basins[other] == own)
            continue;

          const bool root       = is (stack.roots, x, y, z);
          const bool other_root = is (stack.roots, far_x, far_y, far_z);

          if (root != other_root)
            line = other_root;
          else if (level[voxel] != level[other])
            line = level[other] < level[voxel];
          else
            {
              const guint32 depth       = wf_depth (stack, x, y, z);
              const guint32 other_depth = wf_depth (stack, far_x, far_y, far_z);

              line = other_depth < depth || (other_depth == depth && other < voxel);
            }
        }
      labels[voxel] = line ? 0 : own;
    });
}

} /* namespace stack_flood */
