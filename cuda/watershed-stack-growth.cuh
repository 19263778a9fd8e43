/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the geodesic distance into plateaux, of stacks on a GPU.
 *
 * Inside a tile a warp holds the waiting voxels as bits in registers, and in round k
 * those with L2 = k: they, made wider by one, and cut with the voxels that still wait,
 * are those with k + 1.  What voxels of other tiles reach comes in at its own round, from
 * a list.  Tiles are grown anew as long as a neighbour brings news: distances shrink to
 * the one fixpoint whatever the order.  Tiles that may profit are listed for the next
 * round of launches, which are bounded in this way.
 *
 * Bytes a voxel: 0.25 read, 4 of each waiting voxel written.
 */

#pragma once

#include "watershed-stack-tile.cuh"

/* What outer voxels reach, in one tile; a voxel on a face across x and another is there
 * twice.
 */
#define WF_MOST_INFLOW (WF_CUBE_FACES + 2 * (2 * WF_CUBE_Y + 2 * WF_CUBE_Z - 4))

struct WfInflow
{
  guint32 round[WF_MOST_INFLOW];
  guint16 voxel[WF_MOST_INFLOW];
  guint32 n;
};

/* With @lower, where that is less than what is known. */
static __device__ inline void
write_depths (const WfStack    &stack,
              const WfCube     &cube,
              const WfCubeRows &rows,
              guint32           depth,
              bool              lower,
              int               lane)
{
  const guint32 first = stack.voxel (cube.x, cube.y + wf_lane_y (lane), cube.z + wf_lane_z (lane));

  wf_each_row (rows, [&] (int from, int k, guint32 word)
    {
      const guint32 voxel = __shfl_sync (WF_WARP, first, from) + k * stack.width + lane;

      if (word >> lane & 1)
        {
          if (lower)
            atomicMin (&stack.depths[voxel], depth);
          else
            stack.depths[voxel] = depth;
        }
    });
}

/* The voxels that come in at @round, by @scratch of 256 words that are 0; the next round
 * in which some do.
 */
static __device__ inline WfCubeRows
take_inflow (const WfInflow &inflow,
             guint32        *scratch,
             guint32         round,
             guint32        *next,
             int             lane)
{
  guint32    best = WF_FAR;
  WfCubeRows rows;

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

/* Writes L2 of all that is reached from @seeds; returns what is not.  All lanes of a
 * warp; @inflow may be NULL.
 */
template <int N>
static __device__ inline WfCubeRows
grow_tile (const WfStack    &stack,
           const WfCube     &cube,
           WfCubeRows        waiting,
           const WfCubeRows &seeds,
           const WfInflow   *inflow,
           guint32          *scratch,
           int               lane)
{
  WfCubeRows front = seeds;
  guint32    next  = WF_FAR;
  guint32    round = 1;

  if (inflow)
    take_inflow (*inflow, scratch, 1, &next, lane);
  for (;;)
    {
      WfCubeRows reached;

#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        waiting.word[k] &= ~front.word[k];
      write_depths (stack, cube, front, round, inflow != NULL, lane);
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
          const WfCubeRows more = take_inflow (*inflow, scratch, round, &next, lane);

#pragma unroll
          for (int k = 0; k < WF_LANE_ROWS; k++)
            reached.word[k] |= more.word[k] & waiting.word[k];
        }
      front = reached;
    }
  return waiting;
}

#define WF_GROW_WARPS 8

/* One warp a tile, each by itself. */
template <int N>
static __global__ void __launch_bounds__ (WF_GROW_WARPS * 32)
grow_tiles (WfStack stack)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = blockIdx.x * WF_GROW_WARPS + threadIdx.x / 32;

  if (tile >= stack.n_tiles)
    return;

  const WfCube     cube    = wf_cube (stack, tile);
  const WfCubeRows waiting = wf_load_rows (stack, cube, stack.waiting, lane);
  const WfCubeRows seeds   = wf_load_rows (stack, cube, stack.seeds, lane);
  const WfCubeRows rest    = grow_tile<N> (stack, cube, waiting, seeds, NULL, NULL, lane);

  write_depths (stack, cube, rest, WF_FAR, false, lane);
}


/*  Across tiles  */

/* Calls visit (voxel, tile) for the waiting neighbours of voxel (lane, y, z), if that is
 * @mine, in rows of other tiles, but for those in other words of bits.  All lanes of a
 * warp.
 */
