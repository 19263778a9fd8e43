/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on single pixels, for the derived operations on a GPU.
 *
 * Images are packed, so threads read and write sixteen bytes at a time across the ends of
 * rows, and the last few pixels one at a time.  Every image is read or written once:
 *
 *   map_one           2 images, moved by a height or by one value
 *   map_differences   3 images
 *   map_changed       2 images and a byte a pixel
 *   impose            3 images and the markers
 *   fill              1 image, written, of which the border is next to nothing
 *
 * Heights are added to f32 as doubles and rounded once, as the CPU does.
 */

#include <limits>
#include <math.h>

#include "pixels.cuh"
#include "cuda/core/dispatch.cuh"

namespace morphology
{

#define THREADS 256

template <typename T>
struct alignas (16) Sixteen
{
  T pixels[16 / sizeof (T)];
};


/*  Values  */

template <typename T>
__device__ __forceinline__ T
least_value ()
{
  return 0;
}

template <>
__device__ __forceinline__ float
least_value<float> ()
{
  return -INFINITY;
}

template <typename T>
__device__ __forceinline__ T
greatest_value ()
{
  return (T) ~(T) 0;
}

template <>
__device__ __forceinline__ float
greatest_value<float> ()
{
  return INFINITY;
}

template <typename T>
__device__ __forceinline__ T
next_higher (T level)
{
  return level + (level < greatest_value<T> ());
}

template <>
__device__ __forceinline__ float
next_higher<float> (float level)
{
  const guint32 bits  = __float_as_uint (level);
  const guint32 above = level == 0.0f ? 1 : bits >> 31 ? bits - 1 : bits + 1;

  return __uint_as_float (level == INFINITY ? bits : above);
}

template <typename T>
__device__ __forceinline__ T
next_lower (T level)
{
  return level - (level > 0);
}

template <>
__device__ __forceinline__ float
next_lower<float> (float level)
{
  return -next_higher (-level);
}


/*  Steps  */

template <typename T>
struct Move
{
  T    whole;
  bool raise;

  __device__ __forceinline__ T
  operator() (T level) const
  {
    const T most = greatest_value<T> ();

    if (raise)
      return level > (T) (most - whole) ? most : (T) (level + whole);
    return level > whole ? (T) (level - whole) : (T) 0;
  }
};

template <>
struct Move<float>
{
  double by;

  __device__ __forceinline__ float
  operator() (float level) const
  {
    return __double2float_rn (__dadd_rn ((double) level, by));
  }
};

template <typename T>
struct Step
{
  bool raise;

  __device__ __forceinline__ T
  operator() (T level) const
  {
    return raise ? next_higher (level) : next_lower (level);
  }
};

template <typename T>
struct Difference
{
  __device__ __forceinline__ T
  operator() (T a,
              T b) const
  {
    const T difference = a > b ? a - b : b - a;

    return a == b ? (T) 0 : difference;
  }
};

template <typename T, typename F>
__global__ void
map_one (const T *image,
         gint64   n,
         F        step,
         T       *out)
{
  constexpr int per_thread = 16 / sizeof (T);
  const gint64  all        = (gint64) gridDim.x * blockDim.x;
  const gint64  mine       = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64  n_full     = n / per_thread;

  for (gint64 i = mine; i < n_full; i += all)
    {
      Sixteen<T> levels = ((const Sixteen<T> *) image)[i];

#pragma unroll
      for (int k = 0; k < per_thread; k++)
        levels.pixels[k] = step (levels.pixels[k]);
      ((Sixteen<T> *) out)[i] = levels;
    }
  for (gint64 i = n_full * per_thread + mine; i < n; i += all)
    out[i] = step (image[i]);
}

template <typename T>
__global__ void
map_differences (const T *a,
                 const T *b,
                 gint64   n,
                 T       *out)
{
  constexpr int       per_thread = 16 / sizeof (T);
  const gint64        all        = (gint64) gridDim.x * blockDim.x;
  const gint64        mine       = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64        n_full     = n / per_thread;
  const Difference<T> difference = {};

  for (gint64 i = mine; i < n_full; i += all)
    {
      Sixteen<T>       p = ((const Sixteen<T> *) a)[i];
      const Sixteen<T> q = ((const Sixteen<T> *) b)[i];

#pragma unroll
      for (int k = 0; k < per_thread; k++)
        p.pixels[k] = difference (p.pixels[k], q.pixels[k]);
      ((Sixteen<T> *) out)[i] = p;
    }
  for (gint64 i = n_full * per_thread + mine; i < n; i += all)
    out[i] = difference (a[i], b[i]);
}

/* The flags of a thread's pixels. */
template <typename T>
struct alignas (16 / sizeof (T)) Flags
{
  guint8 pixels[16 / sizeof (T)];
};

/* @any becomes 1 if there are differences, and is left as it is otherwise. */
template <typename T>
__global__ void
map_changed (const T *a,
             const T *b,
             gint64   n,
             guint8  *out,
             guint32 *any)
{
  constexpr int per_thread = 16 / sizeof (T);
  const gint64  all        = (gint64) gridDim.x * blockDim.x;
  const gint64  mine       = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64  n_full     = n / per_thread;
  bool          found      = false;

  for (gint64 i = mine; i < n_full; i += all)
    {
      const Sixteen<T> p = ((const Sixteen<T> *) a)[i];
      const Sixteen<T> q = ((const Sixteen<T> *) b)[i];
      Flags<T>         flags;

#pragma unroll
      for (int k = 0; k < per_thread; k++)
        {
          const bool changed = p.pixels[k] != q.pixels[k];

          flags.pixels[k]  = changed ? 255 : 0;
          found           |= changed;
        }
      ((Flags<T> *) out)[i] = flags;
    }
  for (gint64 i = n_full * per_thread + mine; i < n; i += all)
    {
      const bool changed = a[i] != b[i];

      out[i]  = changed ? 255 : 0;
      found  |= changed;
    }
  if (__syncthreads_or (found) && threadIdx.x == 0)
    atomicOr (any, 1u);
}

__global__ void
mark_all_unless (const guint32 *any,
                 gint64         n,
                 guint8        *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  if (*any != 0)
    return;
  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    out[i] = 255;
}

/* @significant: the bits of a mark that make it one: the sign of a zero does not. */
template <typename T, typename M>
__global__ void
impose (const T *image,
        const M *marks,
        M        significant,
        gint64   n,
        T       *marker,
        T       *mask)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    {
      const bool marked = (marks[i] & significant) != 0;
      const T    higher = next_higher (image[i]);

      marker[i] = marked ? least_value<T> () : greatest_value<T> ();
      mask[i]   = marked ? least_value<T> () : higher;
    }
}

