/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows of the watershed on a GPU: each pixel's smallest neighbour.
 *
 * point_arrows() finds the distances in every tile once more, now with L2 known on its border and
 * halo.  A pixel points in the first direction in which it is reached.  That is the direction of
 * its smallest neighbour in the order (L1, L2, index), since the planes have only the lowest in L1.
 * The numbers of the directions, as planes, replace those planes.
 *
 * With clocks for tile plateaux (tile-plateaux.inc.cuh), the same method with the times of these
 * clocks finds the arrows of plateau pixels, since a pixel on a plateau and its lowest neighbours
 * belong to one tile plateau.  A pixel beside plateaux may have neighbours in several of them;
 * unless one has L2 = 0, their L2 is looked up.
 *
 * Bytes a pixel, 4 neighbours: 0.75 and 0.25 read, 0.63 written; with clocks up to 2 more read.
 */

#pragma once

#include "minima-arrows.inc.cuh"
#include "plateaux.inc.cuh"

namespace image_flood
{


/*  Arrows  */

/* Directions as planes of the bits of their numbers, the pixels that end a path, and the roots.
 * In memory they replace the other planes, with the pixels that a path passes, neither its first
 * nor its last, and the joins of minima; the roots stay.
 */
template <int N>
struct WfArrows
{
  static constexpr int BITS   = WfDirections<N>::BITS;
  static constexpr int END    = BITS;
  static constexpr int PASSED = BITS + 1;
  static constexpr int JOINS  = BITS + 2;

  guint32 code[BITS][WF_TILE_WORDS];
  guint32 end[WF_TILE_WORDS];
  guint32 root[WF_TILE_WORDS];

  __device__ int
  direction (int i) const
  {
    int d = 0;

#pragma unroll
    for (int b = 0; b < BITS; b++)
      d |= (code[b][i / 32] >> (i % 32) & 1) << b;
    return d;
  }
};

/* The best neighbour in the halo of each pixel of the border, and L2 of the best one inside. */
template <int N>
struct WfOutside
{
  static constexpr bool CLOCKED = false;

  WfBorder  rounds;      /* L2 of the neighbour + 1 */
  WfBorder  directions;
  WfBorder  inside;      /* L2 of the best neighbour inside */
  WfBorder  arrivals;    /* rounds, for plateau pixels only */
  guint32  *depths;      /* of the tile's pixels, or NULL */

  __device__ uint4
  take (guint32  round,
        guint32 *next,
        int      lane) const
  {
    const WfDistances distances = { arrivals, inside };

    *next = distances.next_arrival (round);
    return distances.arriving (round, lane);
  }

  __device__ void
  note_first (uint4 found,
              int   lane)
  {
    const guint32 bits = wf_border_bits (found, lane);

#pragma unroll
    for (int k = 0; k < 8; k++)
      inside.at[k] = bits >> k & 1 ? 0 : WF_FAR;
  }

  __device__ void
  note (uint4   found,
        guint32 round,
        int     lane)
  {
    const guint32 bits = wf_border_bits (found, lane);

#pragma unroll
    for (int k = 0; k < 8; k++)
      if (bits >> k & 1)
        inside.at[k] = round;
  }

