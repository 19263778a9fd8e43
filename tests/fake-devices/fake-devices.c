/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several devices for machines that have none: a module like that of CUDA, whose devices compute
 * with the library's own code for the CPU.  So the work of several devices is tested everywhere,
 * and under the sanitizers.
 *
 * WAVEFRONT_FAKE_FAILURES=N    N of 1000 calls fail, as a device that is taken away
 * WAVEFRONT_FAKE_DELAYS=N      calls wait up to N microseconds first
 * WAVEFRONT_FAKE_SEED=N        which ones
 * WAVEFRONT_FAKE_RACE=1        calls race with each other, for a test of ThreadSanitizer
 */

#include "config.h"

#include <stdlib.h>

#include "engine/core/backend.h"
#include "engine/core/tasks.h"

#define N_DEVICES 3

static guint
get_number (const char *name)
{
  const char *text = g_getenv (name);

  return text ? (guint) strtoul (text, NULL, 10) : 0;
}

/* A number that depends on the seed and on how many were drawn. */
static guint
draw_number (void)
{
  static gint   n_drawn;
  guint64       x = ((guint64) get_number ("WAVEFRONT_FAKE_SEED") << 32) +
                    g_atomic_int_add (&n_drawn, 1);

  x ^= x >> 30;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint) (x >> 33);
}

static gboolean
disturb (WfRun   *run,
         GError **error)
{
  static guint n_unprotected;
  const guint  delay = get_number ("WAVEFRONT_FAKE_DELAYS");

  if (get_number ("WAVEFRONT_FAKE_RACE") > 0)
    n_unprotected++;
  if (delay > 0)
    g_usleep (draw_number () % delay);
  if (draw_number () % 1000 >= get_number ("WAVEFRONT_FAKE_FAILURES"))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, "The device %u has been taken away.",
               run->device);
  return FALSE;
}

/* The CPU's variant for a task. */
static const WfVariant *
find_variant (WfOperation   operation,
              gconstpointer task)
{
  const WfVariant *variant = wf_backend_cpu ()->variants[operation];

  while (variant->algorithm && ! wf_variant_fits (variant, NULL, task))
    variant++;
  return variant->algorithm ? variant : NULL;
}

static gboolean
run_on_cpu (WfOperation     operation,
            gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  return disturb (run, error) && find_variant (operation, task)->run (task, run, error);
}

/* Operations whose bands several devices share; what a device keeps of them is not looked at. */
#define VARIANT(name, operation, task_type) \
  static gboolean \
  supports_##name (gconstpointer task) \
  { \
    return find_variant (operation, task) != NULL; \
  } \
\
  static gboolean \
  run_##name (gconstpointer   task, \
              WfRun          *run, \
              GError        **error) \
  { \
    return run_on_cpu (operation, task, run, error); \
  } \
\
  static guint64 \
  count_##name (gconstpointer device, \
                gconstpointer data) \
  { \
    const task_type *task = data; \
\
    return 8 * task->shape.width * task->shape.height * task->shape.depth; \
  } \
\
  static const WfVariant name##_variants[] = \
  { \
    { .algorithm = "fake", .supports = supports_##name, .run = run_##name, \
      .device_memory = count_##name }, \
    { NULL } \
  };

VARIANT (reconstruct, WF_OPERATION_RECONSTRUCT, WfReconstructTask)
VARIANT (label, WF_OPERATION_LABEL, WfLabelTask)
VARIANT (distance, WF_OPERATION_DISTANCE, WfDistanceTask)

static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  description->description  = g_strdup_printf ("Device %u of a test", device);
  description->n_units      = 1;
  description->memory_total = 1 << 28;
  description->memory_free  = 1 << 28;
  return TRUE;
}

static gboolean
foresee (guint             device,
         const WfVariant  *variant,
         gconstpointer     task,
         guint64          *bytes,
         GError          **error)
{
  *bytes = variant->device_memory (NULL, task);
  return TRUE;
}

G_MODULE_EXPORT const WfBackend *wf_backend_cuda (GError **error);

G_MODULE_EXPORT const WfBackend *
wf_backend_cuda (GError **error)
{
  static WfBackend backend = { .abi = WF_BACKEND_ABI, .kind = "cuda", .n_devices = N_DEVICES,
                               .describe = describe, .foresee = foresee };

  backend.variants[WF_OPERATION_RECONSTRUCT] = reconstruct_variants;
  backend.variants[WF_OPERATION_LABEL]       = label_variants;
  backend.variants[WF_OPERATION_DISTANCE]    = distance_variants;
  return &backend;
}
