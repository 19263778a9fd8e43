/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words of 32 bits that hold one, two or four pixels as keys (cuda/core/ordered-key.cuh).
 * Erosion is then a minimum of unsigned integers for every type, several pixels an
 * instruction, and dilation the same with inverted keys.
 *
 * Rows are packed: a word may begin at any pixel, so it may lie across two words of memory.
 * Beyond the ends of a row the pixel at the end is repeated.
 */

#pragma once

#include "cuda/core/device.cuh"
#include "cuda/core/ordered-key.cuh"

namespace morphology
{

/* The order of the levels in a word: that of erosion, or that of dilation.  guint32 stands for
 * f32.
 */
template <typename Pixel>
struct Order
{
  static constexpr int per_word = 4 / sizeof (Pixel);
  static constexpr int bits     = 8 * sizeof (Pixel);

  guint32 flip;    /* 0 for erosion, all ones for dilation */

  __device__ __forceinline__ guint32
  key (guint32 word) const
  {
    if constexpr (sizeof (Pixel) == 4)
      return WfCudaKeys<guint32> { flip }.of (word);
    else
      return word ^ flip;
  }

  __device__ __forceinline__ guint32
  back (guint32 key) const
  {
    if constexpr (sizeof (Pixel) == 4)
      return WfCudaKeys<guint32> { flip }.back (key);
    else
      return key ^ flip;
  }

  static __device__ __forceinline__ guint32
  least (guint32 a,
         guint32 b)
  {
    if constexpr (sizeof (Pixel) == 1)
      return __vminu4 (a, b);
    else if constexpr (sizeof (Pixel) == 2)
      return __vminu2 (a, b);
    else
      return min (a, b);
  }

  /* The word that begins @shift bits, fewer than 32, after @low does. */
  static __device__ __forceinline__ guint32
  across (guint32  low,
          guint32  high,
          unsigned shift)
  {
    return __funnelshift_r (low, high, shift);
  }
};

/* A packed array of pixels, read and written by words that need not be aligned. */
template <typename Pixel>
struct Pixels
{
  Pixel  *data;     /* aligned as a word is */
  gint64  n;

  /* The pixels @x and after it of the row of @width pixels that begins at @row. */
  __device__ __forceinline__ guint32
  load (gint64 row,
        gint64 width,
        gint64 x) const
  {
    constexpr int  per_word = Order<Pixel>::per_word;
    const guint32 *words   = (const guint32 *) data;
    const gint64   first   = row + x;
    const gint64   word    = first / per_word;
    guint32        value   = 0;

    if (x >= 0 && x + per_word <= width && (word + 2) * per_word <= n)
      {
        const unsigned shift = (unsigned) (first % per_word) * Order<Pixel>::bits;

        return shift == 0 ? words[word]
                          : Order<Pixel>::across (words[word], words[word + 1], shift);
      }
    for (int i = 0; i < per_word; i++)
      value |= (guint32) data[row + min (max (x + i, (gint64) 0), width - 1)]
               << (i * Order<Pixel>::bits);
    return value;
  }

  /* As many of @value's pixels as lie in the row. */
  __device__ __forceinline__ void
  store (gint64  row,
         gint64  width,
         gint64  x,
         guint32 value) const
  {
    constexpr int per_word = Order<Pixel>::per_word;
    const gint64  first    = row + x;

    if (x + per_word <= width && first % per_word == 0)
      {
        ((guint32 *) data)[first / per_word] = value;
        return;
      }
    for (int i = 0; i < per_word && x + i < width; i++)
      data[first + i] = (Pixel) (value >> (i * Order<Pixel>::bits));
  }
};

}