  __device__ void
  reach (uint4   pixels,
         guint32 round,
         int     lane)
  {
    if (depths)
      wf_each_pixel (pixels, lane, [&] (int i) { depths[i] = round; });
  }
};

__device__ __forceinline__ bool
comes_before (guint32 round,
              guint32 direction,
              guint32 other_round,
              guint32 other_direction,
              bool    last_index)
{
  return round < other_round ||
         (round == other_round &&
          (last_index ? direction > other_direction : direction < other_direction));
}

/* Gives both places of a corner the better of their two values. */
template <int N>
__device__ __forceinline__ void
settle_corner (WfOutside<N> *outside,
               int           a,
               int           lane_a,
               int           b,
               int           lane_b,
               bool          last_index,
               int           lane)
{
  const guint32 round_a     = __shfl_sync (WF_ALL_LANES, outside->rounds.at[a], lane_a);
  const guint32 round_b     = __shfl_sync (WF_ALL_LANES, outside->rounds.at[b], lane_b);
  const guint32 direction_a = __shfl_sync (WF_ALL_LANES, outside->directions.at[a], lane_a);
  const guint32 direction_b = __shfl_sync (WF_ALL_LANES, outside->directions.at[b], lane_b);
  const bool    is_b        = comes_before (round_b, direction_b, round_a, direction_a, last_index);
  const guint32 round       = is_b ? round_b : round_a;
  const guint32 direction   = is_b ? direction_b : direction_a;

  if (lane == lane_a)
    {
      outside->rounds.at[a]     = round;
      outside->directions.at[a] = direction;
    }
  if (lane == lane_b)
    {
      outside->rounds.at[b]     = round;
      outside->directions.at[b] = direction;
    }
}

template <int N>
__device__ __forceinline__ void
look_outside (const WfHalo      &halo,
              const WfLowest<N> &lowest,
              uint4              plateaux,
              bool               last_index,
              WfOutside<N>      *outside,
              int                lane)
{
  const guint32 grown = wf_border_bits (plateaux, lane);

  outside->rounds     = wf_border_of (WF_FAR);
  outside->directions = wf_border_of (0);
  outside->inside     = wf_border_of (WF_FAR);
  wf_each_outside<N> (halo, lowest, lane,
                      [&] (int k, int d, guint32 is_lowest, guint32 there)
    {
      const guint32 round = there == WF_FAR ? 1 : there + 1;    /* minima are at 0 */

      if (is_lowest && (round < outside->rounds.at[k] ||
                        (last_index && round == outside->rounds.at[k])))
        {
          outside->rounds.at[k]     = round;
          outside->directions.at[k] = d;
        }
    });
  settle_corner<N> (outside, 0, 0, 4, 0, last_index, lane);
  settle_corner<N> (outside, 1, 31, 6, 0, last_index, lane);
  settle_corner<N> (outside, 2, 0, 5, 31, last_index, lane);
  settle_corner<N> (outside, 3, 31, 7, 31, last_index, lane);
#pragma unroll
  for (int k = 0; k < 8; k++)
    outside->arrivals.at[k] = grown >> k & 1 ? outside->rounds.at[k] : WF_FAR;
}

/* Finds the directions in which pixels inside the tile are reached.  Unlike find_distances() it
 * also reaches pixels that have a lower neighbour, with Outside::CLOCKED only in round 0, but does
 * not go on from them.  Returns the pixels that are not reached.  Called by a whole warp.
 */
template <int N, typename Outside>
__device__ __forceinline__ uint4
find_arrows (const WfLowest<N> &lowest,
             Outside           &outside,
             uint4              low,
             uint4              root,
             bool               last_index,
             uint4            (&code)[WfDirections<N>::BITS],
             int                lane)
{
  typedef WfDirections<N> To;

  const uint4 border_depths = wf_all_border_pixels (lane);
  const uint4 keep          = last_index ? wf_no_bits () : ~wf_no_bits ();
  uint4       waiting       = lowest.all () & ~root;        /* for L2, or for an arrow */
  uint4       unreached     = waiting & ~low;
  uint4       front         = low | root;
  uint4       left          = wf_no_bits ();
  guint32     next          = WF_FAR;
  guint32     round         = 0;

#pragma unroll
  for (int b = 0; b < To::BITS; b++)
    code[b] = wf_no_bits ();
  outside.take (0, &next, lane);

  for (;;)
    {
      uint4 found = wf_no_bits ();
      uint4 reached;

      wf_each_beside<N> (front, lane, [&] (auto direction, uint4 bits)
        {
          constexpr int d   = decltype (direction)::value;
          const uint4   hit = bits & lowest.template get<d> () & waiting & ~(found & keep);

          found = found | hit;
#pragma unroll
          for (int b = 0; b < To::BITS; b++)
            code[b] = d >> b & 1 ? code[b] | hit : code[b] & ~hit;
        });
      if (round == 0)
        outside.note_first (found, lane);
      else if (wf_any_bit (found & border_depths))
        outside.note (found & border_depths, round, lane);
      waiting = waiting & ~found;
      if (Outside::CLOCKED && round == 0)
        {
          left    = waiting & low;
          waiting = waiting & ~low;
        }
      reached = found & unreached;
      round++;
      if (! wf_any_bit (reached))
        {
          if (next == WF_FAR)
            break;
          round = next;
        }
      if (round == next)
        reached = reached | (unreached & outside.take (round, &next, lane));
      unreached = unreached & ~reached;
      front     = reached;
      outside.reach (reached, round, lane);
    }
  return left | waiting;
}

/* Ends paths at the pixels whose best neighbour is outside the tile, and points these outwards.
 * Returns them.
 */
template <int N>
__device__ __forceinline__ uint4
turn_outward (const WfOutside<N> &outside,
              uint4               root,
              bool                last_index,
              uint4             (&code)[WfDirections<N>::BITS],
              int                 lane)
{
  constexpr int BITS = WfDirections<N>::BITS;

  const guint32 roots   = wf_border_bits (root, lane);
  WfBorder      inner   = wf_border_of (0);
  guint32       outward = 0;
  uint4         exits;

#pragma unroll
  for (int b = 0; b < BITS; b++)
    {
      const guint32 bits = wf_border_bits (code[b], lane);

#pragma unroll
      for (int k = 0; k < 8; k++)
        inner.at[k] |= (bits >> k & 1) << b;
    }
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (outside.rounds.at[k] != WF_FAR &&
        comes_before (outside.rounds.at[k] - 1, outside.directions.at[k],
                      outside.inside.at[k], inner.at[k], last_index))
      outward |= 1u << k;
  outward &= ~roots;

  exits = wf_border_pixels (lane, [&] (int k) { return (outward >> k & 1) != 0; });
#pragma unroll
  for (int b = 0; b < BITS; b++)
    code[b] = (code[b] & ~exits) |
              wf_border_pixels (lane, [&] (int k)
                 {
                   return (outward >> k & outside.directions.at[k] >> b & 1) != 0;
                 });
  return exits;
}

/* Returns the pixels to which others point. */
template <int N>
__device__ __forceinline__ uint4
find_targets (uint4       open,
              const uint4 (&code)[WfDirections<N>::BITS],
              int         lane)
{
  typedef WfDirections<N> To;

  uint4 result = wf_no_bits ();

  each_direction<0, N> ([&] (auto direction)
    {
      constexpr int d    = decltype (direction)::value;
      constexpr int BACK = N - 1 - d;
      uint4         arrow = open;

#pragma unroll
      for (int b = 0; b < To::BITS; b++)
        arrow = arrow & (BACK >> b & 1 ? code[b] : ~code[b]);
      result = result | wf_columns_beside<To::dx (d)> (wf_rows_beside<To::dy (d)> (arrow, lane));
    });
  return result;
}

/* Writes the arrows over the planes of lowest neighbours, with those of minima if their pixels are
 * to be joined.
 */
template <int N>
__device__ __forceinline__ void
write_arrows (const WfPlanes<N> &planes,
              guint32            tile,
              bool               join,
              uint4              root,
              uint4              end,
              uint4            (&code)[WfDirections<N>::BITS],
              int                lane)
{
  WfMinimumArrows<N> minima;

  point_in_minima<N> (join ? root : wf_no_bits (), &minima, lane);
  end = end & ~minima.all ();
#pragma unroll
  for (int b = 0; b < WfDirections<N>::BITS; b++)
    {
#pragma unroll
      for (int d = 0; d < N / 2 + 1; d++)
        if (d >> b & 1)
          code[b] = code[b] | minima.to[d];
      planes.at (tile, b)[lane] = code[b];
    }
  planes.at (tile, WfArrows<N>::END)[lane]    = end;
  planes.at (tile, WfArrows<N>::PASSED)[lane] = find_targets<N> (~end, code, lane) & ~end;
#pragma unroll
  for (int d = 0; d < N_ABOVE<N>; d++)
    planes.at (tile, WfArrows<N>::JOINS + d)[lane] = minima.joins[d];
}

static constexpr int POINT_WARPS = 4;

/* One warp a tile.  Does nothing if there are @rounds_left. */
template <int N>
static __global__ void __launch_bounds__ (POINT_WARPS * 32)
point_arrows (const guint32 *rounds_left,
              WfTiling       tiling,
              WfPlanes<N>    planes,
              const guint32 *border_depths,
              bool           join,
              bool           last_index,
              guint32       *image_depths)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = tiling.first + blockIdx.x * POINT_WARPS + threadIdx.x / 32;

