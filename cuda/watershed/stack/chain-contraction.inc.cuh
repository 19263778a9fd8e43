/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 along corridors of stacks, for the watershed on a GPU.
 *
 * A plateau that winds as a narrow corridor through the tiles would be followed from
 * tile to tile, one visit after another.  So when relax_tiles does not come to an end,
 * corridors are contracted.
 *
 * A strand is what is connected of waiting voxels inside a tile.  A portal is a voxel of
 * it that has waiting neighbours in other tiles; its gate is that neighbour, or the
 * portal itself where it has several.  Portals of one gate are one way in and out:
 * diagonal neighbours make several portals where a corridor turns on a border.  Where the
 * portals of a strand have just two gates, what comes in by one of them reaches a portal
 * b of the other after the geodesic distance in the strand; with a portal a whose gate is
 * g
 *
 *   L2(b) <= L2(g) + 1 + distance (a, b).
 *
 * So b has one portal before it, and pointer jumping carries L2 over all of a corridor in
 * a logarithmic number of steps (Wyllie's list ranking, with a minimum).  All values are
 * lengths of real paths, so that L2 never becomes less than it should; relax_tiles then
 * visits all tiles once, and completes the rest.
 *
 * Portals are numbered in any order, so that a corridor takes memory for its own.
 *
 * Bytes a portal and step: 32 read, half of them anywhere, and 16 written.
 */

#pragma once

#include "cuda/watershed/chains.cuh"
#include "plateau-distance.inc.cuh"

/* All portals of a stack. */
struct WfPortals
{
  guint32 *numbers;   /* of voxels that are portals */
  guint32 *voxels;    /* of portals */
  guint32 *gates;
  WfLink  *links;
};

/* Calls visit (voxel, tile) for each waiting neighbour in other tiles of voxel (x, y, z)
 * of the tile.
 */
template <int N, typename Visit>
static __device__ inline void
each_waiting_outside (const WfStack &stack,
                      const WfCube  &cube,
                      int            x,
                      int            y,
                      int            z,
                      Visit        &&visit)
{
#pragma unroll 1
  for (int dz = -1; dz <= 1; dz++)
#pragma unroll 1
    for (int dy = -1; dy <= 1; dy++)
      {
        const int  below  = y + dy < 0 ? -1 : y + dy >= WF_CUBE_Y;
        const int  behind = z + dz < 0 ? -1 : z + dz >= WF_CUBE_Z;
        const bool here   = below == 0 && behind == 0;
        guint32    bits;        /* of the neighbours from dx = −1 */

        if ((N == 6 && dy != 0 && dz != 0) || (here && x > 0 && x < WF_CUBE_X - 1))
          continue;

        const guint32 far_y = cube.y + y + dy;
        const guint32 far_z = cube.z + z + dz;

        bits = here ? 0 : (guint32) (((guint64) wf_row_word (stack, stack.waiting, cube.word,
                                                             far_y, far_z) << 1) >> x) & 7;
        if (x == 0)
          bits |= wf_row_word (stack, stack.waiting, cube.word - 1, far_y, far_z) >> 31;
        else if (x == WF_CUBE_X - 1)
          bits |= (wf_row_word (stack, stack.waiting, cube.word + 1, far_y, far_z) & 1) << 2;
        if (N == 6)
          bits &= dy == 0 && dz == 0 ? 5 : 2;

        for (; bits != 0; bits &= bits - 1)
          {
            const int dx    = __ffs (bits) - 2;
            const int right = x + dx < 0 ? -1 : x + dx >= WF_CUBE_X;

            visit (stack.voxel (cube.x + x + dx, far_y, far_z),
                   cube.tile + right + (below + behind * stack.down) * stack.across);
          }
      }
}

/* Calls visit (i, x, y, z) for the voxels in a lane's rows. */
template <typename Visit>
static __device__ inline void
each_voxel_of_lane (const WfCubeRows &rows,
                    int               lane,
                    Visit           &&visit)
{
#pragma unroll 1
  for (int k = 0; k < WF_LANE_ROWS; k++)
    for (guint32 bits = wf_row_of (rows, k); bits != 0; bits &= bits - 1)
      {
        const int x = __ffs (bits) - 1;

        visit ((lane * WF_LANE_ROWS + k) * WF_CUBE_X + x, x, wf_lane_y (lane) + k,
               wf_lane_z (lane));
      }
}

/* The portals of a tile. */
template <int N>
static __device__ inline WfCubeRows
find_cube_portals (const WfStack    &stack,
                   const WfCube     &cube,
                   const WfCubeRows &waiting,
                   int               lane)
{
  WfCubeRows faces;
  WfCubeRows portals = {};

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    faces.word[k] = waiting.word[k] & wf_face_bits (lane, k);
  each_voxel_of_lane (faces, lane, [&] (int i, int x, int y, int z)
    {
      bool any = false;

      each_waiting_outside<N> (stack, cube, x, y, z, [&] (guint32 voxel, guint32 tile)
        {
          any = true;
        });
      if (any)
        wf_set_voxel (&portals, i, lane);
    });
  __syncwarp ();
  return portals;
}

#define WF_PORTAL_WARPS 4

/* One warp a tile. */
template <int N>
static __global__ void __launch_bounds__ (WF_PORTAL_WARPS * 32)
number_portals (WfStack  stack,
                guint32 *numbers,
                guint32 *n_portals)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = blockIdx.x * WF_PORTAL_WARPS + threadIdx.x / 32;

  if (tile >= stack.n_tiles)
    return;

  const WfCube     cube    = wf_cube (stack, tile);
  const WfCubeRows waiting = wf_load_rows (stack, cube, stack.waiting, lane);

  each_voxel_of_lane (find_cube_portals<N> (stack, cube, waiting, lane), lane,
                      [&] (int i, int x, int y, int z)
    {
      numbers[stack.voxel (cube.x + x, cube.y + y, cube.z + z)] = atomicAdd (n_portals, 1);
    });
}

