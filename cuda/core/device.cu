/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A context's state on a device: its streams, its pool of memory, the events that time
 * its work; and what becomes of a call that fails.
 *
 * Memory is taken and given back in the order of the one stream.  Transfers in bands have
 * a stream of their own, which the other one joins before any memory is given back.
 *
 * Errors of CUDA are of two kinds.  Most concern one call and leave everything else
 * working.  After the others (a kernel that read where nothing is, a device that fell
 * off the bus) each later call of the process on that device fails too: it is lost,
 * which is remembered here and told by every later operation in these words.  As each
 * operation waits for its kernels before it writes its result, a kernel's failure is
 * told by the operation that launched it.
 *
 * For tests, WAVEFRONT_CUDA_FAULT=k makes the k-th checked call of an operation fail as
 * if there were no memory.
 */

#include "device.cuh"
#include "transfer.cuh"

#include <stdlib.h>

/* What wf_cuda_read() takes through pinned memory. */
#define SMALL_BYTES 4096

#define MAX_DEVICES 64

static GMutex      lock;
static WfCuda     *opened;               /* all of them, for their spare memory */
static const char *lost[MAX_DEVICES];    /* why a device cannot be used any more */

static thread_local long fault;          /* checked calls until one is to fail; 0: none is */


/*  Failures  */

/* Sets the countdown at the first call of an operation. */
static void
arm_fault (void)
{
  const char *text = getenv ("WAVEFRONT_CUDA_FAULT");

  if (fault <= 0)
    fault = text ? atol (text) : 0;
}

static bool
fault_is_due (void)
{
  return fault > 0 && --fault == 0;
}

/* Whether the current device answers to nothing any more. */
static void
note_loss (cudaError_t status)
{
  size_t free_bytes;
  size_t total_bytes;
  int    device;

  if (cudaMemGetInfo (&free_bytes, &total_bytes) == cudaSuccess ||
      cudaGetDevice (&device) != cudaSuccess || device >= MAX_DEVICES)
    {
      cudaGetLastError ();
      return;
    }
  cudaGetLastError ();
  __atomic_store_n (&lost[device], cudaGetErrorString (status), __ATOMIC_RELAXED);
}

static bool
is_lost (int      device,
         GError **error)
{
  const char *reason = device < MAX_DEVICES ? __atomic_load_n (&lost[device], __ATOMIC_RELAXED)
                                            : NULL;

  if (reason)
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The GPU %d has failed (%s) and cannot be used any more until the program is "
                   "started again."), device, reason);
  return reason != NULL;
}

static void
set_failed (cudaError_t   status,
            GError      **error)
{
  if (status == cudaErrorMemoryAllocation)
    g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                 _("The GPU has not enough free memory."));
  else
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The GPU failed: %s."), cudaGetErrorString (status));
}

bool
wf_cuda_succeeded (cudaError_t   status,
                   GError      **error)
{
  if (status == cudaSuccess && ! fault_is_due ())
    return true;

  set_failed (status == cudaSuccess ? cudaErrorMemoryAllocation : status, error);
  cudaGetLastError ();
  if (status != cudaSuccess && status != cudaErrorMemoryAllocation)
    note_loss (status);
  return false;
}


/*  Memory  */

/* Hands the spare memory of every context back to the device. */
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

/* What the pool has got from the device and nobody uses. */
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

  /* To ask the device takes a while. */
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
  if (! fault_is_due () && n >= 0 && (guint64) n <= G_MAXSSIZE / size)
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
wf_cuda_join (WfCuda *cuda)
{
  if (cuda->apart && (cudaEventRecord (cuda->joined, cuda->transfers) != cudaSuccess ||
                      cudaStreamWaitEvent (cuda->stream, cuda->joined, 0) != cudaSuccess))
    cudaStreamSynchronize (cuda->transfers);
  cuda->apart = false;
}

gboolean
wf_cuda_wait (WfCuda  *cuda,
              GError **error)
{
  WF_CUDA_CHECK (cudaStreamSynchronize (cuda->stream));
  return TRUE;
}

gboolean
wf_cuda_read (WfCuda         *cuda,
              gpointer        host,
              gconstpointer   device,
              gsize           bytes,
              GError        **error)
{
  gpointer target = bytes <= SMALL_BYTES ? cuda->small : host;

  WF_CUDA_CHECK (cudaMemcpyAsync (target, device, bytes, cudaMemcpyDeviceToHost, cuda->stream));
  WF_CUDA_CHECK (cudaStreamSynchronize (cuda->stream));
  if (target != host)
    memcpy (host, target, bytes);
  return TRUE;
}

gboolean
wf_cuda_fork (WfCuda  *cuda,
              GError **error)
{
  WF_CUDA_CHECK (cudaEventRecord (cuda->joined, cuda->stream));
  WF_CUDA_CHECK (cudaStreamWaitEvent (cuda->transfers, cuda->joined, 0));
  cuda->apart = true;
  return TRUE;
}