  if (tile >= tiling.end || *rounds_left > 0)
    return;

  const WfLowest<N> lowest (planes.at (tile, 0) + lane, 32);
  const uint4       low  = planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4       root = planes.at (tile, WfPlanes<N>::ROOT)[lane];
  const WfHalo      halo = wf_load_halo<N> (tiling, border_depths, tile, lane);
  WfOutside<N>      outside;
  uint4             code[WfDirections<N>::BITS];
  uint4             exits;

  outside.depths = image_depths ? image_depths + (gint64) tile * WF_TILE_PIXELS : NULL;
  look_outside<N> (halo, lowest, lowest.all () & ~low & ~root, last_index, &outside, lane);
  find_arrows<N> (lowest, outside, low, root, last_index, code, lane);
  exits = turn_outward<N> (outside, root, last_index, code, lane);

  write_arrows<N> (planes, tile, join, root, root | ~lowest.all () | exits, code, lane);
}


/*  With clocks for tile plateaux  */

/* Shared memory of a warp, for a tile whose plateaux have clocks. */
struct WfClocked
{
  guint32 clocks[WfTile<4>::N_SLOTS];
  guint32 inside[WfTile<4>::N_SLOTS];
  guint16 depths[WF_TILE_PIXELS];       /* on plateaux, by their clocks */
};

