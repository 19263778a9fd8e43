/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Component labelling across the borders of tiles and slices; see label.cu. */

#pragma once

#include "cuda/core/union-find.cuh"
#include "grid.inc.cuh"

namespace label
{

/*  Trees in global memory  */

/* Of keys, each with its entry. */
struct Entries : WfOrderedNodes
{
  const Grid &grid;
  guint32    *entries;

  __device__ __forceinline__
  Entries (const Grid &of,
           guint32         *memory) : grid (of), entries (memory)
  {
  }

  __device__ __forceinline__ gint64
  at (guint32 key) const
  {
    return entry_of (grid, key);
  }

  __device__ __forceinline__ guint32
  load (gint64 at) const
  {
    return __ldcg (&entries[at]);
  }

  __device__ __forceinline__ void
  store (gint64  at,
         guint32 ancestor) const
  {
    __stcg (&entries[at], ancestor);
  }

  __device__ __forceinline__ guint32
  link (guint32 later,
        guint32 earlier) const
  {
    return atomicMin (&entries[at (later)], earlier);
  }
};

/*  Borders  */

__device__ __forceinline__ guint32
word_at (const Grid    &grid,
         const guint32 *bits,
         gint64         row,
         gint64         w)
{
  return w >= 0 && w < grid.words ? bits[row * grid.words + w] : 0;
}

/* Joins segments of a word to those of row @other at @dx.  What is joined are their parents:
 * a segment points to its tile's root, or if it is that root, to a node above it, so that
 * only the entries of tiles' roots change.
 */
__device__ __forceinline__ void
join_rows (const Grid    &grid,
           const guint32 *bits,
           guint32       *entries,
           gint64         row,
           guint32        w,
           gint64         other,
           guint32        links,
           int            dx)
{
  const Entries forest (grid, entries);
  const guint32 word = bits[row * grid.words + w];

  while (links)
    {
      const int     x     = __ffs (links) - 1;
      const gint64  there = (gint64) w * 32 + x + dx;
      const guint32 beyond = bits[other * grid.words + there / 32];

      links &= links - 1;
      wf_join_sets (forest,
                    forest.load (forest.at (key_of (grid, row, w, wf_segment_at (word, x)))),
                    forest.load (forest.at (key_of (grid, other, there / 32,
                                                    wf_segment_at (beyond, there % 32)))));
    }
}

/* Between tiles one above the other: a thread for each word of the lower tiles' first
 * rows.
 */
static __global__ void
join_tile_rows (const Grid     grid,
                const guint32 *bits,
                bool           diagonals,
                guint32       *entries)
{
  const gint64 n_borders = (gint64) (grid.down - 1) * (grid.rows / grid.height);
  const gint64 n         = n_borders * grid.words;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64  border = i / grid.words;
      const guint32 w      = i % grid.words;
      const gint64  slice  = border / (grid.down - 1);
      const gint64  y      = (border % (grid.down - 1) + 1) * TILE_ROWS;
      const gint64  row    = slice * grid.height + y;
      const guint32 word   = word_at (grid, bits, row, w);
      const guint32 before = word_at (grid, bits, row, (gint64) w - 1);
      const guint32 above  = word_at (grid, bits, row - 1, w);
      const guint32 above_before = word_at (grid, bits, row - 1, (gint64) w - 1);
      Links         links;

      links = links_between (word, before, word_at (grid, bits, row, w + 1), above, above_before,
                             word_at (grid, bits, row - 1, w + 1), diagonals);
      /* the same two rows are linked just before this word */
      if (before >> 31 && above_before >> 31)
        links.straight &= ~1u;
      join_rows (grid, bits, entries, row, w, row - 1, links.straight, 0);
      join_rows (grid, bits, entries, row, w, row - 1, links.left, -1);
      join_rows (grid, bits, entries, row, w, row - 1, links.right, 1);
    }
}

