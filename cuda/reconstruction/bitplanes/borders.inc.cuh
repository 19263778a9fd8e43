/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels, across the sides of tiles, and the end of a round.  See
 * bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"


/*  Sets  */

/* A node's parent: one for all threads, past the first-level cache. */
__device__ __forceinline__ uint32_t
parent_of (const Levels &levels,
           uint32_t      node)
{
  return __ldcg (&levels.parents[node - 1]);
}

/* As in tiles. */
__device__ __forceinline__ uint32_t
find_in_image (const Levels &levels,
               uint32_t      node)
{
  uint32_t parent = node ? parent_of (levels, node) : 0;

  while (parent != node)
    {
      const uint32_t above = parent ? parent_of (levels, parent) : 0;

      if (above != parent)
        __stcg (&levels.parents[node - 1], above);
      node   = parent;
      parent = above;
    }
  return node;
}

__device__ __forceinline__ void
join_in_image (const Levels &levels,
               uint32_t      a,
               uint32_t      b)
{
  for (;;)
    {
      a = find_in_image (levels, a);
      b = find_in_image (levels, b);
      if (a == b)
        return;

      const uint32_t later = max (a, b);
      const uint32_t old   = atomicMin (&levels.parents[later - 1], min (a, b));

      if (old == later)
        return;
      a = min (a, b);
      b = old;
    }
}

/* The root in its tile of the segment of word @p that holds pixel @x. */
__device__ __forceinline__ uint32_t
node_at (const Levels &levels,
         uint32_t      p,
         int           x)
{
  const uint32_t first = p / THREADS * (THREADS * SEGMENTS);
  const uint32_t own   = segment_at (levels.open[p], x) * THREADS + p % THREADS;

  return first + levels.roots[first + own] + 1;
}


/*  What is to be joined  */

enum
{
  WITH_NEIGHBOUR,       /* the set of a pixel and that of its neighbour */
  RAISE,                /* its own */
  RAISE_NEIGHBOUR
};

/* Such tasks wait until the threads share them evenly; more of them are done at once. */
#define MOST_TASKS 2048

/**
 * BorderTasks:
 * @tasks: what, which pair, which word of the tile and pixel of the word
 */
struct BorderTasks
{
  uint32_t n;
  uint32_t tasks[MOST_TASKS];
};

template <int CONNECTIVITY>
__device__ __forceinline__ void
carry_out (const Levels &levels,
           uint32_t      task)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  const Offset   to   = offset_of_pair<CONNECTIVITY> (task >> 16 & 15);
  const uint32_t t    = task >> 8 & 255;
  const uint32_t p    = blockIdx.x * THREADS + t;
  const int      x    = task & 31;
  const int      what = task >> 20;
  Place          place;
  uint32_t       a    = 0;
  uint32_t       b    = 0;

  if (what != RAISE_NEIGHBOUR)
    a = node_at (levels, p, x);
  if (what != RAISE)
    {
      place    = place_in_image<STACK> (levels, t);
      place.x += (x + to.dx) >> 5;
      place.y += to.dy;
      place.z += to.dz;
      b        = node_at (levels, word_in_image<STACK> (levels, place), (x + to.dx) & 31);
    }
  join_in_image (levels, a, b);
}

/* For all of @pixels; all lanes together. */
template <int CONNECTIVITY>
__device__ __forceinline__ void
note_tasks (const Levels &levels,
            BorderTasks  &tasks,
            int           what,
            int           pair,
            uint32_t      pixels)
{
  uint32_t place;

  if (! __any_sync (ALL, pixels))
    return;
  place = take_places (&tasks.n, __popc (pixels));
  for (; pixels; pixels &= pixels - 1)
    {
      const uint32_t task = (what << 4 | pair) << 16 | threadIdx.x << 8 | (__ffs (pixels) - 1);

      if (place < MOST_TASKS)
        tasks.tasks[place++] = task;
      else
        carry_out<CONNECTIVITY> (levels, task);
    }
}


/*  Borders  */

