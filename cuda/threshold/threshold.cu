/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds on a GPU: the variant, one threshold for all pixels, and that of a smooth image;
 * those of windows are in windows.cu.
 *
 *   mark_all        1 image and a byte a pixel
 *   widen           of u8 with gaussian: 3 bytes a pixel
 *   mark_smooth     2 images and a byte a pixel
 *
 * Arithmetic is that of the CPU: doubles, each operation rounded.
 */

#include <limits>
#include <math.h>

#include "threshold.cuh"
#include "cuda/core/dispatch.cuh"
#include "cuda/core/pixels.cuh"
#include "cuda/filters/filters.cuh"

namespace threshold
{

constexpr int THREADS = 256;

/* Pixels that a thread of mark_all() reads and writes at a time. */
constexpr int A_THREAD = 16;

template <typename T>
struct alignas (16) Pixels
{
  T of[A_THREAD];
};


/*  One threshold  */

/* Whole numbers are above a threshold if they are above the whole number below it. */
template <typename Pixel>
struct Above
{
  int limit;

  explicit Above (double threshold)
  {
    limit = isnan (threshold) ? 0
            : (int) CLAMP (floor (threshold), -1.0, (double) std::numeric_limits<Pixel>::max ());
  }

  __device__ __forceinline__ bool
  operator() (Pixel level) const
  {
    return level > limit;
  }
};

template <>
struct Above<float>
{
  double threshold;
  bool   any;

  explicit Above (double level) : threshold (level), any (isnan (level))
  {
  }

  __device__ __forceinline__ bool
  operator() (float level) const
  {
    return any ? level != 0.0f : level > threshold;
  }
};

template <typename Pixel>
__global__ void
mark_all (const Pixel  *image,
          gint64        n,
          Above<Pixel>  above,
          bool          below,
          guint8       *out)
{
  const gint64 all    = (gint64) gridDim.x * blockDim.x;
  const gint64 mine   = (gint64) blockIdx.x * blockDim.x + threadIdx.x;
  const gint64 n_full = n / A_THREAD;

  for (gint64 i = mine; i < n_full; i += all)
    {
      const Pixels<Pixel> levels = ((const Pixels<Pixel> *) image)[i];
      Pixels<guint8>      marks;

#pragma unroll
      for (int k = 0; k < A_THREAD; k++)
        marks.of[k] = mark (above (levels.of[k]), below);
      ((Pixels<guint8> *) out)[i] = marks;
    }
  for (gint64 i = n_full * A_THREAD + mine; i < n; i += all)
    out[i] = mark (above (image[i]), below);
}


/*  The threshold of a smooth image  */

__global__ void
widen (const guint8 *image,
       gint64        n,
       guint16      *wide)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    wide[i] = (guint16) (image[i] << 8);
}

