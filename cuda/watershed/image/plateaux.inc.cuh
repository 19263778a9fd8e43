/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the geodesic distance into plateaux, over all tiles of a watershed on a GPU.
 *
 * L2 is stored only for the pixels of tiles' borders.  The distances in a tile are found again,
 * with L2 of its halo as arrivals in later rounds, as long as this lowers L2 of its border.
 * Distances only fall, and they reach the same fixpoint in any order.  Tiles that may change are
 * listed for the next round, which is a launch, so every launch is bounded.
 *
 * A plateau as large as the image is crossed tile by tile, one visit after another, so the latency
 * of a visit determines the time.  Therefore a visit starts all its loads at once, its rounds have
 * no branches, one lane notifies each tile around, and the distances in separate tile plateaux are
 * found at the same time, once these are known (tile-plateaux.inc.cuh).
 *
 * Bytes a pixel, 4 neighbours: 0.75 of planes and 0.5 of L2 read; tiles whose L2 falls write 0.13
 * and the values that have changed.
 */

#pragma once

#include "plateau-distance.inc.cuh"
#include "cuda/watershed/rounds.cuh"

namespace image_flood
{


/*  Tile plateaux and their clocks  */

#define WF_NO_PLATEAU 0x7fffu    /* no plateau, or one without a slot */
#define WF_ANCHORED  0x8000u    /* reached from inside the tile */

/* The tile plateaux of slots, and of pixels if needed; NULL if not known. */
struct WfTilePlateaux
{
  guint16 *slots;
  guint16 *pixels;
};

/* Converts @arrivals to times of the clocks of their tile plateaux.  @starts: when the clocks
 * start, for the pixels of the border; @clocks: the same by the names of tile plateaux, WF_FAR if
 * never.  Called by a whole warp.
 */
__device__ __forceinline__ void
start_clocks (const guint16 *names,
              guint32       *clocks,
              WfBorder      *arrivals,
              WfBorder      *starts,
              int            lane)
{
  guint32 tile_plateaux[8];

#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      tile_plateaux[k] = names[wf_border_slot (k, lane)];
      clocks[wf_border_slot (k, lane)] = WF_FAR;
    }
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (tile_plateaux[k] < WF_NO_PLATEAU && arrivals->at[k] != WF_FAR)
      atomicMin (&clocks[tile_plateaux[k]], arrivals->at[k] - 1);
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      const guint32 start = tile_plateaux[k] < WF_NO_PLATEAU ? clocks[tile_plateaux[k]] : WF_FAR;

      starts->at[k] = start == WF_FAR ? 0 : start;
      if (arrivals->at[k] != WF_FAR)
        arrivals->at[k] -= starts->at[k];
    }
  __syncwarp ();
}


/*  Visits  */

/**
 * WfTileRange:
 * @first, @n: tiles to be visited besides those of a list
 * @end: the tiles from here on are not classified yet, or a halo, and must not be listed
 */
struct WfTileRange
{
  guint32 first;
  guint32 n;
  guint32 end;
};

/* Finds when each pixel of the border is reached from outside.  Returns whether that lowers L2 of
 * any.
 */
template <int N>
__device__ __forceinline__ bool
find_arrivals (const WfHalo      &halo,
               const WfLowest<N> &lowest,
               const WfBorder    &own,
               WfBorder          *arrivals,
               int                lane)
{
  bool news = false;

  *arrivals = wf_border_of (WF_FAR);
  wf_each_outside<N> (halo, lowest, lane, [&] (int k, int d, guint32 is_lowest, guint32 there)
    {
      if (is_lowest && there != WF_FAR)
        arrivals->at[k] = min (arrivals->at[k], there + 1);
    });
#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      if (own.at[k] == 0)
        arrivals->at[k] = WF_FAR;
      news |= arrivals->at[k] < own.at[k];
    }
  return __any_sync (WF_ALL_LANES, news);
}

/* Writes L2 of the pixels of the border where it has fallen, and lists the tiles that this may
 * change.
 */
