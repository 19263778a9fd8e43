/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes, across the borders of tiles.  See bitplanes.inc.cuh.
 *
 * The latency of memory bounds the time, so a thread reads all it needs of a row at once, and warps
 * do not wait for each other.  Links that follow from others are left out (needed_links()).
 */

#pragma once

#include "settle.inc.cuh"

namespace bitplanes
{


/*  Tasks  */

/* A segment of the image: its word, and which of the word's.  NOBODY: all that is raised. */
constexpr guint32 NOBODY = 0xffffffffu;

__device__ __forceinline__ guint32
segment_of_pixel (guint32 p,
                  guint32 open,
                  int     x)
{
  return p << 4 | wf_segment_at (open, x);
}

/* Its root in its tile. */
__device__ __forceinline__ guint32
root_in_tile (const Bitplanes &planes,
              guint32          segment)
{
  const guint32 p     = segment >> 4;
  const guint32 first = p / THREADS * (THREADS * SEGMENTS);

  if (segment == NOBODY)
    return 0;
  return first + planes.roots[first + segment % SEGMENTS * THREADS + p % THREADS] + 1;
}

/* Tasks in the list of a warp, which its lanes share evenly; further ones are done at once. */
constexpr guint32 MOST_TASKS = 160;

/**
 * BorderTasks:
 * @pairs: of segments whose sets are to be joined
 *
 * A warp has its own, so that warps need not wait for each other.
 */
struct BorderTasks
{
  guint32 n;
  uint2   pairs[MOST_TASKS];
};

/* The parents are ancestors, and both are read at the same time. */
__device__ __forceinline__ void
carry_out (const Bitplanes &planes,
           uint2            pair)
{
  const Sets    sets (planes);
  const guint32 a      = root_in_tile (planes, pair.x);
  const guint32 b      = root_in_tile (planes, pair.y);
  const guint32 parent = sets.load (a);
  const guint32 other  = sets.load (b);

  wf_join_sets (sets, parent, other);
}

/* Notes @task_of (pixel) for all of @pixels; all lanes together. */
template <typename TaskOf>
__device__ __forceinline__ void
note_tasks (const Bitplanes &planes,
            BorderTasks     &tasks,
            guint32          pixels,
            TaskOf           task_of)
{
  guint32 place;

  if (! __any_sync (WF_ALL_LANES, pixels))
    return;
  place = wf_warp_take_places (&tasks.n, __popc (pixels));
  for (; pixels; pixels &= pixels - 1)
    {
      const uint2 task = task_of (__ffs (pixels) - 1);

      if (place < MOST_TASKS)
        tasks.pairs[place++] = task;
      else
        carry_out (planes, task);
    }
}


/*  Borders  */

/* The words of a tile that have earlier neighbours in other tiles, a thread for each.  In images
 * a warp has the first column, another one the last column, if diagonals lead out of it, and
 * another one the rest of the first row; in stacks all words take part.
 */
template <int CONNECTIVITY>
struct BorderWords
{
  typedef Around<CONNECTIVITY>  A;
  typedef TileShape<A::STACK>   T;

  static constexpr int COLUMNS = A::STACK ? 0 : A::DIAGONALS ? 2 : 1;
  static constexpr int N       = A::STACK ? THREADS : (COLUMNS + 1) * WF_LANES;

  /* The word of a thread, or -1. */
  static __device__ __forceinline__ int
  of_thread ()
  {
    const int lane   = threadIdx.x % WF_LANES;
    const int column = A::DIAGONALS ? T::WORDS - 1 : T::WORDS;

    if (A::STACK)
      return threadIdx.x;
    if (threadIdx.x < WF_LANES)
      return lane;
    if (A::DIAGONALS && threadIdx.x < 2 * WF_LANES)
      return column * T::ROWS + lane;
    return lane >= 1 && lane < column ? lane * T::ROWS : -1;
  }

  /* What the lane of the word above in a column has; 0 if there is none.  All lanes. */
  static __device__ __forceinline__ guint32
  above (guint32 value)
  {
    const guint32 other = COLUMNS ? __shfl_up_sync (WF_ALL_LANES, value, 1) : 0;

    return (int) threadIdx.x / WF_LANES < COLUMNS && wf_lane () ? other : 0;
  }
};

static_assert (TileShape<false>::ROWS == WF_LANES && TileShape<false>::WORDS <= WF_LANES,
               "a lane for each row, and for each word of a row");

/**
 * BorderWord:
 * @is: whether there is one
 * @in_tile, @place: in its tile and in the image
 * @p: its number
 * @all, @open: the open pixels, and those that are not raised
 * @bounded, @seeds: what is found of its pixels
 * @beside: its first pixel, if it is linked to the last one of the word before
 */
struct BorderWord
{
  bool      is;
  WordPlace in_tile;
  WordPlace place;
  guint32   p;
  guint32   before;
  guint32   raised;
  guint32   all;
  guint32   open;
  guint32   bounded;
  guint32   seeds;
  guint32   beside;
};

/* Words of a row: at the place of a word, and beside it. */
struct RowWords
{
  guint32 left;
  guint32 here;
  guint32 right;
};

/**
 * Halo:
 * @places: the words of a row that have neighbours in other tiles
 *
 * and their planes.
 */
struct Halo
{
  RowWords places;
  RowWords before;
  RowWords raised;
  RowWords open;
};

/* The pixels of a word that have a neighbour in another tile. */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
far_pixels (const BorderWord &word,
            int               pair)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;
  const Offset   to    = offset_of_pair<CONNECTIVITY> (pair);

