/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reducing paths, for the path-reducing watershed on a GPU.
 *
 * Every pixel has a path to another pixel, roots to themselves, and there are no cycles.
 * A step replaces each path by several paths in succession, as many as the rate, so that after k
 * steps a path spans the rate to the power of k pixels, or leads to its root.
 * A pixel is finished once its path is seen to end at a root.
 *
 *   sync      reads all paths from one array and writes them to another: 4 bytes a pixel read and 4
 *             written in each step, and as many scattered reads as the rate;
 *   async     in place: first within tiles, in shared memory, until nothing changes there (4 bytes
 *             a pixel read, 4 written, whatever the paths' lengths), then over the image, where a
 *             path may profit from what others did in the same step;
 *   balanced  in place: pixels that a step does not finish are listed, and the next step has
 *             threads for these only, so that long paths leave no thread idle.
 *
 * In place, a path is only replaced by a later part of itself, so every order of reads and writes
 * ends at the same roots.
 */

#pragma once

#include "cuda/core/lanes.cuh"

namespace reduction
{

/* The most threads of a block; kernels use as many as they are launched with. */
#define WF_REDUCTION_MOST_THREADS 1024

#define WF_REDUCTION_TILE 1024      /* pixels */

/* Moves *@q along at most @rate − 1 paths.  Returns whether it is then a root. */
template <typename Path>
__device__ __forceinline__ bool
follow_path (const Path *path,
             int         rate,
             guint32    *q)
{
  for (int k = 0; k < rate - 1; k++)
    {
      const guint32 next = path[*q];

      if (next == *q)
        return true;
      *q = next;
    }
  return path[*q] == *q;
}


/*  From one array to the other  */

static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
reduce_paths_to (gint64         n,
                 int            rate,
                 const guint32 *from,
                 guint32       *to,
                 guint32       *unfinished)
{
  bool all = true;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      guint32 q = from[p];

      all   = follow_path (from, rate, &q) && all;
      to[p] = q;
    }
  if (! all)
    *unfinished = 1;
}


/*  In place, in tiles  */

/**
 * WfPathTiles:
 * @x, @y, @z: sides of a tile, WF_REDUCTION_TILE pixels together
 * @across, @down: tiles in a row of them, and rows in a slice
 */
struct WfPathTiles
{
  guint32 width, height, depth;
  guint32 x, y, z;
  guint32 across, down;
  gint64  n;
};

struct WfPathTile
{
  guint16 next[WF_REDUCTION_TILE];      /* within the tile; itself where a path leaves it */
  guint32 path[WF_REDUCTION_TILE];
};

/* Sets *@p to the pixel's index in the image.  Returns FALSE outside. */
__device__ __forceinline__ bool
pixel_of_tile (const WfPathTiles &tiles,
               guint32            x0,
               guint32            y0,
               guint32            z0,
               guint32            i,
               guint32           *p)
{
  const guint32 x = x0 + i % tiles.x;
  const guint32 y = y0 + i / tiles.x % tiles.y;
  const guint32 z = z0 + i / (tiles.x * tiles.y);

  *p = (z * tiles.height + y) * tiles.width + x;
  return x < tiles.width && y < tiles.height && z < tiles.depth;
}

static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
reduce_paths_in_tiles (WfPathTiles  tiles,
                       int          rate,
                       guint32     *path)
{
  __shared__ WfPathTile here;

  volatile guint16 *next = here.next;

  for (gint64 tile = blockIdx.x; tile < tiles.n; tile += gridDim.x)
    {
      const guint32 x0 = tile % tiles.across * tiles.x;
      const guint32 y0 = tile / tiles.across % tiles.down * tiles.y;
      const guint32 z0 = tile / tiles.across / tiles.down * tiles.z;
      bool          changed;
      guint32       p;

      for (guint32 i = threadIdx.x; i < WF_REDUCTION_TILE; i += blockDim.x)
        {
          guint32 to = i;

          if (pixel_of_tile (tiles, x0, y0, z0, i, &p))
            {
              const guint32 q   = path[p];
              const guint32 row = q / tiles.width;
              const guint32 x   = q % tiles.width - x0;
              const guint32 y   = row % tiles.height - y0;
              const guint32 z   = row / tiles.height - z0;

              here.path[i] = q;
              if (x < tiles.x && y < tiles.y && z < tiles.z)
                to = (z * tiles.y + y) * tiles.x + x;
            }
          next[i] = to;
        }

      do
        {
          __syncthreads ();
          changed = false;
          for (guint32 i = threadIdx.x; i < WF_REDUCTION_TILE; i += blockDim.x)
            {
              const guint32 before = next[i];
              guint32       to     = before;

              for (int k = 0; k < rate - 1 && next[to] != to; k++)
                to = next[to];
              if (to != before)
                {
                  next[i] = to;
                  changed = true;
                }
            }
        }
      while (__syncthreads_or (changed));

      for (guint32 i = threadIdx.x; i < WF_REDUCTION_TILE; i += blockDim.x)
        if (next[i] != i && pixel_of_tile (tiles, x0, y0, z0, i, &p))
          path[p] = here.path[next[i]];
      __syncthreads ();
    }
}


/*  In place, over the image  */

static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
reduce_paths (gint64            n,
              int               rate,
              volatile guint32 *path,
              guint32          *unfinished)
{
  bool all = true;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 before = path[p];
      guint32       q      = before;

      all = follow_path (path, rate, &q) && all;
      if (q != before)
        path[p] = q;
    }
  if (! all)
    *unfinished = 1;
}


/*  In place, of listed pixels  */

/* Processes the @n pixels of @list, or all pixels of the image if it is NULL.  Unfinished ones go
 * to @left.  All threads of a warp stay in the loop together.
 */
static __global__ void __launch_bounds__ (WF_REDUCTION_MOST_THREADS)
reduce_listed_paths (gint64            n,
                     int               rate,
                     const guint32    *list,
                     volatile guint32 *path,
                     guint32          *left,
                     guint32          *n_left)
{
  const int lane = wf_lane ();

  for (gint64 start = blockIdx.x * (gint64) blockDim.x + (threadIdx.x - lane); start < n;
       start += (gint64) gridDim.x * blockDim.x)
    {
      const gint64 k    = start + lane;
      bool         done = true;
      guint32      p    = 0;
      guint32      place;

      if (k < n)
        {
          p = list ? list[k] : (guint32) k;

          const guint32 before = path[p];
          guint32       q      = before;

          done = follow_path (path, rate, &q);
          if (q != before)
            path[p] = q;
        }

      place = wf_warp_append (! done, n_left);
      if (! done)
        left[place] = p;
    }
}

} /* namespace reduction */
