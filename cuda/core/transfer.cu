/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides on the host, packed pixels on the device.
 *
 * Bytes: those of the images, once over the bus, some 54 GB/s of PCI Express 5.
 *
 * The device copies at full speed only from and to pinned memory.  Images that the caller has
 * pinned (cudaMallocHost, cudaHostRegister) are copied directly.  All others go through a ring
 * of pinned buffers (transfer-ring.cu).
 *
 * Transfers in bands are in transfer-bands.cu.
 */

#include "transfer-views.cuh"
#include "engine/core/refusals.h"

#include <string.h>

/* Bytes of direct copies between which those of other streams have their turn: 0.15 ms. */
#define TURN_BYTES   ((size_t) 8 << 20)

/* Smaller copies are left to the driver, which has a small pinned buffer of its own. */
#define SMALL_BYTES  (1 << 18)

/* The bus takes shorter rows one by one, each at the cost of some hundred bytes. */
#define SHORT_ROW    256

#define NAN_THREADS  256


WfImage
wf_cuda_join_rows (const WfImage *image)
{
  WfImage joined = *image;

  if (joined.row_stride != joined.width && joined.height > 1)
    return joined;

  joined.width      *= joined.height;
  joined.height      = joined.depth;
  joined.row_stride  = joined.slice_stride;
  joined.depth       = 1;
  if (joined.row_stride != joined.width && joined.height > 1)
    return joined;

  joined.width      *= joined.height;
  joined.height      = 1;
  joined.row_stride  = joined.slice_stride = joined.width;
  return joined;
}


/*  By the device alone  */

gboolean
wf_cuda_is_pinned (gconstpointer address)
{
  cudaPointerAttributes attributes;

  if (cudaPointerGetAttributes (&attributes, address) != cudaSuccess)
    {
      cudaGetLastError ();
      return FALSE;
    }
  return attributes.type == cudaMemoryTypeHost;
}

bool
wf_cuda_needs_ring (const WfImage *image,
                    gsize          bytes)
{
  const gsize pixel = wf_type_size (image->type);
  const gsize last  = ((image->depth - 1) * image->slice_stride
                       + (image->height - 1) * image->row_stride + image->width) * pixel - 1;

  if (image->height > 1 && image->width * pixel < SHORT_ROW)
    return true;
  return bytes > SMALL_BYTES &&
         ! (wf_cuda_is_pinned (image->data) &&
            wf_cuda_is_pinned ((const char *) image->data + last));
}

/* @n bytes between the host, @here, and the device, in pieces: a device has one engine for each
 * direction, and the few bytes that another stream waits for come between two pieces.
 */
static cudaError_t
copy_bytes (cudaStream_t    stream,
            char           *here,
            char           *there,
            size_t          n,
            cudaMemcpyKind  direction)
{
  cudaError_t status = cudaSuccess;

  for (size_t start = 0; start < n && status == cudaSuccess; start += TURN_BYTES)
    {
      const size_t bytes = MIN (n - start, TURN_BYTES);

      status = direction == cudaMemcpyHostToDevice
               ? cudaMemcpyAsync (there + start, here + start, bytes, direction, stream)
               : cudaMemcpyAsync (here + start, there + start, bytes, direction, stream);
    }
  return status;
}

/* The same for rows of @width bytes, which begin @stride bytes apart on the host. */
static cudaError_t
copy_rows (cudaStream_t    stream,
           char           *here,
           size_t          stride,
           char           *there,
           size_t          width,
           gint64          n,
           cudaMemcpyKind  direction)
{
  const gint64 rows   = MAX (1, (gint64) (TURN_BYTES / width));
  cudaError_t  status = cudaSuccess;

  for (gint64 y = 0; y < n && status == cudaSuccess; y += rows)
    {
      const size_t height = MIN (n - y, rows);

      status = direction == cudaMemcpyHostToDevice
               ? cudaMemcpy2DAsync (there + y * width, width, here + y * stride, stride, width,
                                    height, direction, stream)
               : cudaMemcpy2DAsync (here + y * stride, stride, there + y * width, width, width,
                                    height, direction, stream);
    }
  return status;
}

