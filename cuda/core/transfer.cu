/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides on the host, packed pixels on the device.
 * Views in the device's memory are copied there.
 *
 * Bytes: those of the images, once over the bus, some 54 GB/s of PCI Express 5; of views on the
 * device twice those in its memory, some 3 TB/s.
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

/* Threads of a block that copies rows on the device, and elements of a row that it copies at a
 * time.
 */
#define COPY_THREADS 256
#define COPY_PART    4096


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

  if (image->memory != WF_MEMORY_HOST)
    return false;

  const gsize last  = ((image->depth - 1) * image->slice_stride
                       + (image->height - 1) * image->row_stride + image->width) * pixel - 1;

  if (image->height > 1 && image->width * pixel < SHORT_ROW)
    return true;
  return bytes > SMALL_BYTES &&
         ! (wf_cuda_is_pinned (image->data) &&
            wf_cuda_is_pinned ((const char *) image->data + last));
}

/* Bytes that are copied at a time.  A device has one engine for each direction of the bus, and the
 * few bytes that another stream waits for come between two pieces.
 */
static size_t
turn_of (cudaMemcpyKind direction)
{
  return direction == cudaMemcpyDeviceToDevice ? G_MAXSIZE : TURN_BYTES;
}

static cudaError_t
copy_bytes (cudaStream_t    stream,
            char           *to,
            const char     *from,
            size_t          n,
            cudaMemcpyKind  direction)
{
  cudaError_t status = cudaSuccess;

  for (size_t start = 0, bytes; start < n && status == cudaSuccess; start += bytes)
    {
      bytes  = MIN (n - start, turn_of (direction));
      status = cudaMemcpyAsync (to + start, from + start, bytes, direction, stream);
    }
  return status;
}

/* The same for rows of @width bytes, which begin so many bytes apart, over the bus. */
static cudaError_t
copy_rows (cudaStream_t    stream,
           char           *to,
           size_t          to_stride,
           const char     *from,
           size_t          from_stride,
           size_t          width,
           gint64          n,
           cudaMemcpyKind  direction)
{
  const gint64 rows   = MAX (1, (gint64) (TURN_BYTES / width));
  cudaError_t  status = cudaSuccess;

  for (gint64 y = 0; y < n && status == cudaSuccess; y += rows)
    status = cudaMemcpy2DAsync (to + y * to_stride, to_stride, from + y * from_stride, from_stride,
                                width, MIN (n - y, rows), direction, stream);
  return status;
}

/* Queues the copy of one joined view to another with the same rows and slices. */
static cudaError_t
copy_between (cudaStream_t    stream,
              const WfImage  *to,
              const WfImage  *from,
              cudaMemcpyKind  direction)
{
  const size_t pixel  = wf_type_size (from->type);
  const size_t width  = from->width * pixel;
  cudaError_t  status = cudaSuccess;

  for (gint64 z = 0; z < from->depth && status == cudaSuccess; z++)
    {
      char       *there = (char *) to->data + z * to->slice_stride * pixel;
      const char *here  = (const char *) from->data + z * from->slice_stride * pixel;

      status = from->height == 1
               ? copy_bytes (stream, there, here, width, direction)
               : copy_rows (stream, there, to->row_stride * pixel, here, from->row_stride * pixel,
                            width, from->height, direction);
    }
  return status;
}

/* Where an element of a row is: by bytes from the first one. */
struct Rows
{
  char   *data;
  gint64  row_bytes;
  gint64  slice_bytes;
};

static Rows
rows_of (const WfImage *image)
{
  const gint64 pixel = (gint64) wf_type_size (image->type);

  return { (char *) image->data, image->row_stride * pixel, image->slice_stride * pixel };
}

/* @n: elements of a row */
template <typename Element>
static __global__ void __launch_bounds__ (COPY_THREADS)
copy_elements (Rows   from,
               Rows   to,
               gint64 n,
               gint64 height,
               gint64 depth)
{
  const gint64 n_parts = (n + COPY_PART - 1) / COPY_PART;

  for (gint64 k = blockIdx.x; k < n_parts * height * depth; k += gridDim.x)
    {
      const gint64   row   = k / n_parts;
      const gint64   start = k % n_parts * COPY_PART;
      const gint64   end   = MIN (start + COPY_PART, n);
      const gint64   z     = row / height;
      const gint64   y     = row % height;
      const Element *here  = (const Element *) (from.data + z * from.slice_bytes
                                                + y * from.row_bytes);
      Element       *there = (Element *) (to.data + z * to.slice_bytes + y * to.row_bytes);

      for (gint64 x = start + threadIdx.x; x < end; x += COPY_THREADS)
        there[x] = here[x];
    }
}

