/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Packed pixels of a task's image on the device, without a copy where the caller has them there so
 * already:
 *
 *   WfCudaPixels<guint8> image;
 *   WfCudaPixels<guint8> out;
 *
 *   if (! image.take (cuda, task->image, _("image"), error) ||
 *       ! out.make_room (cuda, task->out, task->image, n, error))
 *     return FALSE;
 *   … kernels that read image.data and write out.data …
 *   return wf_cuda_download (cuda, out.data, task->out, error);
 */

#pragma once

#include "transfer.cuh"

/* Where the pixels of @image begin on the device, if they are packed there, and aligned as memory
 * of our own is; or NULL.
 */
gpointer wf_cuda_find_packed (const WfImage *image);

/* The same for a result, if it may be written before the operation has succeeded, and shares no
 * memory with @input.
 */
gpointer wf_cuda_find_room   (const WfCuda  *cuda,
                              const WfImage *out,
                              const WfImage *input);

/**
 * WfCudaPixels:
 * @data: the pixels
 * @own: our memory, unless they are the caller's
 */
template <typename T>
struct WfCudaPixels
{
  T                     *data = nullptr;
  WfDeviceArray<guint8>  own;

  /* An input, which is only read.  @what: as for wf_cuda_upload() */
  gboolean
  take (WfCuda         *cuda,
        const WfImage  *image,
        const char     *what,
        GError        **error)
  {
    data = (T *) wf_cuda_find_packed (image);
    if (data)
      return wf_cuda_check_nan (cuda, image, what, data, error);
    if (! own.allocate (cuda, wf_image_n_pixels (image) * (gint64) wf_type_size (image->type),
                        error))
      return FALSE;
    data = (T *) own.data;
    return wf_cuda_upload (cuda, image, what, own.data, error);
  }

  /* @n pixels of a result; @out: (nullable): where it goes, if that has as many */
  gboolean
  make_room (WfCuda         *cuda,
             const WfImage  *out,
             const WfImage  *input,
             gint64          n,
             GError        **error)
  {
    data = out ? (T *) wf_cuda_find_room (cuda, out, input) : nullptr;
    if (data)
      return TRUE;
    if (! own.allocate (cuda, n * (gint64) sizeof (T), error))
      return FALSE;
    data = (T *) own.data;
    return TRUE;
  }
};
