/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows inside minima, for the watershed on a GPU.
 *
 * The pixels of a minimum share one root, so inside a tile their paths must end at one pixel.  They
 * get arrows, too, found in planes of bits, a row of 64 pixels as one number.  In a run, a row of
 * adjacent pixels of a minimum, all paths lead to the first pixel that touches a pixel of a minimum
 * in the row above, and upwards there; if there is none, to the first pixel of the run, a corner,
 * where they end.  A sum finds the pixels between a pixel and the end of its run: the carry passes
 * through them.
 *
 * Most parts of minima have one corner, which is their first pixel.  Where a run touches more than
 * one run above, the others are listed as joins, and resolve_paths() joins their corners by
 * union-find.
 */

#pragma once

#include "tile.inc.cuh"

namespace image_flood
{

/* The directions in which runs touch the row above. */
template <int N>
static constexpr int N_ABOVE = N == 4 ? 1 : 3;

/* Planes of the tile's minima. */
template <int N>
struct WfMinimumArrows
{
  uint4 to[N];                  /* by direction; only above, and in the row */
  uint4 joins[N_ABOVE<N>];      /* pixels whose neighbours in these directions are to be joined */

  __device__ uint4
  all (void) const
  {
    uint4 result = wf_no_bits ();

#pragma unroll
    for (int d = 0; d < N / 2 + 1; d++)
      result = result | to[d];
    return result;
  }
};

/* Reverses a row. */
__device__ __forceinline__ guint64
wf_reverse (guint64 row)
{
  return (guint64) __brev ((guint32) row) << 32 | __brev ((guint32) (row >> 32));
}

/* The pixels of @within from each of @first, at most one in a run, to the end of its run. */
__device__ __forceinline__ guint64
wf_rest_of_runs (guint64 within,
                 guint64 first)
{
  return within & ~(within + first);
}

/* Does so for one row.  @above: the row above. */
template <int N>
__device__ __forceinline__ void
point_in_row (guint64   own,
              guint64   above,
              guint64 (&to)[N],
              guint64 (&joins)[N_ABOVE<N>])
{
  constexpr int UP    = N == 4 ? 0 : 1;
  constexpr int LEFT  = N == 4 ? 1 : 3;
  constexpr int RIGHT = LEFT + 1;

  const guint64 upright = own & above;
  guint64       touches[N_ABOVE<N>];
  guint64       all = 0;
  guint64       behind;
  guint64       first;

  /* Two runs are joined once, at the first pixel that touches; diagonally if no pixel beside both
   * joins them.
   */
  touches[UP] = upright & ~(upright << 1);
  if constexpr (N == 8)
    {
      const guint64 left  = own & above << 1 & ~(above | own << 1);
      const guint64 right = own & above >> 1 & ~(above | own >> 1);

      touches[0] = left & ~(left << 1);
      touches[2] = right & ~(right << 1);
    }
#pragma unroll
  for (int d = 0; d < N_ABOVE<N>; d++)
    all |= touches[d];
  behind = wf_rest_of_runs (own, all) | all;
  first  = behind & ~(behind << 1);

  /* One direction for each first pixel, upright if possible. */
  {
    guint64 left = first & ~touches[UP];

    to[UP]    = wf_rest_of_runs (upright, first & touches[UP]);
    joins[UP] = touches[UP] & ~first;
    if constexpr (N == 8)
      {
        to[0]    = left & touches[0];
        left    &= ~touches[0];
        to[2]    = left;
        joins[0] = touches[0] & ~to[0];
        joins[2] = touches[2] & ~to[2];
      }
  }
  /* Those before the first one go to the right, and all others to the left. */
  {
    const guint64 before = own & ~behind;

    to[RIGHT] = wf_reverse (wf_rest_of_runs (wf_reverse (before),
                                             wf_reverse (first >> 1 & before)));
    to[LEFT]  = own & own << 1 & ~to[RIGHT] & ~to[UP] & ~first;
  }
}

/* @root: pixels of minima.  Called by a whole warp. */
template <int N>
__device__ __forceinline__ void
point_in_minima (uint4               root,
                 WfMinimumArrows<N> *arrows,
                 int                 lane)
{
  const uint4 above = wf_rows_beside<-1> (root, lane);
  guint64     to[2][N];
  guint64     joins[2][N_ABOVE<N>];

  point_in_row<N> (root.x | (guint64) root.y << 32, above.x | (guint64) above.y << 32,
                   to[0], joins[0]);
  point_in_row<N> (root.z | (guint64) root.w << 32, above.z | (guint64) above.w << 32,
                   to[1], joins[1]);
#pragma unroll
  for (int d = 0; d < N / 2 + 1; d++)
    arrows->to[d] = make_uint4 ((guint32) to[0][d], (guint32) (to[0][d] >> 32),
                                (guint32) to[1][d], (guint32) (to[1][d] >> 32));
#pragma unroll
  for (int d = 0; d < N_ABOVE<N>; d++)
    arrows->joins[d] = make_uint4 ((guint32) joins[0][d], (guint32) (joins[0][d] >> 32),
                                   (guint32) joins[1][d], (guint32) (joins[1][d] >> 32));
}

} /* namespace image_flood */
