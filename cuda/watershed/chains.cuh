/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contraction of long chains: pointer jumping along the boundary pixels (or voxels) of plateaux
 * that wind as narrow corridors through the tiles (image/chain-contraction.inc.cuh,
 * stack/chain-contraction.inc.cuh).
 *
 * Each boundary pixel on a chain has one before it, and L2 is at most that one's plus the steps
 * between them.  Pointer jumping carries L2 along a chain in a logarithmic number of rounds
 * (Wyllie's list ranking, with a minimum).  All values are lengths of real paths, so L2 never
 * becomes too small.
 *
 * Bytes a link and round: 32 read, half of them at random, and 16 written.
 */

#pragma once

#include "cuda/core/device.cuh"
#include "directions.cuh"

/**
 * WfLink:
 * @before: itself where a chain begins, and off chains
 * @steps: from @before
 * @best: L2 is at most this
 * @is_inside: @before is a boundary pixel of the same tile, and still to be crossed
 */
struct __align__ (16) WfLink
{
  guint32 before;
  guint32 steps;
  guint32 best;
  guint32 is_inside;
};

__device__ __forceinline__ guint32
wf_add_saturated (guint32 a,
                  guint32 b)
{
  return a + b < a ? WF_FAR : a + b;
}

/* Twice as far along each chain. */
static __global__ void
wf_jump_along_chains (gint64        n,
                      const WfLink *links,
                      WfLink       *result,
                      int          *changed)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    {
      WfLink link = links[s];

      if (link.before != s)
        {
          const WfLink  before = links[link.before];
          const guint32 best   = wf_add_saturated (before.best, link.steps);

          if (before.before != link.before || best < link.best)
            *changed = 1;
          link.best   = min (link.best, best);
          link.steps  = wf_add_saturated (link.steps, before.steps);
          link.before = before.before;
        }
      result[s] = link;
    }
}

/* Puts the L2 of all @n links into their @best; @links are two arrays, the first of which is
 * given, and @result is the one that has the results.
 */
static inline gboolean
wf_cuda_rank_chains (WfCuda         *cuda,
                     gint64          n,
                     WfLink *const  *links,
                     int            *changed,
                     const WfLink  **result,
                     GError        **error)
{
  const unsigned int blocks     = wf_cuda_blocks (cuda, n, 256, 8);
  int                is_changed = 1;
  int                current    = 0;

  /* A closed chain has no beginning: the bound ends it. */
  for (gint64 reach = 1; is_changed && reach < 2 * n; )
    {
      WF_CUDA_CHECK (cudaMemsetAsync (changed, 0, sizeof (int), cuda->stream));
      for (int k = 0; k < 4; k++, reach *= 2, current = 1 - current)
        {
          wf_jump_along_chains<<<blocks, 256, 0, cuda->stream>>>
            (n, links[current], links[1 - current], changed);
          WF_CUDA_CHECK_LAUNCH ();
        }
      if (! wf_cuda_read (cuda, &is_changed, changed, sizeof is_changed, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  *result = links[current];
  return TRUE;
}
