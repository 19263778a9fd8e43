/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the geodesic distance into plateaux, over all tiles of a watershed on a GPU: the
 * rounds, and for stacks a round's kernel; that for images is in
 * watershed-image-plateaux.cuh.
 *
 * L2 is never stored for every pixel, only for those on tiles' faces.  A tile is grown
 * anew, with what its neighbours' faces say as arrivals in later rounds, as long as this
 * makes one of its own faces nearer: distances shrink to the one fixpoint whatever the
 * order.  Tiles that may profit are listed for the next round of launches, which are
 * bounded in this way.
 *
 * Bytes a voxel, 6 neighbours: the first round reads 3.5 of L2 and, of tiles that are
 * grown anew, 1 of planes.
 */

#pragma once

#include "watershed-growth.cuh"


/*  L2 across tiles  */

/* The directions that lead to @sign along an axis: x, y and z are 0, 1 and 2. */
template <int N>
static constexpr __host__ __device__ guint32
directions_along (int axis,
                  int sign)
{
  typedef WfDirections<N> To;

  guint32 result = 0;

  for (int d = 0; d < N; d++)
    if ((axis == 0 ? To::dx (d) : axis == 1 ? To::dy (d) : To::dz (d)) == sign)
      result |= 1u << d;
  return result;
}

/* The directions that lead out of the tile from pixel i of a stack. */
template <int N>
static __device__ inline guint32
directions_out (int i)
{
  typedef WfTile<N> Tile;

  constexpr guint32 LEFT  = directions_along<N> (0, -1);
  constexpr guint32 RIGHT = directions_along<N> (0, 1);
  constexpr guint32 UP    = directions_along<N> (1, -1);
  constexpr guint32 DOWN  = directions_along<N> (1, 1);
  constexpr guint32 FRONT = directions_along<N> (2, -1);
  constexpr guint32 BACK  = directions_along<N> (2, 1);

  return (Tile::x (i) == 0 ? LEFT : Tile::x (i) == Tile::X - 1 ? RIGHT : 0)
         | (Tile::y (i) == 0 ? UP : Tile::y (i) == Tile::Y - 1 ? DOWN : 0)
         | (Tile::z (i) == 0 ? FRONT : Tile::z (i) == Tile::Z - 1 ? BACK : 0);
}

/* Calls visit (d, L2, beside) for each neighbour outside the tile that is one of the
 * lowest of the slot's pixel i, in raster order.
 */
template <int N, typename Visit>
static __device__ inline void
each_lowest_outside (const WfTiling    &tiling,
                     const WfPlanes<N> &planes,
                     const guint32     *faces,
                     guint32            tile,
                     int                i,
                     Visit            &&visit)
{
  typedef WfTile<N> Tile;

  if constexpr (Tile::STACK)
    {
      for (guint32 out = directions_out<N> (i); out != 0; out &= out - 1)
        {
          const int d = __ffs (out) - 1;

          if (planes.bit (tile, d, i))
            {
              const WfBeside beside = wf_beside<N> (tiling, tile, i, d);
              const gint64   slot   = (gint64) beside.tile * Tile::N_SLOTS + Tile::slot (beside.i);

              visit (d, __ldcg (&faces[slot]), beside);
            }
        }
    }
  else
    {
#pragma unroll
      for (int d = 0; d < N; d++)
        {
          const WfBeside beside = wf_beside<N> (tiling, tile, i, d);

          if (beside.elsewhere && planes.bit (tile, d, i))
            visit (d, __ldcg (&faces[(gint64) beside.tile * Tile::N_SLOTS + Tile::slot (beside.i)]),
                   beside);
        }
    }
}

/* The first and the next list of tiles, and how long they are. */
struct WfTileLists
{
  const guint32 *list;      /* NULL: every tile */
  const guint32 *n;
  guint32       *next;
  guint32       *n_next;
  guint32       *listed;    /* a flag a tile */
};

