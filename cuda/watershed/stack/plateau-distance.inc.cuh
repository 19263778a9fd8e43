/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the geodesic distance into plateaux, of stacks on a GPU, beyond WF_SHALLOW.
 *
 * Inside a tile a warp holds the waiting voxels as bits in registers, and in round k those with
 * L2 = WF_SHALLOW + k.  Dilating these by one and intersecting with the voxels that still wait
 * gives those of round k + 1.  Voxels that are reached from other tiles are added in their
 * rounds, from a list.  The distances in a tile are found again as long as a neighbour lowers
 * them; they only fall, to the one fixpoint, whatever the order.  Tiles that may change are
 * listed for the next round, which is a launch, so every launch is bounded.  The first list is
 * made from words of bits, few of which have voxels with such an L2.
 *
 * A bit that is set after L2 was written says that L2 is known, so nothing is written for minima.
 *
 * Bytes a voxel: 0.25 read, 4 of each voxel that is so deep written.
 */

#pragma once

#include "cuda/watershed/rounds.cuh"
#include "shallow-plateaux.inc.cuh"

namespace stack_flood
{

/* The voxels of one tile that are reached from other tiles.  A voxel that borders on tiles along
 * x and along another axis is listed twice.
 */
#define WF_MOST_INFLOW (WF_BORDER_VOXELS + 2 * (2 * WF_TILE_Y + 2 * WF_TILE_Z - 4))

struct WfInflow
{
  guint32 round[WF_MOST_INFLOW];
  guint16 voxel[WF_MOST_INFLOW];
  guint32 n;
};

/* Writes @depth where L2 is not @known, or greater. */
__device__ __forceinline__ void
write_depths (const WfStack     &stack,
              const WfStackTile &tile,
              const WfTileRows  &rows,
              const WfTileRows  &known,
              guint32            depth,
              int                lane)
{
  const guint32 first = stack.voxel (tile.x, tile.y + wf_lane_y (lane), tile.z + wf_lane_z (lane));

  wf_each_row (rows, [&] (int from, int k, guint32 word)
    {
      const guint32 voxel = __shfl_sync (WF_ALL_LANES, first, from) + k * stack.width + lane;
      const guint32 old   = __shfl_sync (WF_ALL_LANES, known.word[k], from);

      if (word >> lane & 1)
        {
          if (old >> lane & 1)
            atomicMin (&stack.depths[voxel], depth);
          else
            stack.depths[voxel] = depth;
        }
    });
}

/* The voxels that are reached from other tiles in @round, and in @next the next round with any.
 * @scratch: 256 words that are 0.
 */
__device__ __forceinline__ WfTileRows
take_inflow (const WfInflow &inflow,
             guint32        *scratch,
             guint32         round,
             guint32        *next,
             int             lane)
{
  guint32    best = WF_FAR;
  WfTileRows rows;

  for (guint32 k = lane; k < inflow.n; k += 32)
    {
      const guint32 at = inflow.round[k];
      const int     i  = inflow.voxel[k];

      if (at == round)
        atomicOr (&scratch[i / 32], 1u << (i % 32));
      best = min (best, at > round ? at : WF_FAR);
    }
  *next = wf_warp_min (best);
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    {
      rows.word[k]                     = scratch[lane * WF_LANE_ROWS + k];
      scratch[lane * WF_LANE_ROWS + k] = 0;
    }
  __syncwarp ();
  return rows;
}

/* Sets the bits of known L2 after L2 itself. */
__device__ __forceinline__ void
write_reached (const WfStack     &stack,
               const WfStackTile &tile,
               const WfTileRows  &reached,
               const WfTileRows  &known,
               int                lane)
{
  __threadfence ();
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    if (reached.word[k] & ~known.word[k])
      __stcg (&stack.facts[stack.row (tile.y + wf_lane_y (lane) + k, tile.z + wf_lane_z (lane))
                           + tile.word].w, reached.word[k] | known.word[k]);
}

/* Writes L2 of all voxels that are reached from @seeds, and marks it as @known.  All lanes of a
 * warp; @inflow may be NULL.
 */
template <int N>
__device__ __forceinline__ void
find_depths (const WfStack     &stack,
             const WfStackTile &tile,
             WfTileRows         waiting,
             const WfTileRows  &seeds,
             const WfTileRows  &known,
             const WfInflow    *inflow,
             guint32           *scratch,
             int                lane)
{
  WfTileRows all   = {};
  WfTileRows front = seeds;
  guint32    next  = WF_FAR;
  guint32    round = 1;

  if (inflow)
    take_inflow (*inflow, scratch, 1, &next, lane);
  for (;;)
    {
      WfTileRows reached;

#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        {
          waiting.word[k] &= ~front.word[k];
          all.word[k]     |= front.word[k];
        }
      write_depths (stack, tile, front, known, round, lane);
      if (! wf_any_row (waiting))
        break;

      reached = wf_dilate<N> (front, lane);
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        reached.word[k] &= waiting.word[k];
      round++;
      if (! wf_any_row (reached))
        {
          if (next == WF_FAR)
            break;
          round = next;
        }
      if (round == next)
        {
          const WfTileRows more = take_inflow (*inflow, scratch, round, &next, lane);

#pragma unroll
          for (int k = 0; k < WF_LANE_ROWS; k++)
            reached.word[k] |= more.word[k] & waiting.word[k];
        }
      front = reached;
    }
  write_reached (stack, tile, all, known, lane);
}

