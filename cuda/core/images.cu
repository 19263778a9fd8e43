/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in the memory of devices: whose an address is, memory for an image, and copies.
 *
 * The memory of an image comes from the pool of the context that asks for it, so that it finds what
 * the operations before have freed.  The pool lives on as long as there is memory from it.
 *
 * Bytes: of a copy on the device twice those of the image.  A view with gaps between its rows is
 * packed on its way to main memory, and unpacked on its way back, which is once more as much.
 */

#include "images.cuh"
#include "kept.cuh"
#include "pixels.cuh"
#include "transfer-views.cuh"

/* Of all that CUDA allocates; kernels rely on it. */
#define ALIGNMENT 256

/* Threads of a block that copies pixels, and pixels of a row that it copies at a time. */
#define COPY_THREADS 256
#define COPY_PIXELS  4096

/**
 * Owned:
 * @kept: as all that stays on a device
 * @data: the memory
 */
struct Owned
{
  WfCudaKept  kept;
  void       *data;
};


/*  Whose memory  */

gboolean
wf_cuda_owns (int           device,
              gconstpointer address)
{
  cudaPointerAttributes attributes;

  if (cudaPointerGetAttributes (&attributes, address) != cudaSuccess)
    {
      cudaGetLastError ();
      return FALSE;
    }
  return attributes.type == cudaMemoryTypeManaged ||
         (attributes.type == cudaMemoryTypeDevice && attributes.device == device);
}

gpointer
wf_cuda_find_packed (const WfImage *image)
{
  const WfImage joined = wf_cuda_join_rows (image);

  return image->memory != WF_MEMORY_HOST && joined.height == 1 &&
         (guintptr) image->data % ALIGNMENT == 0
         ? image->data : NULL;
}

/* The bytes from the first pixel to the end of the last. */
static gsize
extent_of (const WfImage *image)
{
  return ((image->depth - 1) * image->slice_stride + (image->height - 1) * image->row_stride
          + image->width) * wf_type_size (image->type);
}

gpointer
wf_cuda_find_room (const WfCuda  *cuda,
                   const WfImage *out,
                   const WfImage *input)
{
  const char *start = (const char *) out->data;
  const char *other = (const char *) input->data;

  if (! cuda->run->partial_outputs ||
      (start < other + extent_of (input) && other < start + extent_of (out)))
    return NULL;
  return wf_cuda_find_packed (out);
}


/*  Memory and copies  */

/* Of WfCudaKept. */
static void
release (gpointer data)
{
  Owned *owned = (Owned *) data;

  wf_cuda_free_kept (owned->kept.device, owned->kept.pooled, owned->data);
  g_free (owned);
}

/* The memory is there for every stream. */
gboolean
wf_cuda_allocate_image (WfRun     *run,
                        guint64    bytes,
                        gpointer  *data,
                        gpointer  *owner,
                        GError   **error)
{
  WfCudaSession          session;
  WfDeviceArray<guint8>  memory;
  Owned                 *owned;

  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, bytes, error) ||
      ! memory.allocate (session.cuda, (gint64) bytes, error) ||
      ! wf_cuda_wait (session.cuda, error))
    return FALSE;

  owned       = g_new (Owned, 1);
  owned->data = memory.take ();
  owned->kept = { release, session.cuda->device, session.cuda->pool != NULL };
  *data       = owned->data;
  *owner      = owned;
  return TRUE;
}

/* Packed pixels of @image on the device, in @memory unless they are packed where they are. */
static gboolean
pack (WfCuda                 *cuda,
      const WfImage          *image,
      WfDeviceArray<guint8>  *memory,
      bool                    fill,
      gpointer               *packed,
      GError                **error)
{
  const WfImage joined = wf_cuda_join_rows (image);

  *packed = image->data;
  if (joined.height == 1)
    return TRUE;
  if (! memory->allocate (cuda, wf_image_n_pixels (image) * (gint64) wf_type_size (image->type),
                          error))
    return FALSE;
  *packed = memory->data;
  return ! fill || wf_cuda_upload (cuda, image, NULL, memory->data, error);
}