/* One warp a tile: the gates of portals, none of which is part of a corridor yet. */
template <int N>
static __global__ void __launch_bounds__ (WF_PORTAL_WARPS * 32)
find_gates (WfStack   stack,
            WfPortals portals)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = blockIdx.x * WF_PORTAL_WARPS + threadIdx.x / 32;

  if (tile >= stack.n_tiles)
    return;

  const WfCube     cube    = wf_cube (stack, tile);
  const WfCubeRows waiting = wf_load_rows (stack, cube, stack.waiting, lane);

  each_voxel_of_lane (find_cube_portals<N> (stack, cube, waiting, lane), lane,
                      [&] (int i, int x, int y, int z)
    {
      const guint32 voxel  = stack.voxel (cube.x + x, cube.y + y, cube.z + z);
      const guint32 number = portals.numbers[voxel];
      guint32       gate   = number;
      int           n      = 0;

      each_waiting_outside<N> (stack, cube, x, y, z, [&] (guint32 other, guint32 tile)
        {
          gate = n++ == 0 ? portals.numbers[other] : number;
        });
      portals.voxels[number]   = voxel;
      portals.gates[number]    = gate;
      portals.links[number] = { number, 0, known_depth (stack, cube, x, y, z), 0 };
    });
}

/* One of the warp's voxels, the same for all lanes; -1: there is none. */
static __device__ inline int
any_voxel (const WfCubeRows &rows,
           int               lane)
{
  int i = -1;

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    if (i < 0 && rows.word[k] != 0)
      i = (lane * WF_LANE_ROWS + k) * WF_CUBE_X + __ffs (rows.word[k]) - 1;

  const guint32 lanes = __ballot_sync (WF_ALL_LANES, i >= 0);

  return lanes == 0 ? -1 : __shfl_sync (WF_ALL_LANES, i, __ffs (lanes) - 1);
}

/* What is connected to @seeds inside the tile.  Calls visit (reached, distance) for each
 * distance from 1 on.
 */
template <int N, typename Visit>
static __device__ inline WfCubeRows
flood_cube_strand (const WfCubeRows &waiting,
                   const WfCubeRows &seeds,
                   int               lane,
                   Visit           &&visit)
{
  WfCubeRows strand = seeds;
  WfCubeRows front  = seeds;

  for (guint32 distance = 1; wf_any_row (front); distance++)
    {
      front = wf_dilate<N> (front, lane);
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        {
          front.word[k]  &= waiting.word[k] & ~strand.word[k];
          strand.word[k] |= front.word[k];
        }
      visit (front, distance);
    }
  return strand;
}

