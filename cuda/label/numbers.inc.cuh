/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Component labelling: the numbers of the roots, and the labels.  See label.cu. */

#pragma once

#include "cuda/core/add-counts.cuh"
#include "borders.inc.cuh"

namespace label
{

/* Words whose roots a block counts. */
constexpr int COUNT_THREADS = 256;
constexpr int COUNT_WORDS   = 1024;


/*  Numbers  */

/* Makes each tile's root point to the root of its component, and counts the roots that are
 * left.  Paths are not shortened here: every root's thread stores its component's root, which
 * a late store of an ancestor would undo.
 * Bytes a pixel: 1/16 read, 1/8 written, and 8 and more for each root of a tile.
 */
static __global__ void
__launch_bounds__ (COUNT_THREADS)
find_roots (const Grid  grid,
            gint64      n_words,
            guint32    *entries,
            guint16    *roots,
            guint16    *ranks,
            guint32    *counts)
{
  const Entries forest (grid, entries);
  const gint64  first = blockIdx.x * (gint64) COUNT_WORDS + threadIdx.x * 4;
  ushort4       four  = { 0, 0, 0, 0 };
  guint32       mine[4];
  guint32       n     = 0;
  guint32       total;
  guint32       before;

  if (first + 3 < n_words)
    four = *(const ushort4 *) (roots + first);
  else
    {
      four.x = first < n_words ? roots[first] : 0;
      four.y = first + 1 < n_words ? roots[first + 1] : 0;
      four.z = first + 2 < n_words ? roots[first + 2] : 0;
    }
  mine[0] = four.x;
  mine[1] = four.y;
  mine[2] = four.z;
  mine[3] = four.w;
  #pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const gint64 at = first + k;

      for (guint32 left = mine[k]; left; left &= left - 1)
        {
          const guint32 segment = __ffs (left) - 1;
          const guint32 key     = key_of (grid, (guint32) at / grid.words,
                                          (guint32) at % grid.words, segment);
          const guint32 root    = wf_look_up_root (forest, key);

          if (root != key)
            {
              forest.store (forest.at (key), root);
              mine[k] &= ~(1u << segment);
            }
        }
      n += __popc (mine[k]);
    }

  before = wf_block_sum_before (n, &total);
  #pragma unroll
  for (int k = 0; k < 4; k++)
    if (first + k < n_words)
      {
        roots[first + k] = mine[k];
        ranks[first + k] = before;
        before          += __popc (mine[k]);
      }
  if (threadIdx.x == 0)
    counts[blockIdx.x] = total;
}

/* @table: what replaces each number; or %NULL */
struct Numbers
{
  const guint16 *roots;
  const guint16 *ranks;
  const guint32 *counts;
  const guint32 *table;
};

/* Whether @key is of a tile's rows and words. */
__device__ __forceinline__ bool
is_in_tile (const Grid &grid,
            guint32     key,
            gint64      first_row,
            guint32     first)
{
  const gint64  row  = key >> grid.row_shift;
  const guint32 word = (key & ((1u << grid.row_shift) - 1)) >> SEGMENT_BITS;

  return row >= first_row && row < first_row + TILE_ROWS &&
         word >= first && word < first + TILE_WORDS;
}

__device__ __forceinline__ guint32
number_of (const Grid    &grid,
           const Numbers &numbers,
           guint32        root)
{
  const gint64  row  = root >> grid.row_shift;
  const guint32 word = (root & ((1u << grid.row_shift) - 1)) >> SEGMENT_BITS;
  const gint64  at   = row * grid.words + word;
  const guint32 less = numbers.roots[at] & ((1u << root % SEGMENTS) - 1);

  return numbers.counts[at / COUNT_WORDS] + numbers.ranks[at] + __popc (less) + 1;
}

/* The labels of four pixels of a word that start at @x; @names are those of its
 * segments.
 */
