/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tasks that only the engine itself hands to variants, for tests of its private parts. */

#pragma once

#include <gio/gio.h>

#include "engine/core/tasks.h"

/* The CPU's back end and that of a device, or %NULL for the latter. */
typedef struct
{
  const WfBackend *backend;
  gpointer         state;
} VariantDevice;

static inline gboolean
variant_device_init (VariantDevice *device,
                     gboolean       cpu)
{
  g_autoptr (GError) problem = NULL;

  *device = (VariantDevice) { .backend = cpu ? wf_backend_cpu () : wf_backend_loaded (&problem) };
  if (! device->backend)
    {
      g_test_skip (problem->message);
      return FALSE;
    }
  if (device->backend->open)
    device->state = device->backend->open (0, &problem);
  g_assert_no_error (problem);
  return TRUE;
}

static inline void
variant_device_clear (VariantDevice *device)
{
  if (device->state)
    device->backend->close (device->state);
  device->state = NULL;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VariantDevice, variant_device_clear)

static inline gboolean
variant_run (const VariantDevice  *device,
             const WfVariant      *variant,
             gconstpointer         task,
             GCancellable         *cancellable,
             GError              **error)
{
  WfRun run;

  wf_run_init (&run, cancellable, NULL, NULL, 0);
  run.n_threads    = g_test_rand_int_range (1, 4);
  run.device_state = device->state;
  return variant->run (task, &run, error);
}

/* The first variant of @device that supports @task, or that with a name. */
static inline const WfVariant *
variant_find (const VariantDevice *device,
              WfOperation          operation,
              const char          *algorithm,
              gconstpointer        task)
{
  const WfVariant *variant = device->backend->variants[operation];

  while (variant->algorithm && ! wf_variant_fits (variant, algorithm, task))
    variant++;
  return variant->algorithm ? variant : NULL;
}