  return word.is ? ~pairs_in_tile<STACK> (word.in_tile, to.dx, to.dy, to.dz) : 0;
}

/* The pairs that lead to a row, -1 for the word's own: straight across, left and right; -1 if there
 * is none.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ constexpr int
pair_of_row (int row,
             int dx)
{
  typedef Around<CONNECTIVITY> A;

  if (row < 0)
    return dx < 0 ? 0 : -1;
  if (! A::DIAGONALS)
    return dx == 0 ? 1 + row : -1;
  return 1 + 3 * row + (dx < 0 ? 1 : dx > 0 ? 2 : 0);
}

__device__ __forceinline__ RowWords
read_row (const guint32 *plane,
          RowWords       places)
{
  return { places.left == NOWHERE ? 0 : plane[places.left],
           places.here == NOWHERE ? 0 : plane[places.here],
           places.right == NOWHERE ? 0 : plane[places.right] };
}

template <int CONNECTIVITY>
__device__ __forceinline__ Halo
read_halo (const Bitplanes  &planes,
           const BorderWord &word,
           int               row)
{
  typedef Around<CONNECTIVITY> A;
  constexpr bool STACK = A::STACK;

  const WordPlace at = { word.place.x, word.place.y + (row < 0 ? 0 : A::dy (row)),
                         word.place.z + (row < 0 ? 0 : A::dz (row)) };
  guint32         far[3];
  Halo            halo = {};

#pragma unroll
  for (int i = 0; i < 3; i++)
    {
      const int pair = pair_of_row<CONNECTIVITY> (row, i - 1);

      far[i] = pair < 0 ? 0 : far_pixels<CONNECTIVITY> (word, pair);
    }
  halo.places.left  = moved_side (far[0], -1)
                      ? word_in_image<STACK> (planes, { at.x - 1, at.y, at.z }) : NOWHERE;
  halo.places.here  = moved_word (far[0], -1) | far[1] | moved_word (far[2], 1)
                      ? word_in_image<STACK> (planes, at) : NOWHERE;
  halo.places.right = moved_side (far[2], 1)
                      ? word_in_image<STACK> (planes, { at.x + 1, at.y, at.z }) : NOWHERE;
  halo.raised       = read_row (planes.raised, halo.places);
  halo.open         = read_row (planes.open, halo.places);
  if (planes.before)
    halo.before = read_row (planes.before, halo.places);
  return halo;
}

__device__ __forceinline__ guint32
side_of (RowWords words,
         int      dx)
{
  return dx < 0 ? words.left : words.right;
}

__device__ __forceinline__ guint32
neighbours_of (RowWords words,
               int      dx)
{
  return beside (words.here, side_of (words, dx), dx);
}

__device__ __forceinline__ void
bound_pixels (const Bitplanes &planes,
              guint32          p,
              guint32          pixels)
{
  if (pixels && p != NOWHERE)
    atomicOr (&planes.bounded[p], pixels);
}

/* Without pixels that are in the same segment as the one before; @dx as in moved_word(). */
__device__ __forceinline__ guint32
first_moved (guint32 bits,
             int     dx)
{
  return bits & ~(bits << 1 & (dx < 0 ? ~2u : dx > 0 ? WF_ALL_LANES >> 1 : WF_ALL_LANES));
}

