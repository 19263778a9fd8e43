/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From counts to places, over more than a block. */

#pragma once

#include "block-scan.cuh"

/* One block: @counts become the sums of those before, and @sum that of all. */
static __global__ void
wf_add_counts (guint32 *counts,
               gint64   n,
               guint64 *sum)
{
  guint64 carried = 0;

  for (gint64 start = 0; start < n; start += blockDim.x)
    {
      const gint64  at     = start + threadIdx.x;
      const guint32 value  = at < n ? counts[at] : 0;
      guint32       total;
      const guint32 before = wf_block_sum_before (value, &total);

      if (at < n)
        counts[at] = (guint32) carried + before;
      carried += total;
    }
  if (threadIdx.x == 0)
    *sum = carried;
}
