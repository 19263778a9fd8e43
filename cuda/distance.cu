/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on a GPU.
 *
 * `scan`: the city-block distance, which is a sum over the axes and so a pass of
 * scans along each of them.  Across rows (along y and z) a thread takes a line and
 * walks down and up it; neighbouring threads read neighbouring pixels.  Along x a
 * warp takes a row: the distance to the nearest site on the left is x + the least
 * of value (i) − i over i ≤ x, a prefix minimum, which five shuffles give for 32
 * pixels at once; the right is its mirror image.
 *
 * Bytes a pixel: the image's own and 4 for the first values; 4 read and 4 written
 * twice for each axis.
 */

#include "device.cuh"

/* No background yet: larger than any distance, and any distance may be added. */
#define FAR 0xc0000000u

#define THREADS 256


/*  Kernels  */

/* Also notes that there is background. */
template <typename T>
__global__ void
start_distances (const T *__restrict__ image,
                 double                threshold,
                 guint32              *distances,
                 gint64                n,
                 int                  *has_background)
{
  bool found = false;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      bool foreground = isnan (threshold) ? image[p] != 0 : (double) image[p] > threshold;

      distances[p] = foreground ? FAR : 0;
      found       |= ! foreground;
    }
  if (found)
    *has_background = 1;
}

/* One thread a line that crosses the rows: @step from pixel to pixel, lines that
 * start side by side in groups of @step.
 */
__global__ void
scan_across (guint32 *distances,
             gint64   n_lines,
             gint64   length,
             gint64   step,
             bool     outside_is_background)
{
  for (gint64 line = blockIdx.x * (gint64) blockDim.x + threadIdx.x; line < n_lines;
       line += (gint64) gridDim.x * blockDim.x)
    {
      guint32 *first = distances + line / step * step * length + line % step;
      guint32  last  = outside_is_background ? 0 : FAR;

      for (gint64 k = 0; k < length; k++)
        first[k * step] = last = min (first[k * step], min (last + 1, FAR));
      last = outside_is_background ? 0 : FAR;
      for (gint64 k = length - 1; k >= 0; k--)
        first[k * step] = last = min (first[k * step], min (last + 1, FAR));
    }
}

/* The least of value + (steps from its lane) over this lane and those before it. */
__device__ inline guint32
prefix_distance (guint32 value,
                 int     lane)
{
  for (int reach = 1; reach < 32; reach *= 2)
    {
      guint32 before = __shfl_up_sync (0xffffffffu, value, reach);

      if (lane >= reach)
        value = min (value, before + reach);
    }
  return value;
}

/* One pass over a row by one warp, from the left or from the right. */
__device__ void
scan_row (guint32 *row,
          gint64   width,
          int      lane,
          bool     backward,
          guint32  outside)
{
  guint32 carried = outside;

  for (gint64 start = 0; start < width; start += 32)
    {
      gint64  k       = start + lane;
      gint64  x       = backward ? width - 1 - k : k;
      bool    inside  = k < width;
      guint32 value   = prefix_distance (inside ? row[x] : FAR, lane);

      value = min (min (value, carried + 1 + lane), FAR);
      if (inside)
        row[x] = value;
      carried = __shfl_sync (0xffffffffu, value, 31);
    }
}

__global__ void
scan_along (guint32 *distances,
            gint64   n_rows,
            gint64   width,
            bool     outside_is_background)
{
  const int    lane    = threadIdx.x % 32;
  const gint64 n_warps = (gint64) gridDim.x * blockDim.x / 32;
  guint32      outside = outside_is_background ? 0 : FAR;

  for (gint64 row = (blockIdx.x * (gint64) blockDim.x + threadIdx.x) / 32; row < n_rows;
       row += n_warps)
    {
      scan_row (distances + row * width, width, lane, false, outside);
      __syncwarp ();
      scan_row (distances + row * width, width, lane, true, outside);
      __syncwarp ();
    }
}

/* In place: a float is as wide as the integer it stands for. */
__global__ void
finish_distances (guint32 *distances,
                  gint64   n)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      guint32 d = distances[p];

      distances[p] = __float_as_uint (d == FAR ? INFINITY : (float) d);
    }
}


/*  The variant  */

