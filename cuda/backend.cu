/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CUDA column of the table: the module's one exported symbol, and what the
 * devices are.
 */

#include "device.cuh"


static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  cudaDeviceProp properties;
  size_t         free_bytes;
  size_t         total_bytes;

  WF_CUDA_CHECK (cudaGetDeviceProperties (&properties, device));
  WF_CUDA_CHECK (cudaSetDevice (device));
  WF_CUDA_CHECK (cudaMemGetInfo (&free_bytes, &total_bytes));

  description->description  = g_strdup (properties.name);
  description->n_units      = properties.multiProcessorCount;
  description->memory_total = total_bytes;
  description->memory_free  = free_bytes;
  return TRUE;
}

/* Refuses what does not fit the current device, before anything is allocated. */
gboolean
wf_cuda_check_memory (guint64   bytes,
                      GError  **error)
{
  size_t free_bytes;
  size_t total_bytes;

  WF_CUDA_CHECK (cudaMemGetInfo (&free_bytes, &total_bytes));
  if (bytes <= free_bytes)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("The operation needs %.1f MB of GPU memory, but only %.1f MB are free."),
               bytes / 1e6, free_bytes / 1e6);
  return FALSE;
}

/* The oldest devices that the kernels are compiled for (Turing). */
static gboolean
check_capability (int       device,
                  GError  **error)
{
  int major;
  int minor;

  WF_CUDA_CHECK (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, device));
  WF_CUDA_CHECK (cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, device));
  if (major * 10 + minor >= 75)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
               _("The GPU %d has compute capability %d.%d; 7.5 is needed."), device, major, minor);
  return FALSE;
}

extern "C" WF_API const WfBackend *
wf_backend_cuda (GError **error)
{
  static WfBackend backend;
  int              n_devices = 0;
  cudaError_t      status    = cudaGetDeviceCount (&n_devices);

  if (status != cudaSuccess || n_devices == 0)
    {
      cudaGetLastError ();
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, _("No CUDA device can be used: %s."),
                   cudaGetErrorString (status == cudaSuccess ? cudaErrorNoDevice : status));
      return NULL;
    }
  for (int device = 0; device < n_devices; device++)
    if (! check_capability (device, error))
      return NULL;

  backend.abi       = WF_BACKEND_ABI;
  backend.kind      = "cuda";
  backend.n_devices = n_devices;
  backend.describe  = describe;
  backend.variants[WF_OPERATION_DISTANCE] = wf_cuda_distance_variants;
  return &backend;
}
