/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 inside a tile, for the watershed on a GPU.  In round k a plane holds the pixels with
 * L2 = k, and a few operations on planes give those with k + 1.  The planes, and L2 of the
 * tile's border and halo, are in registers.
 */

#pragma once

#include "tile-border.inc.cuh"

namespace image_flood
{

struct WfDistances
{
  WfBorder arrivals;     /* the rounds in which pixels are reached from outside */
  WfBorder reached;      /* the rounds in which they were reached, or WF_FAR */

  __device__ uint4
  arriving (guint32 round,
            int     lane) const
  {
    return wf_border_pixels (lane, [&] (int k) { return arrivals.at[k] == round; });
  }

  /* Returns the next arrival after @round, or WF_FAR if there is none. */
  __device__ guint32
  next_arrival (guint32 round) const
  {
    guint32 best = WF_FAR;

#pragma unroll
    for (int k = 0; k < 8; k++)
      best = min (best, arrivals.at[k] > round ? arrivals.at[k] : WF_FAR);
    return wf_warp_min (best);
  }

  __device__ void
  note (uint4   pixels,
        guint32 round,
        int     lane)
  {
    const guint32 bits = wf_border_bits (pixels, lane);

#pragma unroll
    for (int k = 0; k < 8; k++)
      if (bits >> k & 1)
        reached.at[k] = round;
  }
};

/* Rounds between two checks whether any pixel is left. */
#define WF_ROUNDS_AT_ONCE 4

/* Spreads L2 from @front, whose pixels have L2 = 0, over @waiting.  Returns the pixels that are not
 * reached.  A round has no branches, and its other work does not delay the next front.  Called by a
 * whole warp.
 */
template <int N, bool ARRIVE>
__device__ __forceinline__ uint4
find_distances (const WfLowest<N> &lowest,
                WfDistances       &distances,
                uint4              waiting,
                uint4              front,
                int                lane)
{
  guint32 round = 0;

  while (wf_any_bit (waiting))
    {
#pragma unroll
      for (int k = 0; k < WF_ROUNDS_AT_ONCE; k++)
        {
          uint4 reached = wf_no_bits ();

          round++;
          wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
            {
              reached = reached | (bits & lowest.template get<decltype (d)::value> ());
            });
          if constexpr (ARRIVE)
            reached = reached | distances.arriving (round, lane);
          front   = reached & waiting;
          waiting = waiting & ~front;
          distances.note (front, round, lane);
        }
      if (! wf_any_bit (front))
        {
          const guint32 next = ARRIVE ? distances.next_arrival (round) : WF_FAR;

          if (next == WF_FAR)
            break;
          round = next - 1;
        }
    }
  return waiting;
}

/* Returns whether L2 may reach its limit in the tile. */
__device__ __forceinline__ bool
is_deep (const WfBorder &arrivals)
{
  bool deep = false;

#pragma unroll
  for (int k = 0; k < 8; k++)
    deep |= arrivals.at[k] != WF_FAR && arrivals.at[k] > WF_DEEPEST - WF_TILE_PIXELS;
  return __any_sync (WF_ALL_LANES, deep);
}

/* As find_distances(), if L2 may reach its limit: round by round. */
template <int N>
__device__ __forceinline__ uint4
find_deep_distances (const WfLowest<N> &lowest,
                     WfDistances       &distances,
                     uint4              waiting,
                     uint4              front,
                     int               *too_deep,
                     int                lane)
{
  guint32 round = 0;

  while (wf_any_bit (waiting))
    {
      uint4 reached = wf_no_bits ();

      wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
        {
          reached = reached | (bits & lowest.template get<decltype (d)::value> ());
        });
      reached = reached & waiting;
      if (! wf_any_bit (reached))
        {
          const guint32 next = distances.next_arrival (round);

          if (next == WF_FAR)
            break;
          round = next - 1;
        }
      round++;
      if (round > WF_DEEPEST)
        {
          *too_deep = 1;
          break;
        }
      front   = reached | (waiting & distances.arriving (round, lane));
      waiting = waiting & ~front;
      distances.note (front, round, lane);
    }
  return waiting;
}

} /* namespace image_flood */