gboolean
wf_cuda_ask (WfCuda         *cuda,
             gconstpointer   device,
             gsize           bytes,
             GError        **error)
{
  if (! wf_cuda_fork (cuda, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemcpyAsync (cuda->small, device, MIN (bytes, SMALL_BYTES),
                                  cudaMemcpyDeviceToHost, cuda->transfers));
  WF_CUDA_CHECK (cudaEventRecord (cuda->answered, cuda->transfers));
  return TRUE;
}

/* Transfers queued before have come to their end, too. */
gboolean
wf_cuda_answer (WfCuda    *cuda,
                gpointer   host,
                gsize      bytes,
                GError   **error)
{
  WF_CUDA_CHECK (cudaEventSynchronize (cuda->answered));
  cuda->apart = false;
  memcpy (host, cuda->small, MIN (bytes, SMALL_BYTES));
  return TRUE;
}

gboolean
wf_cuda_listen (WfCuda   *cuda,
                guint32  *told,
                GError  **error)
{
  cudaError_t status = cudaErrorNotReady;

  WF_CUDA_CHECK (cudaEventRecord (cuda->answered, cuda->stream));
  while ((*told = __atomic_load_n (cuda->told, __ATOMIC_ACQUIRE)) == 0 &&
         status == cudaErrorNotReady)
    status = cudaEventQuery (cuda->answered);
  cudaGetLastError ();
  if (*told != 0)
    return TRUE;
  WF_CUDA_CHECK (status);
  *told = __atomic_load_n (cuda->told, __ATOMIC_ACQUIRE);
  return TRUE;
}

void
wf_cuda_commit (WfCuda *cuda)
{
  wf_run_commit (cuda->run);
  fault = 0;
}

gboolean
wf_cuda_advance (WfCuda  *cuda,
                 gint64   amount,
                 GError **error)
{
  if (wf_run_advance (cuda->run, amount))
    return TRUE;

  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The operation was cancelled."));
  return FALSE;
}


/*  Time  */

/* The device has come to their ends. */
static void
add_times (WfCuda *cuda)
{
  for (int i = 0; i < cuda->n_times; i++)
    {
      float milliseconds = 0.0f;

      if (cudaEventElapsedTime (&milliseconds, cuda->times[i][0],
                                cuda->times[i][1]) == cudaSuccess)
        cuda->run->device_seconds += milliseconds / 1e3;
    }
  cuda->n_times = 0;
}

void
wf_cuda_time_begin (WfCuda *cuda)
{
  if (cuda->n_times == WF_CUDA_SPANS)
    {
      cudaEventSynchronize (cuda->times[WF_CUDA_SPANS - 1][1]);
      add_times (cuda);
    }
  cuda->timing = cudaEventRecord (cuda->times[cuda->n_times][0], cuda->stream) == cudaSuccess;
}

void
wf_cuda_time_end (WfCuda *cuda)
{
  if (cuda->timing &&
      cudaEventRecord (cuda->times[cuda->n_times][1], cuda->stream) == cudaSuccess)
    cuda->n_times++;
  cuda->timing = false;
}


/*  Opening and closing  */

static gboolean
ask_device (WfCuda  *cuda,
            GError **error)
{
  const int device = cuda->device;
  int       major;
  int       minor;
  int       shared_bytes;
  int       l2_bytes;

  WF_CUDA_CHECK (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&cuda->n_units, cudaDevAttrMultiProcessorCount, device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&cuda->threads_per_unit,
                                         cudaDevAttrMaxThreadsPerMultiProcessor, device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                         device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&l2_bytes, cudaDevAttrL2CacheSize, device));

  cuda->capability   = major * 10 + minor;
  cuda->shared_bytes = shared_bytes;
  cuda->l2_bytes     = l2_bytes;
  return TRUE;
}

/* Memory that the pool has once got from the device stays in it. */
static gboolean
create_pool (WfCuda  *cuda,
             GError **error)
{
  cudaMemPoolProps properties = {};
  guint64          threshold  = G_MAXUINT64;
  int              supported  = 0;

  WF_CUDA_CHECK (cudaDeviceGetAttribute (&supported, cudaDevAttrMemoryPoolsSupported,
                                         cuda->device));
  if (! supported)
    return TRUE;

  properties.allocType     = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id   = cuda->device;
  WF_CUDA_CHECK (cudaMemPoolCreate (&cuda->pool, &properties));
  WF_CUDA_CHECK (cudaMemPoolSetAttribute (cuda->pool, cudaMemPoolAttrReleaseThreshold,
                                          &threshold));
  return TRUE;
}