/* Words of another row: the one at the same place, and the one beside it. */
struct OtherWords
{
  uint32_t here;
  uint32_t side;
};

__device__ __forceinline__ uint32_t
word_at (const uint32_t *plane,
         uint32_t        p)
{
  return p == NOWHERE ? 0 : plane[p];
}

__device__ __forceinline__ uint32_t
neighbours_of (const uint32_t *plane,
               OtherWords      others,
               int             dx)
{
  return beside (word_at (plane, others.here), word_at (plane, others.side), dx);
}

/* The neighbours (dx, dy, dz) of a word; only those that @far needs, which are in other
 * tiles.
 */
template <bool STACK>
__device__ __forceinline__ OtherWords
other_words (const Levels &levels,
             Place         place,
             uint32_t      far,
             int           dx,
             int           dy,
             int           dz)
{
  const Place here = { place.x, place.y + dy, place.z + dz };
  const Place side = { place.x + dx, place.y + dy, place.z + dz };

  return { told_word (far, dx) ? word_in_image<STACK> (levels, here) : NOWHERE,
           told_side (far, dx) ? word_in_image<STACK> (levels, side) : NOWHERE };
}

__device__ __forceinline__ void
bound_pixels (const Levels &levels,
              uint32_t      p,
              uint32_t      pixels)
{
  if (pixels && p != NOWHERE)
    atomicOr (&levels.bounded[p], pixels);
}

/**
 * BorderWord:
 * @p: its number
 * @bounded, @seeds: what is found of its pixels
 */
struct BorderWord
{
  Place    place;
  uint32_t p;
  uint32_t open;
  uint32_t raised;
  uint32_t bounded;
  uint32_t seeds;
};

/* Without those that are of one segment with the one before; @dx as in told_word(). */
__device__ __forceinline__ uint32_t
first_told (uint32_t bits,
            int      dx)
{
  return bits & ~(bits << 1 & (dx < 0 ? ~2u : dx > 0 ? ALL >> 1 : ALL));
}

/* A word and its neighbours by @pair in other tiles, @far; all lanes together.
 * @straight: where a pixel has the one straight across for a neighbour that is open too.
 * Returns the neighbours that both are open.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ uint32_t
join_words (const Levels &levels,
            BorderTasks  &tasks,
            BorderWord   &word,
            int           pair,
            uint32_t      far,
            uint32_t      straight)
{
  const Offset     to     = offset_of_pair<CONNECTIVITY> (pair);
  const OtherWords others = other_words<Around<CONNECTIVITY>::STACK> (levels, word.place, far,
                                                                      to.dx, to.dy, to.dz);
  uint32_t        *equal  = &levels.equal[pair * levels.n_words + word.p];
  uint32_t         near   = far ? *equal & far : 0;
  uint32_t         tells  = 0;
  uint32_t         both;

  if (levels.before && near)
    {
      const uint32_t own   = levels.before[word.p];
      const uint32_t other = neighbours_of (levels.before, others, to.dx);
      const uint32_t parts = (own ^ other) & near;

      if (parts)
        *equal &= ~parts;
      near         &= ~parts;
      word.bounded |= parts & other;
      tells         = parts & own;

      /* there may be no pixels; then it means nothing */
      bound_pixels (levels, others.here, told_word (tells, to.dx));
      bound_pixels (levels, others.side, told_side (tells, to.dx));
    }

  const bool     any    = near | tells;
  const uint32_t raised = any ? neighbours_of (levels.raised, others, to.dx) : 0;
  const uint32_t live   = any ? neighbours_of (levels.open, others, to.dx) & ~raised : 0;

  word.seeds |= word.open & near & raised;
  tells       = (tells | (word.raised & near)) & live;
  both        = word.open & near & live;
  note_tasks<CONNECTIVITY> (levels, tasks, RAISE_NEIGHBOUR, pair, first_told (tells, to.dx));
  note_tasks<CONNECTIVITY> (levels, tasks, WITH_NEIGHBOUR, pair,
                            links_of (word.open, both, straight, to.dx));
  return both;
}

