/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of the watershed of stacks on a GPU: paths go on over the tiles' borders,
 * minima are numbered, and every voxel gets its label.
 *
 * The exits and the roots that are ends make a forest of voxels: an exit points to the
 * end of the path in the tile that it leads to, a root to a root of the same minimum or,
 * the first of all, to itself.  Walks along it are short, and each shortens those after
 * it.  First voxels of minima are bits of a map; a minimum's number is that of the bits
 * up to its own, found by sums over words and a scan over blocks of them.
 *
 * Bytes a voxel: 0.25 read, and some 30 for each end; write_stack reads 2 and writes 4.
 */

#pragma once

#include "watershed-labels.cuh"
#include "watershed-stack-minima.cuh"

/* Steps of a walk in one launch. */
#define WF_WALK_STEPS 64

/* Calls visit (voxel, i, x, y, z) for the voxels of a tile, in rows by warps. */
template <typename Visit>
static __device__ inline void
each_voxel_of_cube (const WfStack &stack,
                    const WfCube  &cube,
                    Visit        &&visit)
{
  const int     n_rows = (int) min (stack.depth - cube.z, (guint32) WF_CUBE_Z) * WF_CUBE_Y;
  const guint32 x      = cube.x + threadIdx.x % 32;

  if (x < stack.width)
#pragma unroll 4
    for (int row = threadIdx.x / 32; row < n_rows; row += WF_CUBE_THREADS / 32)
      {
        const guint32 y = cube.y + row % WF_CUBE_Y;
        const guint32 z = cube.z + row / WF_CUBE_Y;

        if (y < stack.height)
          visit (stack.voxel (x, y, z), row * WF_CUBE_X + (int) threadIdx.x % 32, x, y, z);
      }
}

/* Calls visit (voxel, x, y, z) for the ends in a tile, which are listed first, so that
 * all threads are busy.
 */
template <typename Visit>
static __device__ inline void
each_end_of_cube (const WfStack &stack,
                  const WfCube  &cube,
                  guint16       *list,
                  Visit        &&visit)
{
  guint32 bits  = wf_row_word (stack, stack.ends, cube.word, cube.y + threadIdx.x % WF_CUBE_Y,
                               cube.z + threadIdx.x / WF_CUBE_Y);
  int     n;
  int     k     = sum_before (__popc (bits), &n);

  for (; bits != 0; bits &= bits - 1)
    list[k++] = threadIdx.x * WF_CUBE_X + __ffs (bits) - 1;
  __syncthreads ();
  for (int k = threadIdx.x; k < n; k += WF_CUBE_THREADS)
    {
      const int     i = list[k];
      const guint32 x = cube.x + i % WF_CUBE_X;
      const guint32 y = cube.y + i / WF_CUBE_X % WF_CUBE_Y;
      const guint32 z = cube.z + i / (WF_CUBE_X * WF_CUBE_Y);

      visit (stack.voxel (x, y, z), x, y, z);
    }
}

/* One block a tile. */
template <int N>
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
connect_tiles (WfStack        stack,
               bool           markers,
               const guint16 *ends,
               guint32       *forest,
               guint32       *firsts)
{
  __shared__ __align__ (16) guint16 list[WF_CUBE_VOXELS];
  __shared__ guint32                n_pairs;

  const WfCube cube = wf_cube (stack, blockIdx.x);

  if (threadIdx.x == 0)
    n_pairs = 0;
  each_end_of_cube (stack, cube, list, [&] (guint32 voxel, guint32 x, guint32 y, guint32 z)
    {
      if (wf_row_word (stack, stack.roots, cube.word, y, z) >> x % 32 & 1)
        return;

      const guint32 place = forest[voxel];

      forest[voxel] = find_tile_end (stack, ends, x + place % 3 - 1, y + place / 3 % 3 - 1,
                                     z + place / 9 - 1);
    });
  __syncthreads ();
  if (! markers)
    join_minima_outside<N> (stack, cube, ends, forest, firsts,
                            { WF_CUBE_VOXELS / 2, &n_pairs, (guint32 *) list });
}