/* Copies to packed pixels that are the caller's: what can fail comes first. */
static gboolean
write_packed (WfCuda         *cuda,
              const WfImage  *from,
              gpointer        packed,
              GError        **error)
{
  const WfImage joined = wf_cuda_join_rows (from);

  if (wf_cuda_needs_ring (&joined, wf_image_n_pixels (from) * wf_type_size (from->type)) &&
      ! wf_cuda_ring_ensure (cuda, error))
    return FALSE;
  wf_cuda_commit (cuda);
  return wf_cuda_upload (cuda, from, NULL, packed, error) && wf_cuda_wait (cuda, error);
}

/* A view as kernels take it. */
template <typename Pixel>
struct View
{
  Pixel  *data;
  gint64  row_stride;
  gint64  slice_stride;
};

template <typename Pixel>
static View<Pixel>
view_of (const WfImage *image)
{
  return { (Pixel *) image->data, image->row_stride, image->slice_stride };
}

template <typename Pixel>
static __global__ void __launch_bounds__ (COPY_THREADS)
copy_pixels (View<const Pixel> from,
             View<Pixel>       to,
             WfShape           shape)
{
  const gint64 n_parts = (shape.width + COPY_PIXELS - 1) / COPY_PIXELS;

  for (gint64 k = blockIdx.x; k < n_parts * shape.height * shape.depth; k += gridDim.x)
    {
      const gint64  row   = k / n_parts;
      const gint64  start = k % n_parts * COPY_PIXELS;
      const gint64  end   = MIN (start + COPY_PIXELS, shape.width);
      const gint64  z     = row / shape.height;
      const gint64  y     = row % shape.height;
      const Pixel  *here  = from.data + z * from.slice_stride + y * from.row_stride;
      Pixel        *there = to.data + z * to.slice_stride + y * to.row_stride;

      for (gint64 x = start + threadIdx.x; x < end; x += COPY_THREADS)
        there[x] = here[x];
    }
}

template <typename Pixel>
static gboolean
copy_views (WfCuda         *cuda,
            const WfImage  *from,
            const WfImage  *to,
            GError        **error)
{
  const WfShape shape  = wf_image_shape (from);
  const gint64  blocks = (shape.width + COPY_PIXELS - 1) / COPY_PIXELS
                         * shape.height * shape.depth;

  copy_pixels<Pixel><<<(unsigned int) MIN (blocks, G_MAXUINT16), COPY_THREADS, 0, cuda->stream>>>
    (view_of<const Pixel> (from), view_of<Pixel> (to), shape);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Queues the copy of a view on the device to another one; only there are rows on both sides that
 * may have gaps.
 */
static gboolean
copy_on_device (WfCuda         *cuda,
                const WfImage  *from,
                const WfImage  *to,
                GError        **error)
{
  switch (wf_type_size (from->type))
    {
    case 1:
      return copy_views<guint8> (cuda, from, to, error);
    case 2:
      return copy_views<guint16> (cuda, from, to, error);
    case 4:
      return copy_views<guint32> (cuda, from, to, error);
    default:
      return copy_views<guint64> (cuda, from, to, error);
    }
}

gboolean
wf_cuda_copy_image (WfRun          *run,
                    const WfImage  *from,
                    const WfImage  *to,
                    GError        **error)
{
  WfImage                written = *to;
  WfCudaSession          session;
  WfDeviceArray<guint8>  memory;
  gpointer               packed;

  if (! session.begin (run, error))
    return FALSE;
  if (from->memory != WF_MEMORY_HOST && to->memory != WF_MEMORY_HOST)
    {
      wf_cuda_commit (session.cuda);
      return copy_on_device (session.cuda, from, to, error) && wf_cuda_wait (session.cuda, error);
    }
  if (from->memory != WF_MEMORY_HOST)
    return pack (session.cuda, from, &memory, true, &packed, error) &&
           wf_cuda_download (session.cuda, packed, &written, error);
  if (! pack (session.cuda, to, &memory, false, &packed, error))
    return FALSE;
  return packed == to->data
         ? write_packed (session.cuda, from, packed, error)
         : wf_cuda_upload (session.cuda, from, NULL, packed, error) &&
           wf_cuda_download (session.cuda, packed, &written, error);
}
