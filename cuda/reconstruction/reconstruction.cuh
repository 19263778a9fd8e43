/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images that are on the device, for the operations built on it. */

#pragma once

#include "cuda/core/transfer.cuh"

typedef struct WfCudaSettled WfCudaSettled;

/**
 * WfCudaReconstruction:
 * @mask: @type, packed, no NaN
 * @marker: the same; not clamped by the mask yet
 * @out: the result, with f32 zeros as +0; may be @marker's memory, not @mask's
 * @bands: how @mask and @marker arrive, if they are in transfer; else %NULL
 * @scans, @queue_size: of queues; 0: left open
 * @settled: takes the state of the tiles of an image if they have settled, or has it; or %NULL
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  WfDirection    by;
  int            connectivity;
  gconstpointer  mask;
  gconstpointer  marker;
  gpointer       out;

  const WfCudaBands *bands;
  WfCudaSettled     *settled;

  int scans;
  int queue_size;
} WfCudaReconstruction;

/* Queued on the stream; returns when the result is complete or a step has failed. */
gboolean wf_cuda_reconstruct        (WfCuda                      *cuda,
                                     const WfCudaReconstruction  *task,
                                     GError                     **error);

/* Bytes of device memory besides the task's images.  A runaway uses six to twenty bytes a
 * pixel more if they are available, and continues without them if not.
 */
guint64  wf_cuda_reconstruct_memory (const WfShape               *shape,
                                     WfType                       type);