template <int N, typename Visit>
static __device__ inline void
each_waiting_across_rows (const WfStack &stack,
                          const WfCube  &cube,
                          int            y,
                          int            z,
                          bool           mine,
                          int            lane,
                          Visit        &&visit)
{
#pragma unroll 1
  for (int dz = -1; dz <= 1; dz++)
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
      {
        const int below  = y + dy < 0 ? -1 : y + dy >= WF_CUBE_Y;
        const int behind = z + dz < 0 ? -1 : z + dz >= WF_CUBE_Z;

        if ((N == 6 && dy != 0 && dz != 0) || (below == 0 && behind == 0))
          continue;

        const guint32 far_y = cube.y + y + dy;
        const guint32 far_z = cube.z + z + dz;
        const guint32 word  = wf_row_word (stack, stack.waiting, cube.word, far_y, far_z);
        const guint32 near  = mine ? (guint32) (((guint64) word << 1) >> lane) : 0;
        const guint32 voxel = stack.voxel (cube.x + lane, far_y, far_z);
        const guint32 tile  = cube.tile + (below + behind * stack.down) * stack.across;

        if (N == 26 && (near & 1))
          visit (voxel - 1, tile);
        if (near & 2)
          visit (voxel, tile);
        if (N == 26 && (near & 4))
          visit (voxel + 1, tile);
      }
}

/* The same for those in the words beside that of voxel (x, y, z), each lane for its own. */
template <int N, typename Visit>
static __device__ inline void
each_waiting_across_columns (const WfStack &stack,
                             const WfCube  &cube,
                             int            x,
                             int            y,
                             int            z,
                             Visit        &&visit)
{
  const int right = x == 0 ? -1 : 1;

#pragma unroll 1
  for (int dz = -1; dz <= 1; dz++)
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
      if (N == 26 || (dy == 0 && dz == 0))
        {
          const int     below  = y + dy < 0 ? -1 : y + dy >= WF_CUBE_Y;
          const int     behind = z + dz < 0 ? -1 : z + dz >= WF_CUBE_Z;
          const guint32 far_y  = cube.y + y + dy;
          const guint32 far_z  = cube.z + z + dz;
          const guint32 word   = wf_row_word (stack, stack.waiting, cube.word + right, far_y,
                                              far_z);

          if (x == 0 ? word >> 31 : word & 1)
            visit (stack.voxel (cube.x + x + right, far_y, far_z),
                   cube.tile + right + (below + behind * stack.down) * stack.across);
        }
}

/* Rows on faces across y and z. */
#define WF_FACE_ROWS (2 * WF_CUBE_Y + 2 * (WF_CUBE_Z - 2))

static __device__ inline int2
face_row (int k)
{
  const int j = k - 2 * WF_CUBE_Y;

  return k < WF_CUBE_Y ? make_int2 (k, 0)
         : k < 2 * WF_CUBE_Y ? make_int2 (k - WF_CUBE_Y, WF_CUBE_Z - 1)
         : j < WF_CUBE_Z - 2 ? make_int2 (0, j + 1)
         : make_int2 (WF_CUBE_Y - 1, j - (WF_CUBE_Z - 2) + 1);
}

/* The voxels of a row that wait beyond L2 = 1. */
static __device__ inline guint32
open_voxels (const WfStack &stack,
             const WfCube  &cube,
             int            y,
             int            z)
{
  return wf_row_word (stack, stack.waiting, cube.word, cube.y + y, cube.z + z)
         & ~wf_row_word (stack, stack.seeds, cube.word, cube.y + y, cube.z + z);
}

/* Calls visit (mine, x, y, z, each) for the voxels on the tile's faces that wait beyond
 * L2 = 1; each (visit) calls that for the waiting neighbours in other tiles, or, where a
 * voxel is visited twice, for a part of them.  All threads of a block, each for its own
 * voxels; while a voxel is not @mine, there are none.
 */