static gboolean
create_events (WfCuda  *cuda,
               GError **error)
{
  for (int i = 0; i < WF_CUDA_SPANS; i++)
    for (int k = 0; k < 2; k++)
      WF_CUDA_CHECK (cudaEventCreate (&cuda->times[i][k]));
  for (int i = 0; i < WF_CUDA_BANDS; i++)
    WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->bands[i], cudaEventDisableTiming));
  WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->answered, cudaEventDisableTiming));
  WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->joined, cudaEventDisableTiming));
  return TRUE;
}

static void
destroy_event (cudaEvent_t event)
{
  if (event)
    cudaEventDestroy (event);
}

static gboolean
create_state (WfCuda  *cuda,
              GError **error)
{
  WF_CUDA_CHECK (cudaSetDevice (cuda->device));
  if (! ask_device (cuda, error))
    return FALSE;
  WF_CUDA_CHECK (cudaStreamCreateWithFlags (&cuda->stream, cudaStreamNonBlocking));
  WF_CUDA_CHECK (cudaStreamCreateWithFlags (&cuda->transfers, cudaStreamNonBlocking));
  WF_CUDA_CHECK (cudaMallocHost (&cuda->small, SMALL_BYTES + sizeof (guint32)));
  cuda->told = (guint32 *) ((char *) cuda->small + SMALL_BYTES);
  return create_events (cuda, error) && create_pool (cuda, error);
}

/* Also for one that was set up in part. */
static void
free_state (WfCuda *cuda)
{
  wf_cuda_staging_free (cuda->staging);
  if (cuda->pool)
    cudaMemPoolDestroy (cuda->pool);
  if (cuda->small)
    cudaFreeHost (cuda->small);
  destroy_event (cuda->joined);
  destroy_event (cuda->answered);
  for (int i = 0; i < WF_CUDA_BANDS; i++)
    destroy_event (cuda->bands[i]);
  for (int i = 0; i < WF_CUDA_SPANS; i++)
    for (int k = 0; k < 2; k++)
      destroy_event (cuda->times[i][k]);
  if (cuda->transfers)
    cudaStreamDestroy (cuda->transfers);
  if (cuda->stream)
    cudaStreamDestroy (cuda->stream);
  cudaGetLastError ();
  g_free (cuda);
}

gpointer
wf_cuda_open (guint    device,
              GError **error)
{
  WfCuda     *cuda;
  WfCudaHere  here;

  if (is_lost (device, error))
    return NULL;

  arm_fault ();
  cuda = g_new0 (WfCuda, 1);
  cuda->device = device;
  if (! create_state (cuda, error))
    {
      free_state (cuda);
      fault = 0;
      return NULL;
    }
  g_mutex_lock (&lock);
  cuda->next = opened;
  opened     = cuda;
  g_mutex_unlock (&lock);
  return cuda;
}

/* Without a stream or a pool, which take time to set up. */
gboolean
wf_cuda_foresee (int               device,
                 const WfVariant  *variant,
                 gconstpointer     task,
                 guint64          *bytes,
                 GError          **error)
{
  WfCuda     cuda = {};
  WfCudaHere here;

  *bytes = 0;
  if (is_lost (device, error))
    return FALSE;

  cuda.device = device;
  WF_CUDA_CHECK (cudaSetDevice (device));
  if (! ask_device (&cuda, error))
    return FALSE;
  if (variant->device_memory)
    *bytes = variant->device_memory (&cuda, task);
  return wf_cuda_check_memory (&cuda, *bytes, error);
}

void
wf_cuda_close (gpointer state)
{
  WfCuda     *cuda = (WfCuda *) state;
  WfCudaHere  here;

  g_mutex_lock (&lock);
  for (WfCuda **link = &opened; *link; link = &(*link)->next)
    if (*link == cuda)
      {
        *link = cuda->next;
        break;
      }
  g_mutex_unlock (&lock);
  cudaSetDevice (cuda->device);
  free_state (cuda);
}


/*  Sessions  */

WfCudaHere::WfCudaHere ()
{
  if (cudaGetDevice (&device) != cudaSuccess)
    device = -1;
}

WfCudaHere::~WfCudaHere ()
{
  if (device >= 0)
    cudaSetDevice (device);
  cudaGetLastError ();
}

gboolean
WfCudaSession::begin (WfRun   *run,
                      GError **error)
{
  WfCuda *state = (WfCuda *) run->device_state;

  if (is_lost (state->device, error))
    return FALSE;

  arm_fault ();
  cuda          = state;
  cuda->run     = run;
  cuda->n_times = 0;
  cuda->timing  = false;
  WF_CUDA_CHECK (cudaSetDevice (cuda->device));
  return TRUE;
}

WfCudaSession::~WfCudaSession ()
{
  if (! cuda)
    return;

  fault = 0;
  wf_cuda_join (cuda);
  cudaStreamSynchronize (cuda->stream);
  add_times (cuda);
  cuda->run = NULL;
}
