/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CUDA column of the table of variants: the module's one exported symbol, and the list of
 * devices.
 */

#include "histogram.cuh"
#include "images.cuh"
#include "kept.cuh"
#include "transfer.cuh"


#define MAX_DEVICES 64

/* CUDA's numbers of the devices that can be used. */
static int usable[MAX_DEVICES];


static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  cudaDeviceProp properties;
  WfCudaHere     here;

  WF_CUDA_CHECK (cudaGetDeviceProperties (&properties, usable[device]));
  WF_CUDA_CHECK (cudaSetDevice (usable[device]));
  if (! wf_cuda_find_memory (usable[device], &description->memory_free,
                             &description->memory_total, error))
    return FALSE;

  description->description = g_strdup (properties.name);
  description->n_units     = properties.multiProcessorCount;
  return TRUE;
}

static gboolean
foresee (guint             device,
         const WfVariant  *variant,
         gconstpointer     task,
         guint64          *bytes,
         GError          **error)
{
  return wf_cuda_foresee (usable[device], variant, task, bytes, error);
}

static gpointer
open_device (guint    device,
             GError **error)
{
  return wf_cuda_open (usable[device], error);
}

static gboolean
owns (guint         device,
      gconstpointer address)
{
  return wf_cuda_owns (usable[device], address);
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

/* The number of devices that can be used.  If it is 0, @error says what is wrong with the first. */
static guint
find_usable (int       n_devices,
             GError  **error)
{
  guint n_usable = 0;

  for (int device = 0; device < MIN (n_devices, MAX_DEVICES); device++)
    {
      GError *problem = NULL;

      if (check_capability (device, &problem))
        usable[n_usable++] = device;
      else if (device == 0)
        g_propagate_error (error, problem);
      else
        g_error_free (problem);
    }
  if (n_usable > 0)
    g_clear_error (error);
  return n_usable;
}

/* The version of CUDA that the driver is for; it lives as long as the process. */
static const char *
find_driver (void)
{
  int version = 0;

  if (cudaDriverGetVersion (&version) != cudaSuccess)
    cudaGetLastError ();
  return g_strdup_printf ("driver %d.%d", version / 1000, version % 1000 / 10);
}

/* Of WfBackend. */
static void
release (gpointer kept)
{
  ((WfCudaKept *) kept)->release (kept);
}

extern "C" WF_API const WfBackend *
wf_backend_cuda (GError **error)
{
  static WfBackend backend;
  int              n_devices = 0;
  guint            n_usable;
  cudaError_t      status    = cudaGetDeviceCount (&n_devices);

  if (status != cudaSuccess || n_devices == 0)
    {
      cudaGetLastError ();
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, _("No CUDA device can be used: %s."),
                   cudaGetErrorString (status == cudaSuccess ? cudaErrorNoDevice : status));
      return NULL;
    }
  n_usable = find_usable (n_devices, error);
  if (n_usable == 0)
    return NULL;

  backend.abi       = WF_BACKEND_ABI;
  backend.kind      = "cuda";
  backend.n_devices = n_usable;
  backend.describe  = describe;
  backend.foresee   = foresee;
  backend.open      = open_device;
  backend.close     = wf_cuda_close;
  backend.driver    = find_driver ();
  backend.is_pinned = wf_cuda_is_pinned;
  backend.release   = release;
  backend.owns      = owns;
  backend.allocate  = wf_cuda_allocate_image;
  backend.copy      = wf_cuda_copy_image;
  backend.count_levels = wf_cuda_count_levels;
  backend.measure_link = wf_cuda_measure_link;
  backend.variants[WF_OPERATION_DISTANCE] = wf_cuda_distance_variants;
  backend.variants[WF_OPERATION_RECONSTRUCT] = wf_cuda_reconstruct_variants;
  backend.variants[WF_OPERATION_WATERSHED] = wf_cuda_watershed_variants;
  backend.variants[WF_OPERATION_HIERARCHY] = wf_cuda_hierarchy_variants;
  backend.variants[WF_TASK_MEASURE] = wf_cuda_measure_variants;
  backend.variants[WF_OPERATION_LABEL] = wf_cuda_label_variants;
  backend.variants[WF_OPERATION_GAUSSIAN] = wf_cuda_gaussian_variants;
  backend.variants[WF_OPERATION_GRADIENT] = wf_cuda_gradient_variants;
  backend.variants[WF_OPERATION_EROSION] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_DILATION] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_OPENING] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_CLOSING] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_WHITE_TOP_HAT] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_BLACK_TOP_HAT] = wf_cuda_erosion_variants;
  backend.variants[WF_OPERATION_REMOVE_SMALL] = wf_cuda_label_tool_variants;
  backend.variants[WF_OPERATION_KEEP_LARGEST] = wf_cuda_label_tool_variants;
  backend.variants[WF_OPERATION_RELABEL] = wf_cuda_label_tool_variants;
  backend.variants[WF_OPERATION_EXPAND_LABELS] = wf_cuda_expand_variants;
  backend.variants[WF_OPERATION_THRESHOLD] = wf_cuda_threshold_variants;
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_BY_RECONSTRUCTION)
      backend.variants[i] = wf_cuda_morphology_variants;
  return &backend;
}
