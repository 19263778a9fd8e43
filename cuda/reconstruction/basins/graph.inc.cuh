/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of nodes: edges between tiles, rounds, levels; see basins.inc.cuh.  Each warp has the
 * nodes and the edges of a tile.
 */

#pragma once

#include "basins.inc.cuh"

namespace basins
{

/* Numbers of edges are scattered: if they were in the order of a chain of sets, the whole chain
 * would be joined at once, link by link.
 */
constexpr guint32 SCATTER = 0x9e3779b1u;
constexpr guint32 GATHER  = 0x0e8b2f51u;


/*  Edges between tiles  */

/* The node of a pixel at a side of its tile. */
template <typename Pixel, int ROWS>
__device__ __forceinline__ guint32
node_at (const Image<Pixel> &image,
         const guint8       *rim,
         int                 side,
         gint64              x,
         gint64              y)
{
  const guint32 tile = (guint32) (y / ROWS) * image.across + (guint32) (x / COLUMNS);
  const int     i    = (int) (side == ABOVE || side == BELOW ? x % COLUMNS : y % ROWS);

  return tile * NODES + rim[((guint64) tile * N_SIDES + side) * SIDE + i];
}

/* Appends the edge of each lane to the tile's, of runs of the same pair only the highest. */
static __device__ __forceinline__ void
append_edges (const Graph &graph,
              guint64      first,
              guint32     *n,
              guint32      a,
              guint32      b,
              guint32      level)
{
  const int     lane  = wf_lane ();
  const guint32 a_up  = __shfl_up_sync (WF_ALL_LANES, a, 1);
  const guint32 b_up  = __shfl_up_sync (WF_ALL_LANES, b, 1);
  const bool    head  = lane == 0 || a != a_up || b != b_up;
  const guint32 heads = __ballot_sync (WF_ALL_LANES, head);
  const guint32 later = lane == 31 ? 0 : heads >> (lane + 1) << (lane + 1);
  const int     after = later ? __ffs ((int) later) - 1 : WF_LANES;

#pragma unroll
  for (int step = 1; step < WF_LANES; step *= 2)
    {
      const guint32 other = __shfl_down_sync (WF_ALL_LANES, level, step);

      if (lane + step < after)
        level = max (level, other);
    }

  const bool    wanted = head && level > 0;
  const guint32 votes  = __ballot_sync (WF_ALL_LANES, wanted);

  if (wanted)
    {
      const guint64 at = first + *n + __popc (votes & wf_lanes_before (lane));

      graph.pairs[at]  = make_uint2 (a, b);
      graph.levels[at] = level;
    }
  *n += __popc (votes);
}

template <typename Pixel>
__device__ __forceinline__ guint32
key_at (const Image<Pixel> &image,
        gint64              x,
        gint64              y)
{
  return image.keys.of (image.mask[y * image.width + x]);
}

/* From 32 pixels at the right side of a tile, from (x, y) on, to those beside them. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
cross_right (const Image<Pixel> &image,
             const guint8       *rim,
             const Graph        &graph,
             guint64             first,
             guint32            *n,
             gint64              x,
             gint64              y)
{
  constexpr int ROWS = Sizes<Pixel, CONNECTIVITY>::ROWS;
  const bool    is   = y < image.height;
  const guint32 here = is ? key_at (image, x, y) : 0;
  const guint32 a    = is ? node_at<Pixel, ROWS> (image, rim, RIGHT, x, y) : 0;

#pragma unroll
  for (int step = CONNECTIVITY == 8 ? -1 : 0; step <= (CONNECTIVITY == 8 ? 1 : 0); step++)
    {
      const bool    both  = is && y + step >= 0 && y + step < image.height;
      const guint32 level = both ? min (here, key_at (image, x + 1, y + step)) : 0;
      const guint32 b     = both ? node_at<Pixel, ROWS> (image, rim, LEFT, x + 1, y + step) : 0;

      append_edges (graph, first, n, a, b, level);
    }
}

/* From 32 pixels at the lower side to those of the tile below it. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
cross_below (const Image<Pixel> &image,
             const guint8       *rim,
             const Graph        &graph,
             guint64             first,
             guint32            *n,
             gint64              x,
             gint64              y)
{
  constexpr int ROWS = Sizes<Pixel, CONNECTIVITY>::ROWS;
  const bool    is   = x < image.width;
  const guint32 here = is ? key_at (image, x, y) : 0;
  const guint32 a    = is ? node_at<Pixel, ROWS> (image, rim, BELOW, x, y) : 0;

#pragma unroll
  for (int step = CONNECTIVITY == 8 ? -1 : 0; step <= (CONNECTIVITY == 8 ? 1 : 0); step++)
    {
      const bool    both  = is && x % COLUMNS + step >= 0 && x % COLUMNS + step < COLUMNS &&
                            x + step < image.width;
      const guint32 level = both ? min (here, key_at (image, x + step, y + 1)) : 0;
      const guint32 b     = both ? node_at<Pixel, ROWS> (image, rim, ABOVE, x + step, y + 1) : 0;

      append_edges (graph, first, n, a, b, level);
    }
}

/* The tile of this warp, or @n_tiles or more. */
__device__ __forceinline__ guint32
tile_of_warp ()
{
  return blockIdx.x * (THREADS / WF_LANES) + threadIdx.x / WF_LANES;
}

template <typename Pixel, int CONNECTIVITY>
static __global__ void
__launch_bounds__ (THREADS)
find_seams (Image<Pixel>  image,
            const guint8 *rim,
            Graph         graph)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  const guint32 tile = tile_of_warp ();

