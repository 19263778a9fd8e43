/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over the threads before one: of its warp, and of its block.  Blocks have one dimension
 * and whole warps.
 */

#pragma once

#include "lanes.cuh"

/* The sum of @value over the lanes up to this one.  All lanes of a warp. */
template <typename T>
__device__ __forceinline__ T
wf_warp_sum_up_to (T value)
{
  const int lane = wf_lane ();

#pragma unroll
  for (int reach = 1; reach < WF_LANES; reach *= 2)
    {
      const T before = __shfl_up_sync (WF_ALL_LANES, value, reach);

      if (lane >= reach)
        value += before;
    }
  return value;
}

/* The first of @n places that each lane takes from *@counter, in the order of the lanes, with
 * one atomic operation.  All lanes of a warp.
 */
template <typename Count>
__device__ __forceinline__ Count
wf_warp_take_places (Count   *counter,
                     guint32  n)
{
  const guint32 up_to = wf_warp_sum_up_to (n);
  Count         first = 0;

  if (wf_lane () == WF_LANES - 1 && up_to != 0)
    first = atomicAdd (counter, (Count) up_to);
  return __shfl_sync (WF_ALL_LANES, first, WF_LANES - 1) + up_to - n;
}

/* The sum of @value over the threads before this one, and over the block in @total.  All
 * threads of a block.
 */
template <typename T>
__device__ __forceinline__ T
wf_block_sum_before (T  value,
                     T *total)
{
  __shared__ T sums[WF_LANES];      /* of the warps, then of those up to each */

  const int lane    = wf_lane ();
  const int warp    = threadIdx.x / WF_LANES;
  const int n_warps = blockDim.x / WF_LANES;
  const T   up_to   = wf_warp_sum_up_to (value);

  /* the call before this one may still be reading them */
  __syncthreads ();
  if (lane == WF_LANES - 1)
    sums[warp] = up_to;
  __syncthreads ();
  if (warp == 0)
    {
      const T of_warps = wf_warp_sum_up_to (lane < n_warps ? sums[lane] : (T) 0);

      if (lane < n_warps)
        sums[lane] = of_warps;
    }
  __syncthreads ();
  *total = sums[n_warps - 1];
  return up_to - value + (warp > 0 ? sums[warp - 1] : (T) 0);
}
