/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Component labelling inside tiles: the image becomes bits, and the segments of a tile
 * are joined in shared memory.  See label.cu.
 */

#pragma once

#include "cuda/core/union-find.cuh"
#include "grid.inc.cuh"

namespace label
{

/*  Foreground  */

/**
 * Threshold:
 * @whole: whole numbers are foreground above it, -1 at least
 * @real: real ones above this, unless @nonzero
 * @addend, @either: for four bytes at once: with @addend added, the lower 7 bits of a
 *   byte reach the eighth if they are at least as large as those of @whole + 1; that
 *   bit and the byte's own must both be set, or, if all bits of @either are, one of
 *   them
 */
struct Threshold
{
  int     whole;
  float   real;
  bool    nonzero;
  guint32 addend;
  guint32 either;
};

__device__ __forceinline__ bool
is_foreground (guint8 value, const Threshold &threshold)
{
  return value > threshold.whole;
}

__device__ __forceinline__ bool
is_foreground (guint16 value, const Threshold &threshold)
{
  return value > threshold.whole;
}

__device__ __forceinline__ bool
is_foreground (float value, const Threshold &threshold)
{
  return threshold.nonzero ? value != 0.0f : value > threshold.real;
}

/* Bit i: whether byte i of @bytes is foreground.  The product moves the top bits of the bytes
 * into the upper four bits, without carries.
 */
__device__ __forceinline__ guint32
bits_of_bytes (guint32          bytes,
               const Threshold &threshold)
{
  const guint32 sums = (bytes & 0x7f7f7f7fu) + threshold.addend;
  const guint32 tops = (sums & bytes) | ((sums | bytes) & threshold.either);

  return ((tops & 0x80808080u) * 0x00204081u) >> 28;
}

__device__ __forceinline__ guint32
bits_of_sixteen (uint4            bytes,
                 const Threshold &threshold)
{
  return bits_of_bytes (bytes.x, threshold)      | bits_of_bytes (bytes.y, threshold) << 4 |
         bits_of_bytes (bytes.z, threshold) << 8 | bits_of_bytes (bytes.w, threshold) << 12;
}

/* A warp reads 32 words, that is 4 rows of a tile, by votes, so that neighbouring lanes read
 * neighbouring pixels; returns the lane's own word.
 */
template <typename T>
__device__ __forceinline__ guint32
vote_word (const T *__restrict__  image,
           const Grid       &grid,
           gint64                 first_row,
           int                    n_rows,
           gint64                 x0,
           const Threshold  &threshold)
{
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  guint32   mine = 0;

  #pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const int    y     = warp * (32 / TILE_WORDS) + k / TILE_WORDS;
      const gint64 x     = x0 + k % TILE_WORDS * 32 + lane;
      const bool   here  = y < n_rows && x < grid.width;
      const bool   above = here && is_foreground (image[(first_row + y) * grid.width + x],
                                                  threshold);
      const guint32 word = __ballot_sync (WF_ALL_LANES, above);

      if (lane == k)
        mine = word;
    }
  return mine;
}

/* Rows of bytes that start on 16 bytes: two loads a word. */
__device__ __forceinline__ guint32
load_word (const guint8 *__restrict__  image,
           const Grid            &grid,
           gint64                      row,
           gint64                      x,
           const Threshold       &threshold)
{
  const uint4 *quads = (const uint4 *) (image + row * grid.width + x);
  uint4        second = {};
  guint32      word;

  if (x + 16 < grid.width)
    second = __ldcs (quads + 1);
  word = bits_of_sixteen (__ldcs (quads), threshold);
  if (x + 16 < grid.width)
    word |= bits_of_sixteen (second, threshold) << 16;
  return word;
}


/*  Inside tiles  */

/* Nodes are numbered in raster order, with gaps that put the rows and the words of a tile into
 * different banks of shared memory.
 */
constexpr guint32 NODES_A_WORD = SEGMENTS + 1;
constexpr guint32 NODES_A_ROW  = TILE_WORDS * NODES_A_WORD + 1;

struct TileWords
{
  guint32 words[TILE_ROWS][TILE_WORDS + 1];   /* one more: a column is in 32 banks */
  guint32 parents[TILE_ROWS * NODES_A_ROW];
};

__device__ __forceinline__ guint32
tile_node (int     y,
           int     w,
           guint32 segment)
{
  return y * NODES_A_ROW + w * NODES_A_WORD + segment;
}

__device__ __forceinline__ guint32
key_of_node (const Grid &grid,
             const Tile &place,
             guint32     node)
{
  const guint32 y       = node / NODES_A_ROW;
  const guint32 w       = node % NODES_A_ROW / NODES_A_WORD;
  const guint32 segment = node % NODES_A_ROW % NODES_A_WORD;

  return key_of (grid, place.first_row + y, place.first + w, segment);
}

/* Words beyond the tile count as background: those links are the borders'. */
__device__ __forceinline__ guint32
tile_word (const TileWords &tile,
           int              y,
           int              w)
{
  return y >= 0 && w >= 0 && w < TILE_WORDS ? tile.words[y][w] : 0;
}

