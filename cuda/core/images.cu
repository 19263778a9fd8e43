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

  wf_cuda_free_kept (&owned->kept, owned->data);
  wf_cuda_end_kept (&owned->kept);
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
  owned->kept = wf_cuda_begin_kept (session.cuda, release);
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
      WF_CUDA_CHECK (wf_cuda_copy_on_device (session.cuda->stream, from, to));
      return wf_cuda_wait (session.cuda, error);
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
