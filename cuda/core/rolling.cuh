/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Windows of a few pixels that roll down an image, a warp each, without barriers.
 *
 * A lane holds four adjacent columns, a warp 128 of them.  The outermost columns of a warp
 * are read only because the others need them; they are written by the warps beside it.  A
 * lane reads each row once, some rows before it is needed, so that the latency of memory is
 * hidden, and keeps the rows of the window in registers.  It gets the columns beside its own
 * from other lanes.  Beyond the ends of an axis the pixel at the end is repeated.
 *
 * A block is one warp, so what depends on the block alone is uniform for the compiler: whether
 * all that the warp reads lies in the image, as for most.  Those warps have code of their own,
 * without the checks of columns and rows that the others need.
 */

#pragma once

#include "cuda/core/device.cuh"
#include "cuda/core/lanes.cuh"

namespace rolling
{

constexpr int THREADS = WF_LANES;
constexpr int COLUMNS = 4 * THREADS;

/**
 * Plan:
 * @n_strips: strips of columns of the image
 * @n_segments: segments of rows of a strip; a warp has one
 * @rows: rows of a segment
 * @aligned: every four pixels of a lane can be read and written at once
 */
struct Plan
{
  gint64 width;
  gint64 height;
  gint64 n_strips;
  gint64 n_segments;
  gint64 rows;
  bool   aligned;
};

template <typename Pixel>
struct alignas (4 * sizeof (Pixel)) Four
{
  Pixel of[4];
};

/* Columns at either side of a warp that are only read, for windows of this radius. */
template <int RADIUS>
constexpr int margin_for = (RADIUS + 3) / 4 * 4;

/**
 * Place:
 * @x: the lane's first column
 * @y0, @y1: the warp's rows, from the first up to the second
 * @writes: the lane has columns to write
 * @inner: all that the warp reads lies in the image
 */
struct Place
{
  gint64 x;
  gint64 y0;
  gint64 y1;
  bool   writes;
  bool   inner;
};

__device__ __forceinline__ Place
find_place (const Plan &plan,
            int         margin,
            int         above,
            int         below)
{
  const gint64 x0   = blockIdx.x % plan.n_strips * (COLUMNS - 2 * margin) - margin;
  const int    lane = threadIdx.x;
  Place        place;

  place.x      = x0 + 4 * lane;
  place.y0     = blockIdx.x / plan.n_strips * plan.rows;
  place.y1     = min (place.y0 + plan.rows, plan.height);
  place.writes = 4 * lane >= margin && 4 * lane < COLUMNS - margin && place.x < plan.width;
  place.inner  = x0 >= 0 && x0 + COLUMNS <= plan.width && place.y0 >= above &&
                 place.y1 + below <= plan.height;
  return place;
}

template <typename Pixel>
__device__ __forceinline__ Four<Pixel>
load_four (const Pixel *pixels)
{
  Four<Pixel> four;

  if constexpr (sizeof (Pixel) == 1)
    *(guint32 *) &four = __ldg ((const guint32 *) pixels);
  else if constexpr (sizeof (Pixel) == 2)
    *(uint2 *) &four = __ldg ((const uint2 *) pixels);
  else
    *(float4 *) &four = __ldg ((const float4 *) pixels);
  return four;
}

/**
 * Reader:
 * @INNER: all rows and columns lie in the image
 * @row: the lane's first column of the next row
 * @above: rows until the image begins
 * @below: rows until its last one
 * @x: the lane's first column
 *
 * Reads one row after the other, from any row on, also one above the image.
 */
template <typename Pixel, bool INNER>
struct Reader
{
  const Pixel *row;
  int          above;
  int          below;
  gint64       width;
  gint64       x;
  bool         aligned;

  __device__ __forceinline__
  Reader (const Pixel *image,
          const Plan  &plan,
          gint64       column,
          gint64       y)
  : row (image + min (max (y, (gint64) 0), plan.height - 1) * plan.width + column),
    above ((int) max (-y, (gint64) 0)),
    below ((int) min (plan.height - 1 - y, plan.height - 1)),
    width (plan.width),
    x (column),
    aligned (plan.aligned)
  {
  }

  __device__ __forceinline__ Four<Pixel>
  next ()
  {
    Four<Pixel> four;

    if (INNER && aligned)
      four = load_four (row);
    else
      for (int i = 0; i < 4; i++)
        four.of[i] = __ldg (row + (INNER ? i : min (max ((gint64) i, -x), width - 1 - x)));

    if (INNER)
      row += width;
    else if (above > 0)
      above--;
    else if (below > 0)
      {
        below--;
        row += width;
      }
    return four;
  }
};

/* Writes as much as lies in the image of one row after the other. */
template <typename Pixel, bool INNER>
struct Writer
{
  Pixel  *row;
  gint64  width;
  int     n;          /* columns */
  bool    aligned;

  __device__ __forceinline__
  Writer (Pixel       *out,
          const Plan  &plan,
          const Place &place)
  : row (out + place.y0 * plan.width + place.x),
    width (plan.width),
    n (place.writes ? (int) min (plan.width - place.x, (gint64) 4) : 0),
    aligned (plan.aligned)
  {
  }

  __device__ __forceinline__ void
  next (const Four<Pixel> &four)
  {
    if (INNER && aligned)
      {
        if (n > 0)
          *(Four<Pixel> *) row = four;
      }
    else
      for (int i = 0; i < 4; i++)
        if (i < n)
          row[i] = four.of[i];
    row += width;
  }
};

/* @around: the four values of this lane, and those of @RADIUS columns on either side. */
template <int RADIUS, typename Value>
__device__ __forceinline__ void
gather_beside (const Value *own,
               Value       *around)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    around[RADIUS + i] = own[i];
#pragma unroll
  for (int k = 1; k <= RADIUS; k++)
    {
      const int lanes = (k + 3) / 4;

      around[RADIUS - k]     = __shfl_up_sync (WF_ALL_LANES, own[4 * lanes - k], lanes);
      around[RADIUS + 3 + k] = __shfl_down_sync (WF_ALL_LANES, own[(k - 1) % 4], lanes);
    }
}

/* Segments as short as fill the device, but not so short that most rows are read only for
 * their first window.
 */
static inline Plan
make_plan (const WfCuda  *cuda,
           const WfShape *shape,
           gconstpointer  image,
           gconstpointer  out,
           gsize          pixel,
           int            radius,
           int            margin)
{
  const gint64 warps = (gint64) cuda->n_units * cuda->threads_per_unit / THREADS;
  Plan         plan  = {};

  plan.width      = shape->width;
  plan.height     = shape->height;
  plan.n_strips   = (shape->width + COLUMNS - 2 * margin - 1) / (COLUMNS - 2 * margin);
  plan.rows       = plan.height * plan.n_strips / (8 * warps);
  plan.rows       = CLAMP (plan.rows, 8 * radius, 256);
  plan.n_segments = (plan.height + plan.rows - 1) / plan.rows;
  plan.aligned    = plan.width % 4 == 0 && (guintptr) image % (4 * pixel) == 0 &&
                    (guintptr) out % (4 * pixel) == 0;
  return plan;
}

static inline unsigned int
count_blocks (const Plan *plan)
{
  return (unsigned int) (plan->n_strips * plan->n_segments);
}

}
