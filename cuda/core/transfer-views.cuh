/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of transfers know of each other: views in the caller's memory. */

#pragma once

#include "transfer.cuh"

/* Rows without gaps are one long row, and so are slices without gaps. */
WfImage     wf_cuda_join_rows  (const WfImage   *image);

/* Whether the ring is worth its while for what has been joined: not for what is small, nor
 * for pinned memory, unless its rows are short and have gaps between them.
 */
bool        wf_cuda_needs_ring (const WfImage   *image,
                                gsize            bytes);

/* Queues the copy of what has been joined, slice by slice. */
cudaError_t wf_cuda_copy_view  (cudaStream_t     stream,
                                const WfImage   *image,
                                char            *packed,
                                cudaMemcpyKind   direction);
