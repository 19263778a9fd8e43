/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pools of device memory, which keep what they have got from the device.
 *
 * A pool is shared by the context that made it and by all memory from it that outlives an
 * operation.  CUDA lets a pool be destroyed before its memory is freed; programs that copied such
 * memory afterwards crashed.
 */

#pragma once

#include "device.cuh"

/**
 * WfCudaPool:
 * @pool: CUDA's
 */
struct WfCudaPool
{
  cudaMemPool_t   pool;

  /*< private >*/
  gatomicrefcount n_references;
};

/* @pool: NULL where the device has none, which is no failure */
gboolean    wf_cuda_pool_new   (int          device,
                                WfCudaPool **pool,
                                GError     **error);
WfCudaPool *wf_cuda_pool_ref   (WfCudaPool  *pool);

/* With the pool's device as the current one. */
void        wf_cuda_pool_unref (WfCudaPool  *pool);

/* Bytes that it has from the device and that are not in use. */
guint64     wf_cuda_pool_spare (WfCudaPool  *pool);

/* Returns these to the device. */
void        wf_cuda_pool_trim  (WfCudaPool  *pool);
