/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The context: which device works, with how many threads, tiles and bytes, who
 * hears of progress, who may cancel, and what the last operation did.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "context.h"
#include "options.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Below this, sending an image to a GPU and back costs more than computing it. */
#define WORTH_A_GPU (1 << 20)

typedef enum
{
  DEVICE_AUTO,
  DEVICE_CPU,
  DEVICE_CUDA,
  DEVICE_ALL
} DeviceChoice;

struct _WfContext
{
  gatomicrefcount  ref_count;
  DeviceChoice     device;
  guint            device_index;
  guint            threads;
  gint64           tile_size;
  guint64          memory_limit;
  gboolean         partial_outputs;
  GCancellable    *cancellable;
  WfProgressFunc   progress;
  gpointer         progress_data;
  WfReport         report;
  char            *device_name;
  char            *notice;
  WfPlan           opened;        /* the device that @device_state is of, if any */
  gpointer         device_state;
};


/**
 * wf_context_new:
 *
 * Returns: (transfer full): a context that chooses everything by itself.
 */
WfContext *
wf_context_new (void)
{
  WfContext *context = g_new0 (WfContext, 1);

  g_atomic_ref_count_init (&context->ref_count);
  return context;
}

/**
 * wf_context_ref:
 * @context: a context
 *
 * Returns: (transfer full): @context
 */
WfContext *
wf_context_ref (WfContext *context)
{
  g_return_val_if_fail (context != NULL, NULL);

  g_atomic_ref_count_inc (&context->ref_count);
  return context;
}

/* Gives back what the context keeps on a device. */
static void
close_device (WfContext *context)
{
  if (context->device_state)
    context->opened.backend->close (context->device_state);
  context->device_state = NULL;
}

/* Keeps what an operation needs on @plan's device until another device is used. */
static gboolean
open_device (WfContext     *context,
             const WfPlan  *plan,
             GError       **error)
{
  const WfPlan *opened = &context->opened;

  if (! plan->backend->open ||
      (context->device_state && opened->backend == plan->backend &&
       opened->device == plan->device))
    return TRUE;

  close_device (context);
  context->opened       = *plan;
  context->device_state = plan->backend->open (plan->device, error);
  return context->device_state != NULL;
}

/**
 * wf_context_unref:
 * @context: (transfer full): a context
 */
void
wf_context_unref (WfContext *context)
{
  g_return_if_fail (context != NULL);

  if (! g_atomic_ref_count_dec (&context->ref_count))
    return;
  close_device (context);
  g_clear_object (&context->cancellable);
  g_free (context->device_name);
  g_free (context->notice);
  g_free (context);
}

static gboolean
check_cuda_device (guint    index,
                   GError **error)
{
  g_autoptr (GError)  problem = NULL;
  const WfBackend    *backend = wf_backend_loaded (&problem);

  if (backend && index < backend->n_devices)
    return TRUE;
  if (backend)
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("There is no device cuda:%u: this machine has %u, numbered from 0."),
                 index, backend->n_devices);
  else
    g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                 _("There is no device cuda:%u: %s"), index, problem->message);
  return FALSE;
}

/**
 * wf_context_configure:
 * @context: a context
 * @options: device, threads and tile size
 * @error: %WF_ERROR_INVALID for values that wf_context_get_options() does not
 *   allow, %WF_ERROR_DEVICE for a device that this machine does not have
 *
 * Returns: %FALSE on failure; then @context is as it was.
 */
gboolean
wf_context_configure (WfContext               *context,
                      const WfContextOptions  *options,
                      GError                 **error)
{
  const char   *name;
  DeviceChoice  choice = DEVICE_AUTO;
  guint         index  = 0;

  g_return_val_if_fail (context != NULL && options != NULL, FALSE);

  if (! wf_option_group_check (wf_context_get_options (), options, error))
    return FALSE;

  name = options->device ? options->device : "auto";
  if (strcmp (name, "cpu") == 0)
    choice = DEVICE_CPU;
  else if (strcmp (name, "all") == 0)
    choice = DEVICE_ALL;
  else if (strcmp (name, "auto") != 0)
    {
      choice = DEVICE_CUDA;
      wf_device_name_parse (name, &index);
      if (! check_cuda_device (index, error))
        return FALSE;
    }

  context->device       = choice;
  context->device_index = index;
  context->threads      = options->threads;
  context->tile_size    = options->tile_size;
  return TRUE;
}

