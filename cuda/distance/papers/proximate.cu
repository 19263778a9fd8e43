/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances in images, `proximate`: in each column the distance to the
 * nearest background above and below; then in each row the proximate points, those columns
 * whose background is the nearest somewhere in the row, each with the interval of
 * positions where it is; then the distances in these intervals.
 *
 * A thread takes a column, and then a row.  Threads side by side read neighbouring pixels
 * of columns, but pixels a whole row apart in rows; so either the reads are
 * strided (`proximate-strided`), or the image is transposed through shared memory before
 * and after, and rows are read as columns (`proximate`).
 *
 * Sources: Man, Uda, Ueyama, Ito and Nakano, Implementations of a parallel algorithm for
 * computing Euclidean distance map in multicore processors and GPUs, International Journal
 * of Networking and Computing 1, 2011; Man, Uda, Ito and Nakano, A GPU implementation of
 * computing Euclidean distance map with efficient memory access, ICNC 2011.  The papers
 * call the two VH-VH and VTV-VTV.
 *
 * Bytes a pixel: the image's own and 12 in the columns; in the rows 4 for each time that a
 * value is read, which is some four times, and 8 for each point of the stack, written and
 * read; 8 in each transposition, the last of which writes the result.
 */

#include "cuda/core/dispatch.cuh"
#include "cuda/core/foreground.cuh"
#include "cuda/distance/exact-local/local.cuh"

namespace proximate
{

/* No background: beyond all distances, and one may be added. */
#define FAR 0x80000000u

#define LINE_THREADS 64
#define TILE 32
#define TILE_ROWS 8

/* A result in squares that has no background. */
#define NO_SQUARE G_MAXUINT32


/*  Columns  */

template <typename T>
__global__ void
walk_columns (const T      *image,
              WfForeground  foreground,
              gint64        width,
              gint64        height,
              bool          border,
              guint32      *rows,
              int          *absent)
{
  const gint64 x     = blockIdx.x * (gint64) blockDim.x + threadIdx.x;
  guint32      last  = border ? 0 : FAR;
  bool         found = false;

  if (x >= width)
    return;
  for (gint64 y = 0; y < height; y++)
    {
      const bool is = wf_is_foreground (image[y * width + x], foreground);

      found              |= ! is;
      last                = is ? min (last + 1, FAR) : 0;
      rows[y * width + x] = last;
    }
  last = border ? 0 : FAR;
  for (gint64 y = height - 1; y >= 0; y--)
    {
      last                = min (rows[y * width + x], min (last + 1, FAR));
      rows[y * width + x] = last;
    }
  if (found)
    *absent = 0;
}


/*  Rows  */

/* Rows in order if @step_x is 1, or columns in order if @step_y is. */
typedef struct
{
  gint64 width;
  gint64 height;
  gint64 step_x;
  gint64 step_y;
  bool   border;
} Grid;

/* A row's proximate points: @sites, columns from left to right, and @starts, the first
 * position of each one's interval; at most as many as the row has pixels.
 */
typedef struct
{
  const guint32 *rows;
  gint32        *sites;
  gint32        *starts;
  gint64         step;
  gint64         width;
  gint64         n;
} Points;

__device__ __forceinline__ gint64
height_of (const Points &points,
           gint64        column)
{
  gint64 rows;

  if (column < 0 || column >= points.width)
    return 0;
  rows = points.rows[column * points.step];
  return rows * rows;
}

/* Puts out the points that the column @u leaves no interval, and adds it if there is
 * one for it.
 */
__device__ __forceinline__ void
add_point (Points &points,
           gint64  u,
           gint64  square)
{
  gint64 start = 0;

  while (points.n > 0)
    {
      const gint64 x      = points.starts[(points.n - 1) * points.step];
      const gint64 i      = points.sites[(points.n - 1) * points.step];
      const gint64 height = height_of (points, i);

      if ((x - i) * (x - i) + height <= (x - u) * (x - u) + square)
        {
          start = 1 + (u * u - i * i + square - height) / (2 * (u - i));
          break;
        }
      points.n--;
    }
  if (start >= points.width)
    return;
  points.sites[points.n * points.step]  = (gint32) u;
  points.starts[points.n * points.step] = (gint32) start;
  points.n++;
}

__global__ void
__launch_bounds__ (LINE_THREADS)
find_points (Grid           grid,
             const guint32 *rows,
             gint32        *sites,
             gint32        *starts,
             guint32       *squares)
{
  const gint64 y = blockIdx.x * (gint64) blockDim.x + threadIdx.x;

  if (y >= grid.height)
    return;

  const gint64 first  = y * grid.step_y;
  Points       points = { rows + first, sites + first, starts + first, grid.step_x, grid.width, 0 };

  if (grid.border)
    add_point (points, -1, 0);
  for (gint64 x = 0; x < grid.width; x++)
    {
      const gint64 distance = rows[first + x * grid.step_x];

      if (distance != FAR)
        add_point (points, x, distance * distance);
    }
  if (grid.border)
    add_point (points, grid.width, 0);

  gint64 end = grid.width;

  if (points.n == 0)
    for (gint64 x = 0; x < grid.width; x++)
      squares[first + x * grid.step_x] = NO_SQUARE;
  for (gint64 k = points.n - 1; k >= 0; k--)
    {
      const gint64 start  = points.starts[k * points.step];
      const gint64 site   = points.sites[k * points.step];
      const gint64 height = height_of (points, site);

      for (gint64 x = start; x < end; x++)
        squares[first + x * grid.step_x] = (guint32) ((x - site) * (x - site) + height);
      end = start;
    }
}


/*  Transposing, and results  */

/* What becomes of a value on its way. */
struct Copy
{
  guint32 *to;