template <int N>
__device__ __forceinline__ void
notify_neighbours (const WfTiling    &tiling,
                   const WfHalo      &halo,
                   const WfLowest<N> &lowest,
                   guint32           *border_depths,
                   const WfTileLists &lists,
                   const WfTileRange &range,
                   guint32            tile,
                   const WfBorder    &own,
                   const WfBorder    &reached,
                   int                lane)
{
  guint32 *mine   = border_depths + (gint64) tile * WfTile<N>::N_SLOTS;
  guint32  places = 0;

#pragma unroll
  for (int k = 0; k < 8; k++)
    if (reached.at[k] < own.at[k])
      __stcg (&mine[wf_border_slot (k, lane)], reached.at[k]);
  wf_each_outside<N> (halo, lowest, lane, [&] (int k, int d, guint32 is_lowest, guint32 there)
    {
      if (is_lowest && reached.at[k] < own.at[k] && there > reached.at[k] + 1)
        places |= 1u << wf_place_outside<N> (k, d, lane);
    });
  places = wf_warp_or (places);
  __threadfence ();
  __syncwarp ();
  if (places >> lane & 1)
    {
      const guint32 beside = tile + (lane / 3 - 1) * (int) tiling.across + lane % 3 - 1;

      if (beside >= tiling.first && beside < range.end &&
          atomicExch (&lists.listed[beside], 1) == 0)
        lists.next[atomicAdd (lists.n_next, 1)] = beside;
    }
}

static constexpr int RELAX_WARPS = 4;

/* One warp a tile of the range or the list.  With @every, also tiles in which no arrival lowers L2.
 * @tile_plateaux: those of the slots, or NULL if not known yet.
 */
template <int N>
static __global__ void __launch_bounds__ (RELAX_WARPS * 32)
relax_plateaux (WfTiling       tiling,
                WfPlanes<N>    planes,
                guint32       *border_depths,
                bool           markers,
                bool           every,
                WfTileLists    lists,
                WfTileRange    range,
                const guint16 *tile_plateaux,
                int           *too_deep)
{
  __shared__ guint32 clocks[RELAX_WARPS][WfTile<N>::N_SLOTS];

  const int     lane = threadIdx.x % 32;
  const int     warp = threadIdx.x / 32;
  const guint32 n    = range.n + (lists.list ? *lists.n : 0);

  for (guint32 number = blockIdx.x * RELAX_WARPS + warp; number < n;
       number += gridDim.x * RELAX_WARPS)
    {
      const bool    listed = number >= range.n;
      const guint32 tile   = listed ? lists.list[number - range.n] : range.first + number;

      if (listed)
        {
          if (lane == 0)
            atomicExch (&lists.listed[tile], 0);
          __threadfence ();
          __syncwarp ();
        }

      uint4             *root   = planes.at (tile, WfPlanes<N>::ROOT) + lane;
      const WfLowest<N>  lowest (planes.at (tile, 0) + lane, 32);
      const uint4        low    = planes.at (tile, WfPlanes<N>::LOW)[lane];
      const uint4        roots  = *root;
      const WfBorder     own    = wf_load_border (border_depths
                                                  + (gint64) tile * WfTile<N>::N_SLOTS, lane);
      const WfHalo       halo   = wf_load_halo<N> (tiling, border_depths, tile, lane);
      WfDistances        distances;
      WfBorder           starts = wf_border_of (0);

      distances.reached = wf_border_of (WF_FAR);
      if (! find_arrivals<N> (halo, lowest, own, &distances.arrivals, lane) && ! every)
        continue;

      /* If L2 may reach its limit, clocks are not used, and rounds are counted from 0. */
      const bool deep = is_deep (distances.arrivals);

      if (tile_plateaux && ! deep)
        start_clocks (tile_plateaux + (gint64) tile * WfTile<N>::N_SLOTS, clocks[warp],
                      &distances.arrivals, &starts, lane);

      const uint4 all   = lowest.all ();
      const uint4 known = markers ? low | roots : low;
      const uint4 rest  = deep
                          ? find_deep_distances<N> (lowest, distances, all & ~low, known,
                                                    too_deep, lane)
                          : find_distances<N, true> (lowest, distances, all & ~low, known, lane);

#pragma unroll
      for (int k = 0; k < 8; k++)
        if (distances.reached.at[k] != WF_FAR)
          distances.reached.at[k] += starts.at[k];
      /* A root with a neighbour that is not higher may no longer be one. */
      if (! markers)
        *root = (roots & ~all) | rest;
      notify_neighbours<N> (tiling, halo, lowest, border_depths, lists, range, tile, own,
                            distances.reached, lane);
    }
}

} /* namespace image_flood */