/**
 * wf_context_set_memory_limit:
 * @context: a context
 * @bytes: the most main memory that an operation may take beyond its input and
 *   output; 0 for what the machine has available
 */
void
wf_context_set_memory_limit (WfContext *context,
                             guint64    bytes)
{
  g_return_if_fail (context != NULL);

  context->memory_limit = bytes;
}

/**
 * wf_context_set_partial_outputs:
 * @context: a context
 * @allowed: whether an operation that fails or is cancelled may leave its outputs
 *   half written; by default they are then as they were
 *
 * Allowing it saves an operation the memory for another copy of its result, and
 * the time to copy it.  Outputs that lie on inputs are safe all the same.
 */
void
wf_context_set_partial_outputs (WfContext *context,
                                gboolean   allowed)
{
  g_return_if_fail (context != NULL);

  context->partial_outputs = allowed;
}

/**
 * wf_context_set_cancellable:
 * @context: a context
 * @cancellable: (nullable): cancels the operation that runs, from any thread,
 *   within a tenth of a second
 */
void
wf_context_set_cancellable (WfContext    *context,
                            GCancellable *cancellable)
{
  g_return_if_fail (context != NULL);

  g_set_object (&context->cancellable, cancellable);
}

/**
 * wf_context_set_progress:
 * @context: a context
 * @progress: (nullable): called while an operation runs
 * @user_data: for @progress
 */
void
wf_context_set_progress (WfContext      *context,
                         WfProgressFunc  progress,
                         gpointer        user_data)
{
  g_return_if_fail (context != NULL);

  context->progress      = progress;
  context->progress_data = user_data;
}

/**
 * wf_context_get_report:
 * @context: a context
 *
 * Returns: what the last operation that succeeded did; valid until the next one.
 */
const WfReport *
wf_context_get_report (WfContext *context)
{
  g_return_val_if_fail (context != NULL, NULL);

  return &context->report;
}

/* The context that an operation uses: the caller's, or one of its own. */
WfContext *
wf_context_ensure (WfContext *context)
{
  return context ? wf_context_ref (context) : wf_context_new ();
}


/*  Devices  */

/**
 * wf_device_free:
 * @device: (transfer full): a device's description
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

static char *
device_name (const WfBackend *backend,
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
          device->name = device_name (backend, i);
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


/*  Choosing a variant  */

static const WfVariant *
find_variant (const WfBackend *backend,
              WfOperation      operation,
              const char      *algorithm,
              gconstpointer    task)
{
  if (! backend->variants[operation])
    return NULL;
  for (const WfVariant *variant = backend->variants[operation]; variant->algorithm; variant++)
    if (wf_variant_fits (variant, algorithm, task))
      return variant;
  return NULL;
}

static gboolean
has_algorithm (const WfBackend *backend,
               WfOperation      operation,
               const char      *algorithm)
{
  const WfVariant *variant = backend ? backend->variants[operation] : NULL;

  for (; variant && variant->algorithm; variant++)
    if (strcmp (algorithm, variant->algorithm) == 0)
      return TRUE;
  return FALSE;
}

/* Says whether it is the task that an algorithm cannot do, wherever it runs, or the
 * device that has no such algorithm.  @device is NULL where any might have done it.
 */
static gboolean
refuse_task (WfOperation   operation,
             const char   *algorithm,
             const char   *device,
             GError      **error)
{
  const char *name  = wf_operation_get_options (operation)->name;
  gboolean    any   = ! algorithm || strcmp (algorithm, "auto") == 0;
  gboolean    known = ! any && (has_algorithm (wf_backend_cpu (), operation, algorithm) ||
                                has_algorithm (wf_backend_loaded (NULL), operation, algorithm));

  if (any && device)
    g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                 _("No algorithm of %s can do this task on %s."), name, device);
  else if (any)
    g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                 _("No algorithm of %s can do this task."), name);
  else if (device)
    g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                 _("The algorithm “%s” of %s cannot do this task on %s."),
                 algorithm, name, device);
  else
    g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                 known ? _("The algorithm “%s” of %s cannot do this task.")
                       : _("The algorithm “%s” of %s needs a device that this machine does not "
                           "have."),
                 algorithm, name);
  return FALSE;
}

/* Automatic choice takes a GPU for large images, and for an algorithm that only
 * GPUs have; with all devices asked for, those that can share this operation
 * work, which is one of them.
 */