  __device__ __forceinline__ void
  write (gint64  p,
         guint32 value) const
  {
    to[p] = value;
  }
};

struct Finish
{
  void *to;
  bool  squared;

  __device__ __forceinline__ void
  write (gint64  p,
         guint32 value) const
  {
    if (squared)
      ((guint64 *) to)[p] = value == NO_SQUARE ? G_MAXUINT64 : value;
    else
      ((float *) to)[p] = value == NO_SQUARE ? INFINITY : wf_root_32 (value);
  }
};

/* Of a matrix of @width columns; a block has a tile. */
template <typename WRITER>
__global__ void
__launch_bounds__ (TILE * TILE_ROWS)
transpose_words (const guint32 *values,
                 gint64         width,
                 gint64         height,
                 WRITER         writer)
{
  __shared__ guint32 tile[TILE][TILE + 1];
  const gint64 across = (width + TILE - 1) / TILE;
  const gint64 left   = blockIdx.x % across * TILE;
  const gint64 top    = blockIdx.x / across * TILE;

  for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
    if (top + k < height && left + threadIdx.x < width)
      tile[k][threadIdx.x] = values[(top + k) * width + left + threadIdx.x];
  __syncthreads ();
  for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
    if (left + k < width && top + threadIdx.x < height)
      writer.write ((left + k) * height + top + threadIdx.x, tile[threadIdx.x][k]);
}

__global__ void
finish_in_place (const guint32 *squares,
                 gint64         n,
                 Finish         finish)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    finish.write (p, squares[p]);
}


/*  Host  */

