/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes, inside tiles: which pixels are open, and their components.
 * See bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"

namespace bitplanes
{

/* Nodes of a tile: 0, then for each word its segments and a gap, which puts words and segments
 * into different banks of shared memory.
 */
constexpr guint32 NODES_A_WORD = SEGMENTS + 1;

/* How often paths are shortened.  What is left is short, and found faster by those who look. */
constexpr int SHORTENINGS = 2;

/* Links in the list; further ones are joined at once. */
constexpr guint32 MOST_LINKS = 1536;

/**
 * Tile:
 * @bits: of the bit before this, then the open pixels
 * @noted: by later neighbors
 * @links: two nodes each
 */
struct Tile
{
  guint32 bits[THREADS];
  guint32 raised[THREADS];
  guint32 noted[THREADS];
  guint32 parents[1 + THREADS * NODES_A_WORD];
  guint32 links[MOST_LINKS];
  guint32 n_links;
};

__device__ __forceinline__ guint32
tile_node (int word,
           int segment)
{
  return 1 + word * NODES_A_WORD + segment;
}

/* A word of @words, 0 outside the tile. */
template <bool STACK>
__device__ __forceinline__ guint32
word_of_tile (const guint32 *words,
              WordPlace      place,
              int            dx,
              int            dy,
              int            dz)
{
  const WordPlace there = { place.x + dx, place.y + dy, place.z + dz };

  if (there.x < 0 || there.x >= TileShape<STACK>::WORDS || there.y < 0 ||
      there.y >= TileShape<STACK>::ROWS || there.z < 0)
    return 0;
  return words[word_in_tile<STACK> (there)];
}

/* For each pixel its neighbour in that direction. */
template <bool STACK>
__device__ __forceinline__ guint32
neighbours_in_tile (const guint32 *words,
                    WordPlace      place,
                    int            dx,
                    int            dy,
                    int            dz)
{
  return beside (word_of_tile<STACK> (words, place, 0, dy, dz),
                 dx ? word_of_tile<STACK> (words, place, dx, dy, dz) : 0, dx);
}

/* Notes @bits at the neighbours in that direction; all of them are in the tile. */
template <bool STACK>
__device__ __forceinline__ void
note_neighbours (guint32   *noted,
                 WordPlace  place,
                 guint32    bits,
                 int        dx,
                 int        dy,
                 int        dz)
{
  const int     word = word_in_tile<STACK> ({ place.x, place.y + dy, place.z + dz });
  const guint32 here = moved_word (bits, dx);
  const guint32 side = moved_side (bits, dx);

  if (here)
    atomicOr (&noted[word], here);
  if (side)
    atomicOr (&noted[word + dx * TileShape<STACK>::ROWS], side);
}


/*  Classes  */

/* Divides neighbours in the tile by the bit before; returns which pixels are beside a higher
 * class.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
part_neighbours (const Bitplanes &planes,
                 Tile            &tile,
                 WordPlace        place,
                 gint64           p,
                 guint32         *equal)
{
  typedef Around<CONNECTIVITY> A;
  const guint32 own   = planes.before[p];
  const bool    first = planes.n_before == 1;
  const guint32 old   = first ? 0 : planes.bounded[p];
  guint32       all   = old;

  tile.bits[threadIdx.x] = own;
  __syncthreads ();
  each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
    {
      const guint32 near  = pairs_in_tile<A::STACK> (place, dx, dy, dz);
      const guint32 other = neighbours_in_tile<A::STACK> (tile.bits, place, dx, dy, dz);
      const guint32 parts = (own ^ other) & equal[pair] & near;

      if (first || parts)
        {
          equal[pair] &= ~parts;
          planes.equal[pair * planes.n_words + p] = equal[pair];
        }
      all |= parts & other;
      if (parts & own)
        note_neighbours<A::STACK> (tile.noted, place, parts & own, dx, dy, dz);
    });
  __syncthreads ();
  all |= tile.noted[threadIdx.x];
  if (first || all != old)
    planes.bounded[p] = all;
  tile.noted[threadIdx.x] = 0;
  return all;
}

/* The open pixels that have a raised neighbour of their class. */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
find_seeds (Tile          &tile,
            WordPlace      place,
            const guint32 *equal)
{
  typedef Around<CONNECTIVITY> A;
  const guint32 open   = tile.bits[threadIdx.x];
  const guint32 raised = tile.raised[threadIdx.x];
  guint32       seeds  = 0;

  if (open | raised)
    each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
      {
        const guint32 near = equal[pair] & pairs_in_tile<A::STACK> (place, dx, dy, dz);
        guint32       notes;

        seeds |= open & near & neighbours_in_tile<A::STACK> (tile.raised, place, dx, dy, dz);
        notes  = raised & near & neighbours_in_tile<A::STACK> (tile.bits, place, dx, dy, dz);
        if (notes)
          note_neighbours<A::STACK> (tile.noted, place, notes, dx, dy, dz);
      });
  __syncthreads ();
  return seeds | tile.noted[threadIdx.x];
}