template <typename Element>
static cudaError_t
copy_by (cudaStream_t    stream,
         const WfImage  *from,
         const WfImage  *to)
{
  const gint64 n      = from->width * (gint64) wf_type_size (from->type)
                        / (gint64) sizeof (Element);
  const gint64 blocks = (n + COPY_PART - 1) / COPY_PART * from->height * from->depth;

  copy_elements<Element><<<(unsigned int) MIN (blocks, G_MAXUINT16), COPY_THREADS, 0, stream>>>
    (rows_of (from), rows_of (to), n, from->height, from->depth);
  return cudaGetLastError ();
}

/* By elements of as many bytes as all rows of both are aligned to.  (The driver's own copies of
 * rows are made for pitches that it has chosen.)
 */
static cudaError_t
copy_rows_on_device (cudaStream_t    stream,
                     const WfImage  *from,
                     const WfImage  *to)
{
  const Rows    source = rows_of (from);
  const Rows    target = rows_of (to);
  const guint64 bits   = (guintptr) source.data | (guintptr) target.data |
                         (guint64) source.row_bytes | (guint64) target.row_bytes |
                         (guint64) source.slice_bytes | (guint64) target.slice_bytes |
                         (guint64) from->width * wf_type_size (from->type);

  return bits % 8 == 0   ? copy_by<guint64> (stream, from, to)
         : bits % 4 == 0 ? copy_by<guint32> (stream, from, to)
         : bits % 2 == 0 ? copy_by<guint16> (stream, from, to)
                         : copy_by<guint8> (stream, from, to);
}

cudaError_t
wf_cuda_copy_on_device (cudaStream_t   stream,
                        const WfImage *from,
                        const WfImage *to)
{
  const WfImage source = wf_cuda_join_rows (from);
  const WfImage target = wf_cuda_join_rows (to);

  return source.height == 1 && target.height == 1
         ? copy_between (stream, &target, &source, cudaMemcpyDeviceToDevice)
         : copy_rows_on_device (stream, from, to);
}

cudaError_t
wf_cuda_copy_view (cudaStream_t     stream,
                   const WfImage   *image,
                   char            *packed,
                   bool             to_packed)
{
  WfImage other = *image;

  other.data         = packed;
  other.row_stride   = image->width;
  other.slice_stride = image->width * image->height;
  if (image->memory != WF_MEMORY_HOST)
    return to_packed ? wf_cuda_copy_on_device (stream, image, &other)
                     : wf_cuda_copy_on_device (stream, &other, image);
  return to_packed ? copy_between (stream, &other, image, cudaMemcpyHostToDevice)
                   : copy_between (stream, image, &other, cudaMemcpyDeviceToHost);
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

gboolean
wf_cuda_check_nan (WfCuda         *cuda,
                   const WfImage  *image,
                   const char     *what,
                   gconstpointer   packed,
                   GError        **error)
{
  const gint64                      n = wf_image_n_pixels (image);
  WfDeviceArray<unsigned long long> first;
  unsigned long long                found;

  if (! what || image->type != WF_TYPE_F32)
    return TRUE;
  if (! first.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (first.data, 0xff, sizeof found, cuda->stream));
  find_nan<<<wf_cuda_blocks (cuda, n, NAN_THREADS), NAN_THREADS, 0, cuda->stream>>>
    ((const float *) packed, n, first.data);
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
    WF_CUDA_CHECK (wf_cuda_copy_view (cuda->stream, &joined, (char *) packed, true));
  return wf_cuda_check_nan (cuda, image, what, packed, error);
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
  if (packed == image->data && joined.height == 1)   /* it was written there */
    status = cudaSuccess;
  else
    status = by_ring ? wf_cuda_ring_download (cuda, (const char *) packed, bytes, &joined)
                     : wf_cuda_copy_view (cuda->stream, &joined, (char *) packed, false);
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