template <typename T>
__global__ void
fill (T      *out,
      gint64  n,
      T       level)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    out[i] = level;
}

/* The first and the last column. */
template <typename T>
__global__ void
copy_columns (const T *image,
              gint64   width,
              gint64   n_rows,
              T       *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 row = (gint64) blockIdx.x * blockDim.x + threadIdx.x; row < n_rows; row += all)
    {
      out[row * width]             = image[row * width];
      out[row * width + width - 1] = image[row * width + width - 1];
    }
}

/* The first and the last row of each slice. */
template <typename T>
__global__ void
copy_rows (const T *image,
           gint64   width,
           gint64   slice,
           gint64   n_slices,
           T       *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < 2 * width * n_slices;
       i += all)
    {
      const gint64 row    = i / width;
      const gint64 offset = row / 2 * slice + (row % 2 == 0 ? 0 : slice - width) + i % width;

      out[offset] = image[offset];
    }
}

}

using namespace morphology;


/*  Launches  */

template <typename T, typename F>
static gboolean
map (WfCuda         *cuda,
     gint64          n,
     gconstpointer   image,
     F               step,
     gpointer        out,
     GError        **error)
{
  map_one<<<wf_cuda_blocks (cuda, n / (16 / sizeof (T)) + 1, THREADS), THREADS, 0, cuda->stream>>>
    ((const T *) image, n, step, (T *) out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_move (WfCuda         *cuda,
              WfType          type,
              gint64          n,
              gconstpointer   image,
              double          height,
              gboolean        raise,
              gpointer        out,
              GError        **error)
{
  return wf_dispatch_pixels (type, [&] (auto pixel)
    {
      using T = decltype (pixel);

      if constexpr (std::is_same<T, float>::value)
        return map<T> (cuda, n, image, Move<T> { raise ? height : -height }, out, error);
      else
        return map<T> (cuda, n, image,
                       Move<T> { (T) floor (MIN (height, std::numeric_limits<T>::max ())),
                                 raise != FALSE }, out, error);
    });
}

gboolean
wf_cuda_step (WfCuda         *cuda,
              WfType          type,
              gint64          n,
              gconstpointer   image,
              gboolean        raise,
              gpointer        out,
              GError        **error)
{
  return wf_dispatch_pixels (type, [&] (auto pixel)
    {
      using T = decltype (pixel);

      return map<T> (cuda, n, image, Step<T> { raise != FALSE }, out, error);
    });
}

static gboolean
fill_all (WfCuda    *cuda,
          WfType     type,
          gint64     n,
          gboolean   greatest,
          gpointer   out,
          GError   **error)
{
  if (type == WF_TYPE_F32)
    {
      fill<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
        ((float *) out, n, greatest ? INFINITY : -INFINITY);
      WF_CUDA_CHECK_LAUNCH ();
    }
  else
    WF_CUDA_CHECK (cudaMemsetAsync (out, greatest ? 255 : 0, n * wf_type_size (type),
                                    cuda->stream));
  return TRUE;
}

template <typename T>
static gboolean
copy_border (WfCuda         *cuda,
             const WfShape  *shape,
             gconstpointer   image,
             gpointer        out,
             GError        **error)
{
  const gint64 n_rows = shape->height * shape->depth;
  const gint64 slice  = shape->width * shape->height;

  copy_columns<<<wf_cuda_blocks (cuda, n_rows, THREADS), THREADS, 0, cuda->stream>>>
    ((const T *) image, shape->width, n_rows, (T *) out);
  WF_CUDA_CHECK_LAUNCH ();
  copy_rows<<<wf_cuda_blocks (cuda, 2 * shape->width * shape->depth, THREADS), THREADS, 0,
              cuda->stream>>>
    ((const T *) image, shape->width, slice, shape->depth, (T *) out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_border (WfCuda         *cuda,
                const WfShape  *shape,
                WfType          type,
                gconstpointer   image,
                gboolean        greatest,
                gpointer        out,
                GError        **error)
{
  const gsize slice = shape->width * shape->height * wf_type_size (type);
  const gsize last  = slice * (shape->depth - 1);

  if (! fill_all (cuda, type, wf_shape_n_pixels (shape), greatest, out, error))
    return FALSE;
  if (shape->depth > 1)
    {
      WF_CUDA_CHECK (cudaMemcpyAsync (out, image, slice, cudaMemcpyDeviceToDevice, cuda->stream));
      WF_CUDA_CHECK (cudaMemcpyAsync ((char *) out + last, (const char *) image + last, slice,
                                      cudaMemcpyDeviceToDevice, cuda->stream));
    }
  return wf_dispatch_pixels (type, [&] (auto pixel)
    {
      return copy_border<decltype (pixel)> (cuda, shape, image, out, error);
    });
}

template <typename T>
static gboolean
differ (WfCuda         *cuda,
        gint64          n,
        gconstpointer   a,
        gconstpointer   b,
        gpointer        out,
        GError        **error)
{
  map_differences<<<wf_cuda_blocks (cuda, n / (16 / sizeof (T)) + 1, THREADS), THREADS, 0,
                    cuda->stream>>>
    ((const T *) a, (const T *) b, n, (T *) out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_differ (WfCuda         *cuda,
                WfType          type,
                gint64          n,
                gconstpointer   a,
                gconstpointer   b,
                gpointer        out,
                GError        **error)
{
  return wf_dispatch_pixels (type, [&] (auto pixel)
    {
      return differ<decltype (pixel)> (cuda, n, a, b, out, error);
    });
}

template <typename T>
static gboolean
find_changed (WfCuda         *cuda,
              gint64          n,
              gconstpointer   a,
              gconstpointer   b,
              guint32        *any,
              guint8         *out,
              GError        **error)
{
  map_changed<<<wf_cuda_blocks (cuda, n / (16 / sizeof (T)) + 1, THREADS), THREADS, 0,
                cuda->stream>>>
    ((const T *) a, (const T *) b, n, out, any);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_changed (WfCuda         *cuda,
                 WfType          type,
                 gint64          n,
                 gconstpointer   a,
                 gconstpointer   b,
                 guint32        *any,
                 guint8         *out,
                 GError        **error)
{
  gboolean compared;

  WF_CUDA_CHECK (cudaMemsetAsync (any, 0, sizeof *any, cuda->stream));
  compared = wf_dispatch_pixels (type, [&] (auto pixel)
    {
      return find_changed<decltype (pixel)> (cuda, n, a, b, any, out, error);
    });
  if (! compared)
    return FALSE;
  mark_all_unless<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>> (any, n, out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename T, typename M>
static gboolean
impose_marks (WfCuda         *cuda,
              gint64          n,
              gconstpointer   image,
              gconstpointer   marks,
              M               significant,
              gpointer        marker,
              gpointer        mask,
              GError        **error)
{
  impose<<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
    ((const T *) image, (const M *) marks, significant, n, (T *) marker, (T *) mask);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename T>
static gboolean
impose_any (WfCuda         *cuda,
            gint64          n,
            gconstpointer   image,
            WfType          marks_type,
            gconstpointer   marks,
            gpointer        marker,
            gpointer        mask,
            GError        **error)
{
  switch (marks_type)
    {
    case WF_TYPE_U8:
      return impose_marks<T, guint8> (cuda, n, image, marks, 0xff, marker, mask, error);
    case WF_TYPE_U16:
      return impose_marks<T, guint16> (cuda, n, image, marks, 0xffff, marker, mask, error);
    case WF_TYPE_U32:
      return impose_marks<T, guint32> (cuda, n, image, marks, 0xffffffff, marker, mask, error);
    default:
      return impose_marks<T, guint32> (cuda, n, image, marks, 0x7fffffff, marker, mask, error);
    }
}

gboolean
wf_cuda_impose (WfCuda         *cuda,
                WfType          type,
                gint64          n,
                gconstpointer   image,
                WfType          marks_type,
                gconstpointer   marks,
                gpointer        marker,
                gpointer        mask,
                GError        **error)
{
  return wf_dispatch_pixels (type, [&] (auto pixel)
    {
      return impose_any<decltype (pixel)> (cuda, n, image, marks_type, marks, marker, mask, error);
    });
}