static gboolean
choose_variant (WfContext      *context,
                WfOperation     operation,
                const char     *algorithm,
                gconstpointer   task,
                gint64          n_pixels,
                WfPlan         *plan,
                GError        **error)
{
  const WfBackend  *cpu     = wf_backend_cpu ();
  const WfVariant  *on_cpu  = find_variant (cpu, operation, algorithm, task);
  const WfBackend  *cuda    = NULL;
  const WfVariant  *on_cuda = NULL;
  g_autofree char  *name    = NULL;

  if (context->device != DEVICE_CPU &&
      (context->device == DEVICE_CUDA || n_pixels >= WORTH_A_GPU || ! on_cpu))
    cuda = wf_backend_loaded (NULL);
  if (cuda)
    on_cuda = find_variant (cuda, operation, algorithm, task);

  if (on_cuda)
    {
      *plan = (WfPlan) { .variant = on_cuda, .backend = cuda, .device = context->device_index };
      return TRUE;
    }
  if (on_cpu && context->device != DEVICE_CUDA)
    {
      *plan = (WfPlan) { .variant = on_cpu, .backend = cpu };
      return TRUE;
    }
  name = context->device == DEVICE_CUDA ? device_name (cuda, context->device_index) : NULL;
  return refuse_task (operation, algorithm,
                      context->device == DEVICE_CPU ? cpu->kind : name, error);
}

/* What the kernel would hand out without swapping; 0 if it does not say. */
static guint64
available_memory (void)
{
  g_autofree char *text  = NULL;
  const char      *found;
  guint64          kilobytes;

  if (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL) &&
      (found = strstr (text, "MemAvailable:")) &&
      sscanf (found, "MemAvailable: %" SCNu64 " kB", &kilobytes) == 1)
    return kilobytes * 1024;
  return (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);
}

static gboolean
check_memory (WfContext      *context,
              const WfPlan   *plan,
              gconstpointer   task,
              GError        **error)
{
  guint64          allowed      = context->memory_limit ? context->memory_limit
                                                        : available_memory ();
  guint64          needed       = plan->variant->memory ? plan->variant->memory (task) : 0;
  g_autofree char *needed_text  = NULL;
  g_autofree char *allowed_text = NULL;

  if (allowed == 0 || needed <= allowed)
    return TRUE;

  needed_text  = g_format_size (needed);
  allowed_text = g_format_size (allowed);
  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               context->memory_limit
               ? _("The operation needs %s of memory, but only %s are allowed.")
               : _("The operation needs %s of memory, but only %s are available."),
               needed_text, allowed_text);
  return FALSE;
}

/* Decides how @task will be done and whether there is memory for it, before
 * anything is allocated.
 */
gboolean
wf_context_plan (WfContext      *context,
                 WfOperation     operation,
                 const char     *algorithm,
                 gconstpointer   task,
                 gint64          n_pixels,
                 WfPlan         *plan,
                 GError        **error)
{
  return choose_variant (context, operation, algorithm, task, n_pixels, plan, error) &&
         check_memory (context, plan, task, error);
}

/* The same for what is the CPU's whatever the device. */
gboolean
wf_context_plan_on_cpu (WfContext      *context,
                        WfOperation     operation,
                        gconstpointer   task,
                        WfPlan         *plan,
                        GError        **error)
{
  const WfBackend *cpu = wf_backend_cpu ();

  *plan = (WfPlan) { .variant = find_variant (cpu, operation, NULL, task), .backend = cpu };
  if (! plan->variant)
    return refuse_task (operation, NULL, NULL, error);
  return check_memory (context, plan, task, error);
}

/* The memory of @task on the CPU, for wf_estimate_memory(). */
gboolean
wf_context_estimate (WfOperation     operation,
                     const char     *algorithm,
                     gconstpointer   task,
                     guint64        *bytes,
                     GError        **error)
{
  const WfBackend *cpu     = wf_backend_cpu ();
  const WfVariant *variant = find_variant (cpu, operation, algorithm, task);

  if (! variant)
    return refuse_task (operation, algorithm, cpu->kind, error);
  *bytes = variant->memory ? variant->memory (task) : 0;
  return TRUE;
}

/* How many threads of the CPU may work at once. */
guint
wf_context_count_threads (const WfContext *context)
{
#ifdef _OPENMP
  return context->threads > 0 ? context->threads : MAX (1, omp_get_num_procs ());
#else
  return 1;
#endif
}

