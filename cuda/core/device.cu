/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A context's state on a device: its streams, the events that time its work, small results
 * and sessions.
 */

#include "pool.cuh"
#include "state.cuh"
#include "transfer.cuh"

/* Results up to this size are read through pinned memory. */
#define SMALL_BYTES 4096


/*  Streams and small results  */

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

/* The event is on the stream of transfers, so those queued before are complete as well. */
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
  wf_cuda_disarm_fault ();
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

/* Results leave the device from now on, when all work that was queued is done. */
void
wf_cuda_time_results (WfCuda *cuda)
{
  if (! cuda->sending)
    cuda->sending = cudaEventRecord (cuda->sent[0], cuda->stream) == cudaSuccess;
}

/* The device has passed the ends of all spans. */
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

static void
add_results_time (WfCuda *cuda)
{
  float milliseconds = 0.0f;

  if (cuda->sending &&
      cudaEventElapsedTime (&milliseconds, cuda->sent[0], cuda->sent[1]) == cudaSuccess)
    cuda->run->download_seconds += milliseconds / 1e3;
  cuda->sending = false;
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
  wf_cuda_step (cuda, NULL);
}

/* Not as checked calls: without an event a time is missing, and nothing else. */
void
wf_cuda_step (WfCuda     *cuda,
              const char *name)
{
  const int k = cuda->n_steps;

  if (k == WF_CUDA_STEPS || (! name && (k == 0 || ! cuda->step_names[k - 1])) ||
      (! cuda->steps[k] && cudaEventCreate (&cuda->steps[k]) != cudaSuccess) ||
      cudaEventRecord (cuda->steps[k], cuda->stream) != cudaSuccess)
    return;
  cuda->step_names[k] = name;
  cuda->n_steps       = k + 1;
  if (name)
    wf_run_count_step (cuda->run, name, 0.0, 0);
}

/* The device has passed the beginnings of all steps. */
static void
add_steps (WfCuda *cuda)
{
  for (int k = 0; k + 1 < cuda->n_steps; k++)
    {
      float milliseconds = 0.0f;

      if (cuda->step_names[k] &&
          cudaEventElapsedTime (&milliseconds, cuda->steps[k],
                                cuda->steps[k + 1]) == cudaSuccess)
        wf_run_count_step (cuda->run, cuda->step_names[k], milliseconds / 1e3, 0);
    }
  cuda->n_steps = 0;
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

static gboolean
create_events (WfCuda  *cuda,
               GError **error)
{
  for (int i = 0; i < WF_CUDA_SPANS; i++)
    for (int k = 0; k < 2; k++)
      WF_CUDA_CHECK (cudaEventCreate (&cuda->times[i][k]));
  for (int k = 0; k < 2; k++)
    WF_CUDA_CHECK (cudaEventCreate (&cuda->sent[k]));
  for (int i = 0; i < WF_CUDA_BANDS; i++)
    WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->bands[i], cudaEventDisableTiming));
  WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->answered, cudaEventDisableTiming));
  WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->joined, cudaEventDisableTiming));
  WF_CUDA_CHECK (cudaEventCreateWithFlags (&cuda->entered, cudaEventDisableTiming));
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
  return create_events (cuda, error) && wf_cuda_pool_new (cuda->device, &cuda->pool, error);
}

/* Also of a state that was created in part. */
static void
free_state (WfCuda *cuda)
{
  wf_cuda_staging_free (cuda->staging);
  if (cuda->pool)
    {
      /* what the context has freed goes back to the device, whoever keeps the pool */
      if (cuda->stream)
        cudaStreamSynchronize (cuda->stream);
      wf_cuda_pool_trim (cuda->pool);
      wf_cuda_pool_unref (cuda->pool);
    }
  if (cuda->small)
    cudaFreeHost (cuda->small);
  for (int i = 0; i < WF_CUDA_STEPS; i++)
    destroy_event (cuda->steps[i]);
  destroy_event (cuda->entered);
  destroy_event (cuda->joined);
  destroy_event (cuda->answered);
  for (int i = 0; i < WF_CUDA_BANDS; i++)
    destroy_event (cuda->bands[i]);
  for (int i = 0; i < WF_CUDA_SPANS; i++)
    for (int k = 0; k < 2; k++)
      destroy_event (cuda->times[i][k]);
  for (int k = 0; k < 2; k++)
    destroy_event (cuda->sent[k]);
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

  if (wf_cuda_is_lost (device, error))
    return NULL;

  wf_cuda_arm_fault ();
  cuda = g_new0 (WfCuda, 1);
  cuda->device = device;
  if (! create_state (cuda, error))
    {
      free_state (cuda);
      wf_cuda_disarm_fault ();
      return NULL;
    }
  wf_cuda_enlist (cuda);
  return cuda;
}

/* Without a stream or a pool, which take time to create. */
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
  if (wf_cuda_is_lost (device, error))
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

  wf_cuda_delist (cuda);
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

/* What is queued from now on waits for what the caller has queued.  A stream of another device is
 * no failure of this one.
 */
static gboolean
follow_caller (WfCuda        *cuda,
               const WfRun   *run,
               GError       **error)
{
  cudaError_t status;

  if (! run->has_views)
    return TRUE;
  status = cudaEventRecord (cuda->entered, (cudaStream_t) run->stream);
  if (status == cudaErrorInvalidResourceHandle)
    {
      cudaGetLastError ();
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The stream is not one of the device whose memory the images are "
                             "in."));
      return FALSE;
    }
  WF_CUDA_CHECK (status);
  WF_CUDA_CHECK (cudaStreamWaitEvent (cuda->stream, cuda->entered, 0));
  return TRUE;
}

gboolean
WfCudaSession::begin (WfRun   *run,
                      GError **error)
{
  WfCuda *state = (WfCuda *) run->device_state;

  if (wf_cuda_is_lost (state->device, error))
    return FALSE;

  wf_cuda_arm_fault ();
  cuda          = state;
  cuda->run     = run;
  cuda->n_times = 0;
  cuda->n_steps = 0;
  cuda->timing  = false;
  cuda->sending = false;
  WF_CUDA_CHECK (cudaSetDevice (cuda->device));
  return follow_caller (cuda, run, error);
}

WfCudaSession::~WfCudaSession ()
{
  if (! cuda)
    return;

  wf_cuda_disarm_fault ();
  wf_cuda_join (cuda);
  if (cuda->sending)
    cudaEventRecord (cuda->sent[1], cuda->stream);
  cudaStreamSynchronize (cuda->stream);
  add_times (cuda);
  add_steps (cuda);
  add_results_time (cuda);
  cuda->run = NULL;
}
