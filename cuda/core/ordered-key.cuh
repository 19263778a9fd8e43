/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels as unsigned keys, so that one kernel for integers serves every type and both
 * directions.
 *
 * An f32's key has the order of the floats: the sign bit of positive numbers is set,
 * negative ones are inverted; −0 gets +0's key.  Reconstruction by erosion is the one
 * by dilation of inverted keys.  No key of a pixel is needed for what lies outside the
 * image: there it is 0, which raises nothing.
 */

#pragma once

#include <cstdint>

/* Images as a kernel sees them, packed; @flip is 0, or all ones for erosion. */
template <typename Pixel>
struct WfCudaKeys
{
  Pixel flip;

  __device__ __forceinline__ Pixel
  of (Pixel pixel) const
  {
    return pixel ^ flip;
  }

  __device__ __forceinline__ Pixel
  of_written (Pixel pixel) const
  {
    return pixel ^ flip;
  }

  __device__ __forceinline__ Pixel
  back (Pixel key) const
  {
    return key ^ flip;
  }
};

/* uint32_t stands for f32: the bits of a float. */
template <>
struct WfCudaKeys<uint32_t>
{
  uint32_t flip;

  __device__ __forceinline__ uint32_t
  of (uint32_t pixel) const
  {
    return of_written (pixel == 0x80000000u ? 0 : pixel);
  }

  /* Of what back() has made of a key, any key: that of −0 stays itself. */
  __device__ __forceinline__ uint32_t
  of_written (uint32_t pixel) const
  {
    return pixel ^ ((pixel >> 31 ? 0xffffffffu : 0x80000000u) ^ flip);
  }

  __device__ __forceinline__ uint32_t
  back (uint32_t key) const
  {
    key ^= flip;
    return key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
  }
};