template <int N, typename Visit>
static __device__ inline void
each_open_voxel (const WfStack &stack,
                 const WfCube  &cube,
                 Visit        &&visit)
{
  const int lane = threadIdx.x % 32;

#pragma unroll 1
  for (int k = threadIdx.x / 32; k < WF_FACE_ROWS; k += WF_CUBE_THREADS / 32)
    {
      const int2    row  = face_row (k);
      const guint32 open = open_voxels (stack, cube, row.x, row.y);
      const bool    mine = open >> lane & 1;

      if (open != 0)
        visit (mine, lane, row.x, row.y, [&] (auto &&each)
          {
            each_waiting_across_rows<N> (stack, cube, row.x, row.y, mine, lane, each);
          });
    }

  const int     y    = threadIdx.x % WF_CUBE_Y;
  const int     z    = threadIdx.x / WF_CUBE_Y;
  const guint32 open = open_voxels (stack, cube, y, z);

#pragma unroll 1
  for (int x = 0; x < WF_CUBE_X; x += WF_CUBE_X - 1)
    if (open >> x & 1)
      visit (true, x, y, z, [&] (auto &&each)
        {
          each_waiting_across_columns<N> (stack, cube, x, y, z, each);
        });
}

/* Lists what comes in sooner than, or as soon as, what is known; whether it is sooner.
 * With @every, what is known counts as coming in, too.  All threads of a block.
 */
template <int N>
static __device__ inline bool
find_inflow (const WfStack &stack,
             const WfCube  &cube,
             bool           every,
             WfInflow      *inflow)
{
  bool news = false;

  each_open_voxel<N> (stack, cube, [&] (bool mine, int x, int y, int z, auto &&each_outside)
    {
      const guint32 voxel = stack.voxel (cube.x + x, cube.y + y, cube.z + z);
      const guint32 own   = mine ? __ldcg (&stack.depths[voxel]) : 0;
      guint32       best  = WF_FAR;

      each_outside ([&] (guint32 other, guint32 tile)
        {
          const guint32 there = __ldcg (&stack.depths[other]);

          best = min (best, there == WF_FAR ? WF_FAR : there + 1);
        });
      news |= best < own;
      if (every)
        best = min (best, own);
      if (mine && best <= own && best != WF_FAR)
        {
          const guint32 k = atomicAdd (&inflow->n, 1);

          inflow->round[k] = best;
          inflow->voxel[k] = (z * WF_CUBE_Y + y) * WF_CUBE_X + x;
        }
    });
  return __syncthreads_or (news);
}

/* Lists the tiles to which what has come nearer matters.  All threads of a block. */
template <int N>
static __device__ inline void
tell_tiles (const WfStack     &stack,
            const WfCube      &cube,
            const WfTileLists &lists)
{
  each_open_voxel<N> (stack, cube, [&] (bool mine, int x, int y, int z, auto &&each_outside)
    {
      const guint32 voxel = stack.voxel (cube.x + x, cube.y + y, cube.z + z);
      const guint32 own   = mine ? __ldcg (&stack.depths[voxel]) : WF_FAR;

      each_outside ([&] (guint32 other, guint32 tile)
        {
          if (own != WF_FAR && __ldcg (&stack.depths[other]) > own + 1 &&
              atomicExch (&lists.listed[tile], 1) == 0)
            lists.next[atomicAdd (lists.n_next, 1)] = tile;
        });
    });
}

/* One block a tile of the list; its first warp grows the tile.  With @every, a tile is
 * grown anew without news, too.
 */
template <int N>
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
relax_tiles (WfStack     stack,
             bool        every,
             WfTileLists lists)
{
  __shared__ WfInflow inflow;
  __shared__ guint32  scratch[WF_CUBE_ROWS];

  const int     lane = threadIdx.x % 32;
  const guint32 n    = lists.list ? *lists.n : stack.n_tiles;

  scratch[threadIdx.x] = 0;
  for (guint32 number = blockIdx.x; number < n; number += gridDim.x)
    {
      const guint32 tile = lists.list ? lists.list[number] : number;
      const WfCube  cube = wf_cube (stack, tile);

      __syncthreads ();
      if (threadIdx.x == 0)
        {
          inflow.n = 0;
          if (lists.list)
            atomicExch (&lists.listed[tile], 0);
          __threadfence ();
        }
      __syncthreads ();
      if (! find_inflow<N> (stack, cube, every, &inflow) && ! every)
        continue;

      if (threadIdx.x < 32)
        {
          const WfCubeRows waiting = wf_load_rows (stack, cube, stack.waiting, lane);
          const WfCubeRows seeds   = wf_load_rows (stack, cube, stack.seeds, lane);

          grow_tile<N> (stack, cube, waiting, seeds, &inflow, scratch, lane);
          __threadfence ();
        }
      __syncthreads ();
      tell_tiles<N> (stack, cube, lists);
    }
}
