/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels as unsigned keys in the order of the pixels' levels, so that one kernel for integers
 * serves every type and both directions.
 *
 * Of an f32 the sign bit of positive numbers is set, negative ones are inverted.  −0 has the
 * key of +0, as the two are equal.
 */

#pragma once

#include <glib.h>

/* The key of a float other than −0, given its bits, and back. */
__device__ __forceinline__ guint32
wf_key_of_bits (guint32 bits)
{
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

__device__ __forceinline__ guint32
wf_bits_of_key (guint32 key)
{
  return key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
}

/* The key of a level of any type; that of a whole number is the number. */
template <typename Pixel>
__device__ __forceinline__ Pixel
wf_ordered_key (Pixel level)
{
  return level;
}

__device__ __forceinline__ guint32
wf_ordered_key (float level)
{
  return wf_key_of_bits (__float_as_uint (level + 0.0f));    /* −0 becomes +0 */
}

/* The level that has the key. */
__device__ __forceinline__ float
wf_level_of_key (guint32 key)
{
  return __uint_as_float (wf_bits_of_key (key));
}

/* Packed images as a kernel sees them; @flip is 0 for dilation.  For erosion it is all ones:
 * that is the dilation of inverted keys.  Outside the image the key is 0, which raises
 * nothing, so no pixel needs a key of its own for it.
 */
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

/* guint32 stands for f32: the bits of a float. */
template <>
struct WfCudaKeys<guint32>
{
  guint32 flip;

  __device__ __forceinline__ guint32
  of (guint32 pixel) const
  {
    return of_written (pixel == 0x80000000u ? 0 : pixel);
  }

  /* Of what back() has made of a key, any key: that of −0 stays itself. */
  __device__ __forceinline__ guint32
  of_written (guint32 pixel) const
  {
    return wf_key_of_bits (pixel) ^ flip;
  }

  __device__ __forceinline__ guint32
  back (guint32 key) const
  {
    return wf_bits_of_key (key ^ flip);
  }
};
