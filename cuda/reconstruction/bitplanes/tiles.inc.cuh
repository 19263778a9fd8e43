/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels, inside tiles: which pixels are open, and their components.
 * See bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"

/* Nodes of a tile: 0, then for each word its segments and a gap, so that neither words
 * nor their segments share banks of shared memory.
 */
#define NODES_A_WORD (SEGMENTS + 1)

/* Links that wait to be joined; more of them are joined at once. */
#define MOST_LINKS 1536

/**
 * TileWords:
 * @bits: of the bit before this, then the open pixels
 * @told: by later neighbours
 * @links: two nodes each
 */
struct TileWords
{
  uint32_t bits[THREADS];
  uint32_t raised[THREADS];
  uint32_t told[THREADS];
  uint32_t parents[1 + THREADS * NODES_A_WORD];
  uint32_t links[MOST_LINKS];
  uint32_t n_links;
};

__device__ __forceinline__ uint32_t
tile_node (int word,
           int segment)
{
  return 1 + word * NODES_A_WORD + segment;
}

/* A word of @words, 0 outside the tile. */
template <bool STACK>
__device__ __forceinline__ uint32_t
word_of_tile (const uint32_t *words,
              Place           place,
              int             dx,
              int             dy,
              int             dz)
{
  const Place there = { place.x + dx, place.y + dy, place.z + dz };

  if (there.x < 0 || there.x >= Tile<STACK>::WORDS || there.y < 0 ||
      there.y >= Tile<STACK>::ROWS || there.z < 0)
    return 0;
  return words[word_in_tile<STACK> (there)];
}

/* For each pixel its neighbour in that direction. */
template <bool STACK>
__device__ __forceinline__ uint32_t
neighbours_in_tile (const uint32_t *words,
                    Place           place,
                    int             dx,
                    int             dy,
                    int             dz)
{
  return beside (word_of_tile<STACK> (words, place, 0, dy, dz),
                 dx ? word_of_tile<STACK> (words, place, dx, dy, dz) : 0, dx);
}

/* Tells the neighbours that @bits speak of; all of them are in the tile. */
template <bool STACK>
__device__ __forceinline__ void
tell_in_tile (uint32_t *told,
              Place     place,
              uint32_t  bits,
              int       dx,
              int       dy,
              int       dz)
{
  const int      word = word_in_tile<STACK> ({ place.x, place.y + dy, place.z + dz });
  const uint32_t here = told_word (bits, dx);
  const uint32_t side = told_side (bits, dx);

  if (here)
    atomicOr (&told[word], here);
  if (side)
    atomicOr (&told[word + dx * Tile<STACK>::ROWS], side);
}


/*  Classes  */

/* What the bit before says about neighbours in the tile; returns which pixels are beside
 * a higher class.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ uint32_t
part_neighbours (const Levels &levels,
                 TileWords    &tile,
                 Place         place,
                 int64_t       p,
                 uint32_t     *equal)
{
  typedef Around<CONNECTIVITY> A;
  const uint32_t own = levels.before[p];
  const uint32_t old = levels.bounded[p];
  uint32_t       all = old;

  tile.bits[threadIdx.x] = own;
  __syncthreads ();
  each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
    {
      const uint32_t near  = pairs_in_tile<A::STACK> (place, dx, dy, dz);
      const uint32_t other = neighbours_in_tile<A::STACK> (tile.bits, place, dx, dy, dz);
      const uint32_t parts = (own ^ other) & equal[pair] & near;

      if (! parts)
        return;
      equal[pair] &= ~parts;
      levels.equal[pair * levels.n_words + p] = equal[pair];
      all |= parts & other;
      if (parts & own)
        tell_in_tile<A::STACK> (tile.told, place, parts & own, dx, dy, dz);
    });
  __syncthreads ();
  all |= tile.told[threadIdx.x];
  if (all != old)
    levels.bounded[p] = all;
  tile.told[threadIdx.x] = 0;
  return all;
}

/* The open pixels that have a raised neighbour of their class. */
template <int CONNECTIVITY>
__device__ __forceinline__ uint32_t
find_seeds (TileWords      &tile,
            Place           place,
            const uint32_t *equal)
{
  typedef Around<CONNECTIVITY> A;
  const uint32_t open   = tile.bits[threadIdx.x];
  const uint32_t raised = tile.raised[threadIdx.x];
  uint32_t       seeds  = 0;

  if (open | raised)
    each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
      {
        const uint32_t near = equal[pair] & pairs_in_tile<A::STACK> (place, dx, dy, dz);
        uint32_t       tells;

        seeds |= open & near & neighbours_in_tile<A::STACK> (tile.raised, place, dx, dy, dz);
        tells  = raised & near & neighbours_in_tile<A::STACK> (tile.bits, place, dx, dy, dz);
        if (tells)
          tell_in_tile<A::STACK> (tile.told, place, tells, dx, dy, dz);
      });
  __syncthreads ();
  return seeds | tile.told[threadIdx.x];
}


