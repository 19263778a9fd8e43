/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Device memory.  It is allocated and freed in the order of the one stream, from a pool that
 * keeps what it has once got from the device, for the operation after.  Transfers in bands have
 * a stream of their own, which the other one joins before any memory is freed.
 */

#include "kept.cuh"
#include "pool.cuh"
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
      wf_cuda_pool_trim (each->pool);
  g_mutex_unlock (&lock);
}

static guint64
spare_in_pool (const WfCuda *cuda)
{
  return cuda->pool ? wf_cuda_pool_spare (cuda->pool) : 0;
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
  return cuda->pool ? cudaMallocFromPoolAsync (data, bytes, cuda->pool->pool, cuda->stream)
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



/*  What outlives a session  */

WfCudaKept
wf_cuda_begin_kept (const WfCuda  *cuda,
                    void        (* release) (gpointer kept))
{
  return { release, cuda->device, cuda->pool ? wf_cuda_pool_ref (cuda->pool) : NULL };
}

void
wf_cuda_free_kept (const WfCudaKept *kept,
                   void             *data)
{
  WfCudaHere here;

  cudaSetDevice (kept->device);
  if (kept->pool)
    cudaFreeAsync (data, 0);
  else
    cudaFree (data);
}

void
wf_cuda_end_kept (WfCudaKept *kept)
{
  WfCudaHere here;

  cudaSetDevice (kept->device);
  g_clear_pointer (&kept->pool, wf_cuda_pool_unref);
}