/* The links of a pair that do not follow from others; @both: the neighbours that both are open.
 * Those along a column follow from the one above if all four pixels are open, and diagonals from a
 * third pixel that is.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
needed_links (const BorderWord &word,
              guint32           both,
              guint32           straight,
              int               row,
              int               dx)
{
  typedef BorderWords<CONNECTIVITY> Border;

  const guint32 links = links_of (word.open, both, straight, dx);

  if (row < 0)
    return links & ~Border::above (both);
  if (dx == 0 || Border::COLUMNS == 0)
    return links;
  return links & ~Border::above (word.open) & ~(dx < 0 ? word.beside : 0);
}

/* A word and its neighbours by a pair; all lanes together.  @straight: where a pixel has the one
 * straight across for a neighbour that is open too.  Returns the neighbours that both are open.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
join_words (const Bitplanes &planes,
            BorderTasks     &tasks,
            BorderWord      &word,
            const Halo      &halo,
            int              row,
            int              dx,
            guint32          straight)
{
  typedef BorderWords<CONNECTIVITY> Border;

  const int      pair   = pair_of_row<CONNECTIVITY> (row, dx);
  const guint32  far    = far_pixels<CONNECTIVITY> (word, pair);
  guint32       *equal  = &planes.equal[pair * planes.n_words + word.p];
  const guint32  old    = far && planes.n_before ? *equal : WF_ALL_LANES;
  const guint32  raised = neighbours_of (halo.raised, dx);
  const guint32  live   = neighbours_of (halo.open, dx) & ~raised;
  guint32        near   = old & far;
  guint32        notes  = 0;
  guint32        both;

  if (planes.before && near)
    {
      const guint32 other = neighbours_of (halo.before, dx);
      const guint32 parts = (word.before ^ other) & near;

      if (parts)
        *equal = old & ~parts;
      near         &= ~parts;
      word.bounded |= parts & other;
      notes         = parts & word.before;

      /* there may be no such pixels; then nothing happens */
      bound_pixels (planes, halo.places.here, moved_word (notes, dx));
      bound_pixels (planes, side_of (halo.places, dx), moved_side (notes, dx));
    }
  word.seeds |= word.open & near & raised;
  notes       = (notes | (word.raised & near)) & live;
  both        = word.open & near & live;
  if (row < 0)
    word.beside = both;

  const auto other = [&] (int x)
    {
      const int there = x + dx;

      return there < 0 ? segment_of_pixel (halo.places.left, halo.open.left, 31) :
             there > 31 ? segment_of_pixel (halo.places.right, halo.open.right, 0) :
             segment_of_pixel (halo.places.here, halo.open.here, there);
    };

  note_tasks (planes, tasks, first_moved (notes, dx) & ~(row < 0 ? Border::above (notes) : 0),
              [&] (int x)
              {
                return make_uint2 (NOBODY, other (x));
              });
  note_tasks (planes, tasks, needed_links<CONNECTIVITY> (word, both, straight, row, dx),
              [&] (int x)
              {
                return make_uint2 (segment_of_pixel (word.p, word.all, x), other (x));
              });
  return both;
}

/* A word and its neighbours in a row. */
template <int CONNECTIVITY>
__device__ __forceinline__ void
join_row (const Bitplanes &planes,
          BorderTasks     &tasks,
          BorderWord      &word,
          int              row)
{
  const Halo halo     = read_halo<CONNECTIVITY> (planes, word, row);
  guint32    straight = 0;

#pragma unroll
  for (int i = 0; i < 3; i++)
    {
      const int dx   = i == 2 ? 1 : -i;
      const int pair = pair_of_row<CONNECTIVITY> (row, dx);

      if (pair < 0 || ! __any_sync (WF_ALL_LANES, far_pixels<CONNECTIVITY> (word, pair)))
        continue;

      const guint32 both = join_words<CONNECTIVITY> (planes, tasks, word, halo, row, dx, straight);

      if (dx == 0)
        straight = both;
    }
}

/* With diagonals in images, 18 blocks fit a multiprocessor if a thread has 32 registers instead of
 * 40; the latency of memory is worth more than the few registers.
 */
template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (BorderWords<CONNECTIVITY>::N, CONNECTIVITY == 8 ? 18 : 0)
join_tiles (Bitplanes planes)
{
  typedef Around<CONNECTIVITY>      A;
  typedef BorderWords<CONNECTIVITY> Border;

  __shared__ BorderTasks of_warps[Border::N / WF_LANES];

  if (! is_wanted (planes))
    return;

  BorderTasks   &tasks = of_warps[threadIdx.x / WF_LANES];
  const bool     is    = Border::of_thread () >= 0;
  const int      t     = is ? Border::of_thread () : 0;
  const guint32  p     = blockIdx.x * THREADS + t;
  BorderWord     word  = { is, place_in_tile<A::STACK> (t), place_in_image<A::STACK> (planes, t),
                           p };

  word.raised = planes.raised[p];
  word.all    = planes.open[p];
  word.open   = word.all & ~word.raised;
  word.before = planes.before ? planes.before[p] : 0;
  if (wf_lane () == 0)
    tasks.n = 0;
  __syncwarp ();
#pragma unroll
  for (int row = -1; row < A::N; row++)
    join_row<CONNECTIVITY> (planes, tasks, word, row);
  bound_pixels (planes, p, word.bounded);
  word.seeds |= word.bounded & word.open;
  note_tasks (planes, tasks, wf_segment_starts (word.seeds) & ~Border::above (word.seeds),
              [&] (int x)
              {
                return make_uint2 (segment_of_pixel (p, word.all, x), NOBODY);
              });

  __syncwarp ();
  for (guint32 i = wf_lane (); i < min (tasks.n, MOST_TASKS); i += WF_LANES)
    carry_out (planes, tasks.pairs[i]);
}

} /* namespace bitplanes */
