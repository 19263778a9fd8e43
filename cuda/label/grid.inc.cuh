/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words, segments and tiles of component labelling; see label.cu. */

#pragma once

#include "cuda/core/segments.cuh"

namespace label
{

/* A word holds 32 pixels of a row, a tile TILE_WORDS words of TILE_ROWS rows; a block has a
 * tile, a thread a word.
 */
constexpr int TILE_WORDS   = 8;
constexpr int TILE_ROWS    = 32;
constexpr int TILE_THREADS = TILE_WORDS * TILE_ROWS;
constexpr int TILE_PIXELS  = TILE_WORDS * 32;

constexpr int SEGMENTS     = WF_MOST_SEGMENTS;
constexpr int SEGMENT_BITS = 4;

/**
 * Grid:
 * @words: in a row
 * @across, @down: tiles in a slice
 * @rows: of all slices
 * @row_shift: a key is row << row_shift | word of the row << 4 | segment of the word
 *
 * Keys increase in raster order.
 */
struct Grid
{
  gint64   width;
  gint64   height;
  gint64   rows;
  guint32  words;
  guint32  across;
  guint32  down;
  int      row_shift;
};

__device__ __forceinline__ guint32
key_of (const Grid &grid,
        gint64      row,
        guint32     word,
        guint32     segment)
{
  return (guint32) row << grid.row_shift | word << SEGMENT_BITS | segment;
}

/* Where a key's entry lies in the labels' memory.  The segments of a tile's row share the
 * place of its pixels: first the words' first segments, then their second ones, and so on.
 * The row has at least as many pixels as segments.
 */
__device__ __forceinline__ gint64
entry_of (const Grid &grid,
          guint32     key)
{
  const gint64  row     = key >> grid.row_shift;
  const guint32 word    = (key & ((1u << grid.row_shift) - 1)) >> SEGMENT_BITS;
  const guint32 first   = word / TILE_WORDS * TILE_WORDS;
  const guint32 n_words = min (TILE_WORDS, grid.words - first);

  return row * grid.width + first * 32 + (key & (SEGMENTS - 1)) * n_words + (word - first);
}

/**
 * Tile:
 * @first_row: of all slices
 * @n_rows: 0 for blocks beyond the last tile
 * @first: word in the row
 * @n_words: up to the end of the row
 *
 * A block's tile: blockIdx.x across, y and z down through all slices.
 */
struct Tile
{
  gint64  first_row;
  int     n_rows;
  guint32 first;
  guint32 n_words;
};

__device__ __forceinline__ Tile
tile_of_block (const Grid &grid)
{
  const guint32 band  = blockIdx.z * gridDim.y + blockIdx.y;
  const guint32 slice = grid.rows > grid.height ? band / grid.down : band >= grid.down;
  const gint64  y0    = (gint64) (band - slice * grid.down) * TILE_ROWS;
  Tile          tile;

  tile.first_row = slice * grid.height + y0;
  tile.n_rows    = tile.first_row < grid.rows
                   ? (int) min ((gint64) TILE_ROWS, grid.height - y0) : 0;
  tile.first     = blockIdx.x * TILE_WORDS;
  tile.n_words   = min (TILE_WORDS, grid.words - tile.first);
  return tile;
}

/**
 * Links:
 * @straight: pixels of a word that are connected to the pixel above, one for each
 *   pair of segments
 * @left, @right: those connected only to the pixel above and to the left, or to the right
 *
 * The row above may be any other row.
 */
struct Links
{
  guint32 straight;
  guint32 left;
  guint32 right;
};

/* @before, @after: the words on both sides; only their nearest pixel counts. */
__device__ __forceinline__ Links
links_between (guint32 word,
               guint32 word_before,
               guint32 word_after,
               guint32 above,
               guint32 above_before,
               guint32 above_after,
               bool    diagonals)
{
  Links links = { wf_segment_starts (word & above), 0, 0 };

  if (diagonals)
    {
      const guint32 free = word & ~above;

      links.left  = free & (above << 1 | above_before >> 31) & ~(word << 1 | word_before >> 31);
      links.right = free & (above >> 1 | above_after << 31) & ~(word >> 1 | word_after << 31);
    }
  return links;
}

} /* namespace label */