template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS)
join_tiles (Levels levels)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  __shared__ BorderTasks tasks;

  const Place    tile     = place_in_tile<STACK> (threadIdx.x);
  const uint32_t p        = blockIdx.x * THREADS + threadIdx.x;
  BorderWord     word     = { place_in_image<STACK> (levels, threadIdx.x), p };
  uint32_t       straight = 0;

  if (threadIdx.x == 0)
    tasks.n = 0;
  __syncthreads ();
  word.raised = levels.raised[p];
  word.open   = levels.open[p] & ~word.raised;
  each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
    {
      const uint32_t far = ~pairs_in_tile<STACK> (tile, dx, dy, dz);

      if (dx == 0)
        straight = 0;
      if (! __any_sync (ALL, far))
        return;

      const uint32_t both = join_words<CONNECTIVITY> (levels, tasks, word, pair, far, straight);

      if (dx == 0)
        straight = both;
    });
  bound_pixels (levels, p, word.bounded);
  word.seeds |= word.bounded & word.open;
  note_tasks<CONNECTIVITY> (levels, tasks, RAISE, 0, starts_of (word.seeds));

  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < min (tasks.n, (uint32_t) MOST_TASKS); i += THREADS)
    carry_out<CONNECTIVITY> (levels, tasks.tasks[i]);
}


/*  The end of a round  */

/* Whether the set of a tile's root is raised.  Nobody joins sets any more, so that a root
 * may be put in place of a parent, for those whose way leads here.
 */
__device__ __forceinline__ bool
is_raised (const Levels &levels,
           uint32_t      node)
{
  uint32_t root = parent_of (levels, node);
  bool     far  = false;

  while (root)
    {
      const uint32_t above = parent_of (levels, root);

      if (above == root)
        break;
      root = above;
      far  = true;
    }
  if (far)
    __stcg (&levels.parents[node - 1], root);
  return root == 0;
}

/* The raised segments of a word, by way of those that are roots in their tile. */
__device__ __forceinline__ uint32_t
raised_segments (const Levels &levels,
                 uint32_t     *flags,
                 uint32_t      p,
                 uint32_t      open,
                 uint32_t      live)
{
  const uint32_t first = blockIdx.x * (THREADS * SEGMENTS);
  uint32_t       found = 0;
  bool           any   = false;
  int            k     = 0;

  for (uint32_t left = open ? levels.tops[p] : 0; left; left &= left - 1)
    {
      const uint32_t own = (__ffs (left) - 1) * THREADS + threadIdx.x;

      if (is_raised (levels, first + own + 1))
        {
          atomicOr (&flags[own / 32], 1u << own % 32);
          any = true;
        }
    }
  if (! __syncthreads_or (any))
    return 0;

  for (uint32_t left = starts_of (open); left; left &= left - 1, k++)
    if (live & left & -left)
      {
        const uint32_t root = levels.roots[first + k * THREADS + threadIdx.x];

        if (flags[root / 32] >> root % 32 & 1)
          found |= segment_from (open, left & -left);
      }
  return found;
}

static __global__ void
__launch_bounds__ (THREADS)
settle_tiles (Levels levels)
{
  __shared__ uint32_t flags[THREADS * SEGMENTS / 32];

  const uint32_t p      = blockIdx.x * THREADS + threadIdx.x;
  const uint32_t raised = levels.raised[p];
  const uint32_t open   = levels.open[p];
  const uint32_t mask   = levels.mask[p];
  const uint32_t value  = levels.value[p];
  uint32_t       bits   = raised;

  for (int i = threadIdx.x; i < THREADS * SEGMENTS / 32; i += THREADS)
    flags[i] = 0;
  if (__syncthreads_or (open & ~raised))
    bits |= raised_segments (levels, flags, p, open, open & ~raised);
  if (mask & ~bits)
    levels.free[p] |= mask & ~bits;
  if (bits & ~value)
    levels.passed[p] |= bits & ~value;
  levels.value[p] = bits;
}