__device__ __forceinline__ void
join_tile_above (TileWords &tile,
                 int        y,
                 int        w,
                 guint32    links,
                 int        dx)
{
  const guint32 word = tile.words[y][w];

  while (links)
    {
      const int x     = __ffs (links) - 1;
      const int there = w * 32 + x + dx;

      links &= links - 1;
      wf_join_sets (WfForest<guint32> (tile.parents), tile_node (y, w, wf_segment_at (word, x)),
                    tile_node (y - 1, there / 32,
                               wf_segment_at (tile.words[y - 1][there / 32], there % 32)));
    }
}

/* The parent of each segment is at first the first one that it touches in the word above, so
 * that little is left to be joined.  Returns the links used for that.
 */
__device__ __forceinline__ guint32
plant_tile_word (TileWords &tile,
                 int        y,
                 int        w)
{
  const guint32 word  = tile.words[y][w];
  const guint32 above = tile_word (tile, y - 1, w);
  guint32       used  = 0;
  guint32       node  = tile_node (y, w, 0);

  for (guint32 left = wf_segment_starts (word); left; left &= left - 1)
    {
      const guint32 start   = left & -left;
      const guint32 touched = wf_segment_from (word, start) & above & -start;
      guint32       parent  = node;

      if (touched)
        {
          const int x = __ffs (touched) - 1;

          parent = tile_node (y - 1, w, wf_segment_at (above, x));
          used  |= 1u << x;
        }
      tile.parents[node++] = parent;
    }
  return used;
}

/* The links of one word to words before it, except those @used. */
__device__ __forceinline__ void
join_tile_word (TileWords &tile,
                int        y,
                int        w,
                guint32    used,
                bool       diagonals)
{
  const guint32 word         = tile.words[y][w];
  const guint32 before       = tile_word (tile, y, w - 1);
  const guint32 above        = tile_word (tile, y - 1, w);
  const guint32 above_before = tile_word (tile, y - 1, w - 1);
  const Links   links        = links_between (word, before, tile_word (tile, y, w + 1), above,
                                              above_before, tile_word (tile, y - 1, w + 1),
                                              diagonals);

  /* not where the row above has the same link */
  if ((word & 1) && before >> 31 && ! ((above & 1) && above_before >> 31))
    wf_join_sets (WfForest<guint32> (tile.parents), tile_node (y, w, 0),
                  tile_node (y, w - 1, wf_segment_at (before, 31)));
  join_tile_above (tile, y, w, links.straight & ~used, 0);
  join_tile_above (tile, y, w, links.left, -1);
  join_tile_above (tile, y, w, links.right, 1);
}

/* Reads the image once: its bits, the segments joined within tiles (each points to
 * its root), and which segments are roots.
 * Bytes a pixel: the image's own read, 3/16 written, and 4 for each segment.
 */
template <typename T, bool by_quads>
static __global__ void
__launch_bounds__ (TILE_THREADS)
join_tile_segments (const T *__restrict__  image,
                    const Grid        grid,
                    const Threshold   threshold,
                    bool                   diagonals,
                    guint32               *bits,
                    guint16               *roots,
                    guint32               *entries)
{
  __shared__ TileWords tile;

  const Tile   place   = tile_of_block (grid);
  const int    y       = threadIdx.x / TILE_WORDS;      /* rows of words for memory */
  const int    w       = threadIdx.x % TILE_WORDS;
  const int    warp    = threadIdx.x / 32;              /* columns for joining */
  const int    lane    = threadIdx.x % 32;
  const gint64 row     = place.first_row + y;
  const gint64 own     = row * grid.width + place.first * 32 + w;
  const bool   here    = y < place.n_rows && w < place.n_words;
  guint32      word    = 0;
  guint32      used;
  guint16      is_root = 0;

  if constexpr (by_quads)
    {
      if (here)
        word = load_word (image, grid, row, (gint64) (place.first + w) * 32, threshold);
    }
  else
    word = vote_word (image, grid, place.first_row, place.n_rows, (gint64) place.first * 32,
                      threshold);

  tile.words[y][w] = word;
  __syncthreads ();
  used = plant_tile_word (tile, lane, warp);
  __syncwarp ();
  wf_shorten_paths (tile.parents, tile_node (lane, warp, 0), 1,
                    __popc (wf_segment_starts (tile.words[lane][warp])), 5);
  __syncthreads ();
  join_tile_word (tile, lane, warp, used, diagonals);
  __syncthreads ();
  if (! here)
    return;

  const guint32 n = __popc (wf_segment_starts (word));

  for (guint32 k = 0; k < n; k++)
    {
      const guint32 node = tile_node (y, w, k);
      const guint32 root = wf_find_root (WfForest<guint32> (tile.parents), node);

      is_root |= (root == node) << k;
      entries[own + k * place.n_words] = key_of_node (grid, place, root);
    }
  bits[row * grid.words + place.first + w]  = word;
  roots[row * grid.words + place.first + w] = is_root;
}

} /* namespace label */
