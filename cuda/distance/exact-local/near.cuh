/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Near background in images: what the search for distances alone and the search with nearest pixels
 * share.  A block has %NEAR_WIDTH columns of a band, and reads %WF_REACH more on each side.
 */

#pragma once

#include "search.cuh"

#define NEAR_WIDTH 384
#define NEAR_COLUMNS (NEAR_WIDTH + 2 * WF_REACH)
#define NEAR_THREADS 256
#define NEAR_WARPS (NEAR_THREADS / 32)

/* Tiles of a block, and columns that a thread reads. */
#define NEAR_TILES (NEAR_WIDTH / 32)
#define NEAR_OWN (NEAR_COLUMNS / NEAR_THREADS)

/* Stands for all unknown column distances.  With the 31 rows of a band added, the product of two
 * such distances is below 2^15, and their square plus that of a search's steps is below 2^16.
 */
#define UNKNOWN 149

static_assert (NEAR_COLUMNS % NEAR_THREADS == 0, "a thread has whole columns");
static_assert (NEAR_WIDTH % 128 == 0, "a pitch is a multiple of 128 words");
static_assert (UNKNOWN > WF_REACH + 1 && WF_EMPTY_BANDS * WF_BAND > WF_REACH + 1,
               "what is near is known");

namespace distance_local
{

/* @above, @below: rows from the band's first row up, and from its last row down, to the nearest
 *   background, or %UNKNOWN.
 */
typedef struct
{
  guint32 word[NEAR_OWN];
  int     above[NEAR_OWN];
  int     below[NEAR_OWN];
} OwnColumns;

/* Reads a thread's columns of the block.  Returns whether any of them has near background. */
__device__ __forceinline__ bool
read_columns (const WfColumns &columns,
              int              band,
              int              left,
              OwnColumns      &own)
{
  bool near = false;

#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    {
      const int      column  = left - WF_REACH + (int) threadIdx.x + i * NEAR_THREADS;
      const guint32 *here    = wf_column_word (columns, band, column);
      const gint64   pitch   = columns.pitch;
      const guint32  up[3]   = { here[-pitch], here[-2 * pitch], here[-3 * pitch] };
      const guint32  down[3] = { here[pitch], here[2 * pitch], here[3 * pitch] };

      own.word[i]  = here[0];
      own.above[i] = up[0] ? __clz (up[0]) + 1 : up[1] ? __clz (up[1]) + 33
                     : up[2] ? __clz (up[2]) + 65 : UNKNOWN;
      own.below[i] = down[0] ? __ffs (down[0]) : down[1] ? __ffs (down[1]) + 32
                     : down[2] ? __ffs (down[2]) + 64 : UNKNOWN;
      near        |= own.word[i] != 0 || min (own.above[i], own.below[i]) <= WF_REACH + 1;
    }
  return near;
}

/* Returns 0xffff in the lower half if bit @ROW of @bits is set, and in the upper half if that of
 * @bits >> 16 is.  PRMT copies the sign of a byte if the highest bit of its selector's digit is
 * set.
 */
template <int ROW>
__device__ __forceinline__ guint32
spread_bits (guint32 bits)
{
  guint32 spread;

  asm ("prmt.b32 %0, %1, 0, %2;"
       : "=r" (spread) : "r" (bits << (7 - ROW % 8)), "n" (ROW < 8 ? 0xaa88 : 0xbb99));
  return spread;
}

/* Writes to @found, for rows @ROW to @END − 1, the number of rows up to the nearest background; the
 * upper halves are for the rows @END further down.  @above holds these numbers for the row before.
 */
template <int ROW, int END>
__device__ __forceinline__ void
walk_down (guint32  foreground,
           guint32  above,
           guint32 *found)
{
  if constexpr (ROW < END)
    {
      found[ROW] = wf_add_min_pairs (above, 0x10001, spread_bits<ROW> (foreground));
      walk_down<ROW + 1, END> (foreground, found[ROW], found);
    }
}

/* Passes to @store (row, pair) the squared distances of the rows @row and @row + 16 to the column's
 * nearest background: exact if the distance is less than %UNKNOWN, otherwise at least the square of
 * %UNKNOWN.
 * @above, @below: rows from the first row up and from the last row down
 */
template <typename STORE>
__device__ __forceinline__ void
square_column (guint32 word,
               int     above,
               int     below,
               STORE   store)
{
  const guint32 upper     = word & 0xffff;
  const guint32 lower     = word >> 16;
  const int     above_16  = upper ? __clz (upper) - 16 : above + 15;
  const int     below_15  = lower ? __ffs (lower) - 1 : below + 15;
  guint32       found[16];
  guint32       nearest;

  walk_down<0, 16> (~word, (guint32) (above - 1) | (guint32) above_16 << 16, found);
  nearest = (guint32) below_15 | (guint32) (below - 1) << 16;
#pragma unroll
  for (int row = 15; row >= 0; row--)
    {
      guint64 square;

      nearest = wf_add_min_pairs (nearest, 0x10001, found[row]);
      /* (a + 2^16 b)² has a² in its lowest 16 bits and b² from bit 32 on; 2ab fits in between. */
      square = (guint64) nearest * nearest;
      store (row, __byte_perm ((guint32) square, (guint32) (square >> 32), 0x5410));
    }
}

/* Four floats at a time, single floats, or squares of 64 bits. */
enum WriteMode { WRITE_FOURS, WRITE_FLOATS, WRITE_SQUARES };

/* Reads four columns of a row in shared memory, or those beside them. */
struct SharedRow
{
  const uint4 *here;

  __device__ __forceinline__ Four
  read (int away) const
  {
    return make_four (here[away / 4]);
  }
};

__device__ __forceinline__ void
mark_far (const WfFarTiles &far,
          int               band,
          int               tile)
{
  const int supertile = band * far.across + tile / WF_FAR_TILES;

  if (atomicOr (far.tiles + supertile, 1u << tile % WF_FAR_TILES) == 0)
    {
      far.supertiles[atomicAdd (far.count, 1)] = supertile;
      far.bands[band] = 1;
    }
}

/* Marks all tiles of the block as far. */
__device__ __forceinline__ void
mark_all_far (const WfColumns  &columns,
              const WfFarTiles &far,
              int               band)
{
  const int tile = blockIdx.x * NEAR_TILES + threadIdx.x;

  if (threadIdx.x < NEAR_TILES && tile * 32 < columns.width)
    mark_far (far, band, tile);
}

}
