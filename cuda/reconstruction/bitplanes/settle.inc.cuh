/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes: the sets of all tiles, and the end of a round.  See
 * bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"

namespace bitplanes
{


/*  Sets  */

/* The parents of roots of tiles: all threads' reads pass the first-level cache. */
struct Sets : WfOrderedNodes
{
  guint32 *parents;

  __device__ __forceinline__ explicit
  Sets (const Bitplanes &planes)
  {
    parents = planes.parents;
  }

  static __device__ __forceinline__ guint32
  at (guint32 node)
  {
    return node;
  }

  __device__ __forceinline__ guint32
  load (guint32 node) const
  {
    return node ? __ldcg (&parents[node - 1]) : 0;
  }

  __device__ __forceinline__ void
  store (guint32 node,
         guint32 ancestor) const
  {
    __stcg (&parents[node - 1], ancestor);
  }

  __device__ __forceinline__ guint32
  link (guint32 later,
        guint32 earlier) const
  {
    return atomicMin (&parents[later - 1], earlier);
  }
};


/*  The end of a round  */

/* Whether the set of a tile's root is raised.  Sets are not joined any more, so the root may
 * replace a parent, which shortens other paths.
 */
__device__ __forceinline__ bool
is_raised (const Bitplanes &planes,
           guint32          node)
{
  const Sets sets (planes);
  guint32    root = sets.load (node);
  bool       far  = false;

  while (root)
    {
      const guint32 above = sets.load (root);

      if (above == root)
        break;
      root = above;
      far  = true;
    }
  if (far)
    sets.store (node, root);
  return root == 0;
}

/* Segments whose roots a thread reads at once. */
constexpr int AT_ONCE = 4;

/**
 * TileRoots:
 * @flags: of each segment, whether it is a root that is raised
 * @places: the roots, in any order
 */
struct TileRoots
{
  guint32 flags[THREADS * SEGMENTS / 32];
  guint32 n;
  guint16 places[THREADS * SEGMENTS];
};

/* The places of the roots of a word's next segments, only of those of @live. */
__device__ __forceinline__ void
read_roots (const Bitplanes &planes,
            guint32          first,
            int              segment,
            guint32          starts,
            guint32          live,
            guint32          roots[AT_ONCE])
{
#pragma unroll
  for (int i = 0; i < AT_ONCE; i++, starts &= starts - 1)
    roots[i] = starts & -starts & live
               ? planes.roots[first + (segment + i) * THREADS + threadIdx.x] : 0;
}

/* The raised segments of a word, found by the roots of the tile, which the threads share evenly.
 * What memory delivers last is read first.  All threads.
 */
__device__ __forceinline__ guint32
raised_segments (const Bitplanes &planes,
                 TileRoots       &roots,
                 guint32          open,
                 guint32          live,
                 guint32          tops)
{
  const guint32 first = blockIdx.x * (THREADS * SEGMENTS);
  guint32       left  = wf_segment_starts (open);
  guint32       found = 0;
  bool          any   = false;
  guint32       place;
  guint32       root[AT_ONCE];

  read_roots (planes, first, 0, left, live, root);
  place = wf_warp_take_places (&roots.n, __popc (tops));
  for (; tops; tops &= tops - 1)
    roots.places[place++] = (guint16) ((__ffs (tops) - 1) * THREADS + threadIdx.x);
  __syncthreads ();
  for (guint32 i = threadIdx.x; i < roots.n; i += THREADS)
    {
      const guint32 own = roots.places[i];

      if (is_raised (planes, first + own + 1))
        {
          atomicOr (&roots.flags[own / 32], 1u << own % 32);
          any = true;
        }
    }
  if (! __syncthreads_or (any))
    return 0;

  for (int k = 0; left; k += AT_ONCE)
    {
      if (k)
        read_roots (planes, first, k, left, live, root);
#pragma unroll
      for (int i = 0; i < AT_ONCE; i++, left &= left - 1)
        if (roots.flags[root[i] / 32] >> root[i] % 32 & 1)
          found |= left & -left & live;
    }
  return wf_segment_from (open, found);
}

/**
 * Settled:
 * @bits: B
 * @free, @passed: the planes of the next bit
 *
 * A word of a bit that has been settled.
 */
struct Settled
{
  guint32 bits;
  guint32 free;
  guint32 passed;
};

/* The word of each thread; all threads of the block. */
__device__ __forceinline__ Settled
settle_tile (const Bitplanes &planes,
             TileRoots       &roots)
{
  const guint32 p      = blockIdx.x * THREADS + threadIdx.x;
  const bool    first  = planes.n_before == 0;
  const guint32 raised = planes.raised[p];
  const guint32 open   = planes.open[p];
  const guint32 tops   = planes.tops[p];
  const guint32 mask   = planes.mask[p];
  const guint32 value  = planes.value[p];
  const guint32 free   = first ? 0 : planes.free[p];
  const guint32 passed = first ? 0 : planes.passed[p];
  Settled       found  = { raised, free, passed };

  for (int i = threadIdx.x; i < THREADS * SEGMENTS / 32; i += THREADS)
    roots.flags[i] = 0;
  if (threadIdx.x == 0)
    roots.n = 0;
  if (__syncthreads_or (open & ~raised))
    found.bits |= raised_segments (planes, roots, open, open & ~raised, tops);
  found.free   |= mask & ~found.bits;
  found.passed |= found.bits & ~value;
  if (first || found.free != free)
    planes.free[p] = found.free;
  if (first || found.passed != passed)
    planes.passed[p] = found.passed;
  planes.value[p] = found.bits;
  return found;
}

} /* namespace bitplanes */
