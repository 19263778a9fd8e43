/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The border of an image's tile, for the watershed on a GPU: its outermost pixels, whose values
 * a warp holds in registers, eight a lane, in the lanes that hold their bits in planes:
 *
 *   0, 1   the top row, columns lane and 32 + lane;
 *   2, 3   the bottom row;
 *   4, 5   the left column, rows 2 lane and 2 lane + 1;
 *   6, 7   the right column.
 *
 * A column's bits are in the lane's own words, and a row's take a vote, so shared memory is not
 * needed.  The corners of the tile are held twice, but have one slot each, that of the row.
 *
 * The halo, the pixels around a tile, is held in the same way; all of it is loaded at once.
 */

#pragma once

#include "tile.inc.cuh"

namespace image_flood
{

struct WfBorder
{
  guint32 at[8];
};

__device__ __forceinline__ WfBorder
wf_border_of (guint32 value)
{
  return { { value, value, value, value, value, value, value, value } };
}

/* Returns the pixels of the border for which @test (k) holds, as a plane. */
template <typename Test>
__device__ __forceinline__ uint4
wf_border_pixels (int    lane,
                  Test &&test)
{
  const guint32 top_left     = __ballot_sync (WF_ALL_LANES, test (0));
  const guint32 top_right    = __ballot_sync (WF_ALL_LANES, test (1));
  const guint32 bottom_left  = __ballot_sync (WF_ALL_LANES, test (2));
  const guint32 bottom_right = __ballot_sync (WF_ALL_LANES, test (3));

  return make_uint4 ((lane == 0 ? top_left : 0) | (guint32) test (4),
                     (lane == 0 ? top_right : 0) | (guint32) test (6) << 31,
                     (lane == 31 ? bottom_left : 0) | (guint32) test (5),
                     (lane == 31 ? bottom_right : 0) | (guint32) test (7) << 31);
}

/* Returns which of a lane's pixels of the border are in a plane: bit k for number k. */
__device__ __forceinline__ guint32
wf_border_bits (uint4 plane,
                int   lane)
{
  const guint32 top_left     = __shfl_sync (WF_ALL_LANES, plane.x, 0) >> lane & 1;
  const guint32 top_right    = __shfl_sync (WF_ALL_LANES, plane.y, 0) >> lane & 1;
  const guint32 bottom_left  = __shfl_sync (WF_ALL_LANES, plane.z, 31) >> lane & 1;
  const guint32 bottom_right = __shfl_sync (WF_ALL_LANES, plane.w, 31) >> lane & 1;

  return top_left | top_right << 1 | bottom_left << 2 | bottom_right << 3
         | (plane.x & 1) << 4 | (plane.z & 1) << 5 | (plane.y >> 31) << 6 | (plane.w >> 31) << 7;
}

/* Copies the ends of the rows to those of the columns. */
__device__ __forceinline__ void
wf_share_corners (WfBorder *border,
                  int       lane)
{
  const guint32 top_right   = __shfl_sync (WF_ALL_LANES, border->at[1], 31);
  const guint32 bottom_left = __shfl_sync (WF_ALL_LANES, border->at[2], 0);

  if (lane == 0)
    {
      border->at[4] = border->at[0];
      border->at[6] = top_right;
    }
  if (lane == 31)
    {
      border->at[5] = bottom_left;
      border->at[7] = border->at[3];
    }
}

/* Loads a column, two rows a lane.  Its ends have the slots of the rows. */
__device__ __forceinline__ void
wf_load_column (const guint32 *slots,
                int            column,
                int            top,
                int            bottom,
                int            lane,
                guint32       *values)
{
  const uint2 rows = __ldcg ((const uint2 *) (slots + column) + lane);

  values[0] = rows.x;
  values[1] = rows.y;
  if (lane == 0)
    values[0] = __ldcg (&slots[top]);
  if (lane == 31)
    values[1] = __ldcg (&slots[bottom]);
}

/* @slots: the tile's own. */
__device__ __forceinline__ WfBorder
wf_load_border (const guint32 *slots,
                int            lane)
{
  WfBorder    border;
  const uint2 left  = __ldcg ((const uint2 *) (slots + 128) + lane);
  const uint2 right = __ldcg ((const uint2 *) (slots + 192) + lane);

#pragma unroll
  for (int k = 0; k < 4; k++)
    border.at[k] = __ldcg (&slots[k * 32 + lane]);
  border.at[4] = left.x;
  border.at[5] = left.y;
  border.at[6] = right.x;
  border.at[7] = right.y;
  wf_share_corners (&border, lane);
  return border;
}

__device__ __forceinline__ int
wf_border_slot (int k,
                int lane)
{
  return k < 4 ? k * 32 + lane : 128 + (k & 2) * 32 + 2 * lane + k % 2;
}

/* L2 of the halo, WF_FAR outside the image. */
struct WfHalo
{
  guint32 above[2];
  guint32 below[2];
  guint32 left[2];
  guint32 right[2];
  guint32 corners[4];   /* above, then below; only with 8 neighbours */
};

template <int N>
__device__ __forceinline__ WfHalo
wf_load_halo (const WfTiling &tiling,
              const guint32  *border_depths,
              guint32         tile,
              int             lane)
{
  const guint32  row      = tile / tiling.across;
  const guint32  column   = tile - row * tiling.across;
  const bool     is_above = row > 0;
  const bool     is_below = row + 1 < tiling.down;
  const bool     is_left  = column > 0;
  const bool     is_right = column + 1 < tiling.across;
  const guint32 *own      = border_depths + (gint64) tile * 256;
  const guint32 *above    = own - (gint64) tiling.across * 256;
  const guint32 *below    = own + (gint64) tiling.across * 256;
  WfHalo         halo     = { { WF_FAR, WF_FAR }, { WF_FAR, WF_FAR }, { WF_FAR, WF_FAR },
                              { WF_FAR, WF_FAR }, { WF_FAR, WF_FAR, WF_FAR, WF_FAR } };

  if (is_above)
    {
      halo.above[0] = __ldcg (&above[64 + lane]);
      halo.above[1] = __ldcg (&above[96 + lane]);
    }
  if (is_below)
    {
      halo.below[0] = __ldcg (&below[lane]);
      halo.below[1] = __ldcg (&below[32 + lane]);
    }
  if (is_left)
    wf_load_column (own - 256, 192, 63, 127, lane, halo.left);
  if (is_right)
    wf_load_column (own + 256, 128, 0, 64, lane, halo.right);
  if constexpr (N == 8)
    {
      if (is_above && is_left)
        halo.corners[0] = __ldcg (&above[-256 + 127]);
      if (is_above && is_right)
        halo.corners[1] = __ldcg (&above[256 + 64]);
      if (is_below && is_left)
        halo.corners[2] = __ldcg (&below[-256 + 63]);
      if (is_below && is_right)
        halo.corners[3] = __ldcg (&below[256]);
    }
  return halo;
}

/* Finds the values at STEP (−1, 0 or 1) from both of a lane's places in a row of 64. */
template <int STEP>
__device__ __forceinline__ void
wf_row_beside (const guint32 *row,
               guint32        before,
               guint32        behind,
               int            lane,
               guint32       *result)
{
  result[0] = row[0];
  result[1] = row[1];
  if constexpr (STEP < 0)
    {
      const guint32 middle = __shfl_sync (WF_ALL_LANES, row[0], 31);

      result[0] = __shfl_up_sync (WF_ALL_LANES, row[0], 1);
      result[1] = __shfl_up_sync (WF_ALL_LANES, row[1], 1);
      if (lane == 0)
        {
          result[0] = before;
          result[1] = middle;
        }
    }
  else if constexpr (STEP > 0)
    {
      const guint32 middle = __shfl_sync (WF_ALL_LANES, row[1], 0);

      result[0] = __shfl_down_sync (WF_ALL_LANES, row[0], 1);
      result[1] = __shfl_down_sync (WF_ALL_LANES, row[1], 1);
      if (lane == 31)
        {
          result[0] = middle;
          result[1] = behind;
        }
    }
}

/* The same in a column, where a lane has two successive places. */
template <int STEP>
__device__ __forceinline__ void
wf_column_beside (const guint32 *column,
                  guint32        before,
                  guint32        behind,
                  int            lane,
                  guint32       *result)
{
  result[0] = column[0];
  result[1] = column[1];
  if constexpr (STEP < 0)
    {
      const guint32 previous = __shfl_up_sync (WF_ALL_LANES, column[1], 1);

      result[0] = lane == 0 ? before : previous;
      result[1] = column[0];
    }
  else if constexpr (STEP > 0)
    {
      const guint32 following = __shfl_down_sync (WF_ALL_LANES, column[0], 1);

      result[0] = column[1];
      result[1] = lane == 31 ? behind : following;
    }
}

/* Calls visit (k, d, is_lowest, L2) for each neighbour in the halo of each pixel of the border;
 * k and d are constants, d in raster order.
 */
template <int N, typename Visit>
__device__ __forceinline__ void
wf_each_outside (const WfHalo       &halo,
                 const WfLowest<N>  &lowest,
                 int                 lane,
                 Visit             &&visit)
{
  typedef WfDirections<N> To;

  each_direction<0, N> ([&] (auto direction)
    {
      constexpr int d  = decltype (direction)::value;
      constexpr int DX = To::dx (d);
      constexpr int DY = To::dy (d);

      const uint4 bits = lowest.template get<d> ();
      guint32     there[2];

      if constexpr (DY != 0)
        {
          constexpr int K = DY < 0 ? 0 : 2;

          const guint32 first  = DY < 0 ? __shfl_sync (WF_ALL_LANES, bits.x, 0)
                                        : __shfl_sync (WF_ALL_LANES, bits.z, 31);
          const guint32 second = DY < 0 ? __shfl_sync (WF_ALL_LANES, bits.y, 0)
                                        : __shfl_sync (WF_ALL_LANES, bits.w, 31);

          wf_row_beside<DX> (DY < 0 ? halo.above : halo.below, halo.corners[K],
                             halo.corners[K + 1], lane, there);
          visit (K, d, first >> lane & 1, there[0]);
          visit (K + 1, d, second >> lane & 1, there[1]);
        }
      if constexpr (DX != 0)
        {
          constexpr int K = DX < 0 ? 4 : 6;

          wf_column_beside<DY> (DX < 0 ? halo.left : halo.right, halo.corners[DX > 0],
                                halo.corners[2 + (DX > 0)], lane, there);
          visit (K, d, DX < 0 ? bits.x & 1 : bits.y >> 31, there[0]);
          visit (K + 1, d, DX < 0 ? bits.z & 1 : bits.w >> 31, there[1]);
        }
    });
}

/* Returns the tile that has neighbour @d of pixel @k of the border, as a place in the square of 9
 * around the tile.
 */
template <int N>
__device__ __forceinline__ int
wf_place_outside (int k,
                  int d,
                  int lane)
{
  const int dx = WfDirections<N>::dx (d);
  const int dy = WfDirections<N>::dy (d);
  const int x  = k >= 4 || (k % 2 == 0 && dx < 0 && lane == 0) ||
                 (k % 2 == 1 && dx > 0 && lane == 31) ? dx : 0;
  const int y  = k < 4 || (k % 2 == 0 && dy < 0 && lane == 0) ||
                 (k % 2 == 1 && dy > 0 && lane == 31) ? dy : 0;

  return (y + 1) * 3 + x + 1;
}

} /* namespace image_flood */
