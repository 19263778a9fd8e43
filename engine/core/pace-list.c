/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The paces that automatic choice goes by, for those who want to see them. */

#include "config.h"

#include "context-private.h"
#include "pace.h"


/* The algorithm that is shown for an operation: the first that automatic choice may take, and
 * that has been measured, if there is one.
 */
static gboolean
find_rate (const WfPlace *place,
           double        *rate)
{
  const WfVariant *variant = place->backend->variants[place->operation];
  double           latency;

  for (; variant && variant->algorithm; variant++)
    {
      WfPlace here = *place;

      here.algorithm = variant->algorithm;
      if (wf_pace_find_rate (&here, rate, &latency))
        return TRUE;
    }
  wf_pace_find_rate (place, rate, &latency);
  return FALSE;
}

static WfPace *
pace_new (const WfBackend *backend,
          guint            device)
{
  WfPace     *pace  = g_new0 (WfPace, 1);
  WfPlace     place = { backend, device, WF_OPERATION_RECONSTRUCT, NULL, 1 };
  WfLinkPace  link;
  double      rate;

  pace->place           = g_memdup2 (&place, sizeof place);
  pace->device          = wf_device_name (backend, device);
  pace->threads         = backend == wf_backend_cpu () ? wf_pace_count_units (&place) : 1;
  pace->measured        = wf_pace_find_link (&place, &link) || ! backend->measure_link;
  pace->upload          = link.up[0];
  pace->download        = link.down[0];
  pace->upload_pinned   = link.up[1];
  pace->download_pinned = link.down[1];
  place.threads         = pace->threads;
  for (guint i = 0; i < WF_N_TASKS; i++)
    {
      place.operation = (WfOperation) i;
      if (backend->variants[i])
        pace->measured &= find_rate (&place, &rate);
    }
  return pace;
}

/**
 * wf_list_paces:
 *
 * Lists how fast the devices are, as far as it was measured (wf_context_measure_paces(), or by an
 * operation that had to choose), and by built-in estimates otherwise.  The first call may load the
 * CUDA module and start the GPU driver (up to a second); nothing is measured.
 *
 * Returns: (transfer full) (element-type WfPace): the paces of the devices of wf_list_devices(),
 *   in that order; free it with g_ptr_array_unref().
 */
GPtrArray *
wf_list_paces (void)
{
  GPtrArray       *paces  = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_pace_free);
  const WfBackend *loaded = wf_backend_loaded (NULL);

  g_ptr_array_add (paces, pace_new (wf_backend_cpu (), 0));
  for (guint i = 0; loaded && i < loaded->n_devices; i++)
    g_ptr_array_add (paces, pace_new (loaded, i));
  return paces;
}

static double
get_rate (const WfPace *pace,
          WfOperation   operation,
          guint         threads)
{
  WfPlace place = *(const WfPlace *) pace->place;
  double  rate  = 0.0;

  place.operation = operation;
  if (place.backend == wf_backend_cpu ())
    place.threads = threads;
  if (place.backend->variants[operation])
    find_rate (&place, &rate);
  return rate;
}

/**
 * wf_pace_get_rate:
 * @pace: the pace of a device
 * @operation: an operation
 * @threads: of the CPU; does not matter on a GPU
 *
 * Gives the pace of an operation with its default options on an image of 8-bit levels, without
 * transfers.  The time of other types grows with the bytes of their pixels.
 *
 * Returns: pixels a second; 0 where the device does not have the operation
 */
double
wf_pace_get_rate (const WfPace *pace,
                  WfOperation   operation,
                  guint         threads)
{
  g_return_val_if_fail (pace != NULL && operation < WF_N_OPERATIONS && threads > 0, 0.0);

  return get_rate (pace, operation, threads);
}

/**
 * wf_pace_get_measure_rate:
 * @pace: the pace of a device
 * @threads: of the CPU; does not matter on a GPU
 *
 * Gives the pace of wf_regions_measure() for measures that follow from sums over the pixels, those
 * of 8-bit levels among them, without transfers.
 *
 * Returns: pixels a second; 0 where the device does not make tables
 */
double
wf_pace_get_measure_rate (const WfPace *pace,
                          guint         threads)
{
  g_return_val_if_fail (pace != NULL && threads > 0, 0.0);

  return get_rate (pace, WF_TASK_MEASURE, threads);
}

/**
 * wf_pace_free:
 * @pace: (transfer full) (nullable): the pace of a device
 *
 * Frees a pace that was taken out of the list of wf_list_paces(), as by
 * g_ptr_array_steal_index(); the list frees those that it holds.
 */
void
wf_pace_free (WfPace *pace)
{
  if (! pace)
    return;
  g_free (pace->device);
  g_free (pace->place);
  g_free (pace);
}
