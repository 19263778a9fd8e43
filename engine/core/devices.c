/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The devices that there are: the CPU, and what the module has. */

#include "config.h"

#include "context-private.h"


/**
 * wf_device_free:
 * @device: (transfer full) (nullable): a device's description
 *
 * Frees a description that was taken out of the list of wf_list_devices(), as by
 * g_ptr_array_steal_index(); the list frees those that it holds.
 */
void
wf_device_free (WfDevice *device)
{
  if (! device)
    return;
  g_free (device->name);
  g_free (device->description);
  g_free (device);
}

/* What a device is called, to be freed. */
char *
wf_device_name (const WfBackend *backend,
                guint            index)
{
  return backend == wf_backend_cpu () ? g_strdup (backend->kind)
                                      : g_strdup_printf ("%s:%u", backend->kind, index);
}

static void
list_backend (GPtrArray        *devices,
              const WfBackend  *backend,
              GError          **problem)
{
  for (guint i = 0; i < backend->n_devices; i++)
    {
      WfDevice           *device = g_new0 (WfDevice, 1);
      g_autoptr (GError)  error  = NULL;

      if (backend->describe (i, device, &error))
        {
          device->name = wf_device_name (backend, i);
          g_ptr_array_add (devices, device);
          continue;
        }
      wf_device_free (device);
      if (problem && ! *problem)
        *problem = g_steal_pointer (&error);
    }
}

/**
 * wf_list_devices:
 * @problem: why there is no CUDA device, or why one was left out; setting it is
 *   no failure
 *
 * Lists the devices that can work.  The first call may load the CUDA module and start the GPU
 * driver (up to a second).  Without a CUDA device the list has the CPU alone, and the error
 * states the reason; it is set together with the list and is no failure.
 *
 * Returns: (transfer full) (element-type WfDevice): the devices that can work, the
 *   CPU first; free it with g_ptr_array_unref().
 */
GPtrArray *
wf_list_devices (GError **problem)
{
  GPtrArray       *devices = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_device_free);
  const WfBackend *loaded  = wf_backend_loaded (problem);

  list_backend (devices, wf_backend_cpu (), NULL);
  if (loaded)
    list_backend (devices, loaded, problem);
  return devices;
}
