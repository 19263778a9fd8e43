/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in a frame of zeros: into it and out of it.
 *
 * Bytes moved: enter() reads mask and marker and writes both in the frame, 4 bytes a
 * pixel of one byte; leave() reads the marker and writes the result, 2 bytes.
 */

#include "padded.cuh"

#define THREADS 256
#define WARPS   (THREADS / 32)

/* Rows that are longer begin where a warp's access does. */
#define LINE_BYTES 128
#define ROW_BYTES  16


/*  Shape  */

static gboolean
is_stack (int connectivity)
{
  return wf_is_stack_connectivity (connectivity);
}

static gint64
round_up (gint64 n,
          gint64 unit)
{
  return (n + unit - 1) / unit * unit;
}

WfFrame
wf_frame (const WfShape *shape,
          WfType         type,
          int            connectivity)
{
  const gint64 size  = wf_type_size (type);
  const gint64 bytes = (shape->width + 1) * size;
  const gint64 pitch = round_up (bytes, bytes > LINE_BYTES / 2 ? LINE_BYTES : ROW_BYTES) / size;
  const gint64 plane = pitch * (shape->height + 1);
  const gint64 outer = is_stack (connectivity) ? plane : 0;
  WfFrame      frame;

  frame.width  = shape->width;
  frame.height = shape->height;
  frame.depth  = shape->depth;
  frame.pitch  = pitch;
  frame.plane  = plane;
  frame.origin = outer + 2 * pitch;
  frame.n      = frame.origin + shape->depth * plane + outer;
  return frame;
}

guint64
wf_framed_memory (const WfShape *shape,
                  WfType         type,
                  int            connectivity)
{
  return 2 * (guint64) wf_frame (shape, type, connectivity).n * wf_type_size (type);
}

void
wf_frame_get_offsets (const WfFrame *frame,
                      int            connectivity,
                      gint64        *offsets)
{
  const int deep  = is_stack (connectivity);
  const int faces = connectivity == 4 || connectivity == 6;
  int       n     = 0;

  for (int dz = -deep; dz <= deep; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        {
          const int steps = abs (dx) + abs (dy) + abs (dz);

          if (steps > 0 && (! faces || steps == 1))
            offsets[n++] = dz * frame->plane + dy * frame->pitch + dx;
        }
}


/*  Kernels  */

/* A warp for each row of the frame, a word at a time for each of its lanes. */
template <typename Pixel>
__global__ void __launch_bounds__ (THREADS)
enter (WfFrame            frame,
       WfCudaKeys<Pixel>  keys,
       const Pixel       *__restrict__ mask,
       const Pixel       *__restrict__ marker,
       uint32_t          *framed_mask,
       uint32_t          *framed_marker)
{
  constexpr int per_word = 4 / sizeof (Pixel);
  constexpr int bits     = 8 * sizeof (Pixel);
  const gint64  words    = frame.pitch / per_word;
  const gint64  n_rows   = frame.n / frame.pitch;
  const gint64  n_warps  = (gint64) gridDim.x * WARPS;

  for (gint64 row = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; row < n_rows; row += n_warps)
    {
      const gint64 packed = wf_frame_packed_row (frame, row);

      for (gint64 word = threadIdx.x % 32; word < words; word += 32)
        {
          uint32_t masks   = 0;
          uint32_t markers = 0;

#pragma unroll
          for (int k = 0; k < per_word; k++)
            {
              const gint64 x = word * per_word + k;

              if (packed >= 0 && x < frame.width)
                {
                  const uint32_t highest = keys.of (mask[packed + x]);

                  masks   |= highest << (k * bits);
                  markers |= min (highest, (uint32_t) keys.of (marker[packed + x])) << (k * bits);
                }
            }
          framed_mask[row * words + word]   = masks;
          framed_marker[row * words + word] = markers;
        }
    }
}

template <typename Pixel>
__global__ void __launch_bounds__ (THREADS)
leave (WfFrame            frame,
       WfCudaKeys<Pixel>  keys,
       const Pixel       *__restrict__ framed,
       Pixel             *out)
{
  const gint64 n_rows  = frame.n / frame.pitch;
  const gint64 n_warps = (gint64) gridDim.x * WARPS;

  for (gint64 row = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; row < n_rows; row += n_warps)
    {
      const gint64 packed = wf_frame_packed_row (frame, row);

      if (packed >= 0)
        for (gint64 x = threadIdx.x % 32; x < frame.width; x += 32)
          out[packed + x] = keys.back (framed[row * frame.pitch + x]);
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
              WfFramedImages              *images,
              const WfCudaReconstruction  *task,
              GError                     **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, images->frame.n / images->frame.pitch * 32,
                                              THREADS);

  enter<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (images->frame, keys_of<Pixel> (task),
                                                      (const Pixel *) task->mask,
                                                      (const Pixel *) task->marker,
                                                      (uint32_t *) images->mask.data,
                                                      (uint32_t *) images->marker.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
launch_leave (WfCuda                      *cuda,
              const WfFramedImages        *images,
              const WfCudaReconstruction  *task,
              GError                     **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, images->frame.n / images->frame.pitch * 32,
                                              THREADS);

  leave<Pixel><<<blocks, THREADS, 0, cuda->stream>>> (images->frame, keys_of<Pixel> (task),
                                                      (const Pixel *) images->marker.data,
                                                      (Pixel *) task->out);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_framed_open (WfCuda                      *cuda,
                WfFramedImages              *images,
                const WfCudaReconstruction  *task,
                GError                     **error)
{
  const gint64 size = wf_type_size (task->type);

  images->frame = wf_frame (&task->shape, task->type, task->connectivity);
  if (! images->mask.allocate (cuda, images->frame.n * size, error) ||
      ! images->marker.allocate (cuda, images->frame.n * size, error))
    return FALSE;

  switch (task->type)
    {
    case WF_TYPE_U8:
      return launch_enter<uint8_t> (cuda, images, task, error);
    case WF_TYPE_U16:
      return launch_enter<uint16_t> (cuda, images, task, error);
    default:
      return launch_enter<uint32_t> (cuda, images, task, error);
    }
}

gboolean
wf_framed_finish (WfCuda                      *cuda,
                  const WfFramedImages        *images,
                  const WfCudaReconstruction  *task,
                  GError                     **error)
{
  switch (task->type)
    {
    case WF_TYPE_U8:
      return launch_leave<uint8_t> (cuda, images, task, error);
    case WF_TYPE_U16:
      return launch_leave<uint16_t> (cuda, images, task, error);
    default:
      return launch_leave<uint32_t> (cuda, images, task, error);
    }
}
