/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation of an image by a disc of up to some dozen pixels on a GPU: one kernel, which
 * reads each pixel once, but for the margins of tiles, and writes it once.
 *
 * A disc is the union of its chords (disc.cu).  A block has a tile of the image in registers, a
 * warp some of its rows.  For h = 0, 1, 2, … it holds for every pixel the least value of the window
 * from h pixels before to h after it, which for h > 1 is the less of the two windows of h − 1 beside
 * the pixel: one comparison a pixel, while Urbach and Wilkinson (2008) keep a table of windows.
 * Whenever rows of the disc have the half length h, the windows go to shared memory, and each pixel
 * takes the least of those in the rows above and below that are so long.  Rows of the disc that
 * follow each other are taken up to four at a time: they read mostly the same rows of the tile.
 *
 * Pixels of a byte are widened to 16 bits, of which two are compared at once.  So there are about
 * r / 2 comparisons of words a pixel for windows, r for rows, and r / 2 words of shared memory.  The
 * margins are r rows above and below, and r columns, rounded up to a lane, on either side, so the
 * work for each pixel grows towards MOST_RADIUS; larger discs are those of disc.cu.
 */

#include <math.h>

#include <type_traits>

#include "element.cuh"
#include "words.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/core/lanes.cuh"

namespace small_disc
{

using morphology::Order;
using morphology::Pixels;

#define WARPS     16
#define ROWS      8                 /* of a warp */
#define TILE_ROWS (WARPS * ROWS)
#define WORDS     4                 /* of a lane in a row */

/* Radii to which this is faster than disc.cu: of words that hold two pixels, and one. */
#define MOST_RADIUS      40
#define MOST_RADIUS_REAL 26

/* Pixels in a lane's words: guint32 stands for f32. */
template <typename Pixel>
constexpr int in_lane = sizeof (Pixel) == 4 ? WORDS : 2 * WORDS;

template <typename Pixel>
constexpr int in_row = WF_LANES * in_lane<Pixel>;

/* The words that pixels are compared in. */
template <typename Pixel>
using Wide = Order<std::conditional_t<sizeof (Pixel) == 4, guint32, guint16>>;

struct Row
{
  guint32 words[WORDS];
};

/* The rows of a disc from @first on, below its middle, that have the same half length. */
struct Run
{
  gint8 first;
  gint8 n;
};

struct Disc
{
  int radius;
  Run runs[MOST_RADIUS + 1];        /* by their half lengths */
};

struct Tiles
{
  gint64 width;
  gint64 height;
  gint64 n;
  gint64 n_across;
  int    margin;                    /* columns on either side */
};

template <typename Pixel>
__device__ __forceinline__ Row
load_row (const Pixels<Pixel> &in,
          gint64               row,
          gint64               width,
          gint64               x,
          const Order<Pixel>  &order)
{
  constexpr int per_word = Order<Pixel>::per_word;
  Row           loaded;

  if constexpr (sizeof (Pixel) == 1)
    for (int i = 0; i < WORDS; i += 2)
      {
        const guint32 word = order.key (in.load (row, width, x + i / 2 * per_word));

        loaded.words[i]     = __byte_perm (word, 0, 0x4140);
        loaded.words[i + 1] = __byte_perm (word, 0, 0x4342);
      }
  else
    for (int i = 0; i < WORDS; i++)
      loaded.words[i] = order.key (in.load (row, width, x + i * per_word));
  return loaded;
}

template <typename Pixel>
__device__ __forceinline__ void
store_row (const Pixels<Pixel> &out,
           gint64               row,
           gint64               width,
           gint64               x,
           const Order<Pixel>  &order,
           const Row           &stored)
{
  constexpr int per_word = Order<Pixel>::per_word;

#pragma unroll
  for (int i = 0; i < WORDS; i += sizeof (Pixel) == 1 ? 2 : 1)
    {
      const gint64  at   = x + i * (sizeof (Pixel) == 1 ? 2 : per_word);
      const guint32 word = sizeof (Pixel) == 1
                           ? __byte_perm (stored.words[i], stored.words[(i + 1) % WORDS], 0x6420)
                           : stored.words[i];

      if (at < width)
        out.store (row, width, at, order.back (word));
    }
}

/* Makes the windows in @row longer by a pixel at both ends, the first ones from the pixels.  At the
 * ends of the tile they become wrong, in its margin.
 */
template <typename Pixel>
__device__ __forceinline__ void
widen (Row  *row,
       bool  first)
{
  Row     wider;
  guint32 around[WORDS + 2];

  around[0]         = __shfl_up_sync (WF_ALL_LANES, row->words[WORDS - 1], 1);
  around[WORDS + 1] = __shfl_down_sync (WF_ALL_LANES, row->words[0], 1);
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    around[1 + i] = row->words[i];
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    {
      if constexpr (sizeof (Pixel) == 4)
        wider.words[i] = min (around[i], around[i + 2]);
      else
        wider.words[i] = Wide<Pixel>::least (Wide<Pixel>::across (around[i], around[i + 1], 16),
                                             Wide<Pixel>::across (around[i + 1], around[i + 2],
                                                                  16));
      if (first)
        wider.words[i] = Wide<Pixel>::least (wider.words[i], row->words[i]);
    }
  *row = wider;
}

/* Adds the windows of @N rows to each of the warp's rows, to the first of them those from the row @y
 * of the tile on.  Only rows in the margin look beyond the tile.
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
      const int   from   = min (max (y + k, 0), TILE_ROWS - 1);
      const uint4 window = windows[from * WF_LANES + wf_lane ()];

#pragma unroll
      for (int i = 0; i < ROWS; i++)
        if (k - i >= 0 && k - i < N)
          {
            least[i].words[0] = Wide<Pixel>::least (least[i].words[0], window.x);
            least[i].words[1] = Wide<Pixel>::least (least[i].words[1], window.y);
            least[i].words[2] = Wide<Pixel>::least (least[i].words[2], window.z);
            least[i].words[3] = Wide<Pixel>::least (least[i].words[3], window.w);
          }
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
__launch_bounds__ (WARPS * WF_LANES, 1)
add_disc (Pixels<Pixel> in,
          Tiles         tiles,
          Disc          disc,
          Order<Pixel>  order,
          Pixels<Pixel> out)
{
  extern __shared__ uint4 windows[];

  const int y_in_tile = threadIdx.x / WF_LANES * ROWS;
  const int x_in_tile = wf_lane () * in_lane<Pixel>;
  const int inner     = TILE_ROWS - 2 * disc.radius;

  for (gint64 tile = blockIdx.x; tile < tiles.n; tile += gridDim.x)
    {
      const gint64 x    = tile % tiles.n_across * (in_row<Pixel> - 2 * tiles.margin)
                          - tiles.margin + x_in_tile;
      const gint64 y    = tile / tiles.n_across * inner - disc.radius + y_in_tile;
      const bool   last = y_in_tile >= TILE_ROWS - disc.radius;
      Row          row[ROWS];
      Row          least[ROWS];

#pragma unroll
      for (int i = 0; i < ROWS; i++)
        {
          for (int k = 0; k < WORDS; k++)
            row[i].words[k] = least[i].words[k] = ~0u;
          if (y + i >= 0 && y + i < tiles.height)
            row[i] = load_row (in, (y + i) * tiles.width, tiles.width, x, order);
        }

      for (int half = 0; half <= disc.radius; half++)
        {
          const Run run = disc.runs[half];

          if (half > 0)
            {
#pragma unroll
              for (int i = 0; i < ROWS; i++)
                widen<Pixel> (&row[i], half == 1);
            }
          if (run.n == 0)
            continue;

          /* No warp reads the windows of the last run any more. */
          __syncthreads ();
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            windows[(y_in_tile + i) * WF_LANES + wf_lane ()]
              = make_uint4 (row[i].words[0], row[i].words[1], row[i].words[2], row[i].words[3]);
          __syncthreads ();
          if (y_in_tile + ROWS > disc.radius && ! last)
            add_run<Pixel> (windows, y_in_tile, run, least);
        }

      if (x_in_tile >= tiles.margin && x_in_tile < in_row<Pixel> - tiles.margin)
        {
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            if (y_in_tile + i >= disc.radius && y_in_tile + i < TILE_ROWS - disc.radius &&
                y + i < tiles.height)
              store_row (out, (y + i) * tiles.width, tiles.width, x, order, least[i]);
        }
    }
}