/* One block a tile.  Writes the labels of ends whose walk comes to its root; sets
 * @unfinished if others are left.
 */
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
walk_forest (WfStack        stack,
             guint32       *forest,
             WfRanks        ranks,
             const guint32 *markers,
             guint32       *found,
             int           *unfinished)
{
  __shared__ guint16 list[WF_CUBE_VOXELS];

  volatile guint32 *next = forest;

  each_end_of_cube (stack, wf_cube (stack, blockIdx.x), list,
                    [&] (guint32 voxel, guint32 x, guint32 y, guint32 z)
    {
      guint32 at   = voxel;
      guint32 then = next[at];

      for (int step = 0; then != at && step < WF_WALK_STEPS; step++)
        {
          at   = then;
          then = next[at];
        }
      next[voxel] = at;
      if (then != at)
        *unfinished = 1;
      else
        found[voxel] = markers ? markers[at] : wf_rank (ranks, at);
    });
}

/* Rows that a warp of write_stack has under way together. */
#define WF_WRITE_ROWS 4

/* One block a tile.  With @minima_only, what is no minimum gets 0. */
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
write_stack (WfStack        stack,
             const guint16 *ends,
             const guint32 *found,
             bool           minima_only,
             guint32       *labels)
{
  const WfCube  cube  = wf_cube (stack, blockIdx.x);
  const int     lane  = threadIdx.x % 32;
  const guint32 first = stack.voxel (cube.x, cube.y, cube.z);

  for (int start = threadIdx.x / 32; start < WF_CUBE_ROWS;
       start += WF_WRITE_ROWS * (WF_CUBE_THREADS / 32))
    {
      guint32 end[WF_WRITE_ROWS];
      guint32 label[WF_WRITE_ROWS];
      bool    inside[WF_WRITE_ROWS];

#pragma unroll
      for (int k = 0; k < WF_WRITE_ROWS; k++)
        {
          const int row = start + k * (WF_CUBE_THREADS / 32);
          const int y   = row % WF_CUBE_Y;
          const int z   = row / WF_CUBE_Y;

          inside[k] = cube.x + lane < stack.width && cube.y + y < stack.height &&
                      cube.z + z < stack.depth;
          end[k]    = inside[k] ? ends[first + stack.voxel (lane, y, z)] : 0;
        }
#pragma unroll
      for (int k = 0; k < WF_WRITE_ROWS; k++)
        label[k] = inside[k] ? found[first + stack.voxel (end[k] % WF_CUBE_X,
                                                          end[k] / WF_CUBE_X % WF_CUBE_Y,
                                                          end[k] / (WF_CUBE_X * WF_CUBE_Y))] : 0;
#pragma unroll
      for (int k = 0; k < WF_WRITE_ROWS; k++)
        {
          const int row = start + k * (WF_CUBE_THREADS / 32);
          const int y   = row % WF_CUBE_Y;
          const int z   = row / WF_CUBE_Y;

          if (inside[k])
            labels[first + stack.voxel (lane, y, z)] =
              ! minima_only || (wf_row_word (stack, stack.roots, cube.word, cube.y + y, cube.z + z)
                                >> lane & 1) ? label[k] : 0;
        }
    }
}


/*  Lines  */

/* One block a tile: 0 where a neighbour of another basin comes before the voxel in the
 * order (not a marker, L1, L2, index).
 */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
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

  each_voxel_of_cube (stack, wf_cube (stack, blockIdx.x),
                      [&] (guint32 voxel, int i, guint32 x, guint32 y, guint32 z)
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
              const guint32 depth       = ! root && is (stack.waiting, x, y, z)
                                          ? stack.depths[voxel] : 0;
              const guint32 other_depth = ! root && is (stack.waiting, far_x, far_y, far_z)
                                          ? stack.depths[other] : 0;

              line = other_depth < depth || (other_depth == depth && other < voxel);
            }
        }
      labels[voxel] = line ? 0 : own;
    });
}
