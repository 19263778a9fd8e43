/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes, across the borders of tiles.  See bitplanes.inc.cuh. */

#pragma once

#include "settle.inc.cuh"

namespace bitplanes
{


/*  Sets  */

/* The root in its tile of the segment of word @p that holds pixel @x. */
__device__ __forceinline__ guint32
node_at (const Bitplanes &planes,
         guint32          p,
         int              x)
{
  const guint32 first = p / THREADS * (THREADS * SEGMENTS);
  const guint32 own   = wf_segment_at (planes.open[p], x) * THREADS + p % THREADS;

  return first + planes.roots[first + own] + 1;
}


/*  Tasks  */

enum
{
  WITH_NEIGHBOUR,       /* the set of a pixel and that of its neighbour */
  RAISE,                /* its own */
  RAISE_NEIGHBOUR
};

/* Tasks in the list, which the threads share evenly; further ones are done at once. */
constexpr guint32 MOST_TASKS = 1024;

/**
 * BorderTasks:
 * @tasks: what, which pair, which word of the tile and pixel of the word
 */
struct BorderTasks
{
  guint32 n;
  guint32 tasks[MOST_TASKS];
};

template <int CONNECTIVITY>
__device__ __forceinline__ void
carry_out (const Bitplanes &planes,
           guint32          task)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  const Offset  to   = offset_of_pair<CONNECTIVITY> (task >> 16 & 15);
  const guint32 t    = task >> 8 & 255;
  const guint32 p    = blockIdx.x * THREADS + t;
  const int     x    = task & 31;
  const int     what = task >> 20;
  WordPlace     place;
  guint32       a    = 0;
  guint32       b    = 0;

  if (what != RAISE_NEIGHBOUR)
    a = node_at (planes, p, x);
  if (what != RAISE)
    {
      place    = place_in_image<STACK> (planes, t);
      place.x += (x + to.dx) >> 5;
      place.y += to.dy;
      place.z += to.dz;
      b        = node_at (planes, word_in_image<STACK> (planes, place), (x + to.dx) & 31);
    }
  wf_join_sets (Sets (planes), a, b);
}

/* For all of @pixels of word @t; all lanes together. */
template <int CONNECTIVITY>
__device__ __forceinline__ void
note_tasks (const Bitplanes &planes,
            BorderTasks     &tasks,
            int              t,
            int              what,
            int              pair,
            guint32          pixels)
{
  guint32 place;

  if (! __any_sync (WF_ALL_LANES, pixels))
    return;
  place = wf_warp_take_places (&tasks.n, __popc (pixels));
  for (; pixels; pixels &= pixels - 1)
    {
      const guint32 task = (what << 4 | pair) << 16 | t << 8 | (__ffs (pixels) - 1);

      if (place < MOST_TASKS)
        tasks.tasks[place++] = task;
      else
        carry_out<CONNECTIVITY> (planes, task);
    }
}


/*  Borders  */

/* Words of another row: the one at the same place, and the one beside it. */
struct HaloWords
{
  guint32 here;
  guint32 side;
};

/* The neighbours (dx, dy, dz) of a word in other tiles, only those that @far needs. */
template <bool STACK>
__device__ __forceinline__ HaloWords
halo_words (const Bitplanes &planes,
            WordPlace        place,
            guint32          far,
            int              dx,
            int              dy,
            int              dz)
{
  const WordPlace here = { place.x, place.y + dy, place.z + dz };
  const WordPlace side = { place.x + dx, place.y + dy, place.z + dz };

  return { moved_word (far, dx) ? word_in_image<STACK> (planes, here) : NOWHERE,
           moved_side (far, dx) ? word_in_image<STACK> (planes, side) : NOWHERE };
}

/* Words of a plane at those places. */
__device__ __forceinline__ HaloWords
read_words (const guint32 *plane,
            HaloWords      places)
{
  return { places.here == NOWHERE ? 0 : plane[places.here],
           places.side == NOWHERE ? 0 : plane[places.side] };
}