cudaError_t
wf_cuda_copy_view (cudaStream_t     stream,
                   const WfImage   *image,
                   char            *packed,
                   cudaMemcpyKind   direction)
{
  const size_t pixel  = wf_type_size (image->type);
  const size_t width  = image->width * pixel;
  const size_t stride = image->row_stride * pixel;
  cudaError_t  status = cudaSuccess;

  for (gint64 z = 0; z < image->depth && status == cudaSuccess; z++)
    {
      char *here  = (char *) image->data + z * image->slice_stride * pixel;
      char *there = packed + z * width * image->height;

      status = image->height == 1
               ? copy_bytes (stream, here, there, width, direction)
               : copy_rows (stream, here, stride, there, width, image->height, direction);
    }
  return status;
}

/* The lowest index of a pixel that is not a number. */
static __global__ void __launch_bounds__ (NAN_THREADS)
find_nan (const float        *pixels,
          gint64              n,
          unsigned long long *first)
{
  for (gint64 p = blockIdx.x * (gint64) NAN_THREADS + threadIdx.x; p < n;
       p += (gint64) gridDim.x * NAN_THREADS)
    if (pixels[p] != pixels[p])
      {
        atomicMin (first, (unsigned long long) p);
        return;
      }
}

static gboolean
check_nan (WfCuda         *cuda,
           const WfImage  *image,
           const char     *what,
           const float    *pixels,
           GError        **error)
{
  const gint64                      n = wf_image_n_pixels (image);
  WfDeviceArray<unsigned long long> first;
  unsigned long long                found;

  if (! first.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (first.data, 0xff, sizeof found, cuda->stream));
  find_nan<<<wf_cuda_blocks (cuda, n, NAN_THREADS), NAN_THREADS, 0, cuda->stream>>>
    (pixels, n, first.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &found, first.data, sizeof found, error))
    return FALSE;
  return found >= (unsigned long long) n ||
         wf_refuse_nan (what, found / image->width % image->height, error);
}

gboolean
wf_cuda_upload (WfCuda         *cuda,
                const WfImage  *image,
                const char     *what,
                gpointer        packed,
                GError        **error)
{
  const WfImage joined = wf_cuda_join_rows (image);
  const gsize   bytes  = wf_image_n_pixels (image) * wf_type_size (image->type);

  if (wf_cuda_needs_ring (&joined, bytes))
    {
      if (! wf_cuda_ring_ensure (cuda, error) ||
          ! wf_cuda_ring_upload (cuda, &joined, bytes, (char *) packed, error))
        return FALSE;
    }
  else
    WF_CUDA_CHECK (wf_cuda_copy_view (cuda->stream, &joined, (char *) packed,
                                      cudaMemcpyHostToDevice));
  return ! what || image->type != WF_TYPE_F32 ||
         check_nan (cuda, image, what, (const float *) packed, error);
}

/* Everything that can fail happens before the first byte of the first result is written.  After
 * that, only the loss of the device can leave results incomplete.
 */
static gboolean
write_image (WfCuda         *cuda,
             gconstpointer   packed,
             WfImage        *image,
             bool            waits,
             GError        **error)
{
  const WfImage joined    = wf_cuda_join_rows (image);
  const gsize   bytes     = wf_image_n_pixels (image) * wf_type_size (image->type);
  const bool    committed = cuda->run->committed;
  bool          by_ring   = wf_cuda_needs_ring (&joined, bytes);
  cudaError_t   status;

  if (! committed && ((by_ring && ! wf_cuda_ring_ensure (cuda, error)) ||
                      (waits && ! wf_cuda_wait (cuda, error))))
    return FALSE;

  wf_cuda_commit (cuda);
  wf_cuda_time_results (cuda);
  if (committed && by_ring)
    by_ring = wf_cuda_ring_ensure (cuda, NULL);
  status = by_ring ? wf_cuda_ring_download (cuda, (const char *) packed, bytes, &joined)
                   : wf_cuda_copy_view (cuda->stream, &joined, (char *) packed,
                                        cudaMemcpyDeviceToHost);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize (cuda->stream);
  return status == cudaSuccess || wf_cuda_succeeded (status, error);
}

gboolean
wf_cuda_download (WfCuda         *cuda,
                  gconstpointer   packed,
                  WfImage        *image,
                  GError        **error)
{
  return write_image (cuda, packed, image, true, error);
}

gboolean
wf_cuda_deliver (WfCuda         *cuda,
                 gconstpointer   packed,
                 WfImage        *image,
                 GError        **error)
{
  return write_image (cuda, packed, image, false, error);
}