/* Refuses f32 images with a pixel that is not a number, where the variant will not. */
static gboolean
check_inputs (WfContext     *context,
              const WfPlan  *plan,
              GError       **error)
{
  WfRun run;

  wf_run_init (&run, context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (context);
  for (guint i = 0; i < G_N_ELEMENTS (plan->inputs) && ! plan->variant->checks_nan; i++)
    if (plan->inputs[i].image &&
        ! wf_image_check_nan (plan->inputs[i].image, plan->inputs[i].what, &run, error))
      return FALSE;
  return TRUE;
}

static void
forget_report (WfContext *context)
{
  g_clear_pointer (&context->device_name, g_free);
  g_clear_pointer (&context->notice, g_free);
  memset (&context->report, 0, sizeof context->report);
}

static void
add_notice (WfContext  *context,
            const char *notice)
{
  char *both = context->notice ? g_strdup_printf ("%s %s", context->notice, notice)
                               : g_strdup (notice);

  g_free (context->notice);
  context->notice        = both;
  context->report.notice = both;
}

static gboolean
run_plan (WfContext      *context,
          const WfPlan   *plan,
          gconstpointer   task,
          double         *reported,
          GError        **error)
{
  WfRun  run;
  gint64 start = g_get_monotonic_time ();

  wf_run_init (&run, context->cancellable, context->progress, context->progress_data, *reported);
  run.n_threads       = plan->backend == wf_backend_cpu () ? wf_context_count_threads (context)
                                                           : 1;
  run.tile_size       = context->tile_size;
  run.device          = plan->device;
  run.partial_outputs = context->partial_outputs;

  if (g_cancellable_is_cancelled (context->cancellable))
    return wf_run_set_cancelled (error);
  if (! check_inputs (context, plan, error) ||
      ! open_device (context, plan, error))
    return FALSE;
  run.device_state = plan->backend->open ? context->device_state : NULL;
  if (! plan->variant->run (task, &run, error))
    {
      *reported = run.reported;
      return FALSE;
    }

  wf_run_finish (&run);
  context->device_name           = device_name (plan->backend, plan->device);
  context->report.device         = context->device_name;
  context->report.algorithm      = plan->variant->algorithm;
  context->report.threads        = run.n_threads;
  context->report.seconds        = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  context->report.device_seconds = run.device_seconds;
  context->report.executions     = run.executions;
  if (run.executions > 1)
    {
      g_autofree char *notice = g_strdup_printf (_("Queues overflowed, so that the propagation "
                                                   "was executed %u times."), run.executions);

      add_notice (context, notice);
    }
  if (context->device == DEVICE_ALL && wf_backend_loaded (NULL))
    {
      g_autofree char *notice = g_strdup_printf (_("This operation does not work on several "
                                                   "devices at once: all of it was done on %s."),
                                                 context->device_name);

      add_notice (context, notice);
    }
  return TRUE;
}

/* Runs @plan.  A device that fails after automatic choice has taken it is left
 * for the CPU, and the report says so: a variant that fails has written nothing.
 */
gboolean
wf_context_run (WfContext      *context,
                WfOperation     operation,
                const WfPlan   *plan,
                gconstpointer   task,
                GError        **error)
{
  g_autoptr (GError)  failure  = NULL;
  g_autofree char    *notice   = NULL;
  WfPlan              plan_on_cpu;
  double              reported = 0.0;

  forget_report (context);
  if (run_plan (context, plan, task, &reported, &failure))
    return TRUE;

  plan_on_cpu         = *plan;
  plan_on_cpu.variant = find_variant (wf_backend_cpu (), operation, NULL, task);
  plan_on_cpu.backend = wf_backend_cpu ();
  plan_on_cpu.device  = 0;
  if (plan->backend == wf_backend_cpu () || ! plan_on_cpu.variant ||
      context->device == DEVICE_CUDA ||
      g_error_matches (failure, WF_ERROR, WF_ERROR_INVALID) ||
      g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }

  notice = g_strdup_printf (_("Computed on the CPU, because the GPU failed: %s"),
                            failure->message);
  if (! check_memory (context, &plan_on_cpu, task, error) ||
      ! run_plan (context, &plan_on_cpu, task, &reported, error))
    return FALSE;
  add_notice (context, notice);
  return TRUE;
}

void
wf_context_set_no_background (WfContext  *context,
                              const char *notice)
{
  context->report.no_background = TRUE;
  add_notice (context, notice);
}
