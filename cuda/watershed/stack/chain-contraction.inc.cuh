/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chains of boundary voxels, for L2 on long plateaux of stacks, in the watershed on a GPU.
 *
 * As for images (cuda/watershed/image/chain-contraction.inc.cuh, cuda/watershed/chains.cuh): a
 * tile plateau is a connected part of the waiting voxels of a tile; a boundary voxel has waiting
 * neighbours in other tiles; the voxel across from it is that neighbour, or with several the
 * boundary voxel itself.  If the boundary voxels of a tile plateau have exactly two voxels
 * across, each boundary voxel of one entrance is linked to the voxel across from the other.
 *
 * Boundary voxels are numbered in any order, and memory is taken only for them.
 */

#pragma once

#include "cuda/watershed/chains.cuh"
#include "plateau-distance.inc.cuh"

namespace stack_flood
{

/* The boundary voxels of a stack. */
struct WfBoundaryVoxels
{
  guint32 *numbers;   /* of boundary voxels, by voxel */
  guint32 *voxels;    /* by number */
  guint32 *across;
  WfLink  *links;
};

/* Calls visit (voxel, tile) for each waiting neighbour in other tiles of voxel (x, y, z)
 * of the tile.
 */
template <int N, typename Visit>
__device__ __forceinline__ void
each_waiting_outside (const WfStack      &stack,
                      const WfStackTile  &tile,
                      int                 x,
                      int                 y,
                      int                 z,
                      Visit             &&visit)
{
#pragma unroll 1
  for (int dz = -1; dz <= 1; dz++)
#pragma unroll 1
    for (int dy = -1; dy <= 1; dy++)
      {
        const int  below  = y + dy < 0 ? -1 : y + dy >= WF_TILE_Y;
        const int  behind = z + dz < 0 ? -1 : z + dz >= WF_TILE_Z;
        const bool here   = below == 0 && behind == 0;
        guint32    bits;        /* of the neighbours from dx = −1 */

        if ((N == 6 && dy != 0 && dz != 0) || (here && x > 0 && x < WF_TILE_X - 1))
          continue;

        const guint32 far_y = tile.y + y + dy;
        const guint32 far_z = tile.z + z + dz;

        bits = here ? 0 : (guint32) (((guint64) wf_row_word (stack, stack.waiting, tile.word,
                                                             far_y, far_z) << 1) >> x) & 7;
        if (x == 0)
          bits |= wf_row_word (stack, stack.waiting, tile.word - 1, far_y, far_z) >> 31;
        else if (x == WF_TILE_X - 1)
          bits |= (wf_row_word (stack, stack.waiting, tile.word + 1, far_y, far_z) & 1) << 2;
        if (N == 6)
          bits &= dy == 0 && dz == 0 ? 5 : 2;

        for (; bits != 0; bits &= bits - 1)
          {
            const int dx    = __ffs (bits) - 2;
            const int right = x + dx < 0 ? -1 : x + dx >= WF_TILE_X;

            visit (stack.voxel (tile.x + x + dx, far_y, far_z),
                   tile.index + right + (below + behind * stack.down) * stack.across);
          }
      }
}

/* Calls visit (i, x, y, z) for the voxels in a lane's rows. */
template <typename Visit>
__device__ __forceinline__ void
each_voxel_of_lane (const WfTileRows  &rows,
                    int                lane,
                    Visit            &&visit)
{
#pragma unroll 1
  for (int k = 0; k < WF_LANE_ROWS; k++)
    for (guint32 bits = wf_row_of (rows, k); bits != 0; bits &= bits - 1)
      {
        const int x = __ffs (bits) - 1;

        visit ((lane * WF_LANE_ROWS + k) * WF_TILE_X + x, x, wf_lane_y (lane) + k,
               wf_lane_z (lane));
      }
}

/* The boundary voxels of a tile. */
template <int N>
__device__ __forceinline__ WfTileRows
find_boundary_voxels (const WfStack     &stack,
                      const WfStackTile &tile,
                      const WfTileRows  &waiting,
                      int                lane)
{
  WfTileRows border;
  WfTileRows boundary = {};

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    border.word[k] = waiting.word[k] & wf_border_bits (lane, k);
  each_voxel_of_lane (border, lane, [&] (int i, int x, int y, int z)
    {
      bool any = false;

      each_waiting_outside<N> (stack, tile, x, y, z, [&] (guint32 voxel, guint32 index)
        {
          any = true;
        });
      if (any)
        wf_set_voxel (&boundary, i, lane);
    });
  __syncwarp ();
  return boundary;
}

#define WF_CHAIN_WARPS 4

/* One warp a tile. */
template <int N>
static __global__ void __launch_bounds__ (WF_CHAIN_WARPS * 32)
number_boundary_voxels (WfStack  stack,
                        guint32 *numbers,
                        guint32 *n_links)
{
  const int     lane  = threadIdx.x % 32;
  const guint32 index = blockIdx.x * WF_CHAIN_WARPS + threadIdx.x / 32;

  if (index >= stack.n_tiles)
    return;

  const WfStackTile tile    = wf_stack_tile (stack, index);
  const WfTileRows  waiting = wf_load_rows (stack, tile, stack.waiting, lane);

  each_voxel_of_lane (find_boundary_voxels<N> (stack, tile, waiting, lane), lane,
                      [&] (int i, int x, int y, int z)
    {
      numbers[stack.voxel (tile.x + x, tile.y + y, tile.z + z)] = atomicAdd (n_links, 1);
    });
}

/* One warp a tile: the voxels across from boundary voxels, none of which is linked yet. */
template <int N>
static __global__ void __launch_bounds__ (WF_CHAIN_WARPS * 32)
find_voxels_across (WfStack          stack,
                    WfBoundaryVoxels boundary)
{
  const int     lane  = threadIdx.x % 32;
  const guint32 index = blockIdx.x * WF_CHAIN_WARPS + threadIdx.x / 32;

  if (index >= stack.n_tiles)
    return;

  const WfStackTile tile    = wf_stack_tile (stack, index);
  const WfTileRows  waiting = wf_load_rows (stack, tile, stack.waiting, lane);

  each_voxel_of_lane (find_boundary_voxels<N> (stack, tile, waiting, lane), lane,
                      [&] (int i, int x, int y, int z)
    {
      const guint32 voxel  = stack.voxel (tile.x + x, tile.y + y, tile.z + z);
      const guint32 number = boundary.numbers[voxel];
      guint32       across = number;
      int           n      = 0;

      each_waiting_outside<N> (stack, tile, x, y, z, [&] (guint32 other, guint32 index)
        {
          across = n++ == 0 ? boundary.numbers[other] : number;
        });
      boundary.voxels[number]   = voxel;
      boundary.across[number]    = across;
      boundary.links[number] = { number, 0, known_depth (stack, tile, x, y, z), 0 };
    });
}

/* One of the warp's voxels, the same for all lanes, or -1. */
__device__ __forceinline__ int
any_voxel (const WfTileRows &rows,
           int               lane)
{
  int i = -1;

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    if (i < 0 && rows.word[k] != 0)
      i = (lane * WF_LANE_ROWS + k) * WF_TILE_X + __ffs (rows.word[k]) - 1;

  const guint32 lanes = __ballot_sync (WF_ALL_LANES, i >= 0);

  return lanes == 0 ? -1 : __shfl_sync (WF_ALL_LANES, i, __ffs (lanes) - 1);
}

/* The tile plateau of @seeds.  Calls visit (reached, distance) for each distance from 1 on. */
template <int N, typename Visit>
__device__ __forceinline__ WfTileRows
flood_tile_plateau (const WfTileRows  &waiting,
                    const WfTileRows  &seeds,
                    int                lane,
                    Visit            &&visit)
{
  WfTileRows plateau = seeds;
  WfTileRows front   = seeds;

  for (guint32 distance = 1; wf_any_row (front); distance++)
    {
      front = wf_dilate<N> (front, lane);
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        {
          front.word[k]  &= waiting.word[k] & ~plateau.word[k];
          plateau.word[k] |= front.word[k];
        }
      visit (front, distance);
    }
  return plateau;
}

/* Links the boundary voxels @to with the voxel @across from those of the other entrance,
 * @from.
 */
template <int N>
__device__ __forceinline__ void
link_boundary_voxels (const WfStack          &stack,
                      const WfStackTile      &tile,
                      const WfBoundaryVoxels &boundary,
                      const WfTileRows       &waiting,
                      const WfTileRows       &from,
                      const WfTileRows       &to,
                      guint32                 across,
                      int                     lane)
{
  const guint32 voxel     = boundary.voxels[across];
  const guint32 slice     = voxel / stack.slice;
  const guint32 row       = (voxel - slice * stack.slice) / stack.width;
  const guint32 column    = voxel - slice * stack.slice - row * stack.width;
  const bool    is_inside = wf_stack_tile_at (stack, column, row, slice).index == tile.index;

  flood_tile_plateau<N> (waiting, from, lane, [&] (const WfTileRows &front, guint32 distance)
     {
       WfTileRows arrived;

#pragma unroll
       for (int k = 0; k < WF_LANE_ROWS; k++)
         arrived.word[k] = front.word[k] & to.word[k];
       each_voxel_of_lane (arrived, lane, [&] (int i, int x, int y, int z)
         {
           const guint32 voxel = stack.voxel (tile.x + x, tile.y + y, tile.z + z);

           boundary.links[boundary.numbers[voxel]] = { across, distance + ! is_inside,
                                                       known_depth (stack, tile, x, y, z),
                                                       is_inside };
         });
     });
}

/* One warp a tile.  Sets @any if there is a link. */
template <int N>
static __global__ void __launch_bounds__ (WF_CHAIN_WARPS * 32)
link_chains (WfStack           stack,
             WfBoundaryVoxels  boundary,
             int              *any)
{
  const int     lane  = threadIdx.x % 32;
  const guint32 index = blockIdx.x * WF_CHAIN_WARPS + threadIdx.x / 32;

  if (index >= stack.n_tiles)
    return;

  const WfStackTile tile    = wf_stack_tile (stack, index);
  const WfTileRows  waiting = wf_load_rows (stack, tile, stack.waiting, lane);
  const WfTileRows  mine    = find_boundary_voxels<N> (stack, tile, waiting, lane);
  WfTileRows        left    = mine;

  auto across_of = [&] (int x, int y, int z)
    {
      return boundary.across[boundary.numbers[stack.voxel (tile.x + x, tile.y + y, tile.z + z)]];
    };

  for (int seed = any_voxel (left, lane); seed >= 0; seed = any_voxel (left, lane))
    {
      const guint32 across  = across_of (seed % WF_TILE_X, seed / WF_TILE_X % WF_TILE_Y,
                                         seed / (WF_TILE_X * WF_TILE_Y));
      WfTileRows    plateau = {};
      WfTileRows    near    = {};
      WfTileRows    far;
      guint32       least   = WF_FAR;
      guint32       most    = 0;

      wf_set_voxel (&plateau, seed, lane);
      plateau = flood_tile_plateau<N> (waiting, plateau, lane,
                                       [] (const WfTileRows &front, guint32 distance) {});
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        {
          plateau.word[k] &= mine.word[k];
          left.word[k]   &= ~plateau.word[k];
        }
      each_voxel_of_lane (plateau, lane, [&] (int i, int x, int y, int z)
        {
          const guint32 other = across_of (x, y, z);

          if (other == across)
            wf_set_voxel (&near, i, lane);
          else
            {
              least = min (least, other);
              most  = max (most, other);
            }
        });
      __syncwarp ();
      least = wf_warp_min (least);
      most  = ~wf_warp_min (~most);

      /* one entrance, or more than two */
      if (least != most)
        continue;
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        far.word[k] = plateau.word[k] & ~near.word[k];
      *any = 1;
      link_boundary_voxels<N> (stack, tile, boundary, waiting, near, far, across, lane);
      link_boundary_voxels<N> (stack, tile, boundary, waiting, far, near, least, lane);
    }
}

/* For boundary voxels that count as the voxel across: the best of their neighbours in other
 * tiles takes that place.
 */
template <int N>
static __global__ void
cross_tile_borders (WfStack          stack,
                    WfBoundaryVoxels boundary,
                    guint32          n)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    {
      WfLink link = boundary.links[s];

      if (! link.is_inside)
        continue;

      const guint32     voxel = boundary.voxels[link.before];
      const guint32     z     = voxel / stack.slice;
      const guint32     y     = (voxel - z * stack.slice) / stack.width;
      const guint32     x     = voxel - z * stack.slice - y * stack.width;
      const WfStackTile tile  = wf_stack_tile_at (stack, x, y, z);
      guint32           best  = WF_FAR;
      guint32           from  = s;

      each_waiting_outside<N> (stack, tile, x - tile.x, y - tile.y, z - tile.z,
                               [&] (guint32 other, guint32 index)
        {
          const guint32 q    = boundary.numbers[other];
          const WfLink  that = boundary.links[q];

          if (that.before != q && that.steps < best)
            {
              best = that.steps;
              from = q;
            }
        });
      link.steps       = from == s ? 0 : link.steps + 1;
      link.before      = from;
      link.is_inside   = 0;
      boundary.links[s] = link;
    }
}

/* One thread a boundary voxel. */
static __global__ void
lower_depths (WfStack        stack,
              gint64         n,
              const WfLink  *links,
              const guint32 *voxels)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    if (links[s].best != WF_FAR)
      {
        const guint32 voxel = voxels[s];
        const guint32 row   = voxel / stack.width;
        const guint32 x     = voxel - row * stack.width;
        const guint32 known = atomicOr (&stack.facts[row * stack.across + x / 32].w,
                                        1u << (x % 32));

        if (! (known >> (x % 32) & 1) || links[s].best < stack.depths[voxel])
          stack.depths[voxel] = links[s].best;
      }
}

} /* namespace stack_flood */
