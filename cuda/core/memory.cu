/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Device memory.  It is allocated and freed in the order of the one stream, from a pool that
 * keeps what it has once got from the device, for the operation after.  Transfers in bands have
 * a stream of their own, which the other one joins before any memory is freed.
 */

#include "state.cuh"

static GMutex  lock;
static WfCuda *opened;    /* all states, for their spare memory */


void
wf_cuda_enlist (WfCuda *cuda)
{
  g_mutex_lock (&lock);
  cuda->next = opened;
  opened     = cuda;
  g_mutex_unlock (&lock);
}

void
wf_cuda_delist (WfCuda *cuda)
{
  g_mutex_lock (&lock);
  for (WfCuda **link = &opened; *link; link = &(*link)->next)
    if (*link == cuda)
      {
        *link = cuda->next;
        break;
      }
  g_mutex_unlock (&lock);
}

/* Returns the spare memory of every context to the device. */
static void
trim_pools (WfCuda *cuda)
{
  cudaStreamSynchronize (cuda->stream);
  g_mutex_lock (&lock);
  for (WfCuda *each = opened; each; each = each->next)
    if (each->pool && each->device == cuda->device)
      cudaMemPoolTrimTo (each->pool, 0);
  g_mutex_unlock (&lock);
}

/* Memory that the pool has from the device and that is not in use. */
static guint64
spare_in_pool (const WfCuda *cuda)
{
  guint64 reserved = 0;
  guint64 used     = 0;

  if (cuda->pool &&
      cudaMemPoolGetAttribute (cuda->pool, cudaMemPoolAttrReservedMemCurrent,
                               &reserved) == cudaSuccess &&
      cudaMemPoolGetAttribute (cuda->pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess)
    return reserved - used;
  return 0;
}

static guint64
spare_memory (int device)
{
  guint64 spare = 0;

  g_mutex_lock (&lock);
  for (WfCuda *each = opened; each; each = each->next)
    if (each->device == device)
      spare += spare_in_pool (each);
  g_mutex_unlock (&lock);
  return spare;
}

gboolean
wf_cuda_find_memory (int       device,
                     guint64  *available,
                     guint64  *total,
                     GError  **error)
{
  size_t free_bytes;
  size_t total_bytes;

  WF_CUDA_CHECK (cudaMemGetInfo (&free_bytes, &total_bytes));
  *available = free_bytes + spare_memory (device);
  *total     = total_bytes;
  return TRUE;
}

gboolean
wf_cuda_check_memory (WfCuda   *cuda,
                      guint64   bytes,
                      GError  **error)
{
  guint64          available;
  guint64          total;
  g_autofree char *needed_text    = NULL;
  g_autofree char *available_text = NULL;
  g_autofree char *missing_text   = NULL;

  /* Asking the device takes a while. */
  if (bytes <= spare_in_pool (cuda))
    return TRUE;
  if (! wf_cuda_find_memory (cuda->device, &available, &total, error))
    return FALSE;
  if (bytes <= available)
    return TRUE;

  needed_text    = g_format_size (bytes);
  available_text = g_format_size (available);
  missing_text   = g_format_size (bytes - available);
  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("The operation needs %s of GPU memory, but only %s are free: %s are missing."),
               needed_text, available_text, missing_text);
  return FALSE;
}

static cudaError_t
allocate (WfCuda  *cuda,
          void   **data,
          gsize    bytes)
{
  return cuda->pool ? cudaMallocFromPoolAsync (data, bytes, cuda->pool, cuda->stream)
                    : cudaMalloc (data, bytes);
}

gboolean
wf_cuda_allocate (WfCuda  *cuda,
                  void   **data,
                  gint64   n,
                  gsize    size,
                  GError **error)
{
  cudaError_t status = cudaErrorMemoryAllocation;

  *data = NULL;
  if (! wf_cuda_fault_is_due () && n >= 0 && (guint64) n <= G_MAXSSIZE / size)
    {
      const gsize bytes = MAX (n, 1) * size;

      status = allocate (cuda, data, bytes);
      if (status == cudaErrorMemoryAllocation)
        {
          cudaGetLastError ();
          trim_pools (cuda);
          status = allocate (cuda, data, bytes);
        }
    }
  if (status == cudaSuccess)
    return TRUE;

  *data = NULL;
  return wf_cuda_succeeded (status, error);
}

void
wf_cuda_free (WfCuda *cuda,
              void   *data)
{
  wf_cuda_join (cuda);
  if (cuda->pool)
    cudaFreeAsync (data, cuda->stream);
  else
    cudaFree (data);
}

void
wf_cuda_free_kept (int   device,
                   bool  pooled,
                   void *data)
{
  WfCudaHere here;

  cudaSetDevice (device);
  if (pooled)
    cudaFreeAsync (data, 0);
  else
    cudaFree (data);
}
