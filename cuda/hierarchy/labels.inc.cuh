/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether labels are 1 to some number and no pixel is 0; see hierarchy.cu.
 *
 * Each label up to the number of pixels has a bit.  The labels are without a gap if as many bits
 * are set as the highest of them says.
 *
 * Bytes: the labels, and an eighth of a byte for each pixel, twice.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "hierarchy.cuh"

namespace hierarchy
{

/**
 * LabelCount:
 * @others: whether there are pixels that are 0, or labels without a bit
 * @n: the labels that have a bit
 * @highest: of them
 */
struct LabelCount
{
  guint32 others;
  guint32 n;
  guint32 highest;
};

/* @most: the highest label that has a bit; @bits: all 0 before.  A bit that another thread has
 * set may be seen late, which costs an atomic operation that changes nothing.
 */
static __global__ void
note_labels (const guint32 *labels,
             gint64         n,
             guint32        most,
             guint32       *bits,
             LabelCount    *count)
{
  const gint64 n_full = (n + WF_LANES - 1) / WF_LANES * WF_LANES;
  bool         others = false;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n_full;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 label  = p < n ? labels[p] : 0;
      const guint32 before = __shfl_up_sync (WF_ALL_LANES, label, 1);

      if (p >= n)
        continue;
      if (label == 0 || label > most)
        others = true;
      else if ((wf_lane () == 0 || label != before) &&
               ! (__ldca (&bits[label / 32]) >> label % 32 & 1))
        atomicOr (&bits[label / 32], 1u << label % 32);
    }
  if (others)
    count->others = 1;
}

static __global__ void
add_labels (const guint32 *bits,
            gint64         n_words,
            LabelCount    *count)
{
  guint32 n       = 0;
  guint32 highest = 0;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n_words;
       i += (gint64) gridDim.x * blockDim.x)
    if (bits[i] != 0)
      {
        n      += __popc (bits[i]);
        highest = (guint32) (i * 32 + 31 - __clz (bits[i]));
      }
  n       = wf_warp_sum (n);
  highest = wf_warp_max (highest);
  if (wf_lane () == 0 && n > 0)
    {
      atomicAdd (&count->n, n);
      atomicMax (&count->highest, highest);
    }
}

} /* namespace hierarchy */
