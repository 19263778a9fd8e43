/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "record.h"


/* Leaves the description out where the device gives none. */
static void
describe_device (const WfPlan *plan,
                 WfForecast   *forecast)
{
  WfDevice *device = g_new0 (WfDevice, 1);

  if (plan->backend->describe (plan->device, device, NULL))
    {
      forecast->description = g_strdup (device->description);
      forecast->device_free = device->memory_free;
    }
  wf_device_free (device);
}

/**
 * wf_context_forecast:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @operation: an operation
 * @image: the image that it would work on; its pixels are not read
 * @options: (nullable): the operation's options
 * @error: %WF_ERROR_INVALID for an image or options that the operation refuses,
 *   %WF_ERROR_UNSUPPORTED for an algorithm that the context's device does not have
 *
 * Says where @context would do the operation, why, and what memory that takes, main memory
 * and a GPU's own; nearest pixels are counted as not wanted, markers as not given.  A GPU
 * with too little memory is replaced by the CPU, as when the operation runs, and nothing is
 * refused for want of memory.
 *
 * An automatic choice goes by the paces that are known (wf_list_paces()); a forecast measures
 * nothing, so that the operation, which may, can choose otherwise.
 *
 * Time: negligible, except that the first call may start the GPU driver (up to a second).
 *
 * Returns: (transfer full): the forecast, or %NULL with @error set
 */
WfForecast *
wf_context_forecast (WfContext      *context,
                     WfOperation     operation,
                     const WfImage  *image,
                     gconstpointer   options,
                     GError        **error)
{
  g_autoptr (WfContext)  own    = NULL;
  WfEstimate             result = { 0 };
  const WfExpectation   *expected;
  WfForecast            *forecast;

  g_return_val_if_fail (operation < WF_N_OPERATIONS && image != NULL, NULL);

  result.context   = own = wf_context_ensure (context);
  result.n_pixels  = wf_image_n_pixels (image);
  result.n_threads = wf_context_count_threads (own);
  if (! wf_operation_get_record (operation)->estimate (operation, image, options, &result, error))
    return NULL;

  expected  = &result.plan.expected[result.plan.backend != wf_backend_cpu ()];
  forecast  = g_new (WfForecast, 1);
  *forecast = (WfForecast) {
    .device           = wf_plan_get_device (&result.plan),
    .algorithm        = result.plan.variant->algorithm,
    .threads          = result.plan.backend == wf_backend_cpu () ? result.n_threads : 1,
    .reason           = result.reason,
    .memory_needed    = result.bytes,
    .memory_available = wf_context_get_memory (own),
    .device_needed    = result.device_bytes,
    .seconds          = expected->seconds,
    .transfer_seconds = expected->transfers,
    .memory           = result.plan.backend == wf_backend_cpu ()
                        ? WF_MEMORY_HOST : WF_MEMORY_CUDA (result.plan.device),
  };
  describe_device (&result.plan, forecast);
  return forecast;
}

/**
 * wf_forecast_free:
 * @forecast: (transfer full) (nullable): a forecast
 *
 * Frees what wf_context_forecast() returned.
 */
void
wf_forecast_free (WfForecast *forecast)
{
  if (! forecast)
    return;
  g_free (forecast->device);
  g_free (forecast->description);
  g_free (forecast->reason);
  g_free (forecast);
}
