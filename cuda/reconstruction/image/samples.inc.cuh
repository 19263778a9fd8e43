/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Samples of an image, taken before its tiles are visited: whether levels have far to go.
 *
 * They have if hardly any tile holds a part of the marker, and hardly any pixel of the mask is of
 * the least key: then nearly all tiles will be reached, and from afar.  A tenth of the mask at the
 * least key, say as lines between objects, may leave most of the image out of reach; what to do
 * then is only known after some visits.
 *
 * Bytes: 512 tiles of the marker, and a few rows of them of the mask.  The first visits, which are
 * then left out, read all of both.
 */

#pragma once

#include "tile.inc.cuh"
#include "cuda/reconstruction/worklist.cuh"

namespace image_tiles
{

/* Tiles that are looked at, in a sequence that covers the image evenly. */
constexpr guint32 SAMPLES = 512;

/* The fewest tiles of an image that is sampled: of a smaller one the first visits take little. */
constexpr guint32 LEAST_SAMPLED = 8192;

/* Threads of a sample, and so the number of its pixels of the mask. */
constexpr int SAMPLE_THREADS = 256;

/* What speaks against it: that more than one tile in so many holds a part of the marker, or that
 * more than one pixel in so many of the mask is of the least key.
 */
constexpr guint32 TILES_A_MARKED  = 16;
constexpr guint32 PIXELS_A_CLOSED = 100;

__device__ __forceinline__ guint32
sampled_tile (guint32 sample,
              guint32 n_tiles)
{
  return n_tiles <= SAMPLES ? sample : __umulhi (sample * 0x9e3779b1u, n_tiles);
}

/* A block looks at a tile. */
template <typename Pixel>
__global__ void
__launch_bounds__ (SAMPLE_THREADS)
sample_tiles (WfWorklist         list,
              const Pixel       *mask,
              const Pixel       *marker,
              WfCudaKeys<Pixel>  keys,
              gint64             width,
              gint64             height)
{
  typedef WfTileFormat<Pixel> Format;
  constexpr int STEP = SAMPLE_THREADS / Format::COLUMNS;

  const guint32 tile   = sampled_tile (blockIdx.x, list.n_tiles);
  const guint32 row    = wf_divide (tile, list.rows);
  const gint64  x      = (gint64) (tile - row * list.n_across) * Format::COLUMNS +
                         threadIdx.x % Format::COLUMNS;
  const gint64  y      = (gint64) row * Format::ROWS + threadIdx.x / Format::COLUMNS;
  Pixel         marked = 0;
  bool          closed = false;
  int           n_closed;

  if (x < width && y < height)
    closed = keys.of (mask[y * width + x]) == 0;
#pragma unroll
  for (int k = 0; k < Format::ROWS; k += STEP)
    if (x < width && y + k < height)
      marked |= keys.of (marker[(y + k) * width + x]);

  n_closed = __syncthreads_count (closed);
  if (__syncthreads_or (marked != 0) && threadIdx.x == 0)
    atomicAdd (&list.control->marked.value, 1u);
  if (n_closed && threadIdx.x == 0)
    atomicAdd (&list.control->closed.value, (guint32) n_closed);
}

/* Whether the samples say that levels have far to go. */
__device__ __forceinline__ bool
has_far_to_go (const WfWorklist &list)
{
  return list.n_samples &&
         read_current (&list.control->marked.value) * TILES_A_MARKED < list.n_samples &&
         read_current (&list.control->closed.value) * PIXELS_A_CLOSED <
         list.n_samples * SAMPLE_THREADS;
}

} /* namespace image_tiles */