/* When each slot's pixel is reached from outside; whether that is news. */
template <int N>
static __device__ inline bool
find_arrivals (const WfTiling    &tiling,
               const WfPlanes<N> &planes,
               const guint32     *faces,
               guint32            tile,
               guint32           *own,
               guint32           *arrivals,
               int                lane)
{
  typedef WfTile<N> Tile;

  bool news = false;

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      const int     i       = Tile::pixel (slot);
      const guint32 here    = faces[(gint64) tile * Tile::N_SLOTS + slot];
      guint32       arrival = WF_FAR;

      if (here != 0 && Tile::slot (i) == slot)
        each_lowest_outside<N> (tiling, planes, faces, tile, i,
                                [&] (int d, guint32 there, const WfBeside &beside)
          {
            arrival = min (arrival, there == WF_FAR ? WF_FAR : there + 1);
          });
      own[slot]      = here;
      arrivals[slot] = arrival;
      news          |= arrival < here;
    }
  __syncwarp ();
  return __any_sync (WF_WARP, news);
}

/* Writes the faces that have come nearer, and lists the tiles to which that matters. */
template <int N>
static __device__ inline void
tell_neighbours (const WfTiling    &tiling,
                 const WfPlanes<N> &planes,
                 guint32           *faces,
                 const WfTileLists &lists,
                 guint32            tile,
                 const guint32     *own,
                 int                lane)
{
  typedef WfTile<N> Tile;

  guint32 *mine    = faces + (gint64) tile * Tile::N_SLOTS;
  guint64  changed = 0;         /* a bit for each of the lane's slots */

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    if (own[slot] != mine[slot])
      {
        __stcg (&mine[slot], own[slot]);
        changed |= (guint64) 1 << (slot / 32);
      }
  __threadfence ();
  for (; changed != 0; changed &= changed - 1)
    {
      const int slot = (__ffsll (changed) - 1) * 32 + lane;

      each_lowest_outside<N> (tiling, planes, faces, tile, Tile::pixel (slot),
                              [&] (int d, guint32 there, const WfBeside &beside)
        {
          if (there > own[slot] + 1 && atomicExch (&lists.listed[beside.tile], 1) == 0)
            lists.next[atomicAdd (lists.n_next, 1)] = beside.tile;
        });
    }
}

template <int N>
static constexpr int RELAX_WARPS = WfDirections<N>::STACK ? 2 : 4;

/* One warp a tile of the list.  With @every, a tile is grown anew without news, too. */
template <int N>
static __global__ void __launch_bounds__ (RELAX_WARPS<N> * 32)
relax_plateaux (WfTiling     tiling,
                WfPlanes<N>  planes,
                guint32     *faces,
                bool         markers,
                bool         every,
                WfTileLists  lists,
                int         *too_deep)
{
  typedef WfTile<N> Tile;

  __shared__ guint32                own[RELAX_WARPS<N>][Tile::N_SLOTS];
  __shared__ guint32                arrivals[RELAX_WARPS<N>][Tile::N_SLOTS];
  __shared__ __align__ (16) guint32 arrived[RELAX_WARPS<N>][WF_TILE_WORDS];

  const int      lane    = threadIdx.x % 32;
  const int      warp    = threadIdx.x / 32;
  const guint32  n       = lists.list ? *lists.n : tiling.n_tiles;
  const WfGrowth growth  = { own[warp], arrivals[warp], arrived[warp] };

  for (int k = lane; k < WF_TILE_WORDS; k += 32)
    arrived[warp][k] = 0;
  for (guint32 number = blockIdx.x * RELAX_WARPS<N> + warp; number < n;
       number += gridDim.x * RELAX_WARPS<N>)
    {
      const guint32 tile = lists.list ? lists.list[number] : number;

      __syncwarp ();
      if (lists.list)
        {
          if (lane == 0)
            atomicExch (&lists.listed[tile], 0);
          __threadfence ();
          __syncwarp ();
        }
      if (! find_arrivals<N> (tiling, planes, faces, tile, own[warp], arrivals[warp], lane) &&
          ! every)
        continue;

      const WfSlopes<N> slopes (planes.at (tile, 0) + lane, 32);
      const uint4       low  = planes.at (tile, WfPlanes<N>::LOW)[lane];
      uint4            *root = planes.at (tile, WfPlanes<N>::ROOT) + lane;
      const uint4       all  = slopes.all ();
      const uint4       rest = grow<N> (slopes, growth, all & ~low,
                                        markers ? low | *root : low, too_deep, lane);

      /* What has a neighbour no higher and was a root before may be none now. */
      if (! markers)
        *root = (*root & ~all) | rest;
      tell_neighbours<N> (tiling, planes, faces, lists, tile, own[warp], lane);
    }
}