/* As WfOutside, with the times of the clocks. */
template <int N>
struct WfClockedOutside : public WfOutside<N>
{
  static constexpr bool CLOCKED = true;

  WfBorder       starts;
  WfClocked     *tile;
  const guint16 *names;     /* of the pixels' tile plateaux */

  __device__ guint32
  depth (int i) const
  {
    const guint32 tile_plateau = names[i];
    const guint32 start        = tile_plateau < WF_NO_PLATEAU ? tile->clocks[tile_plateau] : WF_FAR;

    return tile->depths[i] + (start == WF_FAR ? 0 : start);
  }

  __device__ void
  note (uint4   found,
        guint32 round,
        int     lane)
  {
    const guint32 bits = wf_border_bits (found, lane);

#pragma unroll
    for (int k = 0; k < 8; k++)
      if (bits >> k & 1)
        this->inside.at[k] = round + starts.at[k];
  }

  __device__ void
  reach (uint4   pixels,
         guint32 round,
         int     lane)
  {
    wf_each_pixel (pixels, lane, [&] (int i)
      {
        tile->depths[i] = round;
        if (this->depths)
          this->depths[i] = depth (i);
      });
  }
};

/* The neighbours of a pixel beside plateaux may be in tile plateaux with different clocks, so
 * their L2 is looked up.  @pixels: those that have no lower or marked neighbour among their
 * lowest in the tile.
 */