  if (tile >= image.n_tiles)
    return;

  const gint64  left  = tile % image.across * (gint64) COLUMNS;
  const gint64  top   = tile / image.across * (gint64) Size::ROWS;
  const guint64 first = (guint64) tile * Size::EDGES;
  guint32       n     = graph.n_edges[tile];

  if (left + COLUMNS < image.width)
    for (int i = 0; i < Size::ROWS; i += WF_LANES)
      cross_right<Pixel, CONNECTIVITY> (image, rim, graph, first, &n, left + COLUMNS - 1,
                                        top + i + wf_lane ());
  if (top + Size::ROWS < image.height)
    for (int i = 0; i < COLUMNS; i += WF_LANES)
      cross_below<Pixel, CONNECTIVITY> (image, rim, graph, first, &n, left + i + wf_lane (),
                                        top + Size::ROWS - 1);
  if (wf_lane () == 0)
    graph.n_edges[tile] = n;
}


/*  Rounds  */

/* Each set's highest edge.  Edges inside a set are left out. */
template <int EDGES>
static __global__ void
__launch_bounds__ (THREADS)
choose_edges (Graph   graph,
              guint32 n_tiles,
              int     round)
{
  const guint32 tile = tile_of_warp ();
  const int     lane = wf_lane ();

  if (tile >= n_tiles)
    return;

  const guint32 n     = graph.n_edges[tile];
  const guint64 first = (guint64) tile * EDGES;
  guint32       left  = 0;

  for (guint32 i = lane; i < n + lane; i += WF_LANES)
    {
      const bool    is    = i < n;
      const uint2   pair  = is ? graph.pairs[first + i] : make_uint2 (0, 0);
      const guint32 level = is ? graph.levels[first + i] : 0;
      const guint32 a     = is ? graph.set[pair.x] : 0;
      const guint32 b     = is ? graph.set[pair.y] : 0;
      const guint32 votes = __ballot_sync (WF_ALL_LANES, a != b);
      const guint32 at    = (guint32) first + left + __popc (votes & wf_lanes_before (lane));

      if (a != b)
        {
          const unsigned long long value = (unsigned long long) level << 32 | at * SCATTER;

          graph.pairs[at]  = make_uint2 (a, b);
          graph.levels[at] = level;
          if (value > *(volatile unsigned long long *) &graph.best[a])
            atomicMax (&graph.best[a], value);
          if (value > *(volatile unsigned long long *) &graph.best[b])
            atomicMax (&graph.best[b], value);
        }
      left += __popc (votes);
      __syncwarp ();
    }
  if (lane == 0 && n > 0)
    {
      graph.n_edges[tile] = left;
      if (left > 0)
        graph.goes_on[round] = 1;
    }
}