/*  Sets  */

/* The root above @node, halving the way there.  Any store of this may be lost or come
 * late: it only ever puts an ancestor in place of a parent.
 */
__device__ __forceinline__ uint32_t
find_in_tile (volatile uint32_t *parents,
              uint32_t           node)
{
  uint32_t parent = parents[node];

  while (parent != node)
    {
      const uint32_t above = parents[parent];

      if (above != parent)
        parents[node] = above;
      node   = parent;
      parent = above;
    }
  return node;
}

/* Where another thread has put the later root under a third node meanwhile, that one is
 * joined to the earlier root instead.
 */
__device__ __forceinline__ void
join_in_tile (uint32_t *parents,
              uint32_t  a,
              uint32_t  b)
{
  for (;;)
    {
      a = find_in_tile (parents, a);
      b = find_in_tile (parents, b);
      if (a == b)
        return;

      const uint32_t later = max (a, b);
      const uint32_t old   = atomicMin (&parents[later], min (a, b));

      if (old == later)
        return;
      a = min (a, b);
      b = old;
    }
}

/* A segment with a seed is raised; each other one is put under the first that it touches
 * in the row above, so that most of the trees stand before anything is joined.  Returns
 * the links so used.
 */
__device__ __forceinline__ uint32_t
plant_segments (TileWords &tile,
                uint32_t   open,
                uint32_t   seeds,
                uint32_t   above)
{
  uint32_t used = 0;
  uint32_t node = tile_node (threadIdx.x, 0);

  for (uint32_t left = starts_of (open); left; left &= left - 1)
    {
      const uint32_t segment = segment_from (open, left & -left);
      const uint32_t touched = segment & above;
      uint32_t       parent  = node;

      if (segment & seeds)
        parent = 0;
      else if (touched)
        {
          const int x = __ffs (touched) - 1;

          parent = tile_node (threadIdx.x - 1, segment_at (above, x));
          used  |= 1u << x;
        }
      tile.parents[node++] = parent;
    }
  return used;
}

/* A segment's parent becomes its grandparent.  Five rounds fell a trunk of 32 rows: all
 * of it is in one column of words, which one warp has.
 */
__device__ __forceinline__ void
climb (TileWords &tile,
       int        n)
{
  volatile uint32_t *parents = tile.parents;
  const uint32_t     first   = tile_node (threadIdx.x, 0);

  for (int round = 0; round < 5; round++)
    {
      bool moved = false;

#pragma unroll 1
      for (uint32_t node = first; node < first + n; node++)
        {
          const uint32_t parent = parents[node];
          const uint32_t above  = parents[parent];

          if (above != parent)
            {
              parents[node] = above;
              moved         = true;
            }
        }
      if (! __any_sync (ALL, moved))
        return;
      __syncwarp ();
    }
}

/* Notes that pixels of @links are to be joined to their neighbours at @dx in a word's
 * row; returns the place for the next link.
 */
__device__ __forceinline__ uint32_t
note_links (TileWords &tile,
            uint32_t   place,
            uint32_t   open,
            uint32_t   links,
            int        word,
            int        dx,
            int        step)
{
  for (; links; links &= links - 1)
    {
      const int      x     = __ffs (links) - 1;
      const int      there = x + dx;
      const int      other = there < 0 ? word - step : there > 31 ? word + step : word;
      const uint32_t a     = tile_node (threadIdx.x, segment_at (open, x));
      const uint32_t b     = tile_node (other, segment_at (tile.bits[other], there & 31));

      if (place < MOST_LINKS)
        tile.links[place] = a << 16 | b;
      else
        join_in_tile (tile.parents, a, b);
      place++;
    }
  return place;
}

/* The threads share them evenly, however they lie. */
__device__ __forceinline__ void
join_links_in_tile (TileWords &tile)
{
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < min (tile.n_links, (uint32_t) MOST_LINKS); i += THREADS)
    join_in_tile (tile.parents, tile.links[i] >> 16, tile.links[i] & 0xffffu);
  __syncthreads ();
}

