/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paths of stacks, for the watershed on a GPU.
 *
 * With the arrows of its tile in shared memory, a block joins touching roots of the tile by
 * union-find.  Then pointer doubling makes each voxel point to the end of its path in the tile.
 *
 * The ends of a tile are numbered, and their data is stored together, tile by tile in any order,
 * so that later steps read and write only that.
 *
 * That paths are reduced to ends inside parts of the image, and then between parts, is
 * from Bieniek and Moga, An efficient watershed algorithm based on connected components,
 * Pattern Recognition 33 (2000).
 *
 * Bytes a voxel of bytes, with arrows: 1.5 read (2 with the halos); 2.3 written, and 4 for each
 * end.
 */

#pragma once

#include "cuda/core/block-scan.cuh"
#include "arrows.inc.cuh"
#include "minima.inc.cuh"

namespace stack_flood
{

/* Pointers are doubled in place: each points to a later voxel of its path, until that is an
 * end.
 */
__device__ __forceinline__ void
double_pointers (guint16 *ends,
                 int      n)
{
  constexpr int     PAIRS = WF_TILE_VOXELS / 2 / WF_TILE_THREADS;
  constexpr guint32 INDEX = WF_TILE_VOXELS - 1;

  volatile guint16 *all   = ends;
  volatile guint32 *pairs = (volatile guint32 *) ends + threadIdx.x;

  guint32 open = n == WF_TILE_VOXELS ? (1u << PAIRS) - 1
                                     : (1u << (n / 2 / WF_TILE_THREADS)) - 1;

  do
    {
#pragma unroll
      for (int k = 0; k < PAIRS; k++)
        if (open >> k & 1)
          {
            volatile guint32 *pair  = pairs + k * WF_TILE_THREADS;
            const guint32     two   = *pair;
            const guint32     then  = all[two & INDEX] | (guint32) all[two >> 16 & INDEX] << 16;
            const guint32     exits = (two | then) >> 15 & 0x10001;
            const guint32     next  = then ^ ((then ^ two) & exits * 0xffff);

            if (next != two)
              *pair = next;
            else
              open &= ~(1u << k);
          }
    }
  while (__syncthreads_or (open != 0));
}

/* Sets bits from bit @at of a map on. */
__device__ __forceinline__ void
set_bits (guint32 *map,
          guint32  at,
          guint32  bits)
{
  const int shift = at % 32;

  if (bits << shift != 0)
    atomicOr (&map[at / 32], bits << shift);
  if (shift > 0 && bits >> (32 - shift) != 0)
    atomicOr (&map[at / 32 + 1], bits >> (32 - shift));
}

/* Numbers the ends of a tile in raster order, and writes for each voxel the number of its end;
 * @of_ends gets the data of the ends.  @whole as for WfLevels.
 */
template <typename Key>
__device__ __forceinline__ void
number_ends (const WfStack     &stack,
             const WfStackTile &tile,
             int                n_rows,
             bool               markers,
             bool               whole,
             const WfEnds      &of_ends,
             guint32           *firsts,
             WfPaths<Key>      *here)
{
  constexpr int STEPS = WF_TILE_VOXELS / 4 / WF_TILE_THREADS;
  constexpr int ROWS  = WF_TILE_THREADS / WF_FOURS;

  const int       t      = threadIdx.x;
  const int       column = t % WF_FOURS;
  const int       start  = t / WF_FOURS;
  const guint32   x      = tile.x + 4 * column;
  const int       n      = x < stack.width ? (int) min (stack.width - x, 4u) : 0;
  WfFour<guint16> four[STEPS];

#pragma unroll
  for (int k = 0; k < STEPS; k++)
    {
      const int row    = start + k * ROWS;
      const int i      = row * WF_TILE_X + 4 * column;
      const int inside = row < n_rows && tile.y + row % WF_TILE_Y < stack.height ? n : 0;
      guint32   owns   = 0;

      four[k] = *(const WfFour<guint16> *) (here->ends + i);
#pragma unroll
      for (int j = 0; j < 4; j++)
        {
          if (four[k].of[j] >= WF_EXIT)
            four[k].of[j] = i + j;
          if (j < inside && four[k].of[j] == i + j)
            owns |= 1u << (4 * column + j);
        }
#pragma unroll
      for (int lanes = 1; lanes < WF_FOURS; lanes *= 2)
        owns |= __shfl_xor_sync (WF_ALL_LANES, owns, lanes);
      if (column == 0)
        here->deep[row] = owns;
    }
  __syncthreads ();

  const guint32 y      = tile.y + t % WF_TILE_Y;
  const guint32 z      = tile.z + t / WF_TILE_Y;
  const guint32 owns   = here->deep[t];
  int           n_ends;
  int           number = wf_block_sum_before (__popc (owns), &n_ends);

  if (t == 0)
    {
      here->first = atomicAdd (of_ends.n, (guint32) n_ends);
      of_ends.firsts[tile.index] = here->first;
    }
  __syncthreads ();
  if (y < stack.height && z < stack.depth)
    {
      stack.ends[stack.row (y, z) + tile.word] = owns;
      if (! markers)
        set_bits (firsts, stack.voxel (tile.x, y, z), owns & here->roots[t]);
    }
  for (guint32 bits = owns; bits != 0; bits &= bits - 1, number++)
    {
      guint16       *end  = &here->ends[t * WF_TILE_X + __ffs (bits) - 1];
      const guint32  self = here->first + number;

      of_ends.forest[self] = *end >= WF_EXIT ? *end & WF_PLACE_BITS : self;
      *end = number;
    }
  __syncthreads ();

#pragma unroll
  for (int k = 0; k < STEPS; k++)
    {
      const int     row   = start + k * ROWS;
      const guint32 voxel = stack.voxel (x, tile.y + row % WF_TILE_Y, tile.z + row / WF_TILE_Y);

      /* rows outside the stack have no ends */
      if (row >= n_rows || tile.y + row % WF_TILE_Y >= stack.height)
        continue;
#pragma unroll
      for (int j = 0; j < 4; j++)
        four[k].of[j] = here->ends[four[k].of[j]];
      if (whole && n > 0)
        *(WfFour<guint16> *) (of_ends.of_voxels + voxel) = four[k];
      else
#pragma unroll
        for (int j = 0; j < 4; j++)
          if (j < n)
            of_ends.of_voxels[voxel + j] = four[k].of[j];
    }
}

/* One block a tile, from @first on: where each voxel's path ends in it.  The forest gets the
 * place of an exit's parent, and a root that is an end itself, and a bit in @firsts.  Without
 * @markers, touching roots are joined.  @whole: rows are whole fours of voxels.
 */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
find_paths (WfStack      stack,
            guint32      first,
            const Pixel *image,
            bool         markers,
            bool         last_index,
            bool         whole,
            WfEnds       ends,
            guint32     *firsts)
{
  __shared__ WfPaths<typename WfKeys<Pixel>::Key> here;

  const int         t      = threadIdx.x;
  const WfStackTile tile   = wf_stack_tile (stack, first + blockIdx.x);
  const int         n_rows = (int) min (stack.depth - tile.z, (guint32) WF_TILE_Z) * WF_TILE_Y;

  if (t < 27)
    here.steps[t] = (((t / 9 - 1) * WF_TILE_Y + t / 3 % 3 - 1) * WF_TILE_X + t % 3 - 1)
                    * (last_index ? -1 : 1);
  here.roots[t] = markers ? wf_row_word (stack, stack.roots, tile.word, tile.y + t % WF_TILE_Y,
                                         tile.z + t / WF_TILE_Y) : 0;
  if (t == 0)
    here.n_pairs = 0;
  here.deep[t] = 0;
  __syncthreads ();
  point_arrows<N, Pixel> (stack, tile, image, markers, last_index, whole, &here);
  __syncthreads ();
  if (__syncthreads_or (here.deep[t] != 0))
    point_deep_arrows<N, Pixel> (stack, tile, image, last_index, &here);
  if (! markers)
    {
      const guint32 y = tile.y + t % WF_TILE_Y;
      const guint32 z = tile.z + t / WF_TILE_Y;

      if (y < stack.height && z < stack.depth)
        stack.roots[stack.row (y, z) + tile.word] = here.roots[t];
      if (__syncthreads_or (here.roots[t] != 0))
        join_minima_in_tile<N> (here.ends, here.roots,
                                { sizeof here.keys / sizeof (guint32), &here.n_pairs,
                                  (guint32 *) here.keys });
    }
  __syncthreads ();
  double_pointers (here.ends, n_rows * WF_TILE_X);
  number_ends (stack, tile, n_rows, markers, whole, ends, firsts, &here);
}

} /* namespace stack_flood */
