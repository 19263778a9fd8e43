/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 inside a tile, for the watershed on a GPU: in round k a plane holds the pixels with
 * L2 = k, and a few operations on planes give those with k + 1.  All of it happens in
 * registers.  What comes in by the tile's faces, and when pixels there are reached, is
 * the affair of a growth: in shared memory for stacks, here; in registers for images,
 * in watershed-frame.cuh.
 */

#pragma once

#include "watershed-tile.cuh"

/* What a warp grows with, but for planes. */
struct WfGrowth
{
  guint32       *faces;      /* L2 of the pixels with slots; only ever lowered */
  const guint32 *arrivals;   /* in which round a slot's pixel is reached from outside */
  guint32       *arrived;    /* 128 words of scratch, all 0 */

  template <int N>
  __device__ uint4
  take (guint32  round,
        guint32 *next,
        int      lane) const;

  template <int N>
  __device__ void
  note (uint4   reached,
        guint32 round,
        int     lane) const
  {
    wf_each_pixel (reached, lane, [&] (int i)
      {
        guint32 *face = &faces[WfTile<N>::slot (i)];

        *face = min (*face, round);
      });
  }
};

/* The pixels that are reached from outside in @round, and the round of the next such. */
template <int N>
__device__ inline uint4
WfGrowth::take (guint32  round,
                guint32 *next,
                int      lane) const
{
  typedef WfTile<N> Tile;

  guint32  best = WF_FAR;
  uint4   *mine = (uint4 *) arrived + lane;
  uint4    result;

  *next = WF_FAR;
  if (! arrivals)
    return wf_no_bits ();
#pragma unroll 8
  for (int first = 0; first < Tile::N_SLOTS; first += 32)
    {
      const guint32 arrival = arrivals[first + lane];

      best = min (best, arrival > round ? arrival : WF_FAR);
      if (arrival == round)
        {
          const int i = Tile::pixel (first + lane);

          atomicOr (&arrived[i / 32], 1u << (i % 32));
        }
    }
  *next = wf_warp_min (best);
  __syncwarp ();
  result = *mine;
  *mine  = wf_no_bits ();
  __syncwarp ();
  return result;
}

/* Grows from @front, whose pixels have L2 = 0, over @waiting.  Returns what stays
 * unreached.  All lanes of a warp.
 */
template <int N, typename Growth>
static __device__ inline uint4
grow (const WfSlopes<N> &slopes,
      Growth            &growth,
      uint4              waiting,
      uint4              front,
      int               *too_deep,
      int                lane)
{
  const uint4 faces = wf_faces<N> (lane);
  guint32     next  = WF_FAR;
  guint32     round = 0;

  growth.template take<N> (0, &next, lane);
  while (wf_any_bit (waiting))
    {
      uint4 reached = wf_no_bits ();

      wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
        {
          reached = reached | (bits & slopes.template get<decltype (d)::value> ());
        });
      reached = reached & waiting;
      round++;
      if (! wf_any_bit (reached))
        {
          if (next == WF_FAR)
            break;
          round = next;
        }
      if (round > WF_DEEPEST)
        {
          *too_deep = 1;
          break;
        }
      if (round == next)
        reached = reached | (waiting & growth.template take<N> (round, &next, lane));

      waiting = waiting & ~reached;
      front   = reached;
      if (wf_any_bit (reached & faces))
        growth.template note<N> (reached & faces, round, lane);
    }
  __syncwarp ();
  return waiting;
}
