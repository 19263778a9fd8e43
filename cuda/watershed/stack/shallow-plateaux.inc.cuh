/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 up to WF_SHALLOW, of stacks on a GPU.
 *
 * Nearly all plateaux are narrow: their voxels are a few steps from the lower border.  So the
 * first steps are taken for the whole stack at once, one launch each, a word of 32 voxels a
 * thread: the voxels of a front, dilated by one and intersected with those that still wait, are
 * the next front.  Nothing is repeated, since a launch begins after the one before.
 * plateau-distance.inc.cuh continues from the last front.
 *
 * Bytes a voxel: 0.5 a step (0.25 read, 0.25 written), and 1.4 for the facts.
 */

#pragma once

#include "tile.inc.cuh"

namespace stack_flood
{

#define WF_SPREAD_THREADS 256

/* Fronts from L2 = 2 to WF_SHALLOW; that of L2 = 1 are the seeds. */
#define WF_N_FRONTS (WF_SHALLOW - 1)

/* Word i of the stack's words of bits. */
struct WfWordPlace
{
  guint32 i;
  guint32 word;
  guint32 y;
  guint32 z;
};

__device__ __forceinline__ WfWordPlace
word_place (const WfStack &stack,
            guint32        i)
{
  const guint32 row = i / stack.across;
  const guint32 z   = row / stack.height;

  return { i, i - row * stack.across, row - z * stack.height, z };
}

/* The voxels of the word at @place with a neighbour in @bits, and some of @bits. */
template <int N>
__device__ __forceinline__ guint32
dilate_word (const WfStack     &stack,
             const WfWordPlace &place,
             const guint32     *bits)
{
  const bool    has_left  = place.word > 0;
  const bool    has_right = place.word + 1 < stack.across;
  const guint32 slice     = stack.height * stack.across;
  guint32       near      = 0;      /* without those to the left and to the right */
  guint32       own       = 0;
  guint32       left      = 0;
  guint32       right     = 0;

#pragma unroll
  for (int dz = -1; dz <= 1; dz++)
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
      {
        if ((N == 6 && dy != 0 && dz != 0) || place.y + dy >= stack.height ||
            place.z + dz >= stack.depth)
          continue;

        const guint32 at   = place.i + dz * slice + dy * stack.across;
        const guint32 here = bits[at];

        near |= here;
        if (N == 26 || (dy == 0 && dz == 0))
          {
            own |= here;
            if (has_left)
              left |= bits[at - 1];
            if (has_right)
              right |= bits[at + 1];
          }
      }
  return near | own << 1 | own >> 1 | left >> 31 | right << 31;
}

/* The front after @front, whose voxels do not wait any more. */
template <int N>
static __global__ void __launch_bounds__ (WF_SPREAD_THREADS)
spread (WfStack        stack,
        guint32        n_words,
        const guint32 *front,
        guint32       *next)
{
  const gint64 i = blockIdx.x * (gint64) WF_SPREAD_THREADS + threadIdx.x;

  if (i >= n_words)
    return;

  const guint32     waiting = stack.waiting[i] & ~front[i];
  const WfWordPlace place   = word_place (stack, i);
  const guint32     reached = waiting != 0 ? waiting & dilate_word<N> (stack, place, front) : 0;

  stack.waiting[i] = waiting;
  next[i]          = reached;
}

/* Facts from the seeds and the fronts after them.  The front after the last is the seeds of the
 * deeper voxels.
 */
template <int N>
static __global__ void __launch_bounds__ (WF_SPREAD_THREADS)
gather_facts (WfStack        stack,
              guint32        n_words,
              const guint32 *fronts)
{
  static_assert (WF_SHALLOW == 6, "three bits");

  const gint64   i    = blockIdx.x * (gint64) WF_SPREAD_THREADS + threadIdx.x;
  const guint32 *last = fronts + (WF_N_FRONTS - 1) * (gint64) n_words;

  if (i >= n_words)
    return;

  const guint32     waiting = stack.waiting[i] & ~last[i];
  const WfWordPlace place   = word_place (stack, i);
  guint32           at[WF_DEEP];        /* 0: L2 = 1 */

  at[0] = stack.seeds[i];
#pragma unroll
  for (int k = 1; k < WF_SHALLOW; k++)
    at[k] = fronts[(k - 1) * (gint64) n_words + i];
  at[WF_SHALLOW] = waiting;
  stack.facts[i] = make_uint4 (at[0] | at[2] | at[4] | at[6], at[1] | at[2] | at[5] | at[6],
                               at[3] | at[4] | at[5] | at[6], 0);
  stack.waiting[i] = waiting;
  stack.seeds[i]   = waiting != 0 ? waiting & dilate_word<N> (stack, place, last) : 0;
}

} /* namespace stack_flood */
