/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction over the graph of basins.  Its time does not depend on how far levels propagate.
 * Where it goes on after visits of tiles, what these have reached is the marker.
 *
 * Keys as in ordered-key.cuh, so that every reconstruction is one by dilation.  A way between two
 * pixels is as high as the least key of the mask I on it.  R(x) is the greatest
 * min (marker (y), height of the highest way from y to x) over all y.
 *
 * Two adjacent pixels a and b are joined by an edge of level min (I(a), I(b)).  Let C be a set
 * of pixels that are joined inside by edges as high as any that leads out of it, c the pixel that
 * stands for C, e the level of its highest edge out, which leads to the set that d stands for, and
 * s the greatest min (marker, height of the highest way to c) in C.  Then
 *
 *   R(c) = max (s, min (e, R(d))),
 *
 * since no way into C is higher than e, and a way of height e joins d and c.  So all sets can be
 * joined over their highest edges at once, again and again, as in Borůvka's algorithm for trees
 * (see cuda/hierarchy/tree.cu).  What is left of a set that has joined another is a record
 * (d, e, s).  At the end R(c) of all sets follows from the records, the last set first.
 *
 * The order of edges must be strict, or sets would join each other in circles: edges of one level
 * are in the order of their numbers.
 *
 *   1. join_in_tiles (), tiles.inc.cuh.  The first sets are the basins of a tile's regional
 *      maxima: an edge from x to a pixel that is not lower has the level I(x), the highest that x
 *      has.  A tile in shared memory joins sets until the highest edge of each leads out of the
 *      tile.  Its edges are in a table, of each pair of basins the highest, or, if those are too
 *      many, are found anew in each round.  The sets that are left, 252 at most, are the nodes of
 *      the image's graph.  Of the edges between nodes of one tile only those of a spanning tree
 *      are kept.
 *   2. find_seams (), graph.inc.cuh: edges between nodes of different tiles.
 *   3. choose_edges (), join_nodes (), flatten_sets (): rounds until no edge is left.
 *   4. find_levels (): R of the nodes.
 *   5. finish_tiles (), finish.inc.cuh: R(x) = min (I(x), R(m)) with m the maximum of x's basin.
 *
 * Bytes a pixel of u8: 1. mask, marker, and two for its basin; 5. the same with the result instead
 * of the marker; that is eight, and three are the least for any algorithm.  For each node about
 * 60, for each edge 24 in each of the first rounds; a tile has some dozens of both.  Step 1 is
 * bound by its instructions and its accesses to shared memory: in a tissue of 4096 pixels 200 to
 * 300 basins with three edges each, five rounds, then 25 nodes, of which three rounds make a tree.
 *
 * A pixel outside the image has the key 0, and nothing passes it.
 */

#pragma once

#include "cuda/core/block-scan.cuh"
#include "cuda/core/ordered-key.cuh"
#include "cuda/core/union-find.cuh"

namespace basins
{

constexpr int COLUMNS = 64;
constexpr int THREADS = 256;
constexpr int GROUPS  = THREADS / COLUMNS;
constexpr int PITCH   = COLUMNS + 2;

/* Numbers of nodes in a tile, places of its rim, and its sides. */
constexpr int NODES = 256;
constexpr int SIDE  = 64;

enum
{
  ABOVE,
  BELOW,
  LEFT,
  RIGHT,
  N_SIDES
};

/* Edges in a tile have numbers from 1 on: pixel, direction. */
constexpr int     EDGE_BITS = 15;
constexpr guint32 EDGE_MASK = (1u << EDGE_BITS) - 1;

constexpr guint32 UNKNOWN = 0xffffffffu;   /* no level has this key */

/* What depends on the size of a pixel:
 *
 *   ROWS   of a tile
 *   Best   the highest edge of a set: level, number
 *   Entry  an edge in a table: two basins, level
 */
template <typename Pixel>
struct Tile
{
  typedef guint32            Best;
  typedef unsigned long long Entry;

  static constexpr int ROWS = 32;
};

template <>
struct Tile<guint8>
{
  typedef guint32 Best;
  typedef guint32 Entry;

  static constexpr int ROWS = 64;
};

template <>
struct Tile<guint32>
{
  typedef unsigned long long Best;
  typedef unsigned long long Entry;

  static constexpr int ROWS = 32;
};

template <typename Pixel, int CONNECTIVITY>
struct Sizes
{
  typedef typename Tile<Pixel>::Best  Best;
  typedef typename Tile<Pixel>::Entry Entry;

  static constexpr int ROWS  = Tile<Pixel>::ROWS;
  static constexpr int PER   = ROWS / GROUPS;         /* pixels of a thread, in a column */
  static constexpr int AREA  = ROWS * COLUMNS;
  static constexpr int RIM   = 2 * (COLUMNS + ROWS) - 4;
  static constexpr int MOST  = CONNECTIVITY == 8 ? AREA / 4 : AREA / 2;    /* basins */
  static constexpr int SEAM  = (COLUMNS + ROWS) * (CONNECTIVITY == 8 ? 3 : 1);
  static constexpr int EDGES = NODES + SEAM;
  static constexpr int SLOTS = AREA / 2;
};

/**
 * Image:
 * @result: may be @marker
 */
template <typename Pixel>
struct Image
{
  const Pixel       *mask;
  const Pixel       *marker;
  Pixel             *result;
  WfCudaKeys<Pixel>  keys;
  gint64             width;
  gint64             height;
  guint32            across;
  guint32            n_tiles;
};

/**
 * Basins:
 * @of_pixels: the basin of each pixel of each tile
 * @n: in each tile
 * @parent, @edge, @seed: their records; the @parent of a node's basin is itself, and @seed the
 *   node's number in the tile
 * @rim: node of each pixel of the four sides, N_SIDES × SIDE
 */
template <typename Pixel>
struct Basins
{
  guint16 *of_pixels;
  guint32 *n;
  guint16 *parent;
  Pixel   *edge;
  Pixel   *seed;
  guint8  *rim;
};

/**
 * Graph:
 * @n_nodes: in each tile; node j of a tile has number tile · NODES + j
 * @set: of each node: the node that stands for its set
 * @best: of each set: its highest edge, level and number, or 0
 * @parent, @edge, @seed: records
 * @level: R, or UNKNOWN
 * @alive, @n_alive: the nodes of each tile that stand for sets
 * @pairs, @levels, @n_edges: the edges of each tile
 * @goes_on: of each round, whether there were edges
 */
struct Graph
{
  guint32            *n_nodes;
  guint32            *set;
  unsigned long long *best;
  guint32            *parent;
  guint32            *edge;
  guint32            *seed;
  guint32            *level;
  guint8             *alive;
  guint32            *n_alive;
  uint2              *pairs;
  guint32            *levels;
  guint32            *n_edges;
  guint32            *goes_on;
};

} /* namespace basins */
