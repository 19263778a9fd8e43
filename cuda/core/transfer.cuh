/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides on the host, packed pixels on the device.
 *
 * A transfer in bands overlaps with the device's work.  An upload is copied band by band of
 * rows, and an operation that can start with the first rows waits for their band only:
 *
 *   wf_cuda_upload_bands (cuda, uploads, 2, 64, &bands, error)
 *   for (int i = 0; i < bands.n; i++)
 *     {
 *       wf_cuda_await_band (cuda, &bands, i, error)
 *       … work on the rows up to bands.end[i] …
 *     }
 *
 * A download follows band by band the kernels that write it:
 *
 *   wf_cuda_divide (&bands, image, 64)
 *   for (int i = 0; i < bands.n; i++)
 *     {
 *       … write the rows up to bands.end[i] …
 *       wf_cuda_send_band (cuda, i, error)
 *     }
 *   wf_cuda_deliver_bands (cuda, packed, image, &bands, error)
 */

#pragma once

#include "device.cuh"

/**
 * WfCudaBands:
 * @n: number of bands, or 0: the image is in one piece, which is complete before what is
 *   queued next on the stream
 * @unit: the rows of each band but the last are a multiple of this
 * @end: the row after each of them
 * @seconds: estimated duration of each band's transfer on a fast bus
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
 * @what: its name in messages, if NaN is to be refused; or %NULL
 * @packed: the target on the device
 * @rims: pixels that take the place of the first and of the last @rim_bytes, or %NULL
 */
typedef struct
{
  const WfImage *image;
  const char    *what;
  gpointer       packed;
  gconstpointer  rims[2];
  gsize          rim_bytes;
} WfCudaUpload;

/* Queues the copy of @image to @packed.  It may still be running when kernels are queued; the
 * end of the session waits for it.  With @what, the image's name in messages, an f32 image that
 * holds a NaN is refused, which needs waiting for the copy.
 */
gboolean wf_cuda_upload   (WfCuda              *cuda,
                           const WfImage       *image,
                           const char          *what,
                           gpointer             packed,
                           GError             **error);

/* Refuses an f32 image, whose packed pixels on the device these are, if it holds a NaN; NULL for
 * @what: nothing is checked.
 */
gboolean wf_cuda_check_nan
                          (WfCuda              *cuda,
                           const WfImage       *image,
                           const char          *what,
                           gconstpointer        packed,
                           GError             **error);

/* Queues the copies of the rims only, after what is queued. */
gboolean wf_cuda_upload_rims
                          (WfCuda              *cuda,
                           const WfCudaUpload  *upload,
                           GError             **error);

/* Images of the same size; each band holds rows of all of them.  Only where bands pay. */
gboolean wf_cuda_upload_bands
                          (WfCuda              *cuda,
                           const WfCudaUpload  *uploads,
                           int                  n_uploads,
                           gint64               unit,
                           WfCudaBands         *bands,
                           GError             **error);

/* Makes the stream wait until the rows up to bands->end[i] of all images have arrived; the
 * wait does not count as the device's time.  Every band must be awaited, in order.
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

/* The same without waiting first, where nothing that is queued can fail except by the loss of
 * the device.
 */
gboolean wf_cuda_deliver  (WfCuda              *cuda,
                           gconstpointer        packed,
                           WfImage             *image,
                           GError             **error);

/* Divides the download of @image into bands; n is 0 where that does not pay. */
void     wf_cuda_divide   (const WfImage       *image,
                           gint64               unit,
                           WfCudaBands         *bands);

/* Band @i is complete when the stream has done what is queued. */
gboolean wf_cuda_send_band
                          (WfCuda              *cuda,
                           int                  i,
                           GError             **error);

/* As wf_cuda_deliver(), for a single result whose bands, if any, have been sent. */
gboolean wf_cuda_deliver_bands
                          (WfCuda              *cuda,
                           gconstpointer        packed,
                           WfImage             *image,
                           const WfCudaBands   *bands,
                           GError             **error);

/* Whether the device can copy from and to this address by itself. */
gboolean wf_cuda_is_pinned
                          (gconstpointer        address);

/* The pace of all of these: see #WfBackend. */
gboolean wf_cuda_measure_link
                          (WfRun               *run,
                           WfLinkPace          *link,
                           GError             **error);

void     wf_cuda_staging_free
                          (WfCudaStaging       *staging);
