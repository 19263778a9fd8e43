/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels, across the sides of tiles, and the end of a round.  See
 * bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"

namespace bitplanes
{


/*  Sets  */

/* The parents of roots of tiles: all threads' reads pass the first-level cache. */
struct Sets : WfOrderedNodes
{
  guint32 *parents;

  __device__ __forceinline__ explicit
  Sets (const Bitplanes &planes)
  {
    parents = planes.parents;
  }

  static __device__ __forceinline__ guint32
  at (guint32 node)
  {
    return node;
  }

  __device__ __forceinline__ guint32
  load (guint32 node) const
  {
    return node ? __ldcg (&parents[node - 1]) : 0;
  }

  __device__ __forceinline__ void
  store (guint32 node,
         guint32 ancestor) const
  {
    __stcg (&parents[node - 1], ancestor);
  }

  __device__ __forceinline__ guint32
  link (guint32 later,
        guint32 earlier) const
  {
    return atomicMin (&parents[later - 1], earlier);
  }
};

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


/*  What is to be joined  */

enum
{
  WITH_NEIGHBOUR,       /* the set of a pixel and that of its neighbour */
  RAISE,                /* its own */
  RAISE_NEIGHBOUR
};

/* Such tasks wait until the threads share them evenly; more of them are done at once. */
constexpr guint32 MOST_TASKS = 2048;

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

/* For all of @pixels; all lanes together. */
template <int CONNECTIVITY>
__device__ __forceinline__ void
note_tasks (const Bitplanes &planes,
            BorderTasks     &tasks,
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
      const guint32 task = (what << 4 | pair) << 16 | threadIdx.x << 8 | (__ffs (pixels) - 1);

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

__device__ __forceinline__ guint32
word_at (const guint32 *plane,
         guint32        p)
{
  return p == NOWHERE ? 0 : plane[p];
}

__device__ __forceinline__ guint32
neighbours_of (const guint32 *plane,
               HaloWords      others,
               int            dx)
{
  return beside (word_at (plane, others.here), word_at (plane, others.side), dx);
}

/* The neighbours (dx, dy, dz) of a word; only those that @far needs, which are in other
 * tiles.
 */
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

__device__ __forceinline__ void
bound_pixels (const Bitplanes &planes,
              guint32          p,
              guint32          pixels)
{
  if (pixels && p != NOWHERE)
    atomicOr (&planes.bounded[p], pixels);
}

/**
 * BorderWord:
 * @p: its number
 * @bounded, @seeds: what is found of its pixels
 */
struct BorderWord
{
  WordPlace place;
  guint32   p;
  guint32   open;
  guint32   raised;
  guint32   bounded;
  guint32   seeds;
};

/* Without those that are of one segment with the one before; @dx as in told_word(). */
__device__ __forceinline__ guint32
first_moved (guint32 bits,
             int     dx)
{
  return bits & ~(bits << 1 & (dx < 0 ? ~2u : dx > 0 ? WF_ALL_LANES >> 1 : WF_ALL_LANES));
}

/* A word and its neighbours by @pair in other tiles, @far; all lanes together.
 * @straight: where a pixel has the one straight across for a neighbour that is open too.
 * Returns the neighbours that both are open.
 */
template <int CONNECTIVITY>
__device__ __forceinline__ guint32
join_words (const Bitplanes &planes,
            BorderTasks     &tasks,
            BorderWord      &word,
            int              pair,
            guint32          far,
            guint32          straight)
{
  const Offset     to     = offset_of_pair<CONNECTIVITY> (pair);
  const HaloWords  others = halo_words<Around<CONNECTIVITY>::STACK> (planes, word.place, far,
                                                                     to.dx, to.dy, to.dz);
  guint32         *equal  = &planes.equal[pair * planes.n_words + word.p];
  guint32          near   = far ? *equal & far : 0;
  guint32          notes  = 0;
  guint32          both;

  if (planes.before && near)
    {
      const guint32 own   = planes.before[word.p];
      const guint32 other = neighbours_of (planes.before, others, to.dx);
      const guint32 parts = (own ^ other) & near;

      if (parts)
        *equal &= ~parts;
      near         &= ~parts;
      word.bounded |= parts & other;
      notes         = parts & own;

      /* there may be no pixels; then it means nothing */
      bound_pixels (planes, others.here, moved_word (notes, to.dx));
      bound_pixels (planes, others.side, moved_side (notes, to.dx));
    }

  const bool    any    = near | notes;
  const guint32 raised = any ? neighbours_of (planes.raised, others, to.dx) : 0;
  const guint32 live   = any ? neighbours_of (planes.open, others, to.dx) & ~raised : 0;

  word.seeds |= word.open & near & raised;
  notes       = (notes | (word.raised & near)) & live;
  both        = word.open & near & live;
  note_tasks<CONNECTIVITY> (planes, tasks, RAISE_NEIGHBOUR, pair, first_moved (notes, to.dx));
  note_tasks<CONNECTIVITY> (planes, tasks, WITH_NEIGHBOUR, pair,
                            links_of (word.open, both, straight, to.dx));
  return both;
}

template <int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS)
join_tiles (Bitplanes planes)
{
  constexpr bool STACK = Around<CONNECTIVITY>::STACK;

  __shared__ BorderTasks tasks;

  const WordPlace tile     = place_in_tile<STACK> (threadIdx.x);
  const guint32   p        = blockIdx.x * THREADS + threadIdx.x;
  BorderWord      word     = { place_in_image<STACK> (planes, threadIdx.x), p };
  guint32         straight = 0;

  if (threadIdx.x == 0)
    tasks.n = 0;
  __syncthreads ();
  word.raised = planes.raised[p];
  word.open   = planes.open[p] & ~word.raised;
  each_pair<CONNECTIVITY> ([&] (int pair, int dx, int dy, int dz)
    {
      const guint32 far = ~pairs_in_tile<STACK> (tile, dx, dy, dz);

      if (dx == 0)
        straight = 0;
      if (! __any_sync (WF_ALL_LANES, far))
        return;

      const guint32 both = join_words<CONNECTIVITY> (planes, tasks, word, pair, far, straight);

      if (dx == 0)
        straight = both;
    });
  bound_pixels (planes, p, word.bounded);
  word.seeds |= word.bounded & word.open;
  note_tasks<CONNECTIVITY> (planes, tasks, RAISE, 0, wf_segment_starts (word.seeds));

  __syncthreads ();
  for (guint32 i = threadIdx.x; i < min (tasks.n, MOST_TASKS); i += THREADS)
    carry_out<CONNECTIVITY> (planes, tasks.tasks[i]);
}


/*  The end of a round  */

/* Whether the set of a tile's root is raised.  Nobody joins sets any more, so that a root
 * may be put in place of a parent, for those whose way leads here.
 */
__device__ __forceinline__ bool
is_raised (const Bitplanes &planes,
           guint32          node)
{
  const Sets sets (planes);
  guint32    root = sets.load (node);
  bool       far  = false;

  while (root)
    {
      const guint32 above = sets.load (root);

      if (above == root)
        break;
      root = above;
      far  = true;
    }
  if (far)
    sets.store (node, root);
  return root == 0;
}

/* The raised segments of a word, by way of those that are roots in their tile. */
__device__ __forceinline__ guint32
raised_segments (const Bitplanes &planes,
                 guint32         *flags,
                 guint32          p,
                 guint32          open,
                 guint32          live)
{
  const guint32 first = blockIdx.x * (THREADS * SEGMENTS);
  guint32       found = 0;
  bool          any   = false;
  int           k     = 0;

  for (guint32 left = open ? planes.tops[p] : 0; left; left &= left - 1)
    {
      const guint32 own = (__ffs (left) - 1) * THREADS + threadIdx.x;

      if (is_raised (planes, first + own + 1))
        {
          atomicOr (&flags[own / 32], 1u << own % 32);
          any = true;
        }
    }
  if (! __syncthreads_or (any))
    return 0;

  for (guint32 left = wf_segment_starts (open); left; left &= left - 1, k++)
    if (live & left & -left)
      {
        const guint32 root = planes.roots[first + k * THREADS + threadIdx.x];

        if (flags[root / 32] >> root % 32 & 1)
          found |= wf_segment_from (open, left & -left);
      }
  return found;
}

static __global__ void
__launch_bounds__ (THREADS)
settle_tiles (Bitplanes planes)
{
  __shared__ guint32 flags[THREADS * SEGMENTS / 32];

  const guint32 p      = blockIdx.x * THREADS + threadIdx.x;
  const guint32 raised = planes.raised[p];
  const guint32 open   = planes.open[p];
  const guint32 mask   = planes.mask[p];
  const guint32 value  = planes.value[p];
  guint32       bits   = raised;

  for (int i = threadIdx.x; i < THREADS * SEGMENTS / 32; i += THREADS)
    flags[i] = 0;
  if (__syncthreads_or (open & ~raised))
    bits |= raised_segments (planes, flags, p, open, open & ~raised);
  if (mask & ~bits)
    planes.free[p] |= mask & ~bits;
  if (bits & ~value)
    planes.passed[p] |= bits & ~value;
  planes.value[p] = bits;
}

} /* namespace bitplanes */
