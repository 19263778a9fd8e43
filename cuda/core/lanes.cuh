/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The 32 lanes of a warp: their numbers, and what they compute together.  Each function
 * that is named wf_warp_… is for all lanes of a warp at once, in blocks of one dimension.
 */

#pragma once

#include <type_traits>

#include <glib.h>

#define WF_LANES     32
#define WF_ALL_LANES 0xffffffffu

/* Compute capability 8.0 and later reduce 32 bits in one instruction. */
#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WF_WARP_REDUCE(function, value) function (WF_ALL_LANES, value)
#define WF_HAS_WARP_REDUCE              true
#else
#define WF_WARP_REDUCE(function, value) (value)
#define WF_HAS_WARP_REDUCE              false
#endif

/* The number of this thread in its warp. */
__device__ __forceinline__ int
wf_lane ()
{
  return threadIdx.x % WF_LANES;
}

/* The mask of the lanes before @lane. */
__device__ __forceinline__ guint32
wf_lanes_before (int lane)
{
  return (1u << lane) - 1;
}

/* The least @value of all lanes, in all lanes; a number of any type. */
template <typename T>
__device__ __forceinline__ T
wf_warp_min (T value)
{
  if constexpr (WF_HAS_WARP_REDUCE && std::is_same<T, guint32>::value)
    value = WF_WARP_REDUCE (__reduce_min_sync, value);
  else
    {
#pragma unroll
      for (int reach = WF_LANES / 2; reach > 0; reach /= 2)
        value = min (value, __shfl_xor_sync (WF_ALL_LANES, value, reach));
    }
  return value;
}

/* The greatest. */
template <typename T>
__device__ __forceinline__ T
wf_warp_max (T value)
{
  if constexpr (WF_HAS_WARP_REDUCE && std::is_same<T, guint32>::value)
    value = WF_WARP_REDUCE (__reduce_max_sync, value);
  else
    {
#pragma unroll
      for (int reach = WF_LANES / 2; reach > 0; reach /= 2)
        value = max (value, __shfl_xor_sync (WF_ALL_LANES, value, reach));
    }
  return value;
}

/* The sum over all lanes, in all lanes. */
template <typename T>
__device__ __forceinline__ T
wf_warp_sum (T value)
{
  if constexpr (WF_HAS_WARP_REDUCE && std::is_same<T, guint32>::value)
    value = WF_WARP_REDUCE (__reduce_add_sync, value);
  else
    {
#pragma unroll
      for (int reach = WF_LANES / 2; reach > 0; reach /= 2)
        value += __shfl_xor_sync (WF_ALL_LANES, value, reach);
    }
  return value;
}

/* The bits that are set in any lane, in all lanes. */
__device__ __forceinline__ guint32
wf_warp_or (guint32 bits)
{
  if constexpr (WF_HAS_WARP_REDUCE)
    bits = WF_WARP_REDUCE (__reduce_or_sync, bits);
  else
    {
#pragma unroll
      for (int reach = WF_LANES / 2; reach > 0; reach /= 2)
        bits |= __shfl_xor_sync (WF_ALL_LANES, bits, reach);
    }
  return bits;
}

/* The bits that are set in every lane. */
__device__ __forceinline__ guint32
wf_warp_and (guint32 bits)
{
  if constexpr (WF_HAS_WARP_REDUCE)
    bits = WF_WARP_REDUCE (__reduce_and_sync, bits);
  else
    {
#pragma unroll
      for (int reach = WF_LANES / 2; reach > 0; reach /= 2)
        bits &= __shfl_xor_sync (WF_ALL_LANES, bits, reach);
    }
  return bits;
}

/* Appends to a list: returns a place for each lane where @wanted is true, in the order of
 * the lanes, and adds their number to *@count with one atomic operation.
 */
template <typename Count>
__device__ __forceinline__ Count
wf_warp_append (bool   wanted,
                Count *count)
{
  const int     lane  = wf_lane ();
  const guint32 votes = __ballot_sync (WF_ALL_LANES, wanted);
  Count         first = 0;

  if (votes != 0 && lane == 0)
    first = atomicAdd (count, (Count) __popc (votes));
  return __shfl_sync (WF_ALL_LANES, first, 0) + (Count) __popc (votes & wf_lanes_before (lane));
}