__device__ __forceinline__ guint32
neighbours_of (HaloWords others,
               int       dx)
{
  return beside (others.here, others.side, dx);
}

/**
 * Halo:
 * @far: the pixels of a word whose neighbour by a pair is in another tile
 * @places: where these neighbours are
 * @equal: of the pair
 *
 * and planes of the neighbours.
 */
struct Halo
{
  guint32   far;
  HaloWords places;
  guint32   equal;
  HaloWords before;
  HaloWords raised;
  HaloWords open;
};

__device__ __forceinline__ void
bound_pixels (const Bitplanes &planes,
              guint32          p,
              guint32          pixels)
{
  if (pixels && p != NOWHERE)
    atomicOr (&planes.bounded[p], pixels);
}

/* The words of a tile that have earlier neighbours in other tiles, a thread for each.  In images
 * a warp has the first column, another one the last column, if diagonals lead out of it, and
 * another one the rest of the first row; in stacks all words take part.
 */
template <int CONNECTIVITY>
struct BorderWords
{
  typedef Around<CONNECTIVITY>  A;
  typedef TileShape<A::STACK>   T;

  static constexpr int N = A::STACK ? THREADS : A::DIAGONALS ? 3 * WF_LANES : 2 * WF_LANES;

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
};

static_assert (TileShape<false>::ROWS == WF_LANES && TileShape<false>::WORDS <= WF_LANES,
               "a lane for each row, and for each word of a row");

/**
 * BorderWord:
 * @t: its number in the tile
 * @p: its number
 * @bounded, @seeds: what is found of its pixels
 */
struct BorderWord
{
  WordPlace place;
  int       t;
  guint32   p;
  guint32   before;
  guint32   open;
  guint32   raised;
  guint32   bounded;
  guint32   seeds;
};

/* Without pixels that are in the same segment as the one before; @dx as in moved_word(). */
__device__ __forceinline__ guint32
first_moved (guint32 bits,
             int     dx)
{
  return bits & ~(bits << 1 & (dx < 0 ? ~2u : dx > 0 ? WF_ALL_LANES >> 1 : WF_ALL_LANES));
}

/* What is read of the neighbours by a pair. */
template <int CONNECTIVITY>
__device__ __forceinline__ Halo
read_halo (const Bitplanes  &planes,
           const BorderWord &word,
           guint32           far,
           int               pair)
{
  const Offset to   = offset_of_pair<CONNECTIVITY> (pair);
  Halo         halo = { far };

  halo.places = halo_words<Around<CONNECTIVITY>::STACK> (planes, word.place, far, to.dx, to.dy,
                                                         to.dz);
  halo.equal  = far && planes.n_before ? planes.equal[pair * planes.n_words + word.p]
                                       : WF_ALL_LANES;
  if (planes.before)
    halo.before = read_words (planes.before, halo.places);
  halo.raised = read_words (planes.raised, halo.places);
  halo.open   = read_words (planes.open, halo.places);
  return halo;
}

