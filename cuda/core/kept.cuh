/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stays on a device between two tasks. */

#pragma once

#include "device.cuh"

/**
 * WfCudaKept:
 * @release: frees it: its memory by wf_cuda_free_kept(), then wf_cuda_end_kept()
 * @device: where it is
 * @pool: where its memory is from, which stays as long; NULL where the device has no pools
 *
 * What all that is kept begins with.
 */
struct WfCudaKept
{
  void       (* release) (gpointer kept);
  int           device;
  WfCudaPool   *pool;
};

/* What memory of @cuda that outlives a session begins with. */
WfCudaKept wf_cuda_begin_kept (const WfCuda     *cuda,
                               void           (* release) (gpointer kept));

/* Frees memory that nothing uses any more; from any thread. */
void       wf_cuda_free_kept  (const WfCudaKept *kept,
                               void             *data);

/* After the last of its memory was freed. */
void       wf_cuda_end_kept   (WfCudaKept       *kept);
