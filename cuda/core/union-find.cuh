/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets of nodes as trees, joined by many threads at once without locks.
 *
 * Each node has a parent, a root is its own, and a parent precedes its children in an order
 * of the nodes, so every path ends.  The root of a set is its first node.
 *
 * wf_find_root() replaces parents by grandparents on its way: every parent (path splitting), or
 * with half as many stores every other one (path halving).  (Tarjan and van Leeuwen, Worst-case
 * analysis of set union algorithms, Journal of the ACM 31, 1984.)  Parents are read and written
 * without order.  A store may be lost or arrive late: it only replaces a parent by another
 * ancestor.  So race checkers report these accesses, but every value that can be read leads to
 * the same root.
 *
 * wf_join_sets() makes the earlier root the parent of the later one with one atomic operation.
 * If another thread gave the later root a parent first, that parent's set and the earlier root
 * are joined next.  (Atomic minima: Komura, GPU-based cluster-labeling algorithm
 * without the use of conventional iteration, Computer Physics Communications 194, 2015;
 * Playne and Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE
 * Transactions on Parallel and Distributed Systems 29, 2018.  Compare and swap: Jaiganesh and
 * Burtscher, A high-performance connected components implementation for GPUs, HPDC 2018.)
 *
 * @Forest says where the parents are, with these members:
 *
 *   at (node)             where the node's parent is
 *   load (at)             reads it, past caches that other threads do not write to
 *   store (at, ancestor)
 *   link (later, earlier) if @later is still a root, makes @earlier its parent; else may replace
 *                         its parent by @earlier if that precedes it; atomic; returns the parent
 *                         before
 *   sort (earlier, later) puts two nodes in order
 *   HALVES                whether paths are halved, not split
 */

#pragma once

#include "lanes.cuh"

/* Nodes in the order of their numbers. */
struct WfOrderedNodes
{
  static constexpr bool HALVES = false;

  static __device__ __forceinline__ void
  sort (guint32 *earlier,
        guint32 *later)
  {
    const guint32 a = *earlier;
    const guint32 b = *later;

    *earlier = min (a, b);
    *later   = max (a, b);
  }
};

/* The parents of nodes 0, 1, 2, … as an array in shared or global memory, of guint32, or of
 * guint16, of which there is no atomic minimum.
 */
template <typename Node>
struct WfForest : WfOrderedNodes
{
  static constexpr bool HALVES = sizeof (Node) == 2;

  Node *parents;

  __device__ __forceinline__ explicit
  WfForest (Node *array)
  {
    parents = array;
  }

  static __device__ __forceinline__ guint32
  at (guint32 node)
  {
    return node;
  }

  __device__ __forceinline__ guint32
  load (guint32 at) const
  {
    return ((const volatile Node *) parents)[at];
  }

  __device__ __forceinline__ void
  store (guint32 at,
         guint32 ancestor) const
  {
    ((volatile Node *) parents)[at] = ancestor;
  }

  __device__ __forceinline__ guint32
  link (guint32 later,
        guint32 earlier) const
  {
    if constexpr (sizeof (Node) == 2)
      return atomicCAS ((unsigned short *) &parents[later], (unsigned short) later,
                        (unsigned short) earlier);
    else
      return atomicMin (&parents[later], earlier);
  }
};

/* The root of @node's set; shortens the path to it. */
template <typename Forest>
__device__ __forceinline__ guint32
wf_find_root (const Forest &forest,
              guint32       node)
{
  auto    at     = forest.at (node);
  guint32 parent = forest.load (at);

  while (parent != node)
    {
      const auto    next  = forest.at (parent);
      const guint32 above = forest.load (next);

      if (above != parent)
        forest.store (at, above);
      if constexpr (Forest::HALVES)
        {
          node   = above;
          at     = forest.at (above);
          parent = forest.load (at);
        }
      else
        {
          node   = parent;
          at     = next;
          parent = above;
        }
    }
  return node;
}

/* The same without stores: for when a late store would undo one of another kind. */
template <typename Forest>
__device__ __forceinline__ guint32
wf_look_up_root (const Forest &forest,
                 guint32       node)
{
  guint32 parent = forest.load (forest.at (node));

  while (parent != node)
    {
      node   = parent;
      parent = forest.load (forest.at (node));
    }
  return node;
}

/* Joins the sets of @a and @b. */
template <typename Forest>
__device__ __forceinline__ void
wf_join_sets (const Forest &forest,
              guint32       a,
              guint32       b)
{
  for (;;)
    {
      guint32 parent;

      a = wf_find_root (forest, a);
      b = wf_find_root (forest, b);
      if (a == b)
        return;

      forest.sort (&a, &b);
      parent = forest.link (b, a);
      if (parent == b)
        return;
      b = parent;
    }
}

/* Nodes from @first on, every @step-th, @n of them in each lane: each one's parent becomes its
 * grandparent, @most times, or until nothing changes.  Five times turn paths of 32 nodes, one in
 * each lane, into paths of one.  All lanes of a warp.
 */
static __device__ __forceinline__ void
wf_shorten_paths (volatile guint32 *parents,
                  guint32           first,
                  guint32           step,
                  guint32           n,
                  int               most)
{
  for (int round = 0; round < most; round++)
    {
      guint32 node  = first;
      bool    moved = false;

#pragma unroll 1
      for (guint32 i = 0; i < n; i++, node += step)
        {
          const guint32 parent = parents[node];
          const guint32 above  = parents[parent];

          if (above != parent)
            {
              parents[node] = above;
              moved         = true;
            }
        }
      if (! __any_sync (WF_ALL_LANES, moved))
        return;
      __syncwarp ();
    }
}