/* @scale: levels of @smooth are so many times those of @image */
template <typename Pixel, typename Smooth>
__global__ void
mark_smooth (const Pixel  *image,
             const Smooth *smooth,
             gint64        n,
             double        scale,
             double        offset,
             bool          below,
             guint8       *out)
{
  const gint64 all = (gint64) gridDim.x * blockDim.x;

  for (gint64 i = (gint64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    out[i] = mark (image[i] > smooth[i] / scale - offset, below);
}

static WfType
smooth_type (const WfThresholdTask *task)
{
  return task->type == WF_TYPE_F32 ? WF_TYPE_F32 : WF_TYPE_U16;
}

static WfCudaGaussian
gaussian_of (const WfThresholdTask *task,
             gconstpointer          image,
             gpointer               out)
{
  return { task->shape, smooth_type (task), task->gaussian, image, out };
}

template <typename Pixel>
static gboolean
mark_by_gaussian (WfCuda                 *cuda,
                  const WfThresholdTask  *task,
                  const Pixel            *image,
                  guint8                 *out,
                  GError                **error)
{
  using Smooth = std::conditional_t<std::is_same<Pixel, float>::value, float, guint16>;

  const gint64           n      = wf_shape_n_pixels (&task->shape);
  const bool             narrow = sizeof (Pixel) == 1;
  const unsigned int     blocks = wf_cuda_blocks (cuda, n, THREADS);
  WfDeviceArray<Smooth>  smooth;
  WfDeviceArray<guint16> wide;

  if (! smooth.allocate (cuda, n, error) || (narrow && ! wide.allocate (cuda, n, error)))
    return FALSE;
  if (narrow)
    {
      widen<<<blocks, THREADS, 0, cuda->stream>>> ((const guint8 *) image, n, wide.data);
      WF_CUDA_CHECK_LAUNCH ();
    }

  const WfCudaGaussian gaussian = gaussian_of (task, narrow ? (gconstpointer) wide.data : image,
                                               smooth.data);

  if (! wf_cuda_gaussian (cuda, &gaussian, error))
    return FALSE;
  mark_smooth<<<blocks, THREADS, 0, cuda->stream>>> (image, smooth.data, n, narrow ? 256.0 : 1.0,
                                                     task->offset, task->below, out);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_advance (cuda, n, error);
}

template <typename Pixel>
static gboolean
mark_by_one (WfCuda                 *cuda,
             const WfThresholdTask  *task,
             const Pixel            *image,
             guint8                 *out,
             GError                **error)
{
  const gint64 n = wf_shape_n_pixels (&task->shape);

  mark_all<<<wf_cuda_blocks (cuda, n / A_THREAD, THREADS), THREADS, 0, cuda->stream>>> (
    image, n, Above<Pixel> (task->threshold), task->below, out);
  WF_CUDA_CHECK_LAUNCH ();
  return wf_cuda_advance (cuda, n, error);
}


/*  The variant  */

static gboolean
apply (WfCuda                 *cuda,
       const WfThresholdTask  *task,
       gconstpointer           image,
       guint8                 *out,
       GError                **error)
{
  return wf_dispatch_pixels (task->type, [&] (auto pixel) -> gboolean
    {
      const auto *levels = (const decltype (pixel) *) image;

      switch (task->method)
        {
        case WF_LOCAL_NONE:
          return mark_by_one (cuda, task, levels, out, error);
        case WF_LOCAL_GAUSSIAN:
          return mark_by_gaussian (cuda, task, levels, out, error);
        default:
          return mark_by_windows (cuda, task, image, out, error);
        }
    });
}

static guint64
memory_to_apply (const WfThresholdTask *task)
{
  const guint64        n        = wf_shape_n_pixels (&task->shape);
  const WfCudaGaussian gaussian = gaussian_of (task, NULL, NULL);

  switch (task->method)
    {
    case WF_LOCAL_NONE:
      return 0;
    case WF_LOCAL_GAUSSIAN:
      return n * wf_type_size (smooth_type (task)) * (task->type == WF_TYPE_U8 ? 2 : 1)
             + wf_cuda_gaussian_memory (&gaussian);
    default:
      return windows_memory (task);
    }
}

static guint64
memory_of (gconstpointer device,
           gconstpointer data)
{
  const WfThresholdTask *task = (const WfThresholdTask *) data;

  return wf_shape_n_pixels (&task->shape) * (wf_type_size (task->type) + 1)
         + memory_to_apply (task);
}

static gboolean
run_threshold (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  const WfThresholdTask *task = (const WfThresholdTask *) data;
  const gint64           n    = wf_shape_n_pixels (&task->shape);
  WfCudaSession          session;
  WfCudaPixels<guint8>   image;
  WfCudaPixels<guint8>   out;

  wf_run_begin (run, 1.0, n);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (session.cuda, task), error) ||
      ! image.take (session.cuda, task->image, _("image"), error) ||
      ! out.make_room (session.cuda, task->out, task->image, n, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! apply (session.cuda, task, image.data, out.data, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_download (session.cuda, out.data, task->out, error);
}

} // namespace threshold

const WfVariant wf_cuda_threshold_variants[] =
{
  { "sums", NULL, NULL, NULL, threshold::run_threshold, TRUE, threshold::memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