#define WF_DEPTH_WARPS 8

/* One warp a tile, without its neighbours. */
template <int N>
static __global__ void __launch_bounds__ (WF_DEPTH_WARPS * 32)
find_tile_depths (WfStack stack)
{
  const int     lane  = threadIdx.x % 32;
  const guint32 index = blockIdx.x * WF_DEPTH_WARPS + threadIdx.x / 32;

  if (index >= stack.n_tiles)
    return;

  const WfStackTile tile  = wf_stack_tile (stack, index);
  const WfTileRows  seeds = wf_load_rows (stack, tile, stack.seeds, lane);

  if (wf_any_row (seeds))
    find_depths<N> (stack, tile, wf_load_rows (stack, tile, stack.waiting, lane), seeds, {}, NULL,
                    NULL, lane);
}


/*  Across tiles  */

/* Calls visit (voxel, tile, L2 − WF_SHALLOW) for the neighbours of voxel (lane, y, z), if
 * that is @mine, in rows of other tiles, but for those in other words of bits: the waiting
 * ones, or those of them whose L2 is known.  All lanes of a warp.
 */
template <int N, bool KNOWN, typename Visit>
__device__ __forceinline__ void
each_waiting_across_rows (const WfStack      &stack,
                          const WfStackTile  &tile,
                          int                 y,
                          int                 z,
                          bool                mine,
                          int                 lane,
                          Visit             &&visit)
{
#pragma unroll 1
  for (int dz = -1; dz <= 1; dz++)
    {
      const int     behind = z + dz < 0 ? -1 : z + dz >= WF_TILE_Z;
      const guint32 far_z  = tile.z + z + dz;
      guint32       known[3];
      guint32       near[3];

#pragma unroll
      for (int j = 0; j < 3; j++)
        {
          const int     far   = y + j - 1;
          const bool    other = (behind != 0 || far < 0 || far >= WF_TILE_Y) &&
                                (N == 26 || j == 1 || dz == 0);
          const guint32 far_y = tile.y + far;
          const guint32 word  = ! other || KNOWN ? 0
                                : wf_row_word (stack, stack.waiting, tile.word, far_y, far_z);

          known[j] = other ? wf_reached_word (stack, tile.word, far_y, far_z) : 0;
          near[j]  = mine ? (guint32) (((guint64) (KNOWN ? known[j] : word) << 1) >> lane)
                            & (N == 26 ? 7 : 2) : 0;
        }
      if ((near[0] | near[1] | near[2]) == 0)
        continue;
      __threadfence ();
#pragma unroll
      for (int k = 0; k < 9; k++)
        if (near[k / 3] >> k % 3 & 1)
          {
            const int     far   = y + k / 3 - 1;
            const int     below = far < 0 ? -1 : far >= WF_TILE_Y;
            const guint32 voxel = stack.voxel (tile.x + lane + k % 3 - 1, tile.y + far, far_z);

            visit (voxel, tile.index + (below + behind * stack.down) * stack.across,
                   ((guint64) known[k / 3] << 1) >> (lane + k % 3) & 1
                   ? __ldcg (&stack.depths[voxel]) : WF_FAR);
          }
    }
}

