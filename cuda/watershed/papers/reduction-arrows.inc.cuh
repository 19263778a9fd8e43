/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first paths of the path-reducing watershed: L2, and each pixel's smallest neighbour; and
 * lines.  One thread a pixel, by the definition in engine/watershed/watershed.c.
 *
 * Fronts cross plateaux from their lower borders inwards, so plateaux are divided evenly.  A
 * list holds every pixel once it is reached; the front is its end.  While fronts are narrow,
 * one block of threads makes many of them in one launch.
 *
 * Bytes a pixel of u8: finding lower borders reads 1 and writes 4; a pixel of a plateau takes
 * 4 + 4 in the list, and a level and L2 of each neighbour; arrows read 1 + 4 and write 4.  Most
 * reads of neighbours come from caches.
 */

#pragma once

#include <glib.h>

#include "engine/core/grid.h"

namespace reduction
{

/* No L2 yet; after all fronts: a pixel of a minimum, which counts as 0. */
#define WF_NOT_REACHED 0xffffffffu

#define WF_FRONT_THREADS 512
#define WF_NARROW        4096   /* pixels of a front for one block */
#define WF_NARROW_ROUNDS 2048

/**
 * WfPixels:
 * @level: L1
 * @markers: or %NULL, for minima
 * @depth: L2
 *
 * The image, of less than 2^32 pixels.
 */
template <typename Pixel>
struct WfPixels
{
  guint32          width, height, deep;
  gint64           n;
  WfNeighbourhood  neighbours;
  const Pixel     *level;
  const guint32   *markers;
  guint32         *depth;

  /* Calls visit (q) for the neighbours of @p from number @first up to @end, in raster order. */
  template <typename Visit>
  __device__ void
  each_neighbour (guint32   p,
                  int       first,
                  int       end,
                  Visit   &&visit) const
  {
    const guint32 row = p / width;
    const guint32 x   = p - row * width;
    const guint32 z   = row / height;
    const guint32 y   = row - z * height;

    for (int d = first; d < end; d++)
      if (x + neighbours.dx[d] < width && y + neighbours.dy[d] < height &&
          z + neighbours.dz[d] < deep)
        visit (p + (guint32) neighbours.step[d]);
  }

  template <typename Visit>
  __device__ void
  each_neighbour (guint32   p,
                  Visit   &&visit) const
  {
    each_neighbour (p, 0, neighbours.n, visit);
  }

  /* Returns L2 for comparisons: 0 for the pixels of minima. */
  __device__ guint32
  depth_of (guint32 p) const
  {
    const guint32 found = depth[p];

    return found == WF_NOT_REACHED ? 0 : found;
  }
};

/**
 * WfFronts:
 *
 * The front is the list from @begin to @end; its neighbors are reached in @round.
 */
struct WfFronts
{
  guint32 begin;
  guint32 end;
  guint32 round;
};


/*  L2  */

template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
find_lower_borders (WfPixels<Pixel> pixels)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < pixels.n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const Pixel own  = pixels.level[p];
      bool        ends = pixels.markers && pixels.markers[p] != 0;

      if (! ends)
        pixels.each_neighbour (p, [&] (guint32 q) { ends = ends || pixels.level[q] < own; });
      pixels.depth[p] = ends ? 0 : WF_NOT_REACHED;
    }
}

template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
start_fronts (WfPixels<Pixel>  pixels,
              guint32         *list,
              guint32         *n_listed)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < pixels.n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const Pixel own   = pixels.level[p];
      bool        grows = false;

      if (pixels.depth[p] == WF_NOT_REACHED)
        continue;
      pixels.each_neighbour (p, [&] (guint32 q)
        {
          grows = grows || (pixels.level[q] == own && pixels.depth[q] == WF_NOT_REACHED);
        });
      if (grows)
        list[atomicAdd (n_listed, 1u)] = p;
    }
}

template <typename Pixel>
__device__ __forceinline__ void
reach_neighbours (const WfPixels<Pixel> &pixels,
                  guint32                p,
                  guint32                round,
                  guint32               *list,
                  guint32               *end)
{
  const Pixel own = pixels.level[p];

  pixels.each_neighbour (p, [&] (guint32 q)
    {
      if (pixels.level[q] == own &&
          *(volatile guint32 *) &pixels.depth[q] == WF_NOT_REACHED &&
          atomicCAS (&pixels.depth[q], WF_NOT_REACHED, round) == WF_NOT_REACHED)
        list[atomicAdd (end, 1u)] = q;
    });
}

template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
grow_front (WfPixels<Pixel>  pixels,
            WfFronts         front,
            guint32         *list,
            WfFronts        *fronts)
{
  for (gint64 k = front.begin + blockIdx.x * (gint64) blockDim.x + threadIdx.x;
       k < front.end; k += (gint64) gridDim.x * blockDim.x)
    reach_neighbours (pixels, list[k], front.round, list, &fronts->end);
}

