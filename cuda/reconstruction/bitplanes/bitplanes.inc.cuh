/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes, for images with very long corridors.
 *
 * R(p) ≥ t exactly if p's component of {mask ≥ t} has a pixel that is known to reach t.  So the
 * bits of R are found one after the other, from the highest down, by connected components, and
 * the number of passes does not depend on the image.  (The threshold decomposition of Vincent
 * 1993, section 3, as a binary search in all pixels at once.)
 *
 * Let v be what is known, marker ≤ v ≤ R.  The bits of R above bit b are a pixel's class
 * c.  A pixel is active if its mask reaches c | b.  Then
 *
 *   - active neighbours of one class either both reach their c | b or both do not;
 *   - an active pixel beside one of a higher class reaches it, and so does one whose v is of
 *     its class and has the bit;
 *   - other pairs of pixels do not matter.
 *
 * The pixels that reach it by the second rule are raised; the other active pixels are open.
 * Open neighbours are always of one class, or one of them would be beside a higher one.  So the
 * open pixels are a binary image, and its components that touch a raised pixel of their class
 * are wanted.
 *
 * Mask and v become planes of bits, 32 pixels of a row in a word.  Classes are kept as planes,
 * too, which each bit that is found changes in a simple way:
 *
 *   equal    for each pair of neighbours, at the later one: of one class
 *   bounded  beside a higher class; then R = mask
 *   free     the mask is of a higher class, so that the pixel is active at every bit
 *   passed   the class is higher than that of v, which has no effect any more
 *
 * With M, V and B for a bit of mask, v and R:
 *
 *   active = free | M           raised = active & (bounded | (V & ~passed))
 *   free  |= M & ~B             passed |= B & ~V
 *
 * and equal neighbours that differ in B are not equal any more; the lower one is bounded.
 *
 * A round for one bit:
 *
 *   label_tiles    divides neighbours by the bit before; then joins the segments of open
 *                  pixels in the tile, in shared memory (tiles.inc.cuh)
 *   join_tiles     both for neighbours in different tiles (borders.inc.cuh)
 *   settle_tile    the bit, and the planes of single pixels (settle.inc.cuh)
 *
 * One kernel settles a bit and labels the next one, so that the planes of a tile are read once for
 * both; one settles the last bit and makes pixels of the planes.
 *
 * Segments are joined by union-find (cuda/core/union-find.cuh); the node 0 stands for all that
 * is raised.  The numbers of links of words differ widely, so links are listed first and then
 * shared evenly by the threads of a block or a warp.
 *
 * Bytes a pixel: mask and v are read once for each eight bits and become 2 bytes of planes
 * (planes.inc.cuh), from which v is made again.  A round moves 19 to 28 planes with 8
 * neighbours, that is 2.4 to 3.5 bytes, and up to 3 more of roots and parents where much is
 * open.  The instructions that join segments, not memory, bound the time.  Device memory: 8.4
 * bytes a pixel with 8 neighbours, 9.5 with 26.
 */

#pragma once

#include "cuda/core/block-scan.cuh"
#include "cuda/core/ordered-key.cuh"
#include "cuda/core/segments.cuh"
#include "cuda/core/union-find.cuh"

namespace bitplanes
{

constexpr int THREADS = 256;

/* Bits of mask and v that are planes at a time. */
constexpr int GROUP = 8;

constexpr int SEGMENTS = WF_MOST_SEGMENTS;

/* The words of a tile: one for each thread, columns of words one after the other. */
template <bool STACK>
struct TileShape
{
  static constexpr int WORDS  = STACK ? 2 : 8;
  static constexpr int ROWS   = STACK ? 16 : 32;
  static constexpr int SLICES = STACK ? 8 : 1;
};

/* The earlier neighbours of a pixel: the one before it in its row, and of N rows that
 * come before it the one straight across or all three.
 */
template <int CONNECTIVITY>
struct Around
{
  static constexpr bool STACK     = CONNECTIVITY == 6 || CONNECTIVITY == 26;
  static constexpr bool DIAGONALS = CONNECTIVITY == 8 || CONNECTIVITY == 26;
  static constexpr int  N         = CONNECTIVITY == 26 ? 4 : CONNECTIVITY == 6 ? 2 : 1;
  static constexpr int  PAIRS     = 1 + N * (DIAGONALS ? 3 : 1);

  static __device__ __forceinline__ constexpr int
  dy (int row)
  {
    return row == 0 ? -1 : CONNECTIVITY == 6 ? 0 : row - 2;
  }