static gboolean
start (WfCuda                *cuda,
       const WfCudaDistance  *distance,
       guint32               *rows,
       int                   *absent,
       GError               **error)
{
  const WfDistanceTask *task       = distance->task;
  const WfShape        *shape      = &task->shape;
  const WfForeground    foreground = wf_foreground (task->threshold, false);
  const unsigned int    blocks     = (shape->width + LINE_THREADS - 1) / LINE_THREADS;
  const bool            border     = task->border_background;

  wf_dispatch_pixels (task->image->type, [&] (auto pixel)
    {
      walk_columns<<<blocks, LINE_THREADS, 0, cuda->stream>>>
        ((const decltype (pixel) *) distance->image, foreground, shape->width, shape->height,
         border, rows, absent);
    });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

static unsigned int
count_tiles (const WfShape *shape)
{
  return (unsigned int) ((shape->width + TILE - 1) / TILE * ((shape->height + TILE - 1) / TILE));
}

static gboolean
measure (WfCuda                 *cuda,
         const WfCudaDistance   *distance,
         bool                    transposed,
         WfDeviceArray<guint8>  *memory,
         int                   **absent,
         GError                **error)
{
  const WfDistanceTask *task   = distance->task;
  const WfShape        *shape  = &task->shape;
  const gint64          n      = wf_shape_n_pixels (shape);
  const unsigned int    blocks = (shape->height + LINE_THREADS - 1) / LINE_THREADS;
  const dim3            tile (TILE, TILE_ROWS);
  const Grid            grid   = { shape->width, shape->height, transposed ? shape->height : 1,
                                   transposed ? 1 : shape->width, (bool) task->border_background };
  const Finish          finish = { distance->out, task->metric == WF_METRIC_SQUARED };
  guint32              *values[4];

  if (! memory->allocate (cuda, wf_cuda_distance_proximate_memory (task), error))
    return FALSE;
  for (int k = 0; k < 4; k++)
    values[k] = (guint32 *) (memory->data + sizeof (guint64)) + k * n;
  *absent = (int *) memory->data;
  WF_CUDA_CHECK (cudaMemsetAsync (*absent, 0xff, sizeof (int), cuda->stream));

  wf_cuda_step (cuda, "columns");
  if (! start (cuda, distance, values[0], *absent, error))
    return FALSE;
  if (transposed)
    {
      transpose_words<<<count_tiles (shape), tile, 0, cuda->stream>>>
        (values[0], shape->width, shape->height, Copy { values[1] });
      WF_CUDA_CHECK_LAUNCH ();
    }
  wf_cuda_step (cuda, "rows");
  find_points<<<blocks, LINE_THREADS, 0, cuda->stream>>>
    (grid, values[transposed ? 1 : 0], (gint32 *) values[2], (gint32 *) values[3],
     values[transposed ? 0 : 1]);
  WF_CUDA_CHECK_LAUNCH ();
  if (transposed)
    transpose_words<<<count_tiles (shape), tile, 0, cuda->stream>>>
      (values[0], shape->height, shape->width, finish);
  else
    finish_in_place<<<wf_cuda_blocks (cuda, n, 256), 256, 0, cuda->stream>>>
      (values[1], n, finish);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

}

using namespace proximate;


gboolean
wf_cuda_distance_proximate_supports (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;
  const double   x     = shape->width + 1.0;
  const double   y     = shape->height + 1.0;

  return ! task->band &&
         (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         task->exact_integers && shape->depth == 1 && ! task->signed_distance &&
         ! task->nearest && task->out && x * x + y * y < NO_SQUARE;
}

/* The four arrays: values twice, sites and starts. */
guint64
wf_cuda_distance_proximate_memory (const WfDistanceTask *task)
{
  return wf_shape_n_pixels (&task->shape) * 4 * sizeof (guint32) + sizeof (guint64);
}

gboolean
wf_cuda_distance_proximate (WfCuda                 *cuda,
                            const WfCudaDistance   *distance,
                            WfDeviceArray<guint8>  *memory,
                            int                   **absent,
                            GError                **error)
{
  return measure (cuda, distance, true, memory, absent, error);
}

gboolean
wf_cuda_distance_proximate_strided (WfCuda                 *cuda,
                                    const WfCudaDistance   *distance,
                                    WfDeviceArray<guint8>  *memory,
                                    int                   **absent,
                                    GError                **error)
{
  return measure (cuda, distance, false, memory, absent, error);
}
