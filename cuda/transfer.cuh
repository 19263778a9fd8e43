/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides here, packed pixels there. */

#pragma once

#include "device.cuh"

/* Queues the copy of @image to @packed, which may go on while kernels are queued;
 * the session's end waits for it.  With @what, its name to the user, an f32 image that
 * holds a NaN is refused, for which the copy is waited for.
 */
gboolean wf_cuda_upload   (WfCuda         *cuda,
                           const WfImage  *image,
                           const char     *what,
                           gpointer        packed,
                           GError        **error);

/* The last steps of an operation, one for each result: waits until what is queued has
 * succeeded, and writes to the caller's memory.  From then on nothing can be cancelled.
 */
gboolean wf_cuda_download (WfCuda         *cuda,
                           gconstpointer   packed,
                           WfImage        *image,
                           GError        **error);

void     wf_cuda_staging_free
                          (WfCudaStaging  *staging);
