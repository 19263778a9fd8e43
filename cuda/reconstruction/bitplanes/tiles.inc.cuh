/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes, inside tiles: which pixels are open, and their components.
 * See bitplanes.inc.cuh.
 *
 * Instructions bound the time: with 8 neighbours some 1400 of a warp for a bit of tissue, which has
 * three open segments in each word, six in the fullest one of a warp.  So loops over the segments
 * of a word, which all lanes of a warp wait for, only do what cannot be done for all bits of a word
 * at once, or shared evenly by the threads.
 */

#pragma once

#include "settle.inc.cuh"

namespace bitplanes
{

/* How often paths are shortened.  What is left is short, and found faster by those who look. */
constexpr int SHORTENINGS = 2;

/* Links in the list.  If there are more they are joined in several rounds. */
constexpr guint32 MOST_LINKS = 2048;

/* Where words lie in shared memory: with zeros around them, so that those beside need no tests.
 * Only stacks have neighbours in later rows and earlier slices.
 */
template <bool STACK>
struct Frame
{
  typedef TileShape<STACK> T;

  static constexpr int COLUMN = T::ROWS + (STACK ? 2 : 1);
  static constexpr int SLICE  = (T::WORDS + 2) * COLUMN;
  static constexpr int SIZE   = (T::SLICES + (STACK ? 1 : 0)) * SLICE;

  static __device__ __forceinline__ int
  place (WordPlace word)
  {
    return (word.z + (STACK ? 1 : 0)) * SLICE + (word.x + 1) * COLUMN + word.y + 1;
  }