/* Links the portals @to with what comes in by @gate through the portals @from. */
template <int N>
static __device__ inline void
link_cube_portals (const WfStack    &stack,
                   const WfCube     &cube,
                   const WfPortals  &portals,
                   const WfCubeRows &waiting,
                   const WfCubeRows &from,
                   const WfCubeRows &to,
                   guint32           gate,
                   int               lane)
{
  const guint32 voxel     = portals.voxels[gate];
  const guint32 slice     = voxel / stack.slice;
  const guint32 row       = (voxel - slice * stack.slice) / stack.width;
  const guint32 column    = voxel - slice * stack.slice - row * stack.width;
  const bool    is_inside = wf_cube_at (stack, column, row, slice).tile == cube.tile;

  flood_cube_strand<N> (waiting, from, lane, [&] (const WfCubeRows &front, guint32 distance)
    {
      WfCubeRows arrived;

#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        arrived.word[k] = front.word[k] & to.word[k];
      each_voxel_of_lane (arrived, lane, [&] (int i, int x, int y, int z)
        {
          const guint32 voxel = stack.voxel (cube.x + x, cube.y + y, cube.z + z);

          portals.links[portals.numbers[voxel]] = { gate, distance + ! is_inside,
                                                    known_depth (stack, cube, x, y, z),
                                                    is_inside };
        });
    });
}

/* One warp a tile.  Sets @any where there is something to go along. */
template <int N>
static __global__ void __launch_bounds__ (WF_PORTAL_WARPS * 32)
link_strands (WfStack   stack,
              WfPortals portals,
              int      *any)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = blockIdx.x * WF_PORTAL_WARPS + threadIdx.x / 32;

  if (tile >= stack.n_tiles)
    return;

  const WfCube     cube    = wf_cube (stack, tile);
  const WfCubeRows waiting = wf_load_rows (stack, cube, stack.waiting, lane);
  const WfCubeRows mine    = find_cube_portals<N> (stack, cube, waiting, lane);
  WfCubeRows       left    = mine;

  auto gate_of = [&] (int x, int y, int z)
    {
      return portals.gates[portals.numbers[stack.voxel (cube.x + x, cube.y + y, cube.z + z)]];
    };

  for (int seed = any_voxel (left, lane); seed >= 0; seed = any_voxel (left, lane))
    {
      const guint32 gate  = gate_of (seed % WF_CUBE_X, seed / WF_CUBE_X % WF_CUBE_Y,
                                     seed / (WF_CUBE_X * WF_CUBE_Y));
      WfCubeRows    strand = {};
      WfCubeRows    near   = {};
      WfCubeRows    far;
      guint32       least  = WF_FAR;
      guint32       most   = 0;

      wf_set_voxel (&strand, seed, lane);
      strand = flood_cube_strand<N> (waiting, strand, lane,
                                     [] (const WfCubeRows &front, guint32 distance) {});
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        {
          strand.word[k] &= mine.word[k];
          left.word[k]   &= ~strand.word[k];
        }
      each_voxel_of_lane (strand, lane, [&] (int i, int x, int y, int z)
        {
          const guint32 other = gate_of (x, y, z);

          if (other == gate)
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

      /* No other gate, or several. */
      if (least != most)
        continue;
#pragma unroll
      for (int k = 0; k < WF_LANE_ROWS; k++)
        far.word[k] = strand.word[k] & ~near.word[k];
      *any = 1;
      link_cube_portals<N> (stack, cube, portals, waiting, near, far, gate, lane);
      link_cube_portals<N> (stack, cube, portals, waiting, far, near, least, lane);
    }
}

/* Where a portal is a gate itself, what comes in comes from the best of its neighbours. */
template <int N>
static __global__ void
cross_portals (WfStack   stack,
               WfPortals portals,
               guint32   n)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    {
      WfLink link = portals.links[s];

      if (! link.is_inside)
        continue;

      const guint32 voxel = portals.voxels[link.before];
      const guint32 z     = voxel / stack.slice;
      const guint32 y     = (voxel - z * stack.slice) / stack.width;
      const guint32 x     = voxel - z * stack.slice - y * stack.width;
      const WfCube  cube  = wf_cube_at (stack, x, y, z);
      guint32       best  = WF_FAR;
      guint32       from  = s;

      each_waiting_outside<N> (stack, cube, x - cube.x, y - cube.y, z - cube.z,
                               [&] (guint32 other, guint32 tile)
        {
          const guint32 q    = portals.numbers[other];
          const WfLink  that = portals.links[q];

          if (that.before != q && that.steps < best)
            {
              best = that.steps;
              from = q;
            }
        });
      link.steps       = from == s ? 0 : link.steps + 1;
      link.before      = from;
      link.is_inside   = 0;
      portals.links[s] = link;
    }
}

/* One thread a portal. */
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
