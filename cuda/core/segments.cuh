/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words of 32 pixels of a row, a bit for each.  A segment is a maximal run of ones in a word;
 * a word has 16 of them at most.
 */

#pragma once

#include <glib.h>

#define WF_MOST_SEGMENTS 16

/* The first pixels of the segments. */
__device__ __forceinline__ guint32
wf_segment_starts (guint32 word)
{
  return word & ~(word << 1);
}

/* The number in its word of the segment that holds pixel @x. */
__device__ __forceinline__ int
wf_segment_at (guint32 word,
               int     x)
{
  return __popc (wf_segment_starts (word) & (0xffffffffu >> (31 - x))) - 1;
}

/* The pixels of a segment from the one with bit @start on. */
__device__ __forceinline__ guint32
wf_segment_from (guint32 word,
                 guint32 start)
{
  return word & ~(word + start);
}