/* A word and its neighbours by @pair in other tiles; all lanes together.
 * @straight: where a pixel has the one straight across for a neighbour that is open too.
 * Returns the neighbours that both are open.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
join_words (const Bitplanes &planes,
            BorderTasks     &tasks,
            BorderWord      &word,
            const Halo      &halo,
            int              pair,
            guint32          straight)
{
  const int dx    = offset_of_pair<CONNECTIVITY> (pair).dx;
  guint32   near  = halo.equal & halo.far;
  guint32   notes = 0;
  guint32   both;

  if (planes.before && near)
    {
      const guint32 other = neighbours_of (halo.before, dx);
      const guint32 parts = (word.before ^ other) & near;

      if (parts)
        planes.equal[pair * planes.n_words + word.p] = halo.equal & ~parts;
      near         &= ~parts;
      word.bounded |= parts & other;
      notes         = parts & word.before;

      /* there may be no such pixels; then nothing happens */
      bound_pixels (planes, halo.places.here, moved_word (notes, dx));
      bound_pixels (planes, halo.places.side, moved_side (notes, dx));
    }

  const guint32 raised = neighbours_of (halo.raised, dx);
  const guint32 live   = neighbours_of (halo.open, dx) & ~raised;

  word.seeds |= word.open & near & raised;
  notes       = (notes | (word.raised & near)) & live;
  both        = word.open & near & live;
  note_tasks<CONNECTIVITY> (planes, tasks, word.t, RAISE_NEIGHBOUR, pair, first_moved (notes, dx));
  note_tasks<CONNECTIVITY> (planes, tasks, word.t, WITH_NEIGHBOUR, pair,
                            links_of (word.open, both, straight, dx));
  return both;
}

/* The halos are read before anything is written: of images all, so that they do not wait for each
 * other; of stacks those of a pair, as the registers have no room for more.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ void
visit_border (const Bitplanes &planes,
              BorderTasks     &tasks,
              BorderWord      &word,
              bool             is)
{
  typedef Around<CONNECTIVITY> A;
  constexpr bool ALL_AHEAD = ! A::STACK;

  const WordPlace tile     = place_in_tile<A::STACK> (word.t);
  guint32         straight = 0;
  Halo            halos[A::PAIRS];
  const auto      read     = [&] (int pair, int dx, int dy, int dz)
    {
      const guint32 far = is ? ~pairs_in_tile<A::STACK> (tile, dx, dy, dz) : 0;

      halos[pair].far = 0;
      if (far)
        halos[pair] = read_halo<CONNECTIVITY> (planes, word, far, pair);
    };

  if (ALL_AHEAD)
    each_pair<CONNECTIVITY> (read);
  each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
    {
      if (! ALL_AHEAD)
        read (pair, dx, dy, dz);
      if (dx == 0)
        straight = 0;
      if (! __any_sync (WF_ALL_LANES, halos[pair].far))
        return;

      const guint32 both = join_words<CONNECTIVITY> (planes, tasks, word, halos[pair], pair,
                                                     straight);

      if (dx == 0)
        straight = both;
    });
}

template <int CONNECTIVITY>
__global__ void
#ifdef WF_X_JOIN
__launch_bounds__ (BorderWords<CONNECTIVITY>::N, CONNECTIVITY == 8 ? WF_X_JOIN : 1)
#else
__launch_bounds__ (BorderWords<CONNECTIVITY>::N)
#endif
join_tiles (Bitplanes planes)
{
  __shared__ BorderTasks tasks;

  if (! is_wanted (planes))
    return;

  const bool    is   = BorderWords<CONNECTIVITY>::of_thread () >= 0;
  const int     t    = is ? BorderWords<CONNECTIVITY>::of_thread () : 0;
  const guint32 p    = blockIdx.x * THREADS + t;
  BorderWord    word = { place_in_image<Around<CONNECTIVITY>::STACK> (planes, t), t, p };

  if (threadIdx.x == 0)
    tasks.n = 0;
  __syncthreads ();
  word.raised = planes.raised[p];
  word.open   = planes.open[p] & ~word.raised;
  word.before = planes.before ? planes.before[p] : 0;
  visit_border<CONNECTIVITY> (planes, tasks, word, is);
  bound_pixels (planes, p, word.bounded);
  word.seeds |= word.bounded & word.open;
  note_tasks<CONNECTIVITY> (planes, tasks, t, RAISE, 0, wf_segment_starts (word.seeds));

  __syncthreads ();
  for (guint32 i = threadIdx.x; i < min (tasks.n, MOST_TASKS);
       i += BorderWords<CONNECTIVITY>::N)
    carry_out<CONNECTIVITY> (planes, tasks.tasks[i]);
}

} /* namespace bitplanes */
