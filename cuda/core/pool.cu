/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pool.cuh"


gboolean
wf_cuda_pool_new (int          device,
                  WfCudaPool **pool,
                  GError     **error)
{
  cudaMemPoolProps properties = {};
  cudaMemPool_t    created    = NULL;
  guint64          threshold  = G_MAXUINT64;
  int              supported  = 0;

  WF_CUDA_CHECK (cudaDeviceGetAttribute (&supported, cudaDevAttrMemoryPoolsSupported, device));
  if (! supported)
    return TRUE;

  properties.allocType     = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id   = device;
  WF_CUDA_CHECK (cudaMemPoolCreate (&created, &properties));

  *pool = g_new (WfCudaPool, 1);
  (*pool)->pool = created;
  g_atomic_ref_count_init (&(*pool)->n_references);
  WF_CUDA_CHECK (cudaMemPoolSetAttribute (created, cudaMemPoolAttrReleaseThreshold, &threshold));
  return TRUE;
}

WfCudaPool *
wf_cuda_pool_ref (WfCudaPool *pool)
{
  g_atomic_ref_count_inc (&pool->n_references);
  return pool;
}

void
wf_cuda_pool_unref (WfCudaPool *pool)
{
  if (! g_atomic_ref_count_dec (&pool->n_references))
    return;
  cudaMemPoolDestroy (pool->pool);
  g_free (pool);
}

guint64
wf_cuda_pool_spare (WfCudaPool *pool)
{
  guint64 reserved = 0;
  guint64 used     = 0;

  if (cudaMemPoolGetAttribute (pool->pool, cudaMemPoolAttrReservedMemCurrent,
                               &reserved) == cudaSuccess &&
      cudaMemPoolGetAttribute (pool->pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess)
    return reserved - used;
  return 0;
}

void
wf_cuda_pool_trim (WfCudaPool *pool)
{
  cudaMemPoolTrimTo (pool->pool, 0);
}