/* Processes up to WF_NARROW_ROUNDS rounds in one block, while the front is narrow. */
template <typename Pixel>
static __global__ void __launch_bounds__ (WF_FRONT_THREADS)
grow_narrow_fronts (WfPixels<Pixel>  pixels,
                    WfFronts         front,
                    guint32         *list,
                    WfFronts        *fronts)
{
  __shared__ guint32 end;

  for (int k = 0; k < WF_NARROW_ROUNDS && front.begin < front.end &&
       front.end - front.begin <= WF_NARROW; k++)
    {
      if (threadIdx.x == 0)
        end = front.end;
      __syncthreads ();
      for (gint64 i = (gint64) front.begin + threadIdx.x; i < front.end; i += WF_FRONT_THREADS)
        reach_neighbours (pixels, list[i], front.round, list, &end);
      __syncthreads ();
      front = { front.end, end, front.round + 1 };
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    *fronts = front;
}


/*  Paths  */

/* The first path of a pixel of a minimum leads to an earlier neighbour in the minimum, if there is
 * one.
 */
template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
start_paths (WfPixels<Pixel>  pixels,
             bool             last_index,
             guint32         *path)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < pixels.n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const bool minimum    = ! pixels.markers && pixels.depth[p] == WF_NOT_REACHED;
      guint32    best       = p;
      Pixel      best_level = pixels.level[p];
      guint32    best_depth = WF_NOT_REACHED;

      if (pixels.markers ? pixels.markers[p] != 0 : minimum)
        {
          if (minimum)
            pixels.each_neighbour (p, 0, pixels.neighbours.n / 2, [&] (guint32 q)
              {
                if (best == p && pixels.depth[q] == WF_NOT_REACHED)
                  best = q;
              });
        }
      else
        pixels.each_neighbour (p, [&] (guint32 q)
          {
            const Pixel level = pixels.level[q];

            if (level > best_level)
              return;

            const guint32 depth = pixels.depth_of (q);

            if (level < best_level || depth < best_depth || (last_index && depth == best_depth))
              {
                best       = q;
                best_level = level;
                best_depth = depth;
              }
          });
      path[p] = best;
    }
}

/* Joins the roots of neighbours in minima, whatever their levels. */
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
join_minima (WfPixels<guint8>  pixels,
             guint32          *path)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < pixels.n;
       p += (gint64) gridDim.x * blockDim.x)
    if (pixels.depth[p] == WF_NOT_REACHED)
      pixels.each_neighbour (p, 0, pixels.neighbours.n / 2, [&] (guint32 q)
        {
          if (pixels.depth[q] == WF_NOT_REACHED)
            wf_join_sets (WfForest<guint32> (path), p, q);
        });
}


/*  Labels  */

/* Sets the bits of the first pixels of minima; one warp a word. */
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
mark_minima (gint64         n,
             gint64         n_words,
             const guint32 *depth,
             const guint32 *path,
             guint32       *bits)
{
  const int lane = threadIdx.x % 32;

  for (gint64 word = (blockIdx.x * (gint64) blockDim.x + threadIdx.x) / 32;
       word < n_words; word += (gint64) gridDim.x * (blockDim.x / 32))
    {
      const gint64  p     = word * 32 + lane;
      const bool    first = p < n && depth[p] == WF_NOT_REACHED && path[p] == (guint32) p;
      const guint32 mask  = __ballot_sync (WF_ALL_LANES, first);

      if (lane == 0)
        bits[word] = mask;
    }
}

/* Roots keep their markers, so @labels may be the array of markers. */
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
label_paths (gint64         n,
             const guint32 *depth,
             const guint32 *path,
             WfRanks        ranks,
             const guint32 *markers,
             bool           minima_only,
             guint32       *labels)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 root = path[p];

      if (markers)
        labels[p] = markers[root];
      else
        labels[p] = minima_only && depth[p] != WF_NOT_REACHED ? 0 : wf_rank (ranks, root);
    }
}

/* Draws lines by the order in which markers or minima come first, then L1, L2 and the index. */
template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
draw_lines_of_paths (WfPixels<Pixel>  pixels,
                     const guint32   *path,
                     const guint32   *basins,
                     bool             from_markers,
                     guint32         *labels)
{
  const auto is_root = [&] (guint32 p)
    {
      return from_markers ? path[p] == p : pixels.depth[p] == WF_NOT_REACHED;
    };

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < pixels.n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 own  = basins[p];
      bool          line = false;

      pixels.each_neighbour (p, [&] (guint32 q)
        {
          if (line || basins[q] == own)
            return;
          if (is_root (p) != is_root (q))
            line = is_root (q);
          else if (pixels.level[p] != pixels.level[q])
            line = pixels.level[q] < pixels.level[p];
          else if (pixels.depth_of (p) != pixels.depth_of (q))
            line = pixels.depth_of (q) < pixels.depth_of (p);
          else
            line = q < p;
        });
      labels[p] = line ? 0 : own;
    }
}

} /* namespace reduction */
