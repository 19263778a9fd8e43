/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first paths of the path-reducing watershed: L2, and each pixel's smallest neighbour; and
 * lines.  One thread a pixel, by the definition in engine/watershed/watershed.c.
 *
 * Fronts cross plateaux from their lower borders inwards, so plateaux are divided evenly.  A
 * list holds every pixel once it is reached; the front is its end.  While fronts are narrow,
 * one block of threads makes many of them in one launch.
 *
 * If the caller sets the shape of blocks, plateaux are crossed as in the paper instead, with one
 * thread a pixel in each round: `sync` by one pixel in a round, and `async` and `balanced` in blocks,
 * in shared memory, until nothing changes there.  The paper's `async` divides plateaux unevenly; here
 * L2 is part of the definition, so it does what `balanced` does.
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
 * WfThreadBlocks:
 * @x, @y, @z: columns, rows and slices of a block of threads, each of which has one pixel; 0: each
 *   block has consecutive pixels
 * @across, @down: blocks in a row of them, and rows in a slice
 * @n: how many there are
 *
 * How the image is divided among blocks of threads.
 */
struct WfThreadBlocks
{
  guint32 x, y, z;
  guint32 across, down;
  gint64  n;
};

/**
 * WfPixels:
 * @blocks: how threads share it
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
  WfThreadBlocks   blocks;
  WfNeighbourhood  neighbours;
  const Pixel     *level;
  const guint32   *markers;
  guint32         *depth;

  /* Calls visit (p) for the pixels of this thread. */
  template <typename Visit>
  __device__ void
  each_pixel (Visit &&visit) const
  {
    if (blocks.x == 0)
      {
        for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
             p += (gint64) gridDim.x * blockDim.x)
          visit ((guint32) p);
        return;
      }
    for (gint64 block = blockIdx.x; block < blocks.n; block += gridDim.x)
      {
        const guint32 x = block % blocks.across * blocks.x + threadIdx.x % blocks.x;
        const guint32 y = block / blocks.across % blocks.down * blocks.y
                          + threadIdx.x / blocks.x % blocks.y;
        const guint32 z = block / blocks.across / blocks.down * blocks.z
                          + threadIdx.x / (blocks.x * blocks.y);

        if (x < width && y < height && z < deep)
          visit ((z * height + y) * width + x);
      }
  }

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
  pixels.each_pixel ([&] (guint32 p)
    {
      const Pixel own  = pixels.level[p];
      bool        ends = pixels.markers && pixels.markers[p] != 0;

      if (! ends)
        pixels.each_neighbour (p, [&] (guint32 q) { ends = ends || pixels.level[q] < own; });
      pixels.depth[p] = ends ? 0 : WF_NOT_REACHED;
    });
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


/*  L2 in blocks  */

/* One pixel further into all plateaux: what is reached has a neighbour that was reached in the
 * round before.
 */
template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
grow_everywhere (WfPixels<Pixel>  pixels,
                 guint32          round,
                 guint32         *changed)
{
  volatile guint32 *depth = pixels.depth;
  bool              any   = false;

  pixels.each_pixel ([&] (guint32 p)
    {
      const Pixel own     = pixels.level[p];
      bool        reached = false;

      if (depth[p] != WF_NOT_REACHED)
        return;
      pixels.each_neighbour (p, [&] (guint32 q)
        {
          reached = reached || (pixels.level[q] == own && depth[q] == round - 1);
        });
      if (reached)
        depth[p] = round;
      any = any || reached;
    });
  if (any)
    *changed = 1;
}

/* Lowers L2 to what follows from the neighbours until nothing changes in the block.  In shared
 * memory L2 has a rim of one pixel, which other blocks lower.
 */
template <typename Pixel>
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
grow_in_blocks (WfPixels<Pixel>  pixels,
                guint32         *changed)
{
  extern __shared__ guint32 around[];

  const WfThreadBlocks blocks  = pixels.blocks;
  const guint32        across  = blocks.x + 2;
  const guint32        down    = blocks.y + 2;
  const guint32        rim     = pixels.deep > 1 ? 1 : 0;
  const guint32        n       = across * down * (blocks.z + 2 * rim);
  const guint32        x_here  = threadIdx.x % blocks.x;
  const guint32        y_here  = threadIdx.x / blocks.x % blocks.y;
  const guint32        z_here  = threadIdx.x / (blocks.x * blocks.y);
  const guint32        place   = ((z_here + rim) * down + y_here + 1) * across + x_here + 1;
  volatile guint32    *depth   = pixels.depth;
  bool                 any     = false;

  for (gint64 block = blockIdx.x; block < blocks.n; block += gridDim.x)
    {
      const guint32 x0     = block % blocks.across * blocks.x;
      const guint32 y0     = block / blocks.across % blocks.down * blocks.y;
      const guint32 z0     = block / blocks.across / blocks.down * blocks.z;
      const guint32 x      = x0 + x_here;
      const guint32 y      = y0 + y_here;
      const guint32 z      = z0 + z_here;
      const bool    inside = x < pixels.width && y < pixels.height && z < pixels.deep;
      const guint32 p      = (z * pixels.height + y) * pixels.width + x;
      guint32       equals = 0;
      bool          lowered;

      for (guint32 i = threadIdx.x; i < n; i += blockDim.x)
        {
          const guint32 qx = x0 + i % across - 1;
          const guint32 qy = y0 + i / across % down - 1;
          const guint32 qz = z0 + i / (across * down) - rim;

          around[i] = qx < pixels.width && qy < pixels.height && qz < pixels.deep
                      ? depth[(qz * pixels.height + qy) * pixels.width + qx] : WF_NOT_REACHED;
        }
      __syncthreads ();

      const guint32 before = around[place];
      guint32       own    = before;

      if (inside && own != 0)
        for (int d = 0; d < pixels.neighbours.n; d++)
          if (x + pixels.neighbours.dx[d] < pixels.width &&
              y + pixels.neighbours.dy[d] < pixels.height &&
              z + pixels.neighbours.dz[d] < pixels.deep &&
              pixels.level[p + (guint32) pixels.neighbours.step[d]] == pixels.level[p])
            equals |= 1u << d;

      do
        {
          guint32 least = own;

          for (guint32 rest = equals; rest; rest &= rest - 1)
            {
              const int     d     = __ffs (rest) - 1;
              const int     to    = (pixels.neighbours.dz[d] * (int) down
                                     + pixels.neighbours.dy[d]) * (int) across
                                    + pixels.neighbours.dx[d];
              const guint32 other = around[place + to];

              if (other != WF_NOT_REACHED && other + 1 < least)
                least = other + 1;
            }
          lowered = least < own;
          own     = least;
          __syncthreads ();
          if (lowered)
            around[place] = own;
        }
      while (__syncthreads_or (lowered));

      if (own < before)
        {
          depth[p] = own;
          any      = true;
        }
    }
  if (any)
    *changed = 1;
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
  pixels.each_pixel ([&] (guint32 p)
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
    });
}

/* Joins the roots of neighbours in minima, whatever their levels. */
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
join_minima (WfPixels<guint8>  pixels,
             guint32          *path)
{
  pixels.each_pixel ([&] (guint32 p)
    {
      if (pixels.depth[p] == WF_NOT_REACHED)
        pixels.each_neighbour (p, 0, pixels.neighbours.n / 2, [&] (guint32 q)
          {
            if (pixels.depth[q] == WF_NOT_REACHED)
              wf_join_sets (WfForest<guint32> (path), p, q);
          });
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
