/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bytes of 32 pixels as planes of bits and back, in one thread, for the watershed on a GPU.
 *
 * Eight words hold 32 bytes, or the eight bits of 32 pixels.  The bits of the bytes in the same
 * place of all eight words are a matrix of 8 × 8, and three steps transpose the four matrices at
 * once, with four instructions for two words (Warren, Hacker's Delight, 2nd ed., 2012, 7-3).
 */

#pragma once

#include <glib.h>

namespace image_flood
{

/* Exchanges the bits with bit STEP of their place set in the words without it, and those without
 * it in the words with it.
 */
template <int STEP>
__device__ __forceinline__ void
wf_swap_bits (guint32 (&words)[8])
{
  constexpr guint32 LOW = STEP == 4 ? 0x0f0f0f0fu : STEP == 2 ? 0x33333333u : 0x55555555u;

#pragma unroll
  for (int i = 0; i < 8; i++)
    if (! (i & STEP))
      {
        const guint32 a = words[i];
        const guint32 b = words[i + STEP];

        words[i]        = (a & LOW) | (b << STEP & ~LOW);
        words[i + STEP] = (a >> STEP & LOW) | (b & ~LOW);
      }
}

/* Bit j of byte k of word i becomes bit i of byte k of word j. */
__device__ __forceinline__ void
wf_transpose_bits (guint32 (&words)[8])
{
  wf_swap_bits<4> (words);
  wf_swap_bits<2> (words);
  wf_swap_bits<1> (words);
}

/* Bit b of byte k, in memory order, becomes bit k of word b. */
__device__ __forceinline__ void
wf_planes_of_bytes (const guint32 (&bytes)[8],
                    guint32       (&planes)[8])
{
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      const guint32 first_low   = __byte_perm (bytes[h], bytes[2 + h], 0x5140);
      const guint32 first_high  = __byte_perm (bytes[h], bytes[2 + h], 0x7362);
      const guint32 second_low  = __byte_perm (bytes[4 + h], bytes[6 + h], 0x5140);
      const guint32 second_high = __byte_perm (bytes[4 + h], bytes[6 + h], 0x7362);

      planes[4 * h]     = __byte_perm (first_low, second_low, 0x5410);
      planes[4 * h + 1] = __byte_perm (first_low, second_low, 0x7632);
      planes[4 * h + 2] = __byte_perm (first_high, second_high, 0x5410);
      planes[4 * h + 3] = __byte_perm (first_high, second_high, 0x7632);
    }
  wf_transpose_bits (planes);
}

} /* namespace image_flood */
