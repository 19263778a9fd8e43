/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by scans and a queue; see queue.cu. */

#pragma once

#include "padded.cuh"

/* With queues of three levels. */
gboolean wf_cuda_reconstruct_queue        (WfCuda                      *cuda,
                                           const WfCudaReconstruction  *task,
                                           GError                     **error);

/* With a prefix sum for each neighbour. */
gboolean wf_cuda_reconstruct_queue_prefix (WfCuda                      *cuda,
                                           const WfCudaReconstruction  *task,
                                           GError                     **error);

/* With one level and an atomic operation for each pixel. */
gboolean wf_cuda_reconstruct_queue_naive  (WfCuda                      *cuda,
                                           const WfCudaReconstruction  *task,
                                           GError                     **error);

/* Bytes of device memory that each takes beyond the task's images. */
guint64  wf_cuda_reconstruct_queue_memory (const WfCuda                *cuda,
                                           const WfShape               *shape,
                                           WfType                       type,
                                           int                          connectivity);