/* Each set joins the one that its highest edge leads to. */
static __global__ void
__launch_bounds__ (THREADS)
join_nodes (Graph   graph,
            guint32 n_tiles)
{
  const guint32 tile = tile_of_warp ();

  if (tile >= n_tiles)
    return;

  const guint32 n = graph.n_alive[tile];

  for (guint32 i = wf_lane (); i < n; i += WF_LANES)
    {
      const guint32            c    = tile * NODES + graph.alive[tile * (guint64) NODES + i];
      const unsigned long long best = graph.best[c];

      if (best == 0)
        continue;

      const uint2   pair  = graph.pairs[(guint32) best * GATHER];
      const guint32 other = pair.x == c ? pair.y : pair.x;

      if (graph.best[other] == best && c < other)
        continue;
      graph.set[c]    = other;
      graph.parent[c] = other;
      graph.edge[c]   = (guint32) (best >> 32);
    }
}

/* Each node that has joined another finds the one that stands for the set now. */
static __global__ void
__launch_bounds__ (THREADS)
flatten_sets (Graph   graph,
              guint32 n_tiles)
{
  const guint32 tile = tile_of_warp ();
  const int     lane = wf_lane ();

  if (tile >= n_tiles)
    return;

  const guint32 n    = graph.n_alive[tile];
  guint8       *list = graph.alive + tile * (guint64) NODES;
  guint32       left = 0;

  for (guint32 i = lane; i < n + lane; i += WF_LANES)
    {
      const bool    is    = i < n;
      const guint8  j     = is ? list[i] : 0;
      const guint32 c     = tile * NODES + j;
      const guint32 next  = is ? *(volatile guint32 *) &graph.set[c] : 0;
      const bool    stays = is && next == c;
      const guint32 votes = __ballot_sync (WF_ALL_LANES, stays);

      if (stays)
        {
          list[left + __popc (votes & wf_lanes_before (lane))] = j;
          graph.best[c] = 0;
        }
      else if (is)
        {
          const WfForest<guint32> sets (graph.set);
          const guint32           last = wf_look_up_root (sets, next);

          sets.store (c, last);
          atomicMax (&graph.seed[last], min (graph.seed[c], graph.edge[c]));
        }
      left += __popc (votes);
      __syncwarp ();
    }
  if (lane == 0)
    graph.n_alive[tile] = left;
}


/*  Levels  */

/* R of each node: of the first ancestor that is known, limited by the records on the way. */
static __global__ void
__launch_bounds__ (THREADS)
find_levels (Graph   graph,
             guint32 n_tiles)
{
  const guint32 tile = tile_of_warp ();

  if (tile >= n_tiles)
    return;

  const guint32 n = graph.n_nodes[tile];

  for (guint32 i = wf_lane (); i < n; i += WF_LANES)
    {
      const guint32 c    = tile * NODES + i;
      guint32       low  = 0;
      guint32       high = UNKNOWN;
      guint32       node = c;
      guint32       level;

      for (;;)
        {
          const guint32 seed = graph.seed[node];
          const guint32 next = graph.parent[node];

          level = *(volatile guint32 *) &graph.level[node];
          if (level != UNKNOWN)
            break;
          level = seed;
          if (next == node)
            break;

          const guint32 most = max (seed, graph.edge[node]);

          low  = min (max (low, seed), high);
          high = max (min (high, most), low);
          if (low == high)
            break;
          node = next;
        }
      *(volatile guint32 *) &graph.level[c] = min (max (level, low), high);
    }
}

} /* namespace basins */
