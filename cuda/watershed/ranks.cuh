/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The numbers of minima: first pixels of minima are bits of a map of the image in raster order,
 * and the number of a minimum is that of the bits up to its own, found by sums over words and
 * a scan over blocks of them.
 *
 * Bytes a pixel: 0.125 read of the map, and as much written of sums.
 */

#pragma once

#include "cuda/core/block-scan.cuh"

#define WF_BLOCK_WORDS   1024       /* of the map, for a sum */
#define WF_BLOCK_THREADS 256        /* four words each */

/* The map of first pixels, and how many lie before each four words of it. */
struct WfRanks
{
  const guint32 *bits;
  const guint32 *before;    /* in the block */
  const guint64 *blocks;    /* before the block */
};

__device__ __forceinline__ guint32
wf_rank (const WfRanks &ranks,
         gint64         bit)
{
  const gint64 word  = bit / 32;
  guint64      count = ranks.blocks[word / WF_BLOCK_WORDS] + ranks.before[word / 4];

  for (gint64 w = word & ~(gint64) 3; w < word; w++)
    count += __popc (ranks.bits[w]);
  return (guint32) count + __popc (ranks.bits[word] & ((1u << (bit % 32)) - 1)) + 1;
}

/* One block of threads a block of words: the bits before each four words, and in all. */
static __global__ void __launch_bounds__ (WF_BLOCK_THREADS)
wf_count_bits (const guint32 *bits,
               guint32       *before,
               guint64       *blocks)
{
  const gint64  four  = blockIdx.x * (gint64) WF_BLOCK_THREADS + threadIdx.x;
  const uint4   words = ((const uint4 *) bits)[four];
  const guint32 count = __popc (words.x) + __popc (words.y) + __popc (words.z) + __popc (words.w);
  guint32       total;

  before[four] = wf_block_sum_before (count, &total);
  if (threadIdx.x == 0)
    blocks[blockIdx.x] = total;
}

/* One block of threads: @blocks become the sums of those before, @total that of all. */
static __global__ void __launch_bounds__ (1024)
wf_scan_blocks (guint64 *blocks,
                gint64   n,
                guint64 *total)
{
  guint64 sum = 0;

  for (gint64 start = 0; start < n; start += blockDim.x)
    {
      const gint64  k     = start + threadIdx.x;
      const guint64 count = k < n ? blocks[k] : 0;
      guint64       all;
      const guint64 before = wf_block_sum_before (count, &all);

      if (k < n)
        blocks[k] = sum + before;
      sum += all;
    }
  if (threadIdx.x == 0)
    *total = sum;
}
