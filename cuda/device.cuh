/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every operation on a GPU needs: checked calls, memory that frees itself,
 * and cancelling between launches.
 */

#pragma once

#include <cuda_runtime.h>
#include <glib/gi18n-lib.h>

#include "backend.h"

/* Both in a function that returns gboolean and has a GError **error. */
#define WF_CUDA_CHECK(call) \
  do \
    { \
      if (! wf_cuda_succeeded ((call), error)) \
        return FALSE; \
    } \
  while (0)

#define WF_CUDA_CHECK_LAUNCH() WF_CUDA_CHECK (cudaGetLastError ())

static inline bool
wf_cuda_succeeded (cudaError_t   status,
                   GError      **error)
{
  if (status == cudaSuccess)
    return true;

  if (status == cudaErrorMemoryAllocation)
    g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                 _("The GPU has not enough free memory."));
  else
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The GPU failed: %s."), cudaGetErrorString (status));
  cudaGetLastError ();
  return false;
}

/* Counts a step of the work as done; sets the error once the user has cancelled. */
static inline bool
wf_cuda_advance (WfRun    *run,
                 gint64    amount,
                 GError  **error)
{
  if (wf_run_advance (run, amount))
    return true;

  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The operation was cancelled."));
  return false;
}

/* A stream of its own, so that contexts in several threads do not wait for each
 * other.
 */
struct WfStream
{
  cudaStream_t handle = nullptr;

  WfStream () = default;
  WfStream (const WfStream &) = delete;
  WfStream &operator= (const WfStream &) = delete;

  ~WfStream ()
  {
    if (handle)
      cudaStreamDestroy (handle);
  }

  cudaError_t
  create ()
  {
    return cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking);
  }
};

/* Device memory that is freed when its owner leaves, on every path. */
template <typename T>
struct WfDeviceArray
{
  T *data = nullptr;

  WfDeviceArray () = default;
  WfDeviceArray (const WfDeviceArray &) = delete;
  WfDeviceArray &operator= (const WfDeviceArray &) = delete;

  ~WfDeviceArray ()
  {
    cudaFree (data);
  }

  cudaError_t
  allocate (gint64 n)
  {
    return cudaMalloc (&data, n * sizeof (T));
  }
};

gboolean wf_cuda_check_memory (guint64         bytes,
                               GError        **error);

gboolean wf_cuda_upload       (const WfImage  *image,
                               gpointer        packed,
                               cudaStream_t    stream,
                               GError        **error);
gboolean wf_cuda_download     (gconstpointer   packed,
                               WfImage        *image,
                               cudaStream_t    stream,
                               GError        **error);

extern const WfVariant wf_cuda_distance_variants[];