  static __device__ __forceinline__ constexpr int
  step (int dx,
        int dy,
        int dz)
  {
    return dz * SLICE + dx * COLUMN + dy;
  }
};

/**
 * Tile:
 * @bits: of the bit before this, then the open pixels
 * @noted: by later neighbors
 * @parents: node 0, then the first segments of all words, their second ones and so on, so that the
 *   lanes of a warp are in different banks of shared memory
 * @links: see code_of_link()
 */
template <bool STACK>
struct Tile
{
  guint32 bits[Frame<STACK>::SIZE];
  guint32 raised[Frame<STACK>::SIZE];
  guint32 noted[THREADS];
  guint32 parents[1 + THREADS * SEGMENTS];
  guint16 links[MOST_LINKS];
  guint32 n_links;
};

__device__ __forceinline__ guint32
tile_node (int word,
           int segment)
{
  return 1 + segment * THREADS + word;
}

/* Empties the tile; all threads. */
template <bool STACK>
__device__ __forceinline__ void
clear_tile (Tile<STACK> &tile)
{
  for (int i = threadIdx.x; i < Frame<STACK>::SIZE; i += THREADS)
    tile.bits[i] = tile.raised[i] = 0;
  tile.noted[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    tile.parents[0] = tile.n_links = 0;
  __syncthreads ();
}

/* For each pixel of the word at @own its neighbour in that direction. */
template <bool STACK>
__device__ __forceinline__ guint32
neighbours_in_tile (const guint32 *own,
                    int            dx,
                    int            dy,
                    int            dz)
{
  return beside (own[Frame<STACK>::step (0, dy, dz)],
                 dx ? own[Frame<STACK>::step (dx, dy, dz)] : 0, dx);
}

/* Calls @visit (pair, dx, dy, dz, near) for each pair, where @near has the pixels whose neighbour
 * is in the tile.  It returns pixels whose neighbour is to be noted: that is done in tile.noted,
 * except for those in the same word, which are returned.
 */
template <int CONNECTIVITY, typename Visit>
__device__ __forceinline__ guint32
note_neighbours (Tile<Around<CONNECTIVITY>::STACK> &tile,
                 WordPlace                          place,
                 Visit                              visit)
{
  typedef Around<CONNECTIVITY> A;
  typedef TileShape<A::STACK>  T;

  const guint32 before = visit (0, -1, 0, 0, pairs_in_tile<A::STACK> (place, -1, 0, 0));

  if (before & 1)
    atomicOr (&tile.noted[threadIdx.x - T::ROWS], 1u << 31);
#pragma unroll
  for (int row = 0; row < A::N; row++)
    {
      const int dy   = A::dy (row);
      const int dz   = A::dz (row);
      const int pair = A::DIAGONALS ? 1 + 3 * row : 1 + row;
      const int word = threadIdx.x + (dz * T::WORDS * T::ROWS + dy);
      guint32   here = visit (pair, 0, dy, dz, pairs_in_tile<A::STACK> (place, 0, dy, dz));

      if (A::DIAGONALS)
        {
          const guint32 left  = visit (pair + 1, -1, dy, dz,
                                       pairs_in_tile<A::STACK> (place, -1, dy, dz));
          const guint32 right = visit (pair + 2, 1, dy, dz,
                                       pairs_in_tile<A::STACK> (place, 1, dy, dz));

          here |= moved_word (left, -1) | moved_word (right, 1);
          if (moved_side (left, -1))
            atomicOr (&tile.noted[word - T::ROWS], moved_side (left, -1));
          if (moved_side (right, 1))
            atomicOr (&tile.noted[word + T::ROWS], moved_side (right, 1));
        }
      if (here)
        atomicOr (&tile.noted[word], here);
    }
  return moved_word (before, -1);
}


/*  Classes  */

/* Divides neighbours in the tile by the bit before, @own; returns which pixels are beside a higher
 * class.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
part_neighbours (const Bitplanes                   &planes,
                 Tile<Around<CONNECTIVITY>::STACK> &tile,
                 WordPlace                          place,
                 gint64                             p,
                 guint32                            own,
                 guint32                           *equal)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  guint32       *at    = &tile.bits[Frame<STACK>::place (place)];
  const bool     first = planes.n_before == 1;
  const guint32  old   = first ? 0 : planes.bounded[p];
  guint32        all   = old;

  *at = own;
  __syncthreads ();
  all |= note_neighbours<CONNECTIVITY> (tile, place, [&] (int pair, int dx, int dy, int dz,
                                                          guint32 near)
    {
      const guint32 other = neighbours_in_tile<STACK> (at, dx, dy, dz);
      const guint32 parts = (own ^ other) & equal[pair] & near;

      if (first || parts)
        {
          equal[pair] &= ~parts;
          planes.equal[pair * planes.n_words + p] = equal[pair];
        }
      all |= parts & other;
      return parts & own;
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
find_seeds (Tile<Around<CONNECTIVITY>::STACK> &tile,
            WordPlace                          place,
            guint32                            open,
            guint32                            raised,
            const guint32                     *equal)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  const int at    = Frame<STACK>::place (place);
  guint32   seeds = 0;

  seeds |= open & note_neighbours<CONNECTIVITY> (tile, place, [&] (int pair, int dx, int dy, int dz,
                                                                   guint32)
    {
      seeds |= open & equal[pair] & neighbours_in_tile<STACK> (&tile.raised[at], dx, dy, dz);
      return raised & equal[pair] & neighbours_in_tile<STACK> (&tile.bits[at], dx, dy, dz);
    });
  __syncthreads ();
  return seeds | tile.noted[threadIdx.x];
}


/*  Sets  */

/**
 * Links:
 * @along: the first pixel of a word is linked to the one before it
 * @across, @left, @right: pixels that are linked to the one of another row that is straight across,
 *   to the left or to the right
 */
struct Links
{
  guint32 along;
  guint32 across;
  guint32 left;
  guint32 right;
};

/* The links of a word of open pixels to those of another row. */
template <int CONNECTIVITY>
__device__ __forceinline__ Links
links_to_row (const guint32 *own,
              guint32        open,
              int            dy,
              int            dz)
{
  typedef Around<CONNECTIVITY> A;

  const guint32 straight = open & neighbours_in_tile<A::STACK> (own, 0, dy, dz);
  Links         links    = { 0, links_of (open, straight, straight, 0), 0, 0 };

  if (A::DIAGONALS)
    {
      links.left  = links_of (open, open & neighbours_in_tile<A::STACK> (own, -1, dy, dz),
                              straight, -1);
      links.right = links_of (open, open & neighbours_in_tile<A::STACK> (own, 1, dy, dz),
                              straight, 1);
    }
  return links;
}

/* The starts of those segments of the row above a word that are joined to the one before them in
 * their word anyway: a segment in the row above that one touches both.  It fills the gap between
 * them, so that a carry from the beginning of the gap runs to the end.
 */
template <bool STACK, bool DIAGONALS>
__device__ __forceinline__ guint32
bridged_starts (const guint32 *own)
{
  const guint32 above  = own[Frame<STACK>::step (0, -1, 0)];
  const guint32 bridge = own[Frame<STACK>::step (0, -2, 0)];
  const guint32 gaps   = ~above & above << 1 & (DIAGONALS ? WF_ALL_LANES : bridge << 1);
  const guint32 found  = above & ((~above & bridge) + gaps);

  return DIAGONALS ? found : found & bridge;
}

/* A segment with a seed is raised.  The parent of any other is at first the first one that it
 * touches in the word above, so that little is left to be joined.  The links used for that are
 * taken from @links, which are those to the row above.
 *
 * The links of all segments are found at once: their starts are added to the open pixels without
 * links, and a carry runs through each segment up to its first link, or past its end if it has
 * none.
 */
template <bool STACK, bool DIAGONALS>
__device__ __forceinline__ void
plant_segments (Tile<STACK>   &tile,
                const guint32 *own,
                guint32        open,
                guint32        seeds,
                Links         *links)
{
  const guint32 above   = own[Frame<STACK>::step (0, -1, 0)];
  const guint32 ends    = above & ~(above >> 1);
  const guint32 starts  = wf_segment_starts (open);
  const guint32 left    = links->left & ~1u;
  const guint32 right   = links->right & WF_ALL_LANES >> 1;
  const guint32 touch   = left | links->across | right;
  const guint32 carried = (open & ~links->across) + starts;
  const guint32 bridged = bridged_starts<STACK, DIAGONALS> (own);
  const guint32 by_left = open & ~(open + left);
  guint32       seeded  = 0;
  guint32       node    = tile_node (threadIdx.x, 0);

  for (guint32 rest = starts; rest; rest &= rest - 1, node += THREADS)
    {
      const guint32 start   = rest & -rest;
      const guint32 segment = wf_segment_from (open, start);
      const guint32 before  = DIAGONALS ? (start - 1) >> 1 : start - 1;
      guint32       parent  = node;

      if (segment & touch)
        parent = tile_node (threadIdx.x - 1, __popc (ends & before));
      if (segment & seeds)
        {
          parent  = 0;
          seeded |= segment;
        }
      tile.parents[node] = parent;
    }
  links->across &= seeded | ((by_left | ~carried) & ~bridged);
  links->left   &= seeded | ~left;
  links->right  &= seeded | ((by_left | ~(right & carried >> 1)) & ~(right & bridged >> 1));
}

/* A link in the list: the word and the pixel, and which of the Links it is. */
__device__ __forceinline__ guint32
code_of_link (int kind,
              int x)
{
  return kind << 13 | x << 8 | threadIdx.x;
}

/* Lists links, for those whose place is in the list; returns the place for the next one. */
template <bool STACK>
__device__ __forceinline__ guint32
note_links (Tile<STACK> &tile,
            guint32      place,
            int          kind,
            guint32      pixels)
{
  for (; pixels; pixels &= pixels - 1, place++)
    if (place < MOST_LINKS)
      tile.links[place] = (guint16) code_of_link (kind, __ffs (pixels) - 1);
  return place;
}

template <bool STACK>
__device__ __forceinline__ void
join_link (Tile<STACK> &tile,
           guint32      code,
           int          dy,
           int          dz)
{
  typedef TileShape<STACK> T;

  const int      kind  = code >> 13;
  const int      t     = code & 255;
  const int      x     = code >> 8 & 31;
  const int      there = x + (kind == 3) - (kind == 0 || kind == 2);
  const int      side  = there >> 5;
  const int      row   = kind == 0 ? 0 : Frame<STACK>::step (0, dy, dz);
  const int      other = t + side * T::ROWS + (kind == 0 ? 0 : dz * T::WORDS * T::ROWS + dy);
  const guint32 *own   = &tile.bits[Frame<STACK>::place (place_in_tile<STACK> (t))];

  wf_join_sets (WfForest<guint32> (tile.parents),
                tile_node (t, wf_segment_at (*own, x)),
                tile_node (other, wf_segment_at (own[row + Frame<STACK>::step (side, 0, 0)],
                                                 there & 31)));
}

/* Joins what @links link to that row; all threads, which share them evenly.  The lanes of a warp
 * wait for each other, as they would not meet again by themselves.
 */
template <bool STACK>
__device__ __forceinline__ void
join_links (Tile<STACK> &tile,
            const Links &links,
            int          dy,
            int          dz)
{
  const guint32 n     = links.along + __popc (links.across) + __popc (links.left) +
                        __popc (links.right);
  const guint32 first = wf_warp_take_places (&tile.n_links, n);
  guint32       left  = 0;

  for (guint32 done = 0; done == 0 || left > MOST_LINKS; done += MOST_LINKS)
    {
      guint32 place = first - done;

      if (done)
        __syncthreads ();
      place = note_links (tile, place, 0, links.along);
      place = note_links (tile, place, 1, links.across);
      place = note_links (tile, place, 2, links.left);
      note_links (tile, place, 3, links.right);
      __syncthreads ();
      left = tile.n_links - done;
      for (guint32 i = threadIdx.x; __any_sync (WF_ALL_LANES, i < min (left, MOST_LINKS));
           i += THREADS)
        {
          if (i < min (left, MOST_LINKS))
            join_link (tile, tile.links[i], dy, dz);
          __syncwarp ();
        }
    }
  __syncthreads ();
}

/* A word's links to words before it, @links to the row above; that to the word before in its own
 * row is left out if the row above has it, too.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ void
join_segments (Tile<Around<CONNECTIVITY>::STACK> &tile,
               const guint32                     *own,
               guint32                            open,
               Links                              links)
{
  typedef Around<CONNECTIVITY> A;
  typedef Frame<A::STACK>      F;

  const guint32 round = own[F::step (0, -1, 0)] & own[F::step (-1, -1, 0)] >> 31;

  links.along = open & own[F::step (-1, 0, 0)] >> 31 & ~round & 1;
  join_links (tile, links, A::dy (0), A::dz (0));
#pragma unroll
  for (int row = 1; row < A::N; row++)
    {
      if (threadIdx.x == 0)
        tile.n_links = 0;
      __syncthreads ();
      join_links (tile, links_to_row<CONNECTIVITY> (own, open, A::dy (row), A::dz (row)),
                  A::dy (row), A::dz (row));
    }
}

/* Each segment's root, as other tiles address it.  Returns the pixels of raised segments.  The
 * lanes of a warp go together, as they would not meet again by themselves.
 */
template <bool STACK>
__device__ __forceinline__ guint32
write_roots (const Bitplanes &planes,
             Tile<STACK>     &tile,
             guint64          p,
             guint32          open)
{
  const WfForest<guint32> paths (tile.parents);
  const guint32           first  = blockIdx.x * (THREADS * SEGMENTS) + threadIdx.x;
  guint16                *roots  = planes.roots + first;
  guint32                *tree   = planes.parents + first;
  guint32                 left   = wf_segment_starts (open);
  const guint32           most   = wf_warp_max ((guint32) __popc (left));
  guint32                 raised = 0;
  guint32                 tops   = 0;

#pragma unroll 1
  for (guint32 k = 0; k < most; k++, left &= left - 1)
    {
      const guint32 node   = tile_node (threadIdx.x, k);
      const guint32 parent = left ? paths.load (node) : 0;
      guint32       root   = parent;

      for (;;)
        {
          const guint32 above = paths.load (root);

          if (! __any_sync (WF_ALL_LANES, above != root))
            break;
          root = above;
        }
      if (root != parent)
        paths.store (node, root);
      if (left && ! root)
        raised |= left & -left;
      if (root)
        roots[k * THREADS] = (guint16) (root - 1);
      if (root == node)
        {
          tree[k * THREADS] = first + k * THREADS + 1;
          tops |= 1u << k;
        }
    }
  planes.tops[p] = tops;
  return wf_segment_from (open, raised);
}

/* @before: of the bit before this; all threads of the block. */
template <int CONNECTIVITY>
__device__ __forceinline__ void
label_tile (const Bitplanes                   &planes,
            Tile<Around<CONNECTIVITY>::STACK> &tile,
            Settled                            before)
{
  typedef Around<CONNECTIVITY> A;

  const WordPlace place   = place_in_tile<A::STACK> (threadIdx.x);
  const int       at      = Frame<A::STACK>::place (place);
  const gint64    p       = (gint64) blockIdx.x * THREADS + threadIdx.x;
  const guint32   value   = planes.value[p] & ~before.passed;
  const guint32   active  = planes.mask[p] | before.free;
  guint32         bounded = 0;
  guint32         equal[A::PAIRS];
  guint32         seeds;
  Links           links;

#pragma unroll
  for (int pair = 0; pair < A::PAIRS; pair++)
    equal[pair] = planes.n_before < 2 ? WF_ALL_LANES : planes.equal[pair * planes.n_words + p];
  clear_tile (tile);
  if (planes.before)
    bounded = part_neighbours<CONNECTIVITY> (planes, tile, place, p, before.bits, equal);

  const guint32 raised = active & (bounded | value);
  const guint32 open   = active & ~raised;

  tile.bits[at]   = open;
  tile.raised[at] = raised;
  planes.open[p]  = open;
  if (! __syncthreads_or (open))
    {
      planes.raised[p] = raised;
      planes.tops[p]   = 0;
      return;
    }

  seeds = find_seeds<CONNECTIVITY> (tile, place, open, raised, equal);
  links = links_to_row<CONNECTIVITY> (&tile.bits[at], open, -1, 0);
  plant_segments<A::STACK, A::DIAGONALS> (tile, &tile.bits[at], open, seeds, &links);
  __syncwarp ();
  wf_shorten_paths (tile.parents, tile_node (threadIdx.x, 0), THREADS,
                    __popc (wf_segment_starts (open)), SHORTENINGS);
  __syncthreads ();
  join_segments<CONNECTIVITY> (tile, &tile.bits[at], open, links);
  planes.raised[p] = raised | write_roots (planes, tile, p, open);
}

/* Of images, eight blocks fit a multiprocessor. */
template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS, Around<CONNECTIVITY>::STACK ? 1 : 8)
label_tiles (Bitplanes planes)
{
  __shared__ Tile<Around<CONNECTIVITY>::STACK> tile;

  const gint64 p      = (gint64) blockIdx.x * THREADS + threadIdx.x;
  Settled      before = { 0, 0, 0 };

  if (! is_wanted (planes))
    return;
  if (planes.before)
    before = { planes.before[p], planes.free[p], planes.passed[p] };
  label_tile<CONNECTIVITY> (planes, tile, before);
}

/* For the one and for the other. */
template <bool STACK>
union SettledTile
{
  TileRoots   roots;
  Tile<STACK> tile;
};

/* Ends the round of one bit and begins that of the next: a tile's words of the bit stay in
 * registers, and the latency of the one is hidden by the instructions of the other.  Their parents
 * are different arrays, since other tiles may still read those of the bit that is settled.
 */
template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS, Around<CONNECTIVITY>::STACK ? 1 : 8)
settle_and_label_tiles (Bitplanes settled,
                        Bitplanes next)
{
  __shared__ SettledTile<Around<CONNECTIVITY>::STACK> shared;

  const Settled before = settle_tile (settled, shared.roots);

  __syncthreads ();
  label_tile<CONNECTIVITY> (next, shared.tile, before);
}

} /* namespace bitplanes */
