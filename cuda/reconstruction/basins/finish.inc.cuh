/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The result of a tile from the levels of its nodes; see basins.inc.cuh. */

#pragma once

#include "basins.inc.cuh"

namespace basins
{

/* The records of a tile's basins, and R of their maxima. */
template <typename Pixel, int CONNECTIVITY>
struct Records
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  guint32 level[Size::MOST];
  guint16 parent[Size::MOST];
  Pixel   edge[Size::MOST];
  Pixel   seed[Size::MOST];
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
load_records (Records<Pixel, CONNECTIVITY> *records,
              guint32                       tile,
              int                           n,
              const Basins<Pixel>          &basins,
              const guint32                *levels)
{
  const guint64 first = (guint64) tile * Sizes<Pixel, CONNECTIVITY>::MOST;

  for (int c = threadIdx.x; c < n; c += THREADS)
    {
      const guint16 parent = basins.parent[first + c];
      const Pixel   seed   = basins.seed[first + c];

      records->parent[c] = parent;
      records->seed[c]   = seed;
      if (parent == c)
        records->level[c] = levels[tile * NODES + seed];
      else
        {
          records->level[c] = UNKNOWN;
          records->edge[c]  = basins.edge[first + c];
        }
    }
}

/* R of a basin's maximum, of the first ancestor that is known. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
find_level (const Records<Pixel, CONNECTIVITY> &records,
            int                                 c)
{
  guint32 low  = 0;
  guint32 high = UNKNOWN;
  guint32 level;

  while ((level = ((const volatile guint32 *) records.level)[c]) == UNKNOWN)
    {
      const guint32 seed = records.seed[c];
      const guint32 most = max (seed, (guint32) records.edge[c]);

      low  = min (max (low, seed), high);
      high = max (min (high, most), low);
      c    = records.parent[c];
    }
  return min (max (level, low), high);
}

/* One block for each tile. */
template <typename Pixel, int CONNECTIVITY>
static __global__ void
__launch_bounds__ (THREADS)
finish_tiles (Image<Pixel>   image,
              Basins<Pixel>  basins,
              const guint32 *levels)
{
  typedef Sizes<Pixel, CONNECTIVITY> Size;

  __shared__ Records<Pixel, CONNECTIVITY> records;

  const guint32  tile = blockIdx.x;
  const int      n    = basins.n[tile];
  const gint64   x    = tile % image.across * (gint64) COLUMNS + threadIdx.x % COLUMNS;
  const gint64   top  = tile / image.across * (gint64) Size::ROWS;
  const guint16 *of   = basins.of_pixels + (guint64) tile * Size::AREA + threadIdx.x;

  load_records (&records, tile, n, basins, levels);
  __syncthreads ();
  for (int c = threadIdx.x; c < n; c += THREADS)
    if (records.parent[c] != c)
      ((volatile guint32 *) records.level)[c] = find_level (records, c);
  __syncthreads ();
  if (x >= image.width)
    return;
#pragma unroll 8
  for (int i = 0; i < Size::PER; i++)
    {
      const gint64 y = top + i * GROUPS + threadIdx.x / COLUMNS;

      if (y < image.height)
        {
          const gint64  p    = y * image.width + x;
          const guint32 here = image.keys.of (image.mask[p]);

          image.result[p] = image.keys.back ((Pixel) min (here, records.level[of[i * THREADS]]));
        }
    }
}

} /* namespace basins */