/* A word's links to words before it, but for those @used.  Where the row above has the
 * same link to the word before, the way leads round by it.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ void
join_segments (TileWords &tile,
               Place      place,
               uint32_t   open,
               uint32_t   used)
{
  typedef Around<CONNECTIVITY> A;
  constexpr bool STACK = A::STACK;
  constexpr int  STEP  = Tile<STACK>::ROWS;

  const uint32_t before = word_of_tile<STACK> (tile.bits, place, -1, 0, 0);
  const uint32_t round  = word_of_tile<STACK> (tile.bits, place, 0, -1, 0) &
                          word_of_tile<STACK> (tile.bits, place, -1, -1, 0) >> 31;

#pragma unroll
  for (int row = 0; row < A::N; row++)
    {
      const int      dy       = A::dy (row);
      const int      dz       = A::dz (row);
      const int      word     = word_in_tile<STACK> ({ place.x, place.y + dy, place.z + dz });
      const uint32_t straight = open & neighbours_in_tile<STACK> (tile.bits, place, 0, dy, dz);
      const uint32_t across   = links_of (open, straight, straight, 0) & ~(row ? 0 : used);
      const uint32_t along    = row ? 0 : open & before >> 31 & ~round & 1;
      uint32_t       left     = 0;
      uint32_t       right    = 0;
      uint32_t       at;

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
      at = take_places (&tile.n_links,
                        __popc (along) + __popc (across) + __popc (left) + __popc (right));
      at = note_links (tile, at, open, along, threadIdx.x, -1, STEP);
      at = note_links (tile, at, open, across, word, 0, STEP);
      at = note_links (tile, at, open, left, word, -1, STEP);
      note_links (tile, at, open, right, word, 1, STEP);
      join_links_in_tile (tile);
    }
}

/* Each segment's root, as those know it who look at tiles from outside.  Returns the
 * pixels of those that are raised.
 */
__device__ __forceinline__ uint32_t
write_roots (const Levels &levels,
             TileWords    &tile,
             uint64_t      p,
             uint32_t      open)
{
  const uint64_t first  = (uint64_t) blockIdx.x * (THREADS * SEGMENTS);
  uint32_t       raised = 0;
  uint32_t       tops   = 0;
  int            k      = 0;

  for (uint32_t left = starts_of (open); left; left &= left - 1, k++)
    {
      const uint32_t node = tile_node (threadIdx.x, k);
      const uint32_t root = find_in_tile (tile.parents, node);
      const uint32_t own  = k * THREADS + threadIdx.x;
      const uint32_t at   = root - 1;

      if (root == 0)
        {
          raised |= segment_from (open, left & -left);
          continue;
        }
      levels.roots[first + own] = at % NODES_A_WORD * THREADS + at / NODES_A_WORD;
      if (root == node)
        {
          levels.parents[first + own] = (uint32_t) (first + own + 1);
          tops |= 1u << k;
        }
    }
  levels.tops[p] = tops;
  return raised;
}

template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS)
label_tiles (Levels levels)
{
  typedef Around<CONNECTIVITY> A;

  __shared__ TileWords tile;

  const Place    place = place_in_tile<A::STACK> (threadIdx.x);
  const int64_t  p     = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const uint32_t mask  = levels.mask[p];
  const uint32_t value = levels.value[p] & ~levels.passed[p];
  const uint32_t active = levels.free[p] | mask;
  uint32_t       bounded = 0;
  uint32_t       equal[A::PAIRS];
  uint32_t       seeds;
  uint32_t       used;

#pragma unroll
  for (int pair = 0; pair < A::PAIRS; pair++)
    equal[pair] = levels.equal[pair * levels.n_words + p];
  tile.told[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    tile.parents[0] = tile.n_links = 0;
  if (levels.before)
    bounded = part_neighbours<CONNECTIVITY> (levels, tile, place, p, equal);

  const uint32_t raised = active & (bounded | value);
  const uint32_t open   = active & ~raised;

  tile.bits[threadIdx.x]   = open;
  tile.raised[threadIdx.x] = raised;
  levels.open[p]           = open;
  if (! __syncthreads_or (open))
    {
      levels.raised[p] = raised;
      return;
    }

  seeds = find_seeds<CONNECTIVITY> (tile, place, equal);
  used  = plant_segments (tile, open, seeds,
                          word_of_tile<A::STACK> (tile.bits, place, 0, -1, 0));
  __syncwarp ();
  climb (tile, __popc (starts_of (open)));
  __syncthreads ();
  join_segments<CONNECTIVITY> (tile, place, open, used);
  levels.raised[p] = raised | write_roots (levels, tile, p, open);
}