/* The same for those in the words beside that of voxel (x, y, z), each lane for its own. */
template <int N, bool KNOWN, typename Visit>
__device__ __forceinline__ void
each_waiting_across_columns (const WfStack      &stack,
                             const WfStackTile  &tile,
                             int                 x,
                             int                 y,
                             int                 z,
                             Visit             &&visit)
{
  const int     right = x == 0 ? -1 : 1;
  const guint32 bit   = x == 0 ? 0x80000000u : 1;

#pragma unroll 1
  for (int dz = N == 26 ? -1 : 0; dz <= (N == 26 ? 1 : 0); dz++)
    {
      const int     behind = z + dz < 0 ? -1 : z + dz >= WF_TILE_Z;
      const guint32 far_z  = tile.z + z + dz;
      guint32       known[3];
      guint32       near[3];

#pragma unroll
      for (int j = 0; j < 3; j++)
        {
          const guint32 far_y = tile.y + y + j - 1;
          const bool    other = N == 26 || j == 1;
          const guint32 word  = ! other || KNOWN ? 0
                                : wf_row_word (stack, stack.waiting, tile.word + right, far_y,
                                               far_z);

          known[j] = other ? wf_reached_word (stack, tile.word + right, far_y, far_z) : 0;
          near[j]  = (KNOWN ? known[j] : word) & bit;
        }
      if ((near[0] | near[1] | near[2]) == 0)
        continue;
      __threadfence ();
#pragma unroll
      for (int j = 0; j < 3; j++)
        if (near[j] != 0)
          {
            const int     far   = y + j - 1;
            const int     below = far < 0 ? -1 : far >= WF_TILE_Y;
            const guint32 voxel = stack.voxel (tile.x + x + right, tile.y + far, far_z);

            visit (voxel, tile.index + right + (below + behind * stack.down) * stack.across,
                   known[j] & bit ? __ldcg (&stack.depths[voxel]) : WF_FAR);
          }
    }
}

/* Rows of the border along y and z. */
#define WF_BORDER_ROWS (2 * WF_TILE_Y + 2 * (WF_TILE_Z - 2))

__device__ __forceinline__ int2
border_row (int k)
{
  const int j = k - 2 * WF_TILE_Y;

  return k < WF_TILE_Y ? make_int2 (k, 0)
         : k < 2 * WF_TILE_Y ? make_int2 (k - WF_TILE_Y, WF_TILE_Z - 1)
         : j < WF_TILE_Z - 2 ? make_int2 (0, j + 1)
         : make_int2 (WF_TILE_Y - 1, j - (WF_TILE_Z - 2) + 1);
}

/* The voxels of a row that wait and are no seeds: those that may be reached from other tiles,
 * or, with @reached, those from which other tiles may be reached.
 */
__device__ __forceinline__ guint32
open_voxels (const WfStack     &stack,
             const WfStackTile &tile,
             int                y,
             int                z,
             bool               reached)
{
  return (reached ? wf_reached_word (stack, tile.word, tile.y + y, tile.z + z)
          : wf_row_word (stack, stack.waiting, tile.word, tile.y + y, tile.z + z))
         & ~wf_row_word (stack, stack.seeds, tile.word, tile.y + y, tile.z + z);
}