  static __device__ __forceinline__ constexpr int
  dz (int row)
  {
    return row == 0 ? 0 : -1;
  }
};

struct Offset
{
  int dx, dy, dz;
};

/* The neighbour of a pair: before the pixel, or of a row straight across, left, right. */
template <int CONNECTIVITY>
__device__ __forceinline__ constexpr Offset
offset_of_pair (int pair)
{
  typedef Around<CONNECTIVITY> A;
  const int row  = A::DIAGONALS ? (pair - 1) / 3 : pair - 1;
  const int side = A::DIAGONALS ? (pair - 1) % 3 : 0;

  if (pair == 0)
    return { -1, 0, 0 };
  return { side / 2 - side % 2, A::dy (row), A::dz (row) };
}

/* Calls @visit (pair, dx, dy, dz) for each of them. */
template <int CONNECTIVITY, typename Visit>
__device__ __forceinline__ void
each_pair (Visit visit)
{
#pragma unroll
  for (int pair = 0; pair < Around<CONNECTIVITY>::PAIRS; pair++)
    {
      const Offset to = offset_of_pair<CONNECTIVITY> (pair);

      visit (pair, to.dx, to.dy, to.dz);
    }
}

/* Bits that are 1 in any pixel of mask or v, and those that are 0 in any. */
struct Range
{
  guint32 ones;
  guint32 zeros;
};

/**
 * Bitplanes:
 * @width, @height, @depth: in pixels
 * @across, @down, @deep: in tiles
 * @n_words: of a plane; a tile's words lie together
 * @n_before: bits before this one.  Before the first, @equal is all ones, and @bounded, @free and
 *   @passed are zeros; these planes are not written until it has been settled.
 * @range: if not NULL, nothing is done unless @bit differs in it, since the host does not know yet
 * @mask, @value: M and V of this bit; B replaces V
 * @before: B of the bit before this, or NULL
 * @equal: a plane for each pair
 * @raised: also open pixels that are joined to a raised one in their tile
 * @tops: bit k is set if segment k of a word is its tile's root of its set
 * @roots: of segment k of word t in a tile the root in its tile, as such a place
 *   k · THREADS + t; undefined for those that are raised
 * @parents: of roots in tiles, as nodes, 1 + the place in this array; 0 is raised
 */
struct Bitplanes
{
  gint64   width, height, depth;
  guint32  across, down, deep;
  guint64  n_words;
  guint32  n_before;
  Range   *range;
  int      bit;
  guint32 *mask;
  guint32 *value;
  guint32 *before;
  guint32 *equal;
  guint32 *bounded;
  guint32 *free;
  guint32 *passed;
  guint32 *open;
  guint32 *raised;
  guint32 *tops;
  guint16 *roots;
  guint32 *parents;
};

/* What is 0 or 1 in all pixels of mask and v is so in R. */
__device__ __forceinline__ bool
is_wanted (const Bitplanes &planes)
{
  return ! planes.range || (planes.range->ones & planes.range->zeros) >> planes.bit & 1;
}

/* No word. */
constexpr guint32 NOWHERE = 0xffffffffu;

/* A word: which one of its tile, or of the image. */
struct WordPlace
{
  int x, y, z;
};

template <bool STACK>
__device__ __forceinline__ WordPlace
place_in_tile (int t)
{
  typedef TileShape<STACK> T;

  return { t / T::ROWS % T::WORDS, t % T::ROWS, t / (T::ROWS * T::WORDS) };
}

template <bool STACK>
__device__ __forceinline__ int
word_in_tile (WordPlace place)
{
  typedef TileShape<STACK> T;

  return (place.z * T::WORDS + place.x) * T::ROWS + place.y;
}

/* Of thread @t of the block, whose tile is blockIdx.x. */
template <bool STACK>
__device__ __forceinline__ WordPlace
place_in_image (const Bitplanes &planes,
                int              t)
{
  typedef TileShape<STACK> T;
  const guint32   row  = blockIdx.x / planes.across;
  const WordPlace tile = place_in_tile<STACK> (t);

  return { (int) (blockIdx.x - row * planes.across) * T::WORDS + tile.x,
           (int) (row % planes.down) * T::ROWS + tile.y,
           (int) (row / planes.down) * T::SLICES + tile.z };
}

/* Its number in planes, or NOWHERE outside the image's tiles. */
template <bool STACK>
__device__ __forceinline__ guint32
word_in_image (const Bitplanes &planes,
               WordPlace        place)
{
  typedef TileShape<STACK> T;
  const guint32 x = (guint32) place.x / T::WORDS;
  const guint32 y = (guint32) place.y / T::ROWS;
  const guint32 z = (guint32) place.z / T::SLICES;

  if (place.x < 0 || place.y < 0 || place.z < 0 || x >= planes.across || y >= planes.down ||
      z >= planes.deep)
    return NOWHERE;
  return ((z * planes.down + y) * planes.across + x) * THREADS +
         word_in_tile<STACK> ({ place.x % T::WORDS, place.y % T::ROWS, place.z % T::SLICES });
}

/* Of the neighbours (dx, dy, dz) of a word's pixels: those in the same tile. */
template <bool STACK>
__device__ __forceinline__ guint32
pairs_in_tile (WordPlace place,
               int       dx,
               int       dy,
               int       dz)
{
  typedef TileShape<STACK> T;

  if (place.y + dy < 0 || place.y + dy >= T::ROWS || place.z + dz < 0)
    return 0;
  if (dx < 0 && place.x == 0)
    return ~1u;
  if (dx > 0 && place.x == T::WORDS - 1)
    return WF_ALL_LANES >> 1;
  return WF_ALL_LANES;
}


/*  Words  */

/* Each pixel's neighbour at @dx, of a word and the one beside it on that side. */
__device__ __forceinline__ guint32
beside (guint32 word,
        guint32 side,
        int     dx)
{
  return dx < 0 ? word << 1 | side >> 31 : dx > 0 ? word >> 1 | side << 31 : word;
}

/* The reverse: from bits at the pixels whose neighbours are at @dx to those neighbours, in the
 * same word and in the one beside it.
 */
__device__ __forceinline__ guint32
moved_word (guint32 bits,
            int     dx)
{
  return dx < 0 ? bits >> 1 : dx > 0 ? bits << 1 : bits;
}

__device__ __forceinline__ guint32
moved_side (guint32 bits,
            int     dx)
{
  return dx < 0 ? bits << 31 : dx > 0 ? bits >> 31 : 0;
}

/* Which of the pixels of @word are to be linked to those of another row at @dx; @others: where
 * both are open.  One for each pair of segments, and no diagonal where a pixel beside both is
 * open.
 */
__device__ __forceinline__ guint32
links_of (guint32 word,
          guint32 others,
          guint32 straight,
          int     dx)
{
  if (dx == 0)
    return wf_segment_starts (others);
  return others & ~straight & ~(dx < 0 ? word << 1 : word >> 1);
}

} /* namespace bitplanes */
