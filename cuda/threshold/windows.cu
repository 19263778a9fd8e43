/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds of the mean and the deviation of windows, on a GPU.
 *
 * The image is done in strips of rows, of which as many at a time as leave their sums in the
 * second-level cache:
 *
 *   add_columns     the sums of each column of the window, slices and rows: of integers one row
 *                   enters and one leaves them for the next row, of floats they are made anew
 *   add_up_rows     of integers: the sums of all columns up to each
 *   mark_whole      of integers: the window is the difference of two of them
 *   mark_real       of floats: the columns of the window are added from the left
 *
 * Integers give the same bits in any order; of floats the order is that of
 * engine/threshold/threshold.c.
 *
 * Work: of integers 2 rows for each of the depth's slices and, for squares, some 80 bytes of the
 * second-level cache a pixel; of floats in proportion to the radius.  Memory: 8 bytes a pixel of
 * the strips, with squares 16.
 */

#include <float.h>

#include <type_traits>

#include "threshold.cuh"
#include "cuda/core/block-scan.cuh"
#include "cuda/core/dispatch.cuh"

namespace threshold
{

constexpr int THREADS = 256;

/* Rows of a strip; it begins with the rows of a window. */
constexpr gint64 STRIP = 32;

/* Bytes of sums that the strips of one launch may take. */
constexpr gint64 SUMS_BYTES = 24 << 20;

constexpr gint64 MOST_STRIPS = 4096;

/**
 * Windows:
 * @strips: of a slice
 * @first, @n: the strips that are done now, counted through all slices
 */
struct Windows
{
  gint64 width;
  gint64 height;
  gint64 depth;
  gint64 radius;
  gint64 strips;
  gint64 first;
  gint64 n;
  double k;
  double range;
  double offset;
  bool   below;
};

/* The part of a window that lies in the image, along one axis. */
struct Span
{
  gint64 first;
  gint64 end;
};

/* Sums are whole, or real. */
template <typename Pixel>
using Sum = std::conditional_t<std::is_same<Pixel, float>::value, double, guint64>;


static __device__ __forceinline__ Span
span_at (gint64 at,
         gint64 radius,
         gint64 length)
{
  return { max (at - radius, (gint64) 0), min (at + radius + 1, length) };
}

template <typename Pixel>
static __device__ __forceinline__ Sum<Pixel>
level_of (Pixel pixel)
{
  return pixel;
}

template <>
__device__ __forceinline__ double
level_of<float> (float pixel)
{
  return pixel < -FLT_MAX ? -FLT_MAX : pixel > FLT_MAX ? FLT_MAX : pixel;
}


/*  Columns  */

/* Adds what a row has at @x, in all slices of the window; LEAVES: takes it away. */
template <typename Pixel, bool SQUARES, bool LEAVES>
static __device__ __forceinline__ void
add_row (const Windows &windows,
         const Pixel   *image,
         Span           slices,
         gint64         x,
         gint64         y,
         Sum<Pixel>    *sum,
         Sum<Pixel>    *square)
{
  for (gint64 z = slices.first; z < slices.end; z++)
    {
      const Sum<Pixel> level = level_of (image[(z * windows.height + y) * windows.width + x]);

      *sum += LEAVES ? -level : level;
      if (SQUARES)
        *square += LEAVES ? -(level * level) : level * level;
    }
}

/* Of floats: slices, and rows in each slice. */
template <bool SQUARES>
static __device__ __forceinline__ void
add_window (const Windows &windows,
            const float   *image,
            Span           slices,
            Span           rows,
            gint64         x,
            double        *sum,
            double        *square)
{
  *sum = *square = 0.0;
  for (gint64 z = slices.first; z < slices.end; z++)
    for (gint64 y = rows.first; y < rows.end; y++)
      add_row<float, SQUARES, false> (windows, image, { z, z + 1 }, x, y, sum, square);
}

/* A thread goes down one column of a strip. */
template <typename Pixel, bool SQUARES>
__global__ void
add_columns (Windows      windows,
             const Pixel *image,
             Sum<Pixel>  *sums,
             Sum<Pixel>  *squares)
{
  const gint64 x      = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64 strip  = windows.first + blockIdx.y;
  const gint64 z      = strip / windows.strips;
  const gint64 first  = strip % windows.strips * STRIP;
  const gint64 end    = min (first + STRIP, windows.height);
  const Span   slices = span_at (z, windows.radius, windows.depth);
  Span         rows   = span_at (first, windows.radius, windows.height);
  gint64       at     = blockIdx.y * STRIP * windows.width + x;
  Sum<Pixel>   sum    = 0;
  Sum<Pixel>   square = 0;

  if (x >= windows.width)
    return;
  if constexpr (! std::is_same<Pixel, float>::value)
    for (gint64 y = rows.first; y < rows.end; y++)
      add_row<Pixel, SQUARES, false> (windows, image, slices, x, y, &sum, &square);
  for (gint64 y = first; y < end; y++, at += windows.width)
    {
      if constexpr (std::is_same<Pixel, float>::value)
        {
          rows = span_at (y, windows.radius, windows.height);
          add_window<SQUARES> (windows, image, slices, rows, x, &sum, &square);
        }
      else if (y > first)
        {
          if (y + windows.radius < windows.height)
            add_row<Pixel, SQUARES, false> (windows, image, slices, x, y + windows.radius, &sum,
                                            &square);
          if (y > windows.radius)
            add_row<Pixel, SQUARES, true> (windows, image, slices, x, y - windows.radius - 1,
                                           &sum, &square);
        }
      sums[at] = sum;
      if (SQUARES)
        squares[at] = square;
    }
}


/*  Marks  */

/**
 * Place:
 * @x: a column
 * @n: pixels of a window there that is one column wide
 * @pixel: its place in the image
 */
struct Place
{
  gint64 x;
  gint64 n;
  gint64 pixel;
};

/* The place of column @x in row @row of the strips; FALSE: it has none. */
static __device__ __forceinline__ bool
find_place (const Windows &windows,
            gint64         row,
            gint64         x,
            Place         *place)
{
  const gint64 strip  = windows.first + row / STRIP;
  const gint64 z      = strip / windows.strips;
  const gint64 y      = strip % windows.strips * STRIP + row % STRIP;
  const Span   slices = span_at (z, windows.radius, windows.depth);
  const Span   rows   = span_at (y, windows.radius, windows.height);

  *place = { x, (slices.end - slices.first) * (rows.end - rows.first),
             (z * windows.height + y) * windows.width + x };
  return y < windows.height;
}

/* @squares: n Q − S² */
template <bool SQUARES>
static __device__ __forceinline__ guint8
mark_window (const Windows &windows,
             double         level,
             double         sum,
             double         squares,
             double         n)
{
  const double mean = sum / n;
  double       limit;

  if (! SQUARES)
    limit = mean - windows.offset;
  else
    limit = mean * (1 + windows.k * (sqrt (squares) / n / windows.range - 1)) - windows.offset;
  return mark (level > limit, windows.below);
}

/* n Q − S² of 128 bits, rounded once: what lies below the 64 bits that are converted only
 * matters if it is not 0.
 */
static __device__ __forceinline__ double
find_squares (guint64 n,
              guint64 sum,
              guint64 squares)
{
  const guint64 less  = n * squares;
  const guint64 taken = sum * sum;
  const guint64 low   = less - taken;
  const guint64 high  = __umul64hi (n, squares) - __umul64hi (sum, sum) - (less < taken);
  const int     shift = high == 0 ? 0 : 64 - __clzll ((long long) high);

  if (shift == 0)
    return (double) low;
  if (shift == 64)
    return ldexp ((double) (high | (low != 0)), 64);
  return ldexp ((double) (high << (64 - shift) | low >> shift
                          | ((low & (((guint64) 1 << shift) - 1)) != 0)), shift);
}

/* A block goes along a row; the last strip of a slice may have fewer. */
template <bool SQUARES>
__global__ void
add_up_rows (Windows  windows,
             guint64 *sums,
             guint64 *squares)
{
  const gint64  width   = windows.width;
  guint64      *row     = sums + blockIdx.x * width;
  guint64      *of_row  = SQUARES ? squares + blockIdx.x * width : nullptr;
  guint64       before  = 0;
  guint64       before2 = 0;
  Place         place;

  if (! find_place (windows, blockIdx.x, 0, &place))
    return;
  for (gint64 start = 0; start < width; start += blockDim.x)
    {
      const gint64  x     = start + threadIdx.x;
      const guint64 value = x < width ? row[x] : 0;
      guint64       total;
      const guint64 up_to = wf_block_sum_before (value, &total) + value;

      if (x < width)
        row[x] = before + up_to;
      before += total;
      if constexpr (SQUARES)
        {
          const guint64 square = x < width ? of_row[x] : 0;
          const guint64 so_far = wf_block_sum_before (square, &total) + square;

          if (x < width)
            of_row[x] = before2 + so_far;
          before2 += total;
        }
    }
}

/* @row: sums up to each column */
static __device__ __forceinline__ guint64
difference (const guint64 *row,
            Span           columns)
{
  return row[columns.end - 1] - (columns.first > 0 ? row[columns.first - 1] : 0);
}

template <typename Pixel, bool SQUARES>
__global__ void
mark_whole (Windows        windows,
            const Pixel   *image,
            const guint64 *sums,
            const guint64 *squares,
            guint8        *out)
{
  const gint64 x       = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64 row     = blockIdx.y;
  const Span   columns = span_at (x, windows.radius, windows.width);
  Place        place;

  if (x >= windows.width || ! find_place (windows, row, x, &place))
    return;

  const guint64 n      = place.n * (columns.end - columns.first);
  const guint64 sum    = difference (sums + row * windows.width, columns);
  const double  spread = SQUARES ? find_squares (n, sum, difference (squares + row * windows.width,
                                                                     columns))
                                 : 0.0;

  out[place.pixel] = mark_window<SQUARES> (windows, (double) image[place.pixel], (double) sum,
                                           spread, (double) n);
}

template <bool SQUARES>
__global__ void
mark_real (Windows       windows,
           const float  *image,
           const double *sums,
           const double *squares,
           guint8       *out)
{
  const gint64 x       = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64 row     = blockIdx.y;
  const Span   columns = span_at (x, windows.radius, windows.width);
  double       sum     = 0.0;
  double       square  = 0.0;
  Place        place;

  if (x >= windows.width || ! find_place (windows, row, x, &place))
    return;

  for (gint64 column = columns.first; column < columns.end; column++)
    {
      sum += sums[row * windows.width + column];
      if (SQUARES)
        square += squares[row * windows.width + column];
    }

  const double n      = (double) (place.n * (columns.end - columns.first));
  const double spread = n * square - sum * sum;

  out[place.pixel] = mark_window<SQUARES> (windows, image[place.pixel], sum,
                                           spread > 0 ? spread : 0.0, n);
}


/*  All strips  */

static gint64
count_sums (const WfThresholdTask *task)
{
  return task->method == WF_LOCAL_SAUVOLA ? 2 : 1;
}

static Windows
windows_of (const WfThresholdTask *task)
{
  const WfShape &shape  = task->shape;
  const gint64   strips = (shape.height + STRIP - 1) / STRIP;
  const gint64   bytes  = STRIP * shape.width * (gint64) sizeof (guint64) * count_sums (task);
  const gint64   room   = CLAMP (SUMS_BYTES / bytes, 1, MOST_STRIPS / STRIP);

  return { shape.width, shape.height, shape.depth, task->radius, strips, 0,
           MIN (room, strips * shape.depth), task->k, task->range, task->offset,
           task->below != FALSE };
}

static gint64
count_places (const Windows &windows)
{
  return windows.n * STRIP * windows.width;
}

template <typename Pixel, bool SQUARES>
static gboolean
mark_strips (WfCuda          *cuda,
             const Windows   &windows,
             const Pixel     *image,
             Sum<Pixel>      *sums,
             Sum<Pixel>      *squares,
             guint8          *out,
             GError         **error)
{
  const unsigned int across = (unsigned int) ((windows.width + THREADS - 1) / THREADS);
  const unsigned int rows   = (unsigned int) (windows.n * STRIP);

  add_columns<Pixel, SQUARES><<<dim3 (across, (unsigned int) windows.n), THREADS, 0,
                                cuda->stream>>> (windows, image, sums, squares);
  WF_CUDA_CHECK_LAUNCH ();
  if constexpr (std::is_same<Pixel, float>::value)
    mark_real<SQUARES><<<dim3 (across, rows), THREADS, 0, cuda->stream>>> (windows, image, sums,
                                                                           squares, out);
  else
    {
      add_up_rows<SQUARES><<<rows, THREADS, 0, cuda->stream>>> (windows, sums, squares);
      WF_CUDA_CHECK_LAUNCH ();
      mark_whole<Pixel, SQUARES><<<dim3 (across, rows), THREADS, 0, cuda->stream>>> (
        windows, image, sums, squares, out);
    }
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Pixels of the strips that are done now. */
static gint64
count_pixels (const Windows &windows)
{
  gint64 n = 0;

  for (gint64 strip = windows.first; strip < windows.first + windows.n; strip++)
    n += MIN (STRIP, windows.height - strip % windows.strips * STRIP);
  return n * windows.width;
}

template <typename Pixel, bool SQUARES>
static gboolean
mark_image (WfCuda                 *cuda,
            const WfThresholdTask  *task,
            const Pixel            *image,
            guint8                 *out,
            GError                **error)
{
  Windows                   windows = windows_of (task);
  const gint64              strips  = windows.strips * windows.depth;
  const gint64              at_once = windows.n;
  WfDeviceArray<Sum<Pixel>> sums;
  WfDeviceArray<Sum<Pixel>> squares;

  if (! sums.allocate (cuda, count_places (windows), error) ||
      (SQUARES && ! squares.allocate (cuda, count_places (windows), error)))
    return FALSE;
  for (windows.first = 0; windows.first < strips; windows.first += at_once)
    {
      windows.n = MIN (at_once, strips - windows.first);
      if (! mark_strips<Pixel, SQUARES> (cuda, windows, image, sums.data, squares.data, out,
                                         error) ||
          ! wf_cuda_advance (cuda, count_pixels (windows), error))
        return FALSE;
    }
  return TRUE;
}

gboolean
mark_by_windows (WfCuda                 *cuda,
                 const WfThresholdTask  *task,
                 gconstpointer           image,
                 guint8                 *out,
                 GError                **error)
{
  return wf_dispatch_pixels (task->type, [&] (auto pixel) -> gboolean
    {
      using Pixel = decltype (pixel);

      return task->method == WF_LOCAL_SAUVOLA
             ? mark_image<Pixel, true> (cuda, task, (const Pixel *) image, out, error)
             : mark_image<Pixel, false> (cuda, task, (const Pixel *) image, out, error);
    });
}

guint64
windows_memory (const WfThresholdTask *task)
{
  return (guint64) (count_places (windows_of (task)) * count_sums (task)) * sizeof (guint64);
}

} // namespace threshold
