/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images that are on the device, for the operations built on it. */

#pragma once

#include "cuda/core/transfer.cuh"

/**
 * WfCudaReconstruction:
 * @mask: @type, packed, no NaN
 * @marker: the same; not clamped by the mask yet
 * @out: the result, with f32 zeros as +0; may be @marker's memory, not @mask's
 * @bands: how @mask and @marker come in, if they are on their way; else %NULL
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
} WfCudaReconstruction;

/* Queued on the stream; returns when the result is there or a round has failed. */
gboolean wf_cuda_reconstruct        (WfCuda                      *cuda,
                                     const WfCudaReconstruction  *task,
                                     GError                     **error);

/* Bytes of device memory that it takes beyond the task's images.  A runaway takes six to
 * eight bytes a pixel more where they are to be had, and goes on without them where not.
 */
guint64  wf_cuda_reconstruct_memory (const WfShape               *shape,
                                     WfType                       type);