/*  Sets  */

/* A segment with a seed is raised.  The parent of any other is at first the first one that it
 * touches in the row above, so that little is left to be joined.  Returns the links used for
 * that.
 */
__device__ __forceinline__ guint32
plant_segments (Tile    &tile,
                guint32  open,
                guint32  seeds,
                guint32  above)
{
  guint32 used = 0;
  guint32 node = tile_node (threadIdx.x, 0);

  for (guint32 left = wf_segment_starts (open); left; left &= left - 1)
    {
      const guint32 segment = wf_segment_from (open, left & -left);
      const guint32 touched = segment & above;
      guint32       parent  = node;

      if (segment & seeds)
        parent = 0;
      else if (touched)
        {
          const int x = __ffs (touched) - 1;

          parent = tile_node (threadIdx.x - 1, wf_segment_at (above, x));
          used  |= 1u << x;
        }
      tile.parents[node++] = parent;
    }
  return used;
}

/* Lists that pixels of @links are to be joined to their neighbours at @dx in a word's row;
 * returns the place for the next link.
 */
__device__ __forceinline__ guint32
note_links (Tile    &tile,
            guint32  place,
            guint32  open,
            guint32  links,
            int      word,
            int      dx,
            int      step)
{
  for (; links; links &= links - 1)
    {
      const int     x     = __ffs (links) - 1;
      const int     there = x + dx;
      const int     other = there < 0 ? word - step : there > 31 ? word + step : word;
      const guint32 a     = tile_node (threadIdx.x, wf_segment_at (open, x));
      const guint32 b     = tile_node (other, wf_segment_at (tile.bits[other], there & 31));

      if (place < MOST_LINKS)
        tile.links[place] = a << 16 | b;
      else
        wf_join_sets (WfForest<guint32> (tile.parents), a, b);
      place++;
    }
  return place;
}

/* The threads share the listed links evenly. */
__device__ __forceinline__ void
join_links_in_tile (Tile &tile)
{
  __syncthreads ();
  for (guint32 i = threadIdx.x; i < min (tile.n_links, MOST_LINKS); i += THREADS)
    wf_join_sets (WfForest<guint32> (tile.parents), tile.links[i] >> 16,
                  tile.links[i] & 0xffffu);
  __syncthreads ();
}

