/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several devices for machines that have none: a module like that of CUDA, whose devices compute
 * with the library's own code for the CPU.  So the work of several devices is tested everywhere,
 * and under the sanitizers.
 *
 * WAVEFRONT_FAKE_FAILURES=N    N of 1000 calls fail, as a device that is taken away
 * WAVEFRONT_FAKE_DELAYS=N      calls wait up to N microseconds first
 * WAVEFRONT_FAKE_SEED=N        which ones
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
  const guint delay = get_number ("WAVEFRONT_FAKE_DELAYS");

  if (delay > 0)
    g_usleep (draw_number () % delay);
  if (draw_number () % 1000 >= get_number ("WAVEFRONT_FAKE_FAILURES"))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, "The device %u has been taken away.",
               run->device);
  return FALSE;
}

/* A context of the CPU with one thread. */
static WfContext *
make_context (WfRun *run)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device  = "cpu";
  options.threads = 1;
  g_assert_true (wf_context_configure (context, &options, NULL));
  wf_context_set_cancellable (context, run->cancellable);
  wf_context_set_partial_outputs (context, run->partial_outputs);
  return context;
}

static gboolean
reconstruct (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  const WfReconstructTask *task    = data;
  g_autoptr (WfContext)    context = make_context (run);
  WfReconstructOptions     options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = task->by;
  options.connectivity = task->connectivity;
  return disturb (run, error) &&
         wf_reconstruct (context, task->mask, task->marker, task->out, &options, error);
}

static guint64
count_bytes (gconstpointer device,
             gconstpointer data)
{
  const WfReconstructTask *task = data;

  return 3 * task->shape.width * task->shape.height * task->shape.depth *
         wf_type_size (task->type);
}

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
  static const WfVariant variants[] =
  {
    { .algorithm = "queue", .run = reconstruct, .checks_nan = TRUE, .device_memory = count_bytes },
    { NULL }
  };
  static WfBackend backend = { .abi = WF_BACKEND_ABI, .kind = "cuda", .n_devices = N_DEVICES,
                               .describe = describe, .foresee = foresee };

  backend.variants[WF_OPERATION_RECONSTRUCT] = variants;
  return &backend;
}
