/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation of an image by a disc of up to some dozen pixels on a GPU: one kernel,
 * which reads each pixel once, but for the margins of tiles, and writes it once.
 *
 * A disc is the union of its chords (disc.cu).  A block has a tile in registers (tile-rows.cuh).
 * For h = 0, 1, 2, … it holds for every pixel the least value of the window from h pixels before to
 * h after it, which for h > 1 is the less of the two windows of h − 1 beside the pixel: one
 * comparison a pixel, while Urbach and Wilkinson (2008) keep a table of windows.  Whenever rows of
 * the disc have the half length h, the windows go to shared memory, and each pixel takes the least
 * of those in the rows above and below that are so long.  Rows of the disc that follow each other
 * are taken up to four at a time: they read mostly the same rows of the tile.
 *
 * A pixel takes about r comparisons for windows and 2 r for rows.  The margins grow with r, so the
 * work for each pixel grows faster towards MOST_RADIUS; larger discs are those of disc.cu.
 */

#include "element.cuh"
#include "tile-rows.cuh"
#include "cuda/core/dispatch.cuh"

namespace small_disc
{

using namespace tile_rows;

/* Radii to which this is faster than disc.cu. */
#define MOST_RADIUS 40

/* The rows of a disc from @first on, below its middle, that have the same half length. */
struct Run
{
  gint8 first;
  gint8 n;
};

struct Disc
{
  Run runs[MOST_RADIUS + 1];        /* by their half lengths */
};

/* Adds the windows of @N rows to each of the warp's rows, to the first of them those from the
 * row @y of the tile on.
 */
template <typename Pixel, int N>
__device__ __forceinline__ void
add_rows (const uint4 *windows,
          int          y,
          Row         *least)
{
#pragma unroll
  for (int k = 0; k < ROWS + N - 1; k++)
    {
      Row window = { { ~0u, ~0u, ~0u, ~0u } };

      add<Pixel> (windows, y + k, &window);
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        if (k - i >= 0 && k - i < N)
          for (int j = 0; j < WORDS; j++)
            least[i].words[j] = Wide<Pixel>::least (least[i].words[j], window.words[j]);
    }
}

/* The same for @N rows from @dy on, below and above. */
template <typename Pixel, int N>
__device__ __forceinline__ void
add_both (const uint4 *windows,
          int          y,
          int          dy,
          Row         *least)
{
  add_rows<Pixel, N> (windows, y + dy, least);
  add_rows<Pixel, N> (windows, y - dy - (N - 1), least);
}

template <typename Pixel>
__device__ __forceinline__ void
add_run (const uint4 *windows,
         int          y,
         Run          run,
         Row         *least)
{
  int dy = run.first;
  int n  = run.n;

  if (dy == 0)
    {
      add_rows<Pixel, 1> (windows, y, least);
      dy++;
      n--;
    }
  for (; n >= 4; n -= 4, dy += 4)
    add_both<Pixel, 4> (windows, y, dy, least);
  if (n >= 2)
    add_both<Pixel, 2> (windows, y, dy, least);
  if (n % 2 == 1)
    add_both<Pixel, 1> (windows, y, dy + n - 1, least);
}

template <typename Pixel>
__global__ void
__launch_bounds__ (THREADS, 1)
add_disc (Pixels<Pixel> in,
          Tiles         tiles,
          Disc          disc,
          Order<Pixel>  order,
          Pixels<Pixel> out)
{
  extern __shared__ uint4 windows[];

  for (gint64 tile = blockIdx.x; tile < tiles.n; tile += gridDim.x)
    {
      const Place place = find_place<Pixel> (tiles, tile);
      const int   y     = place.y_in_tile;
      Row         rows[ROWS];
      Row         least[ROWS];

      load_rows (in, tiles, place, order, rows);
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        least[i] = { { ~0u, ~0u, ~0u, ~0u } };

      for (int half = 0; half <= tiles.radius; half++)
        {
          const Run run = disc.runs[half];

          if (half > 0)
            {
#pragma unroll
              for (int i = 0; i < ROWS; i++)
                widen<Pixel> (&rows[i], half == 1);
            }
          if (run.n == 0)
            continue;

          /* No warp reads the windows of the last run any more. */
          __syncthreads ();
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            keep (windows, y + i, rows[i]);
          __syncthreads ();
          if (y + ROWS > tiles.radius && y < TILE_ROWS - tiles.radius)
            add_run<Pixel> (windows, y, run, least);
        }
      store_rows (out, tiles, place, order, least);
    }
}

static Disc
make_disc (gint64 radius)
{
  Disc disc = {};
  int  half = (int) radius;

  for (int dy = 0; dy <= radius; dy++)
    {
      while (half * half > radius * radius - dy * dy)
        half--;
      if (disc.runs[half].n++ == 0)
        disc.runs[half].first = (gint8) dy;
    }
  return disc;
}

template <typename Pixel>
static gboolean
do_disc (WfCuda              *cuda,
         const WfCudaElement *task,
         GError             **error)
{
  const gint64        n     = wf_shape_n_pixels (&task->shape);
  const Pixels<Pixel> in    = { (Pixel *) task->image, n };
  const Pixels<Pixel> out   = { (Pixel *) task->out, n };
  const Order<Pixel>  order = { task->dilation ? 0xffffffffu : 0u };
  const Tiles         tiles = divide<Pixel> (&task->shape, task->radius);

  WF_CUDA_CHECK (cudaFuncSetAttribute (add_disc<Pixel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int) TILE_BYTES));
  add_disc<Pixel><<<(unsigned int) MIN (tiles.n, G_MAXINT32), THREADS, TILE_BYTES, cuda->stream>>>
    (in, tiles, make_disc (task->radius), order, out);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_advance (cuda, 0, error);
}

}

gboolean
wf_cuda_is_small_disc (const WfCudaElement *task)
{
  return task->shape.depth == 1 && task->element == WF_ELEMENT_DISC && task->radius >= 1 &&
         task->radius <= MOST_RADIUS;
}

gboolean
wf_cuda_small_disc (WfCuda              *cuda,
                    const WfCudaElement *task,
                    GError             **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return small_disc::do_disc<decltype (pixel)> (cuda, task, error);
    });
}
