/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Failures of CUDA.  Most concern one call and leave everything else working.  After the
 * others (a kernel that read outside its memory, a device that fell off the bus) each later
 * call of the process on that device fails as well: the device is lost.  That is remembered
 * here, and every later operation reports it.  As each operation waits for its kernels before
 * it writes its result, a kernel's failure is reported by the operation that launched it.
 */

#include "state.cuh"

#include <stdlib.h>

#define MAX_DEVICES 64

static const char *lost[MAX_DEVICES];    /* why a device cannot be used any more */

static thread_local long fault;          /* checked calls until one is to fail; 0: none is */


void
wf_cuda_arm_fault (void)
{
  const char *text = getenv ("WAVEFRONT_CUDA_FAULT");

  if (fault <= 0)
    fault = text ? atol (text) : 0;
}

void
wf_cuda_disarm_fault (void)
{
  fault = 0;
}

bool
wf_cuda_fault_is_due (void)
{
  return fault > 0 && --fault == 0;
}

/* Remembers that the current device is lost, if it is: then every call fails. */
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

bool
wf_cuda_is_lost (int      device,
                 GError **error)
{
  const char *reason = device < MAX_DEVICES ? __atomic_load_n (&lost[device], __ATOMIC_RELAXED)
                                            : NULL;

  if (reason)
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("The GPU %d has failed (%s) and cannot be used until the program is "
                   "restarted."), device, reason);
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
  if (status == cudaSuccess && ! wf_cuda_fault_is_due ())
    return true;

  set_failed (status == cudaSuccess ? cudaErrorMemoryAllocation : status, error);
  cudaGetLastError ();
  if (status != cudaSuccess && status != cudaErrorMemoryAllocation)
    note_loss (status);
  return false;
}
