/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Views in the caller's memory, that of the device included: shared by transfer.cu,
 * transfer-bands.cu, transfer-ring.cu and images.cu.
 */

#pragma once

#include "transfer.cuh"

/* Rows without gaps are one long row, and so are slices without gaps. */
WfImage     wf_cuda_join_rows  (const WfImage   *image);

/* Whether the ring of pinned buffers pays for a joined view in main memory: not if it is small or
 * in pinned memory, unless its rows are short with gaps between them.
 */
bool        wf_cuda_needs_ring (const WfImage   *image,
                                gsize            bytes);

/* Queues the copy of a joined view, in main memory or on the device, slice by slice, to packed
 * pixels on the device, or from them.
 */
cudaError_t wf_cuda_copy_view  (cudaStream_t     stream,
                                const WfImage   *image,
                                char            *packed,
                                bool             to_packed);

/* Queues the copy of a view on the device to another of its type and size. */
cudaError_t wf_cuda_copy_on_device (cudaStream_t     stream,
                                    const WfImage   *from,
                                    const WfImage   *to);

/* The ring is created when it is first needed, and kept with the context. */
gboolean    wf_cuda_ring_ensure   (WfCuda          *cuda,
                                   GError         **error);

/* The copy of a joined view of @bytes, queued on the stream. */
gboolean    wf_cuda_ring_upload   (WfCuda          *cuda,
                                   const WfImage   *image,
                                   gsize            bytes,
                                   char            *packed,
                                   GError         **error);

/* The same back; returns when all is in the view, or after a failure. */
cudaError_t wf_cuda_ring_download (WfCuda          *cuda,
                                   const char      *packed,
                                   gsize            bytes,
                                   const WfImage   *image);
