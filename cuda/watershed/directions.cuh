/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The neighbours of a pixel or voxel, in raster order as in engine/core/grid.h, for the floods
 * of images and stacks.
 */

#pragma once

#include <type_traits>

#include <glib.h>

/* L2 of what is not reached. */
#define WF_FAR 0xffffffffu

template <int N>
struct WfDirections
{
  static constexpr bool STACK = N == 6 || N == 26;
  static constexpr int  BITS  = N == 4 ? 2 : N == 26 ? 5 : 3;

  /* The number in the cube of 27, or the square of 9. */
  static constexpr __host__ __device__ int
  place (int d)
  {
    return N == 8 ? (d < 4 ? d : d + 1)
         : N == 26 ? (d < 13 ? d : d + 1)
         : N == 4 ? 2 * d + 1
         : d < 1 ? 4 : d < 2 ? 10 : d < 3 ? 12 : d < 4 ? 14 : d < 5 ? 16 : 22;
  }

  static constexpr __host__ __device__ int dx (int d) { return place (d) % 3 - 1; }
  static constexpr __host__ __device__ int dy (int d) { return place (d) / 3 % 3 - 1; }
  static constexpr __host__ __device__ int dz (int d) { return STACK ? place (d) / 9 - 1 : 0; }
};

/* Calls visit (d), a constant, for each direction from D up to END. */
template <int D, int END, typename Visit>
__device__ __forceinline__ void
each_direction (Visit &&visit)
{
  if constexpr (D < END)
    {
      visit (std::integral_constant<int, D> ());
      each_direction<D + 1, END> (visit);
    }
}