/* Calls visit (mine, x, y, z, each) for the voxels of the tile's border that wait and are no
 * seeds; each (visit) calls visit for their neighbours in other tiles, or, if a voxel is visited
 * twice, for a part of them: with KNOWN those whose L2 is known, else the waiting neighbours of
 * voxels whose L2 is known.  All threads of a block, each for its own voxels; a voxel that is
 * not @mine has no neighbours.
 */
template <int N, bool KNOWN, typename Visit>
__device__ __forceinline__ void
each_open_voxel (const WfStack      &stack,
                 const WfStackTile  &tile,
                 Visit             &&visit)
{
  const int lane = threadIdx.x % 32;

#pragma unroll 1
  for (int k = threadIdx.x / 32; k < WF_BORDER_ROWS; k += WF_TILE_THREADS / 32)
    {
      const int2    row  = border_row (k);
      const guint32 open = open_voxels (stack, tile, row.x, row.y, ! KNOWN);
      const bool    mine = open >> lane & 1;

      if (open != 0)
        visit (mine, lane, row.x, row.y, [&] (auto &&each)
          {
            each_waiting_across_rows<N, KNOWN> (stack, tile, row.x, row.y, mine, lane, each);
          });
    }

  const int     y    = threadIdx.x % WF_TILE_Y;
  const int     z    = threadIdx.x / WF_TILE_Y;
  const guint32 open = open_voxels (stack, tile, y, z, ! KNOWN);

#pragma unroll 1
  for (int x = 0; x < WF_TILE_X; x += WF_TILE_X - 1)
    if (open >> x & 1)
      visit (true, x, y, z, [&] (auto &&each)
        {
          each_waiting_across_columns<N, KNOWN> (stack, tile, x, y, z, each);
        });
}

/* L2 − WF_SHALLOW of a voxel of the tile. */
__device__ __forceinline__ guint32
known_depth (const WfStack     &stack,
             const WfStackTile &tile,
             int                x,
             int                y,
             int                z)
{
  return wf_reached_word (stack, tile.word, tile.y + y, tile.z + z) >> x & 1
         ? __ldcg (&stack.depths[stack.voxel (tile.x + x, tile.y + y, tile.z + z)]) : WF_FAR;
}

/* Lists the voxels that are reached from other tiles at the known L2 or earlier; returns whether
 * any is earlier.  With @every, known L2 is listed, too.  All threads of a block.
 */
template <int N>
__device__ __forceinline__ bool
find_inflow (const WfStack     &stack,
             const WfStackTile &tile,
             bool               every,
             WfInflow          *inflow)
{
  bool news = false;

  each_open_voxel<N, true> (stack, tile,
                            [&] (bool mine, int x, int y, int z, auto &&each_outside)
    {
      guint32 best = WF_FAR;

      each_outside ([&] (guint32 other, guint32 index, guint32 there)
        {
          best = min (best, there + 1);
        });
      if (! mine || (best == WF_FAR && ! every))
        return;

      const guint32 own = known_depth (stack, tile, x, y, z);

      news |= best < own;
      if (every)
        best = min (best, own);
      if (best <= own && best != WF_FAR)
        {
          const guint32 k = atomicAdd (&inflow->n, 1);

          inflow->round[k] = best;
          inflow->voxel[k] = (z * WF_TILE_Y + y) * WF_TILE_X + x;
        }
    });
  return __syncthreads_or (news);
}

/* Lists the tiles that lower L2 may change.  All threads of a block. */
template <int N>
__device__ __forceinline__ void
notify_tiles (const WfStack     &stack,
              const WfStackTile &tile,
              const WfTileLists &lists)
{
  each_open_voxel<N, false> (stack, tile,
                             [&] (bool mine, int x, int y, int z, auto &&each_outside)
    {
      const guint32 own = mine ? known_depth (stack, tile, x, y, z) : 0;

      each_outside ([&] (guint32 other, guint32 index, guint32 there)
        {
          if (there > own + 1 && atomicExch (&lists.listed[index], 1) == 0)
            lists.next[atomicAdd (lists.n_next, 1)] = index;
        });
    });
}