static Disc
make_disc (gint64 radius)
{
  Disc disc = {};
  int  half = (int) radius;

  disc.radius = (int) radius;
  for (int dy = 0; dy <= disc.radius; dy++)
    {
      while (half * half > disc.radius * disc.radius - dy * dy)
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
  const gsize         shared = TILE_ROWS * WF_LANES * sizeof (uint4);
  const gint64        n      = wf_shape_n_pixels (&task->shape);
  const gint64        lane   = in_lane<Pixel>;
  const Pixels<Pixel> in     = { (Pixel *) task->image, n };
  const Pixels<Pixel> out    = { (Pixel *) task->out, n };
  const Order<Pixel>  order  = { task->dilation ? 0xffffffffu : 0u };
  Tiles               tiles  = {};
  gint64              across;
  gint64              down;

  tiles.width    = task->shape.width;
  tiles.height   = task->shape.height;
  tiles.margin   = (int) ((task->radius + lane - 1) / lane * lane);
  across         = in_row<Pixel> - 2 * tiles.margin;
  down           = TILE_ROWS - 2 * task->radius;
  tiles.n_across = (tiles.width + across - 1) / across;
  tiles.n        = tiles.n_across * ((tiles.height + down - 1) / down);
  WF_CUDA_CHECK (cudaFuncSetAttribute (add_disc<Pixel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int) shared));
  add_disc<Pixel><<<(unsigned int) MIN (tiles.n, G_MAXINT32), WARPS * WF_LANES, shared,
                    cuda->stream>>>
    (in, tiles, make_disc (task->radius), order, out);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_advance (cuda, 0, error);
}

}

gboolean
wf_cuda_is_small_disc (const WfCudaElement *task)
{
  return task->shape.depth == 1 && task->element == WF_ELEMENT_DISC && task->radius >= 1 &&
         task->radius <= (task->type == WF_TYPE_F32 ? MOST_RADIUS_REAL : MOST_RADIUS);
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
