/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Minima of stacks, for the watershed on a GPU: roots that touch are one minimum.
 *
 * Pairs of touching roots are found in words of bits, a row of a tile at a time.  Pairs that
 * others imply are left out: of pairs side by side in two rows the first suffices, and a
 * diagonal pair is implied if one of the voxels between is a root, too.
 *
 * They are joined by union-find, inside tiles in shared memory, then over their borders.  The
 * root of a minimum is its first voxel.
 */

#pragma once

#include "cuda/core/union-find.cuh"
#include "tile.inc.cuh"

namespace stack_flood
{

/* A word of a row, and the words of the voxels to the left and to the right of its own. */
struct WfTouching
{
  guint32 own;
  guint32 left;
  guint32 right;
};

/* Of each run of pairs the first. */
__device__ __forceinline__ guint32
first_of_runs (guint32 bits)
{
  return bits & ~(bits << 1);
}

/* Calls visit (bits, dx, dy, dz) for pairs of roots: each of the bits and its neighbour
 * at (dx, dy, dz), which comes before it, or beside it in the slice before.  look (dy,
 * dz) gives the roots of a row.
 */
template <int N, typename Look, typename Visit>
__device__ __forceinline__ void
each_touching_pair (Look  &&look,
                    Visit &&visit)
{
  const WfTouching own    = look (0, 0);
  const WfTouching above  = look (-1, 0);
  const WfTouching before = look (0, -1);

  visit (own.own & own.left, -1, 0, 0);
  visit (first_of_runs (own.own & above.own), 0, -1, 0);
  visit (first_of_runs (own.own & before.own), 0, 0, -1);
  if constexpr (N == 26)
    {
#pragma unroll 1
      for (int k = 0; k < 4; k++)
        {
          const int        dy   = k == 0 ? -1 : k - 2;
          const int        dz   = k == 0 ? 0 : -1;
          const WfTouching far  = look (dy, dz);
          const guint32    left = own.own & far.left & ~far.own & ~own.left;
          const guint32    right = own.own & far.right & ~far.own & ~own.right;

          if (dy != 0 && dz != 0)
            visit (first_of_runs (own.own & far.own & ~before.own & ~look (dy, 0).own), 0, dy, dz);
          visit (left, -1, dy, dz);
          visit (right, 1, dy, dz);
        }
    }
}


/*  In a tile  */

/* Pairs to be joined, listed so that all threads share them evenly. */
struct WfPairs
{
  guint32  most;
  guint32 *n;       /* 0 before */
  guint32 *list;    /* a local number, and a place among the 27 from bit 16 on */
};

/* Lists the pairs of a word; calls join (i, dx, dy, dz) at once if the list is full. */
template <typename Join>
__device__ __forceinline__ void
list_pairs (const WfPairs &pairs,
            guint32        bits,
            int            first,
            int            dx,
            int            dy,
            int            dz,
            Join         &&join)
{
  if (bits == 0)
    return;

  const guint32 place = 13 + dx + 3 * dy + 9 * dz;
  guint32       k     = atomicAdd (pairs.n, __popc (bits));

  for (; bits != 0; bits &= bits - 1, k++)
    {
      const guint32 i = first + __ffs (bits) - 1;

      if (k < pairs.most)
        pairs.list[k] = i | place << 16;
      else
        join (i, dx, dy, dz);
    }
}

/* Joins the listed pairs.  All threads of the block. */
template <typename Join>
__device__ __forceinline__ void
join_pairs (const WfPairs &pairs,
            Join         &&join)
{
  __syncthreads ();
  for (guint32 k = threadIdx.x; k < min (*pairs.n, pairs.most); k += WF_TILE_THREADS)
    {
      const int place = pairs.list[k] >> 16;

      join (pairs.list[k] & 0xffff, place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1);
    }
  __syncthreads ();
}

/* Each root is its own end at first.  One thread a row. */
template <int N>
__device__ __forceinline__ void
join_minima_in_tile (guint16       *ends,
                     const guint32 *roots,
                     const WfPairs &pairs)
{
  const int     y     = threadIdx.x % WF_TILE_Y;
  const int     z     = threadIdx.x / WF_TILE_Y;
  const int     first = threadIdx.x * WF_TILE_X;
  const guint32 own   = roots[threadIdx.x];

  auto join = [&] (int i, int dx, int dy, int dz)
    {
      wf_join_sets (WfForest<guint16> (ends), i, i + (dz * WF_TILE_Y + dy) * WF_TILE_X + dx);
    };

  /* Runs, from the left to the right. */
  for (guint32 bits = own & own << 1; bits != 0; bits &= bits - 1)
    {
      const int i = first + __ffs (bits) - 1;

      ends[i] = ends[i - 1];
    }
  __syncthreads ();
  if (own != 0)
    each_touching_pair<N> ([&] (int dy, int dz) -> WfTouching
      {
        const bool    here = y + dy >= 0 && y + dy < WF_TILE_Y && z + dz >= 0;
        const guint32 word = here ? roots[(z + dz) * WF_TILE_Y + y + dy] : 0;

        return { word, word << 1, word >> 1 };
      },
      [&] (guint32 bits, int dx, int dy, int dz)
      {
        if (dy != 0 || dz != 0)
          list_pairs (pairs, bits, first, dx, dy, dz, join);
      });
  join_pairs (pairs, join);
}


/*  Over the tiles' borders  */

/* The ends of all tiles as sets, in the order of their voxels.  @firsts: a bit for each voxel
 * that is the first of its set.
 */
struct WfMinima : WfForest<guint32>
{
  const guint32 *voxels;
  guint32       *firsts;