template <int N>
__device__ __forceinline__ void
look_up_arrows (const WfLowest<N>   &lowest,
                WfClockedOutside<N> *outside,
                uint4                pixels,
                bool                 last_index,
                uint4              (&code)[WfDirections<N>::BITS],
                int                  lane)
{
  typedef WfTile<N>       Tile;
  typedef WfDirections<N> To;

  const guint32 bits = wf_border_bits (pixels, lane);

#pragma unroll
  for (int k = 0; k < 4; k++)
    for (guint32 word = wf_word (pixels, k); word != 0; word &= word - 1)
      {
        const int bit  = __ffs (word) - 1;
        const int i    = (lane * 4 + k) * 32 + bit;
        const int x    = Tile::x (i);
        const int y    = Tile::y (i);
        guint32   best = WF_FAR;
        int       to   = 0;

        each_direction<0, N> ([&] (auto direction)
          {
            constexpr int d  = decltype (direction)::value;
            constexpr int DX = To::dx (d);
            constexpr int DY = To::dy (d);

            if ((wf_word (lowest.template get<d> (), k) >> bit & 1) &&
                x + DX >= 0 && x + DX < Tile::X && y + DY >= 0 && y + DY < Tile::Y)
              {
                const guint32 depth = outside->depth (i + DY * Tile::X + DX);

                if (depth < best || (last_index && depth == best))
                  {
                    best = depth;
                    to   = d;
                  }
              }
          });
#pragma unroll
        for (int b = 0; b < To::BITS; b++)
          {
            const guint32 one = (guint32) (to >> b & 1) << bit;

            code[b] = code[b] | make_uint4 (k == 0 ? one : 0, k == 1 ? one : 0,
                                            k == 2 ? one : 0, k == 3 ? one : 0);
          }
        if (Tile::slot (i) >= 0)
          outside->tile->inside[Tile::slot (i)] = best;
      }
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (bits >> k & 1)
      outside->inside.at[k] = outside->tile->inside[wf_border_slot (k, lane)];
  wf_share_corners (&outside->inside, lane);
}

/* As point_arrows(), if tile plateaux are known. */
template <int N>
static __global__ void __launch_bounds__ (POINT_WARPS * 32)
point_clocked_arrows (const guint32  *rounds_left,
                      WfTiling        tiling,
                      WfPlanes<N>     planes,
                      const guint32  *border_depths,
                      WfTilePlateaux  tile_plateaux,
                      bool            join,
                      bool            last_index,
                      guint32        *image_depths)
{
  __shared__ WfClocked clocked[POINT_WARPS];

  const int     lane = threadIdx.x % 32;
  const guint32 tile = tiling.first + blockIdx.x * POINT_WARPS + threadIdx.x / 32;

  if (tile >= tiling.end || *rounds_left > 0)
    return;

  const WfLowest<N>   lowest (planes.at (tile, 0) + lane, 32);
  const uint4         low  = planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4         root = planes.at (tile, WfPlanes<N>::ROOT)[lane];
  const WfHalo        halo = wf_load_halo<N> (tiling, border_depths, tile, lane);
  WfClockedOutside<N> outside;
  uint4               code[WfDirections<N>::BITS];
  uint4               left;
  uint4               exits;

  outside.depths = image_depths ? image_depths + (gint64) tile * WF_TILE_PIXELS : NULL;
  outside.names  = tile_plateaux.pixels + (gint64) tile * WF_TILE_PIXELS;
  outside.tile   = &clocked[threadIdx.x / 32];
  look_outside<N> (halo, lowest, lowest.all () & ~low & ~root, last_index, &outside, lane);
  start_clocks (tile_plateaux.slots + (gint64) tile * WfTile<N>::N_SLOTS, outside.tile->clocks,
                &outside.arrivals, &outside.starts, lane);
  left = find_arrows<N> (lowest, outside, low, root, last_index, code, lane);
  __syncwarp ();
  look_up_arrows<N> (lowest, &outside, left & low, last_index, code, lane);
  exits = turn_outward<N> (outside, root, last_index, code, lane);

  write_arrows<N> (planes, tile, join, root, root | ~lowest.all () | exits, code, lane);
}

} /* namespace image_flood */
