/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adding and removing the padding of zeros.
 *
 * Bytes: enter() reads mask and marker and writes both padded, 4 bytes a pixel of one byte;
 * leave() reads the marker and writes the result, 2 bytes.
 */

#include "cuda/core/dispatch.cuh"
#include "cuda/core/lanes.cuh"
#include "padded.cuh"

constexpr int THREADS = 256;
constexpr int WARPS   = THREADS / WF_LANES;

/* Longer rows begin where a warp's access does. */
constexpr gint64 LINE_BYTES = 128;
constexpr gint64 ROW_BYTES  = 16;


/*  Shape  */

static gint64
round_up (gint64 n,
          gint64 unit)
{
  return (n + unit - 1) / unit * unit;
}

WfPadding
wf_padding (const WfShape *shape,
            WfType         type,
            int            connectivity)
{
  const gint64 size  = wf_type_size (type);
  const gint64 bytes = (shape->width + 1) * size;
  const gint64 pitch = round_up (bytes, bytes > LINE_BYTES / 2 ? LINE_BYTES : ROW_BYTES) / size;
  const gint64 plane = pitch * (shape->height + 1);
  const gint64 outer = wf_is_stack_connectivity (connectivity) ? plane : 0;
  WfPadding    padding;

  padding.width  = shape->width;
  padding.height = shape->height;
  padding.depth  = shape->depth;
  padding.pitch  = pitch;
  padding.plane  = plane;
  padding.origin = outer + 2 * pitch;
  padding.n      = padding.origin + shape->depth * plane + outer;
  return padding;
}

guint64
wf_padded_memory (const WfShape *shape,
                  WfType         type,
                  int            connectivity)
{
  return 2 * (guint64) wf_padding (shape, type, connectivity).n * wf_type_size (type);
}

void
wf_padding_get_offsets (const WfPadding *padding,
                        int              connectivity,
                        gint64          *offsets)
{
  const int deep  = wf_is_stack_connectivity (connectivity);
  const int faces = connectivity == 4 || connectivity == 6;
  int       n     = 0;

  for (int dz = -deep; dz <= deep; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        {
          const int steps = abs (dx) + abs (dy) + abs (dz);

          if (steps > 0 && (! faces || steps == 1))
            offsets[n++] = dz * padding->plane + dy * padding->pitch + dx;
        }
}


/*  Kernels  */

/* A warp a row, a word at a time for each lane. */
template <typename Pixel>
static __global__ void __launch_bounds__ (THREADS)
enter (WfPadding            padding,
       WfCudaKeys<Pixel>  keys,
       const Pixel       *__restrict__ mask,
       const Pixel       *__restrict__ marker,
       guint32          *padded_mask,
       guint32          *padded_marker)
{
  constexpr int per_word = 4 / sizeof (Pixel);
  constexpr int bits     = 8 * sizeof (Pixel);
  const gint64 words   = padding.pitch / per_word;
  const gint64 n_rows  = padding.n / padding.pitch;
  const gint64 n_warps = (gint64) gridDim.x * WARPS;

  for (gint64 row = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; row < n_rows; row += n_warps)
    {
      const gint64 packed = wf_padding_packed_row (padding, row);

      for (gint64 word = threadIdx.x % 32; word < words; word += 32)
        {
          guint32 masks   = 0;
          guint32 markers = 0;

#pragma unroll
          for (int k = 0; k < per_word; k++)
            {
              const gint64 x = word * per_word + k;

              if (packed >= 0 && x < padding.width)
                {
                  const guint32 highest = keys.of (mask[packed + x]);

                  masks   |= highest << (k * bits);
                  markers |= min (highest, (guint32) keys.of (marker[packed + x])) << (k * bits);
                }
            }
          padded_mask[row * words + word]   = masks;
          padded_marker[row * words + word] = markers;
        }
    }
}

template <typename Pixel>
static __global__ void __launch_bounds__ (THREADS)
leave (WfPadding            padding,
       WfCudaKeys<Pixel>  keys,
       const Pixel       *__restrict__ padded,
       Pixel             *out)
{
  const gint64 n_rows  = padding.n / padding.pitch;
  const gint64 n_warps = (gint64) gridDim.x * WARPS;

  for (gint64 row = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; row < n_rows; row += n_warps)
    {
      const gint64 packed = wf_padding_packed_row (padding, row);

      if (packed >= 0)
        for (gint64 x = threadIdx.x % 32; x < padding.width; x += 32)
          out[packed + x] = keys.back (padded[row * padding.pitch + x]);
    }
}


/*  Launches  */

template <typename Pixel>
static WfCudaKeys<Pixel>
keys_of (const WfCudaReconstruction *task)
{
  return { (Pixel) (task->by == WF_BY_EROSION ? -1 : 0) };
}

template <typename Pixel>
static gboolean
launch_enter (WfCuda                      *cuda,
              WfPaddedImages              *images,
              const WfCudaReconstruction  *task,
              GError                     **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, images->padding.n / images->padding.pitch * 32,
                                              THREADS);

  enter<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (images->padding, keys_of<Pixel> (task),
                                                      (const Pixel *) task->mask,
                                                      (const Pixel *) task->marker,
                                                      (guint32 *) images->mask.data,
                                                      (guint32 *) images->marker.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
launch_leave (WfCuda                      *cuda,
              const WfPaddedImages        *images,
              const WfCudaReconstruction  *task,
              GError                     **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, images->padding.n / images->padding.pitch * 32,
                                              THREADS);

  leave<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (images->padding, keys_of<Pixel> (task),
                                                      (const Pixel *) images->marker.data,
                                                      (Pixel *) task->out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_padded_open (WfCuda                      *cuda,
                WfPaddedImages              *images,
                const WfCudaReconstruction  *task,
                GError                     **error)
{
  const gint64 size = wf_type_size (task->type);

  images->padding = wf_padding (&task->shape, task->type, task->connectivity);
  if (! images->mask.allocate (cuda, images->padding.n * size, error) ||
      ! images->marker.allocate (cuda, images->padding.n * size, error))
    return FALSE;

  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return launch_enter<decltype (pixel)> (cuda, images, task, error);
    });
}

gboolean
wf_padded_finish (WfCuda                      *cuda,
                  const WfPaddedImages        *images,
                  const WfCudaReconstruction  *task,
                  GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return launch_leave<decltype (pixel)> (cuda, images, task, error);
    });
}