/* Lists the tile of voxel (x, y, z) if the voxel waits and its L2 is above @near. */
__device__ __forceinline__ void
notify_tile_of (const WfStack     &stack,
                guint32            x,
                guint32            y,
                guint32            z,
                guint32            near,
                const WfTileLists &lists)
{
  const guint32 waiting = wf_row_word (stack, stack.waiting, x / 32, y, z);

  if (x >= stack.width || ! (waiting >> x % 32 & 1))
    return;

  const guint32 known = wf_reached_word (stack, x / 32, y, z);
  const guint32 index = wf_stack_tile_at (stack, x, y, z).index;

  if ((! (known >> x % 32 & 1) || stack.depths[stack.voxel (x, y, z)] > near) &&
      atomicExch (&lists.listed[index], 1) == 0)
    lists.next[atomicAdd (lists.n_next, 1)] = index;
}

/* The first list, after find_tile_depths().  One thread a word of bits. */
template <int N>
static __global__ void __launch_bounds__ (WF_SPREAD_THREADS)
list_tiles (WfStack     stack,
            guint32     n_words,
            WfTileLists lists)
{
  typedef WfDirections<N> To;

  const gint64 i = blockIdx.x * (gint64) WF_SPREAD_THREADS + threadIdx.x;

  if (i >= n_words || stack.waiting[i] == 0)
    return;

  const WfWordPlace place = word_place (stack, i);
  const bool        whole = (place.y + 1) % WF_TILE_Y < 2 || (place.z + 1) % WF_TILE_Z < 2;

  for (guint32 bits = stack.facts[i].w & (whole ? ~0u : 0x80000001u); bits != 0; bits &= bits - 1)
    {
      const guint32 x    = place.word * 32 + __ffs (bits) - 1;
      const guint32 near = stack.depths[stack.voxel (x, place.y, place.z)] + 1;

#pragma unroll 1
      for (int d = 0; d < N; d++)
        {
          const guint32 far_x = x + To::dx (d);
          const guint32 far_y = place.y + To::dy (d);
          const guint32 far_z = place.z + To::dz (d);

          if (far_x / WF_TILE_X != x / WF_TILE_X || far_y / WF_TILE_Y != place.y / WF_TILE_Y ||
              far_z / WF_TILE_Z != place.z / WF_TILE_Z)
            notify_tile_of (stack, far_x, far_y, far_z, near, lists);
        }
    }
}

/* One block a tile of the list; its first warp finds the distances.  With @every, also tiles
 * that are not reached earlier.
 */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
relax_tiles (WfStack     stack,
             bool        every,
             WfTileLists lists)
{
  __shared__ WfInflow inflow;
  __shared__ guint32  scratch[WF_TILE_ROWS];

  const int     lane = threadIdx.x % 32;
  const guint32 n    = lists.list ? *lists.n : stack.n_tiles;

  scratch[threadIdx.x] = 0;
  for (guint32 number = blockIdx.x; number < n; number += gridDim.x)
    {
      const guint32     index = lists.list ? lists.list[number] : number;
      const WfStackTile tile  = wf_stack_tile (stack, index);

      __syncthreads ();
      if (threadIdx.x == 0)
        {
          inflow.n = 0;
          if (lists.list)
            atomicExch (&lists.listed[index], 0);
          __threadfence ();
        }
      __syncthreads ();
      if (! find_inflow<N> (stack, tile, every, &inflow) && ! every)
        continue;

      if (threadIdx.x < 32)
        {
          const WfTileRows waiting = wf_load_rows (stack, tile, stack.waiting, lane);
          const WfTileRows seeds   = wf_load_rows (stack, tile, stack.seeds, lane);
          const WfTileRows known   = wf_load_reached (stack, tile, lane);

          find_depths<N> (stack, tile, waiting, seeds, known, &inflow, scratch, lane);
          __threadfence ();
        }
      __syncthreads ();
      notify_tiles<N> (stack, tile, lists);
    }
}

} /* namespace stack_flood */
