/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation of an image by a square of some pixels on a GPU: one kernel, which reads
 * each pixel once, but for the margins of tiles, and writes it once; square.cu reads and writes
 * the image twice or more.
 *
 * A block has a tile in registers (tile-rows.cuh).  Windows along rows become longer by a pixel
 * at both ends in a step, or by a lane where they reach at least half a lane: from three
 * windows, that of the pixel and those of the pixels in the lanes beside it.  Along columns a
 * window ends in the rows of two warps.  Each warp knows the least values from each of its rows
 * to its last, which go to shared memory first, and from its first row to each (van Herk 1992;
 * Gil and Werman 1993); the last one of these is that of all its rows, for windows that end in
 * other warps' rows.
 */

#include "element.cuh"
#include "tile-rows.cuh"
#include "cuda/core/dispatch.cuh"

namespace small_square
{

using namespace tile_rows;

/* A window of fewer rows may lie between two rows of one warp; above, square.cu is as fast. */
constexpr int LEAST_RADIUS = ROWS / 2;
constexpr int MOST_RADIUS  = 24;

/* Makes the windows in @row longer by a lane at both ends. */
template <typename Pixel>
__device__ __forceinline__ void
widen_by_lane (Row *row)
{
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    {
      const guint32 before = __shfl_up_sync (WF_ALL_LANES, row->words[i], 1);
      const guint32 after  = __shfl_down_sync (WF_ALL_LANES, row->words[i], 1);

      row->words[i] = Wide<Pixel>::least (row->words[i], Wide<Pixel>::least (before, after));
    }
}

/* From pixels to windows of @radius on either side. */
template <typename Pixel>
__device__ __forceinline__ void
widen_rows (int  radius,
            Row *rows)
{
  constexpr int half    = in_lane<Pixel> / 2;      /* windows reach as far for a step by a lane */
  const int     n_lanes = (radius - half) / in_lane<Pixel>;
  const int     n_steps = radius - n_lanes * in_lane<Pixel>;

  for (int step = 0; step < n_steps; step++)
    {
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        widen<Pixel> (&rows[i], step == 0);
    }
  for (int step = 0; step < n_lanes; step++)
    {
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        widen_by_lane<Pixel> (&rows[i]);
    }
}

template <typename Pixel>
__device__ __forceinline__ void
lower (Row       *row,
       const Row &other)
{
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    row->words[i] = Wide<Pixel>::least (row->words[i], other.words[i]);
}

/* The windows from the rows @radius above to @radius below, of the warp whose first row is @y.
 * Its rows are @rows, which change.
 */
template <typename Pixel>
__device__ __forceinline__ void
reduce_columns (uint4 *tile,
                int    y,
                int    radius,
                Row   *rows,
                Row   *least)
{
  const int whole  = radius / ROWS * ROWS;      /* rows of warps */
  const int rest   = radius % ROWS;
  Row       scan   = rows[ROWS - 1];
  Row       middle = { { ~0u, ~0u, ~0u, ~0u } };

  /* From each row to the warp's last. */
  __syncthreads ();
  keep (tile, y + ROWS - 1, scan);
#pragma unroll
  for (int i = ROWS - 2; i >= 0; i--)
    {
      lower<Pixel> (&scan, rows[i]);
      keep (tile, y + i, scan);
    }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    {
      least[i] = middle;
      add<Pixel> (tile, y + i - radius, &least[i]);
    }

  /* From the warp's first row to each. */
  __syncthreads ();
  keep (tile, y, rows[0]);
#pragma unroll
  for (int i = 1; i < ROWS; i++)
    {
      lower<Pixel> (&rows[i], rows[i - 1]);
      keep (tile, y + i, rows[i]);
    }
  __syncthreads ();

  /* All rows of the warps between those in which the window ends: one more on either side where it
   * ends further out.
   */
  for (int other = y - whole + ROWS; other < y + whole; other += ROWS)
    add<Pixel> (tile, other + ROWS - 1, &middle);
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    {
      lower<Pixel> (&least[i], middle);
      add<Pixel> (tile, y + i + radius, &least[i]);
      if (i < rest && (whole > 0 || i + rest >= ROWS))
        add<Pixel> (tile, y - whole + ROWS - 1, &least[i]);
      if (i + rest >= ROWS && whole > 0)
        add<Pixel> (tile, y + whole + ROWS - 1, &least[i]);
    }
}

template <typename Pixel>
__global__ void
__launch_bounds__ (THREADS, 1)
add_square (Pixels<Pixel> in,
            Tiles         tiles,
            Order<Pixel>  order,
            Pixels<Pixel> out)
{
  extern __shared__ uint4 kept[];

  for (gint64 tile = blockIdx.x; tile < tiles.n; tile += gridDim.x)
    {
      const Place place = find_place<Pixel> (tiles, tile);
      Row         rows[ROWS];
      Row         least[ROWS];

      load_rows (in, tiles, place, order, rows);
      widen_rows<Pixel> (tiles.radius, rows);
      reduce_columns<Pixel> (kept, place.y_in_tile, tiles.radius, rows, least);
      store_rows (out, tiles, place, order, least);
    }
}

template <typename Pixel>
static gboolean
do_square (WfCuda              *cuda,
           const WfCudaElement *task,
           GError             **error)
{
  const gint64        n     = wf_shape_n_pixels (&task->shape);
  const Pixels<Pixel> in    = { (Pixel *) task->image, n };
  const Pixels<Pixel> out   = { (Pixel *) task->out, n };
  const Order<Pixel>  order = { task->dilation ? 0xffffffffu : 0u };
  const Tiles         tiles = divide<Pixel> (&task->shape, task->radius);

  WF_CUDA_CHECK (cudaFuncSetAttribute (add_square<Pixel>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int) TILE_BYTES));
  add_square<Pixel><<<(unsigned int) MIN (tiles.n, G_MAXINT32), THREADS, TILE_BYTES,
                      cuda->stream>>>
    (in, tiles, order, out);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_advance (cuda, 0, error);
}

}

gboolean
wf_cuda_is_small_square (const WfCudaElement *task)
{
  return task->shape.depth == 1 && task->element == WF_ELEMENT_SQUARE &&
         task->radius >= small_square::LEAST_RADIUS &&
         task->radius <= small_square::MOST_RADIUS;
}

gboolean
wf_cuda_small_square (WfCuda              *cuda,
                      const WfCudaElement *task,
                      GError             **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return small_square::do_square<decltype (pixel)> (cuda, task, error);
    });
}