/* Enough blocks to fill the device, few enough that each has work. */
static int
count_blocks (gint64 n_threads,
              int    n_units)
{
  gint64 blocks = (n_threads + THREADS - 1) / THREADS;

  return (int) MIN (blocks, (gint64) n_units * 16);
}

static gboolean
scan_axes (const WfDistanceTask  *task,
           guint32               *distances,
           int                    n_units,
           cudaStream_t           stream,
           GError               **error)
{
  const WfShape *shape = &task->shape;
  const gint64   n     = wf_shape_n_pixels (shape);
  const gint64   slice = shape->width * shape->height;
  const bool     outer = task->border_background;

  if (shape->depth > 1)
    {
      scan_across<<<count_blocks (slice, n_units), THREADS, 0, stream>>>
        (distances, slice, shape->depth, slice, outer);
      WF_CUDA_CHECK_LAUNCH ();
    }
  scan_across<<<count_blocks (n / shape->height, n_units), THREADS, 0, stream>>>
    (distances, n / shape->height, shape->height, shape->width, outer);
  WF_CUDA_CHECK_LAUNCH ();
  scan_along<<<count_blocks (n / shape->width * 32, n_units), THREADS, 0, stream>>>
    (distances, n / shape->width, shape->width, outer);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename T>
static gboolean
scan_image (const WfDistanceTask  *task,
            WfRun                 *run,
            GError               **error)
{
  const gint64             n              = wf_shape_n_pixels (&task->shape);
  int                      has_background = 0;
  WfStream                 stream;
  WfDeviceArray<T>         image;
  WfDeviceArray<guint32>   distances;
  WfDeviceArray<int>       flag;
  int                      n_units;

  wf_run_begin (run, 1.0, 3);
  WF_CUDA_CHECK (cudaSetDevice (run->device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&n_units, cudaDevAttrMultiProcessorCount, run->device));
  if (! wf_cuda_check_memory (n * (sizeof (T) + sizeof (guint32)), error))
    return FALSE;
  WF_CUDA_CHECK (stream.create ());
  WF_CUDA_CHECK (image.allocate (n));
  WF_CUDA_CHECK (distances.allocate (n));
  WF_CUDA_CHECK (flag.allocate (1));

  WF_CUDA_CHECK (cudaMemsetAsync (flag.data, 0, sizeof (int), stream.handle));
  if (! wf_cuda_upload (task->image, image.data, stream.handle, error))
    return FALSE;
  start_distances<<<count_blocks (n, n_units), THREADS, 0, stream.handle>>>
    (image.data, task->threshold, distances.data, n, flag.data);
  WF_CUDA_CHECK_LAUNCH ();
  WF_CUDA_CHECK (cudaMemcpyAsync (&has_background, flag.data, sizeof (int),
                                  cudaMemcpyDeviceToHost, stream.handle));
  WF_CUDA_CHECK (cudaStreamSynchronize (stream.handle));
  if (! wf_cuda_advance (run, 1, error))
    return FALSE;

  if (! scan_axes (task, distances.data, n_units, stream.handle, error))
    return FALSE;
  finish_distances<<<count_blocks (n, n_units), THREADS, 0, stream.handle>>> (distances.data, n);
  WF_CUDA_CHECK_LAUNCH ();
  WF_CUDA_CHECK (cudaStreamSynchronize (stream.handle));
  if (! wf_cuda_advance (run, 1, error))
    return FALSE;

  *task->no_background = ! task->border_background && ! has_background;
  return wf_cuda_download (distances.data, task->out, stream.handle, error);
}

static gboolean
run_scan (gconstpointer   data,
          WfRun          *run,
          GError        **error)
{
  const WfDistanceTask *task = (const WfDistanceTask *) data;

  switch (task->image->type)
    {
    case WF_TYPE_U8:
      return scan_image<guint8> (task, run, error);
    case WF_TYPE_U16:
      return scan_image<guint16> (task, run, error);
    default:
      return scan_image<float> (task, run, error);
    }
}

static gboolean
supports_scan (gconstpointer data)
{
  const WfDistanceTask *task = (const WfDistanceTask *) data;

  return task->metric == WF_METRIC_CITY_BLOCK && task->exact_integers &&
         ! task->signed_distance && ! task->nearest;
}

const WfVariant wf_cuda_distance_variants[] =
{
  { "scan", supports_scan, NULL, NULL, run_scan },
  { NULL, NULL, NULL, NULL, NULL }
};
