/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kernels of the hierarchy's graph: boundaries into tables, measures of vertices, edges
 * out of a table; see hierarchy.cu.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/core/ordered-key.cuh"
#include "hierarchy.cuh"

namespace hierarchy
{

constexpr int THREADS      = 256;
constexpr int TILE         = 32;
constexpr int N_SMALL      = 1024;    /* slots of a block's table */
constexpr int SMALL_PROBES = 8;
constexpr int PROBES       = 256;
constexpr int MOST_AFTER   = 13;

/**
 * BoundaryGrid:
 * @across, @down: tiles in a slice
 * @n_tiles: in all slices
 * @n_after: neighbors that come after a pixel in raster order
 */
struct BoundaryGrid
{
  gint64      width;
  gint64      height;
  gint64      depth;
  gint64      across;
  gint64      down;
  gint64      n_tiles;
  int         n_after;
  signed char dx[MOST_AFTER];
  signed char dy[MOST_AFTER];
  signed char dz[MOST_AFTER];
};

/* A hash (the end of MurmurHash3): each bit depends on all bits of the pair. */
static __device__ guint64
scatter (BoundaryPair pair)
{
  pair ^= pair >> 33;
  pair *= 0xff51afd7ed558ccdull;
  pair ^= pair >> 33;
  pair *= 0xc4ceb9fe1a85ec53ull;
  return pair ^ pair >> 33;
}

/* Whether there was a slot for @pair within @n_probes from number @hash on. */
static __device__ bool
offer (BoundaryPair *pairs,
       guint32      *passes,
       guint64       mask,
       guint64       hash,
       int           n_probes,
       BoundaryPair  pair,
       guint32       pass)
{
  for (int i = 0; i < n_probes; i++)
    {
      const guint64 slot  = (hash + i) & mask;
      BoundaryPair  there = *(volatile BoundaryPair *) &pairs[slot];

      if (there == BOUNDARY_NO_PAIR)
        there = atomicCAS (&pairs[slot], BOUNDARY_NO_PAIR, pair);
      if (there != BOUNDARY_NO_PAIR && there != pair)
        continue;
      if (pass < *(volatile guint32 *) &passes[slot])
        atomicMin (&passes[slot], pass);
      return true;
    }
  return false;
}

static __device__ void
offer_to_all (const BoundaryTable &table,
              BoundaryPair         pair,
              guint32              pass)
{
  if (! offer (table.pairs, table.passes, table.mask, scatter (pair), PROBES, pair, pass))
    *table.full = 1;
}


/*  Boundaries  */

template <typename T>
static __device__ void
offer_pixel (const T             *levels,
             const guint32       *vertices,
             const BoundaryGrid  &grid,
             gint64               x,
             gint64               y,
             gint64               z,
             BoundaryPair        *small_pairs,
             guint32             *small_passes,
             const BoundaryTable &table)
{
  const gint64  p   = (z * grid.height + y) * grid.width + x;
  const guint32 v   = vertices[p] - 1;
  const guint32 key = wf_ordered_key (levels[p]);

  for (int i = 0; i < grid.n_after; i++)
    {
      const gint64 there_x = x + grid.dx[i];
      const gint64 there_y = y + grid.dy[i];
      const gint64 there_z = z + grid.dz[i];
      const gint64 q       = (there_z * grid.height + there_y) * grid.width + there_x;
      BoundaryPair pair;
      guint32      w;
      guint32      pass;

      if (there_x < 0 || there_x >= grid.width || there_y < 0 || there_y >= grid.height ||
          there_z >= grid.depth || (w = vertices[q] - 1) == v)
        continue;
      pass = max (key, wf_ordered_key (levels[q]));
      pair = (BoundaryPair) min (v, w) << 32 | max (v, w);
      if (! offer (small_pairs, small_passes, N_SMALL - 1, scatter (pair) >> 32, SMALL_PROBES,
                   pair, pass))
        offer_to_all (table, pair, pass);
    }
}

template <typename T>
static __global__ void
__launch_bounds__ (THREADS)
find_boundaries (const T        *levels,
                 const guint32  *vertices,
                 BoundaryGrid    grid,
                 gint64          first_tile,
                 gint64          after_tile,
                 BoundaryTable   table)
{
  __shared__ BoundaryPair small_pairs[N_SMALL];
  __shared__ guint32      small_passes[N_SMALL];

  for (int i = threadIdx.x; i < N_SMALL; i += THREADS)
    {
      small_pairs[i]  = BOUNDARY_NO_PAIR;
      small_passes[i] = 0xffffffffu;
    }
  for (gint64 tile = first_tile + blockIdx.x; tile < after_tile; tile += gridDim.x)
    {
      const gint64 z     = tile / (grid.across * grid.down);
      const gint64 in    = tile % (grid.across * grid.down);
      const gint64 x     = in % grid.across * TILE + threadIdx.x % TILE;
      const gint64 first = in / grid.across * TILE + threadIdx.x / TILE;

      __syncthreads ();
      if (x < grid.width)
        for (int i = 0; i < TILE; i += THREADS / TILE)
          if (first + i < grid.height)
            offer_pixel (levels, vertices, grid, x, first + i, z, small_pairs, small_passes,
                         table);
      __syncthreads ();
      for (int i = threadIdx.x; i < N_SMALL; i += THREADS)
        if (small_pairs[i] != BOUNDARY_NO_PAIR)
          {
            offer_to_all (table, small_pairs[i], small_passes[i]);
            small_pairs[i]  = BOUNDARY_NO_PAIR;
            small_passes[i] = 0xffffffffu;
          }
    }
}

/* @least: may be NULL; @area: may be NULL */
template <typename T>
static __global__ void
count_vertices (const T            *levels,
                const guint32      *vertices,
                gint64              n,
                guint32            *least,
                unsigned long long *area)
{
  const int    lane   = wf_lane ();
  const gint64 n_full = (n + 31) / 32 * 32;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n_full;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 vertex = p < n ? vertices[p] : 0;
      guint32       key    = p < n ? wf_ordered_key (levels[p]) : 0xffffffffu;
      const guint32 before = __shfl_up_sync (WF_ALL_LANES, vertex, 1);
      const bool    head   = lane == 0 || vertex != before;
      const guint32 heads  = __ballot_sync (WF_ALL_LANES, head);
      const guint32 later  = heads & ~(0xffffffffu >> (31 - lane));
      const int     after  = later ? __ffs (later) - 1 : 32;

      for (int step = 1; step < 32; step *= 2)
        {
          const guint32 other = __shfl_down_sync (WF_ALL_LANES, key, step);

          if (lane + step < after)
            key = min (key, other);
        }
      if (! head || vertex == 0)
        continue;
      if (least && key < least[vertex - 1])
        atomicMin (&least[vertex - 1], key);
      if (area)
        atomicAdd (&area[vertex - 1], (unsigned long long) (after - lane));
    }
}


/*  Edges  */

static __global__ void
count_slots (BoundaryTable       table,
             unsigned long long *n_used)
{
  unsigned long long n = 0;

  for (guint64 i = blockIdx.x * (guint64) blockDim.x + threadIdx.x; i <= table.mask;
       i += (guint64) gridDim.x * blockDim.x)
    n += table.pairs[i] != BOUNDARY_NO_PAIR;
  if (n > 0)
    atomicAdd (n_used, n);
}

/* The number of slots is a multiple of a block's threads, so warps stay together. */
static __global__ void
list_edges (BoundaryTable       table,
            BoundaryEdges       edges,
            unsigned long long *n_listed)
{
  for (guint64 i = blockIdx.x * (guint64) blockDim.x + threadIdx.x; i <= table.mask;
       i += (guint64) gridDim.x * blockDim.x)
    {
      const BoundaryPair       pair  = table.pairs[i];
      const bool               used  = pair != BOUNDARY_NO_PAIR;
      const unsigned long long place = wf_warp_append (used, n_listed);

      if (used)
        {
          edges.pairs[place]  = pair;
          edges.passes[place] = table.passes[i];
        }
    }
}

} /* namespace hierarchy */