/* Between tiles side by side: a thread for each row of the right-hand tiles. */
static __global__ void
join_tile_columns (const Grid     grid,
                   const guint32 *bits,
                   bool           diagonals,
                   guint32       *entries)
{
  const gint64 n = (gint64) (grid.across - 1) * grid.rows;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64  row    = i / (grid.across - 1);
      const guint32 w      = (i % (grid.across - 1) + 1) * TILE_WORDS;
      const guint32 word   = word_at (grid, bits, row, w);
      const guint32 before = word_at (grid, bits, row, w - 1);
      const bool    first  = row % grid.height % TILE_ROWS == 0;
      guint32       above        = 0;
      guint32       above_before = 0;

      if (! first)
        {
          above        = word_at (grid, bits, row - 1, w);
          above_before = word_at (grid, bits, row - 1, w - 1);
        }
      if ((word & 1) && before >> 31)
        {
          if (! ((above & 1) && above_before >> 31))
            join_rows (grid, bits, entries, row, w, row, 1, -1);
        }
      else if (diagonals && (word & 1) && above_before >> 31 && ! (above & 1))
        join_rows (grid, bits, entries, row, w, row - 1, 1, -1);
      else if (diagonals && before >> 31 && (above & 1) && ! (above_before >> 31))
        join_rows (grid, bits, entries, row, w - 1, row - 1, 1u << 31, 1);
    }
}

/* Links of a word to the same row of the slice before: one for each pair of segments, but
 * none that the rows above in the same tiles already have.
 */
__device__ __forceinline__ guint32
links_to_slice (const Grid    &grid,
                const guint32 *bits,
                gint64         row,
                guint32        w,
                guint32        word,
                guint32        below)
{
  const guint32 both  = word & below;
  guint32       links = wf_segment_starts (both);
  guint32       known;

  if (! links || row % grid.height % TILE_ROWS == 0)
    return links;

  known = both & word_at (grid, bits, row - 1, w)
          & word_at (grid, bits, row - 1 - grid.height, w);
  for (guint32 left = links; left; left &= left - 1)
    {
      const guint32 start = left & -left;
      const guint32 run   = both & ~(both + start) & -start;

      if (run & known)
        links &= ~start;
    }
  return links;
}

/* Between slices: a thread for each word of all slices but the first.  Neighbours by an edge
 * or a corner are joined only where no path over neighbours by faces joins them.
 */
static __global__ void
join_slices (const Grid     grid,
             const guint32 *bits,
             bool           diagonals,
             guint32       *entries)
{
  const gint64 n = (grid.rows - grid.height) * grid.words;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64  row   = i / grid.words + grid.height;
      const guint32 w     = i % grid.words;
      const gint64  other = row - grid.height;
      const gint64  y     = row % grid.height;
      const guint32 word  = word_at (grid, bits, row, w);
      const guint32 below = word_at (grid, bits, other, w);
      guint32       before;
      guint32       after;

      if (! word)
        continue;
      join_rows (grid, bits, entries, row, w, other,
                 links_to_slice (grid, bits, row, w, word, below), 0);
      if (! diagonals)
        continue;

      before = word_at (grid, bits, row, (gint64) w - 1);
      after  = word_at (grid, bits, row, w + 1);
      for (int dy = -1; dy <= 1; dy++)
        if (y + dy >= 0 && y + dy < grid.height)
          {
            Links links = links_between (word, before, after,
                                         word_at (grid, bits, other + dy, w),
                                         word_at (grid, bits, other + dy, (gint64) w - 1),
                                         word_at (grid, bits, other + dy, w + 1), true);

            if (dy != 0)
              join_rows (grid, bits, entries, row, w, other + dy,
                         wf_segment_starts (word & word_at (grid, bits, other + dy, w) & ~below),
                         0);
            join_rows (grid, bits, entries, row, w, other + dy, links.left, -1);
            join_rows (grid, bits, entries, row, w, other + dy, links.right, 1);
          }
    }
}

} /* namespace label */
