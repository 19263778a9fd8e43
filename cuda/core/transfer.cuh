/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides here, packed pixels there.
 *
 * A transfer in bands lets the device work while it goes on.  What comes is copied a band
 * of rows after the other, and who can do something with the first rows waits for their
 * band only:
 *
 *   wf_cuda_upload_bands (cuda, uploads, 2, 64, &bands, error)
 *   for (int i = 0; i < bands.n; i++)
 *     {
 *       wf_cuda_await_band (cuda, &bands, i, error)
 *       … work on the rows up to bands.end[i] …
 *     }
 *
 * What goes does so behind the kernels that make it:
 *
 *   wf_cuda_divide (&bands, image, 64)
 *   for (int i = 0; i < bands.n; i++)
 *     {
 *       … make the rows up to bands.end[i] …
 *       wf_cuda_send_band (cuda, i, error)
 *     }
 *   wf_cuda_deliver_bands (cuda, packed, image, &bands, error)
 */

#pragma once

#include "device.cuh"

/**
 * WfCudaBands:
 * @n: how many bands there are, or 0: the image is in one piece, and all of it is there
 *   when the stream comes to what is queued next
 * @unit: what their rows are multiples of, but for the last
 * @end: the row after each of them
 * @seconds: about how long each takes on its way, on a fast bus
 */
typedef struct
{
  int    n;
  gint64 unit;
  gint64 end[WF_CUDA_BANDS];
  double seconds[WF_CUDA_BANDS];
} WfCudaBands;

/**
 * WfCudaUpload:
 * @image: what to copy
 * @what: its name to the user, if it is to be looked at for NaN; or %NULL
 * @packed: where to
 */
typedef struct
{
  const WfImage *image;
  const char    *what;
  gpointer       packed;
} WfCudaUpload;

/* Queues the copy of @image to @packed, which may go on while kernels are queued;
 * the session's end waits for it.  With @what, its name to the user, an f32 image that
 * holds a NaN is refused, for which the copy is waited for.
 */
gboolean wf_cuda_upload   (WfCuda              *cuda,
                           const WfImage       *image,
                           const char          *what,
                           gpointer             packed,
                           GError             **error);

/* Images of the same size, in bands of rows of all of them where that pays. */
gboolean wf_cuda_upload_bands
                          (WfCuda              *cuda,
                           const WfCudaUpload  *uploads,
                           int                  n_uploads,
                           gint64               unit,
                           WfCudaBands         *bands,
                           GError             **error);

/* Makes the stream wait until the rows up to bands->end[i] of all images are there, which
 * does not count as the device's time.  Every band is to be awaited, in order.
 */
gboolean wf_cuda_await_band
                          (WfCuda              *cuda,
                           const WfCudaBands   *bands,
                           int                  i,
                           GError             **error);

/* The last steps of an operation, one for each result: waits until what is queued has
 * succeeded, and writes to the caller's memory.  From then on nothing can be cancelled.
 */
gboolean wf_cuda_download (WfCuda              *cuda,
                           gconstpointer        packed,
                           WfImage             *image,
                           GError             **error);

/* The same without waiting, where what is queued is beyond failing but with the device
 * itself.
 */
gboolean wf_cuda_deliver  (WfCuda              *cuda,
                           gconstpointer        packed,
                           WfImage             *image,
                           GError             **error);

/* How to let @image go in bands; n is 0 where that does not pay. */
void     wf_cuda_divide   (const WfImage       *image,
                           gint64               unit,
                           WfCudaBands         *bands);

/* Band @i will be there when the stream has done what is queued. */
gboolean wf_cuda_send_band
                          (WfCuda              *cuda,
                           int                  i,
                           GError             **error);

/* As wf_cuda_deliver(), of an only result, whose bands have been sent if there are any. */
gboolean wf_cuda_deliver_bands
                          (WfCuda              *cuda,
                           gconstpointer        packed,
                           WfImage             *image,
                           const WfCudaBands   *bands,
                           GError             **error);

void     wf_cuda_staging_free
                          (WfCudaStaging       *staging);