__device__ __forceinline__ uint4
labels_of_four (guint32        word,
                const guint32 *names,
                int            x)
{
  const guint32 four    = word >> x & 0xf;
  guint32       segment = __popc (wf_segment_starts (word) & (0xffffffffu >> (31 - x)));
  guint32       labels[4];

  if (four == 0)
    return make_uint4 (0, 0, 0, 0);
  if (four == 0xf)
    {
      const guint32 name = names[(segment - 1) * TILE_WORDS];

      return make_uint4 (name, name, name, name);
    }
  #pragma unroll
  for (int k = 0; k < 4; k++)
    {
      if (k > 0)
        segment += wf_segment_starts (word) >> (x + k) & 1;
      labels[k] = four >> k & 1 ? names[(segment - 1) * TILE_WORDS] : 0;
    }
  return make_uint4 (labels[0], labels[1], labels[2], labels[3]);
}

/* The labels of @n rows from @first on, before write_labels().
 * Bytes a pixel: 4 written, and 16 and more read.
 */
static __global__ void
write_rim (const Grid     grid,
           const guint32 *bits,
           const Numbers  numbers,
           const guint32 *entries,
           gint64         first,
           gint64         n,
           guint32       *rim)
{
  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n * grid.width;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64  row  = first + i / grid.width;
      const int     x    = (int) (i % grid.width);
      const guint32 w    = x / 32;
      const guint32 word = bits[row * grid.words + w];
      guint32       root;

      rim[i] = 0;
      if (! (word >> x % 32 & 1))
        continue;
      /* the tile's root, or if it is that itself, the component's */
      root   = entries[entry_of (grid, key_of (grid, row, w, wf_segment_at (word, x % 32)))];
      root   = entries[entry_of (grid, root)];
      rim[i] = number_of (grid, numbers, root);
    }
}

/* A block reads all entries of its tile, and then writes labels over them.
 * Bytes a pixel: 4 written, 1/8 read, and 4 to 16 for each segment; with a table 4 more.
 */
template <bool by_quads, bool by_table>
static __global__ void
__launch_bounds__ (TILE_THREADS)
write_labels (const Grid     grid,
              const guint32 *bits,
              const Numbers  numbers,
              guint32       *labels)
{
  __shared__ guint32 words[TILE_ROWS][TILE_WORDS];
  __shared__ guint32 names[TILE_ROWS][SEGMENTS][TILE_WORDS];

  const Tile  place = tile_of_block (grid);
  const int   width = (int) min ((gint64) TILE_PIXELS,
                                 grid.width - (gint64) place.first * 32);
  const int   y     = threadIdx.x / TILE_WORDS;
  const int   w     = threadIdx.x % TILE_WORDS;
  guint32    *tile  = labels + place.first_row * grid.width + (gint64) place.first * 32;

  if (y < place.n_rows && w < place.n_words)
    {
      const guint32  word    = bits[(place.first_row + y) * grid.words + place.first + w];
      const guint32  n       = __popc (wf_segment_starts (word));
      const guint32 *entries = tile + y * grid.width + w;
      guint32        last    = 0xffffffffu;
      guint32        name    = 0;

      words[y][w] = word;
      for (guint32 k = 0; k < n; k++)
        {
          guint32 root = entries[k * place.n_words];

          /* the tile's root, or if it is that itself, the component's */
          if (is_in_tile (grid, root, place.first_row, place.first))
            root = labels[entry_of (grid, root)];
          if (root != last)
            {
              name = number_of (grid, numbers, root);
              if (by_table)
                name = numbers.table[name];
            }
          last           = root;
          names[y][k][w] = name;
        }
    }
  __syncthreads ();

  if constexpr (by_quads)
    {
      const int x = threadIdx.x % (TILE_PIXELS / 4) * 4;

      if (x < width)
        for (int row = threadIdx.x / (TILE_PIXELS / 4); row < place.n_rows;
             row += TILE_THREADS / (TILE_PIXELS / 4))
          __stcs ((uint4 *) (tile + row * grid.width + x),
                  labels_of_four (words[row][x / 32], &names[row][0][x / 32], x % 32));
    }
  else
    {
      const int x = threadIdx.x;

      if (x < width)
        for (int row = 0; row < place.n_rows; row++)
          {
            const guint32 word = words[row][x / 32];

            __stcs (tile + row * grid.width + x,
                    word >> x % 32 & 1 ? names[row][wf_segment_at (word, x % 32)][x / 32] : 0);
          }
    }
}

} /* namespace label */