  __device__ __forceinline__
  WfMinima (const WfEnds &ends,
            guint32      *bits) : WfForest<guint32> (ends.forest), voxels (ends.found),
                                  firsts (bits)
  {
  }

  __device__ __forceinline__ void
  sort (guint32 *earlier,
        guint32 *later) const
  {
    const guint32 a         = *earlier;
    const guint32 b         = *later;
    const bool    is_sorted = voxels[a] < voxels[b];

    *earlier = is_sorted ? a : b;
    *later   = is_sorted ? b : a;
  }

  __device__ __forceinline__ guint32
  link (guint32 later,
        guint32 earlier) const
  {
    const guint32 parent = atomicCAS (&parents[later], later, earlier);
    const guint32 voxel  = voxels[later];

    if (parent == later)
      atomicAnd (&firsts[voxel / 32], ~(1u << (voxel % 32)));
    return parent;
  }
};

/* Joins the roots of the tile with those of other tiles.  One thread a row. */
template <int N>
__device__ __forceinline__ void
join_minima_outside (const WfStack     &stack,
                     const WfStackTile &tile,
                     const WfEnds      &ends,
                     guint32           *firsts,
                     const WfPairs     &pairs)
{
  const guint32 y     = tile.y + threadIdx.x % WF_TILE_Y;
  const guint32 z     = tile.z + threadIdx.x / WF_TILE_Y;
  const int     first = threadIdx.x * WF_TILE_X;

  const WfMinima minima (ends, firsts);

  auto join = [&] (int i, int dx, int dy, int dz)
    {
      const guint32 x = tile.x + i % WF_TILE_X;
      const guint32 y = tile.y + i / WF_TILE_X % WF_TILE_Y;
      const guint32 z = tile.z + i / (WF_TILE_X * WF_TILE_Y);

      wf_join_sets (minima, ends.of (stack.voxel (x, y, z), tile.index),
                    ends.of (stack.voxel (x + dx, y + dy, z + dz),
                             wf_stack_tile_at (stack, x + dx, y + dy, z + dz).index));
    };

  if (wf_row_word (stack, stack.roots, tile.word, y, z) != 0)
    each_touching_pair<N> ([&] (int dy, int dz) -> WfTouching
      {
        const guint32 own   = wf_row_word (stack, stack.roots, tile.word, y + dy, z + dz);
        const guint32 left  = wf_row_word (stack, stack.roots, tile.word - 1, y + dy, z + dz);
        const guint32 right = wf_row_word (stack, stack.roots, tile.word + 1, y + dy, z + dz);

        return { own, own << 1 | left >> 31, own >> 1 | right << 31 };
      },
      [&] (guint32 bits, int dx, int dy, int dz)
      {
        const bool other = (y + dy) / WF_TILE_Y != y / WF_TILE_Y ||
                           (z + dz) / WF_TILE_Z != z / WF_TILE_Z;

        if (! other)
          bits &= dx < 0 ? 1 : dx > 0 ? 0x80000000u : 0;
        list_pairs (pairs, bits, first, dx, dy, dz, join);
      });
  join_pairs (pairs, join);
}

} /* namespace stack_flood */