/* A word's links to words before it, except those @used, and except a link to the word before
 * that the row above has, too.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ void
join_segments (Tile      &tile,
               WordPlace  place,
               guint32    open,
               guint32    used)
{
  typedef Around<CONNECTIVITY> A;
  constexpr bool STACK = A::STACK;
  constexpr int  STEP  = TileShape<STACK>::ROWS;

  const guint32 before = word_of_tile<STACK> (tile.bits, place, -1, 0, 0);
  const guint32 round  = word_of_tile<STACK> (tile.bits, place, 0, -1, 0) &
                          word_of_tile<STACK> (tile.bits, place, -1, -1, 0) >> 31;

#pragma unroll
  for (int row = 0; row < A::N; row++)
    {
      const int     dy       = A::dy (row);
      const int     dz       = A::dz (row);
      const int     word     = word_in_tile<STACK> ({ place.x, place.y + dy, place.z + dz });
      const guint32 straight = open & neighbours_in_tile<STACK> (tile.bits, place, 0, dy, dz);
      const guint32 across   = links_of (open, straight, straight, 0) & ~(row ? 0 : used);
      const guint32 along    = row ? 0 : open & before >> 31 & ~round & 1;
      guint32       left     = 0;
      guint32       right    = 0;
      guint32       at;

      if (A::DIAGONALS)
        {
          left  = links_of (open, open & neighbours_in_tile<STACK> (tile.bits, place, -1, dy, dz),
                            straight, -1);
          right = links_of (open, open & neighbours_in_tile<STACK> (tile.bits, place, 1, dy, dz),
                            straight, 1);
        }
      if (row)
        {
          if (threadIdx.x == 0)
            tile.n_links = 0;
          __syncthreads ();
        }
      at = wf_warp_take_places (&tile.n_links, __popc (along) + __popc (across) + __popc (left) +
                                               __popc (right));
      at = note_links (tile, at, open, along, threadIdx.x, -1, STEP);
      at = note_links (tile, at, open, across, word, 0, STEP);
      at = note_links (tile, at, open, left, word, -1, STEP);
      note_links (tile, at, open, right, word, 1, STEP);
      join_links_in_tile (tile);
    }
}

/* Each segment's root, as other tiles address it.  Returns the pixels of raised segments. */
__device__ __forceinline__ guint32
write_roots (const Bitplanes &planes,
             Tile            &tile,
             guint64          p,
             guint32          open)
{
  const guint64 first  = (guint64) blockIdx.x * (THREADS * SEGMENTS);
  guint32       raised = 0;
  guint32       tops   = 0;
  int           k      = 0;

  for (guint32 left = wf_segment_starts (open); left; left &= left - 1, k++)
    {
      const guint32 node = tile_node (threadIdx.x, k);
      const guint32 root = wf_find_root (WfForest<guint32> (tile.parents), node);
      const guint32 own  = k * THREADS + threadIdx.x;
      const guint32 at   = root - 1;

      if (root == 0)
        {
          raised |= wf_segment_from (open, left & -left);
          continue;
        }
      planes.roots[first + own] = at % NODES_A_WORD * THREADS + at / NODES_A_WORD;
      if (root == node)
        {
          planes.parents[first + own] = (guint32) (first + own + 1);
          tops |= 1u << k;
        }
    }
  planes.tops[p] = tops;
  return raised;
}

template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS)
label_tiles (Bitplanes planes)
{
  typedef Around<CONNECTIVITY> A;

  __shared__ Tile tile;

  const WordPlace place   = place_in_tile<A::STACK> (threadIdx.x);
  const gint64    p       = (gint64) blockIdx.x * THREADS + threadIdx.x;
  const bool      first   = planes.n_before == 0;
  const guint32   mask    = planes.mask[p];
  const guint32   value   = planes.value[p] & ~(first ? 0 : planes.passed[p]);
  const guint32   active  = (first ? 0 : planes.free[p]) | mask;
  guint32         bounded = 0;
  guint32         equal[A::PAIRS];
  guint32         seeds;
  guint32         used;

#pragma unroll
  for (int pair = 0; pair < A::PAIRS; pair++)
    equal[pair] = planes.n_before < 2 ? WF_ALL_LANES : planes.equal[pair * planes.n_words + p];
  tile.noted[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    tile.parents[0] = tile.n_links = 0;
  if (planes.before)
    bounded = part_neighbours<CONNECTIVITY> (planes, tile, place, p, equal);

  const guint32 raised = active & (bounded | value);
  const guint32 open   = active & ~raised;

  tile.bits[threadIdx.x]   = open;
  tile.raised[threadIdx.x] = raised;
  planes.open[p]           = open;
  if (! __syncthreads_or (open))
    {
      planes.raised[p] = raised;
      return;
    }

  seeds = find_seeds<CONNECTIVITY> (tile, place, equal);
  used  = plant_segments (tile, open, seeds,
                          word_of_tile<A::STACK> (tile.bits, place, 0, -1, 0));
  __syncwarp ();
  wf_shorten_paths (tile.parents, tile_node (threadIdx.x, 0), __popc (wf_segment_starts (open)),
                    SHORTENINGS);
  __syncthreads ();
  join_segments<CONNECTIVITY> (tile, place, open, used);
  planes.raised[p] = raised | write_roots (planes, tile, p, open);
}

} /* namespace bitplanes */
