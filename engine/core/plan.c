/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which variant does a task, on which device, and whether there is memory for it.
 *
 * Decided before any allocation; wf_context_forecast() reports the same decision.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "context-private.h"
#include "memory.h"
#include "pace.h"
#include "record.h"

/* How long the available memory is remembered, for what takes less than one of so many parts. */
#define REMEMBERED_MICROSECONDS 100000
#define REMEMBERED_PARTS        16

/* Below this, sending an image to a GPU and back costs more than computing it, and no driver is
 * started.
 */
#define WORTH_A_GPU (1 << 20)

/* From here on, measuring what a decision lacks takes less time than starting the driver, which
 * this process has just done, and it is done once on a machine.
 */
#define WORTH_MEASURING (1 << 22)

/* Estimates that are further apart decide without being measured. */
#define IN_QUESTION 4.0


/* Whether the CPU may do what the chosen device does not. */
gboolean
wf_context_may_fall_back (const WfContext *context)
{
  return context->fallback == WF_FALLBACK_CPU ||
         (context->fallback == WF_FALLBACK_AUTO && context->device != DEVICE_CUDA);
}

/* The variant that automatic choice takes, or that has the algorithm's name, or NULL. */
const WfVariant *
wf_backend_find_variant (const WfBackend *backend,
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

/* The error tells two cases apart: no device can do the task by this algorithm, or this device
 * has no such algorithm.  @device is NULL where any device was allowed.
 */
static gboolean
refuse_task (WfOperation   operation,
             const char   *algorithm,
             const char   *device,
             GError      **error)
{
  const char *name  = wf_task_name (operation);
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

static gboolean
is_of_cpu (const WfBackend *cuda,
           WfOperation      operation,
           gconstpointer    task)
{
  const WfOperationRecord *record = operation < WF_N_OPERATIONS
                                    ? wf_operation_get_record (operation) : NULL;

  return ! cuda->variants[operation] || (record && record->is_of_cpu && record->is_of_cpu (task));
}

/* Whether the CPU does what the GPU that was chosen by name cannot: also what no GPU has, an
 * operation or a structuring element, unless that is to be an error.
 */
static gboolean
may_stand_in (const WfContext *context,
              const WfBackend *cuda,
              WfOperation      operation,
              gconstpointer    task)
{
  return wf_context_may_fall_back (context) ||
         (context->fallback == WF_FALLBACK_AUTO && cuda && is_of_cpu (cuda, operation, task));
}

static gboolean
is_automatic (const WfContext *context)
{
  return context->device == DEVICE_AUTO || context->device == DEVICE_ALL;
}

/* How long the CPU and the GPU of @plan, whose variant is @on_cuda, would take. */
static void
weigh (WfContext       *context,
       WfOperation      operation,
       const WfVariant *on_cpu,
       const WfVariant *on_cuda,
       gconstpointer    task,
       gboolean         may_measure,
       WfPlan          *plan)
{
  const WfPlace places[] =
  {
    { wf_backend_cpu (), 0, operation, on_cpu->algorithm, wf_context_count_threads (context) },
    { wf_backend_loaded (NULL), plan->gpu, operation, on_cuda->algorithm, 1 },
  };
  WfWorkload    workload;

  wf_workload_init (&workload, operation, task, plan->n_pixels);
  for (int attempt = 0; attempt < 2; attempt++)
    {
      const WfExpectation *cpu = &plan->expected[0];
      const WfExpectation *gpu = &plan->expected[1];

      for (guint i = 0; i < G_N_ELEMENTS (places); i++)
        wf_pace_expect (&places[i], &workload, &plan->expected[i]);
      if (! may_measure || attempt > 0 || plan->n_pixels < WORTH_MEASURING ||
          (cpu->measured && gpu->measured) ||
          MAX (cpu->seconds, gpu->seconds) > IN_QUESTION * MIN (cpu->seconds, gpu->seconds))
        return;
      wf_pace_measure_missing (context, places, G_N_ELEMENTS (places));
    }
}

/* Whether the context works on the device in whose memory images are. */
static gboolean
check_memory (const WfContext  *context,
              WfMemory          memory,
              GError          **error)
{
  const guint      device = (guint) memory - 1;
  g_autofree char *name   = NULL;

  if (memory == WF_MEMORY_HOST || context->device == DEVICE_AUTO ||
      (context->device == DEVICE_CUDA && context->device_index == device))
    return TRUE;

  if (context->device == DEVICE_ALL)
    g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                 _("An image is in the memory of cuda:%u, where several devices cannot share it."),
                 device);
  else
    {
      name = context->device == DEVICE_CPU
             ? g_strdup (wf_backend_cpu ()->kind)
             : wf_device_name (wf_backend_loaded (NULL), context->device_index);
      g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                   _("An image is in the memory of cuda:%u, but the device that was chosen is %s."),
                   device, name);
    }
  return FALSE;
}

/* A plan for images where they are, with nothing decided. */
static gboolean
plan_init (WfPlan           *plan,
           const WfContext  *context,
           WfOperation       operation,
           gconstpointer     task,
           GError          **error)
{
  *plan = (WfPlan) { .gpu = context->device_index };
  if (! wf_task_find_memory (operation, task, &plan->memory, error) ||
      ! check_memory (context, plan->memory, error))
    return FALSE;
  if (plan->memory != WF_MEMORY_HOST)
    plan->gpu = (guint) plan->memory - 1;
  return TRUE;
}

/* The device in whose memory images are does the task, if it can.  Otherwise automatic choice takes
 * the one that is expected to be done first, and a GPU for an algorithm that only GPUs have.  "all"
 * chooses the same for what several devices do not share.  explain() gives the reason as a
 * sentence.
 */
static gboolean
choose_variant (WfContext      *context,
                WfOperation     operation,
                const char     *algorithm,
                gconstpointer   task,
                gint64          n_pixels,
                gboolean        may_measure,
                WfPlan         *plan,
                GError        **error)
{
  const WfBackend  *cpu     = wf_backend_cpu ();
  const WfVariant  *on_cpu  = wf_backend_find_variant (cpu, operation, algorithm, task);
  const WfBackend  *cuda    = NULL;
  const WfVariant  *on_cuda = NULL;
  g_autofree char  *name    = NULL;
  gboolean          is_there;

  if (! plan_init (plan, context, operation, task, error))
    return FALSE;
  plan->n_pixels = n_pixels;
  is_there       = plan->memory != WF_MEMORY_HOST;
  if (context->device != DEVICE_CPU &&
      (context->device == DEVICE_CUDA || n_pixels >= WORTH_A_GPU || ! on_cpu || is_there))
    cuda = wf_backend_loaded (NULL);
  if (cuda)
    on_cuda = wf_backend_find_variant (cuda, operation, algorithm, task);

  if (on_cpu && on_cuda && is_automatic (context) && ! is_there)
    weigh (context, operation, on_cpu, on_cuda, task, may_measure, plan);
  if (on_cuda && plan->expected[1].seconds <= plan->expected[0].seconds)
    {
      plan->variant = on_cuda;
      plan->backend = cuda;
      plan->device  = plan->gpu;
      return TRUE;
    }
  if (on_cpu && (context->device != DEVICE_CUDA || may_stand_in (context, cuda, operation, task)))
    {
      plan->variant   = on_cpu;
      plan->backend   = cpu;
      plan->stands_in = context->device == DEVICE_CUDA || is_there;
      return TRUE;
    }
  name = context->device == DEVICE_CUDA ? wf_device_name (cuda, context->device_index) : NULL;
  return refuse_task (operation, algorithm,
                      context->device == DEVICE_CPU ? cpu->kind : name, error);
}

/* A duration as one reads it, to be freed. */
static char *
format_time (double seconds)
{
  if (seconds < 0.00995)
    return g_strdup_printf (_("%.1f ms"), seconds * 1e3);
  if (seconds < 0.9995)
    return g_strdup_printf (_("%.0f ms"), seconds * 1e3);
  if (seconds < 9.95)
    return g_strdup_printf (_("%.1f s"), seconds);
  return g_strdup_printf (_("%.0f s"), seconds);
}

/* The two expectations that a plan was chosen by. */
static char *
explain_times (const WfPlan *plan)
{
  const WfExpectation *cpu       = &plan->expected[0];
  const WfExpectation *gpu       = &plan->expected[1];
  g_autofree char     *name      = wf_device_name (wf_backend_loaded (NULL), plan->gpu);
  g_autofree char     *on_cpu    = format_time (cpu->seconds);
  g_autofree char     *on_gpu    = format_time (gpu->seconds);
  g_autofree char     *transfers = format_time (gpu->transfers);

  /* TRANSLATORS: times, as "7 ms"; the second %s is a device, as "cuda:0" */
  return g_strdup_printf (cpu->measured && gpu->measured
                          ? _("CPU: %s expected; %s: %s, of which %s are transfers.")
                          : _("CPU: %s estimated; %s: %s, of which %s are transfers."),
                          on_cpu, name, on_gpu, transfers);
}

/* The reason for choose_variant()'s decision, to be freed. */
char *
wf_plan_explain (const WfContext *context,
                 const WfPlan    *plan)
{
  g_autoptr (GError)  problem   = NULL;
  g_autofree char    *name      = NULL;
  const gboolean      on_cpu    = plan->backend == wf_backend_cpu ();

  if (context->missing && on_cpu)
    return g_strdup (context->missing);
  if (! is_automatic (context) && on_cpu == (context->device == DEVICE_CPU))
    return g_strdup (_("This device was chosen."));
  if (! is_automatic (context))
    {
      name = wf_device_name (wf_backend_loaded (NULL), context->device_index);
      return g_strdup_printf (_("The device %s cannot do this task."), name);
    }
  if (plan->memory != WF_MEMORY_HOST)
    return g_strdup (on_cpu ? _("No GPU can do this task.")
                            : _("The images are in the memory of this device."));
  if (plan->expected[0].seconds > 0.0)
    return explain_times (plan);
  if (! on_cpu)
    return g_strdup (_("Only GPUs have this algorithm."));
  if (plan->n_pixels < WORTH_A_GPU)
    return g_strdup (_("The image is too small to be worth sending to a GPU."));
  if (! wf_backend_loaded (&problem))
    return g_strdup (problem->message);
  return g_strdup (_("No GPU can do this task."));
}

/* Memory that the kernel can give without swapping; 0 if it is not known. */
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

/* What was available a moment ago, where a small part of it is needed: to ask the kernel takes
 * longer than a small image does.
 */
static guint64
remembered_memory (guint64 needed)
{
  static gint64  asked;
  static guint64 found;
  const gint64   now    = g_get_monotonic_time ();
  guint64        memory = __atomic_load_n (&found, __ATOMIC_RELAXED);

  if (needed < memory / REMEMBERED_PARTS &&
      now - __atomic_load_n (&asked, __ATOMIC_RELAXED) < REMEMBERED_MICROSECONDS)
    return memory;
  memory = available_memory ();
  __atomic_store_n (&found, memory, __ATOMIC_RELAXED);
  __atomic_store_n (&asked, now, __ATOMIC_RELAXED);
  return memory;
}

/* The most main memory that an operation may take beyond its images; 0: not known. */
guint64
wf_context_get_memory (const WfContext *context)
{
  return context->memory_limit ? context->memory_limit : available_memory ();
}

/* Whether an operation may take @needed bytes beyond its images. */
gboolean
wf_context_allow_memory (const WfContext  *context,
                         guint64           needed,
                         GError          **error)
{
  guint64          allowed      = context->memory_limit ? context->memory_limit
                                                        : remembered_memory (needed);
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

/* Bytes of main memory beyond the images of @task, where @n_threads of the CPU may work. */
guint64
wf_plan_count_memory (const WfPlan  *plan,
                      gconstpointer  task,
                      guint          n_threads)
{
  return plan->variant->memory ? plan->variant->memory (task, n_threads) : 0;
}

gboolean
wf_context_check_memory (WfContext      *context,
                         const WfPlan   *plan,
                         gconstpointer   task,
                         GError        **error)
{
  const guint n_threads = wf_context_count_threads (context);

  return wf_context_allow_memory (context, wf_plan_count_memory (plan, task, n_threads), error);
}

/* Decides how @task is done and checks that there is memory for it, before any allocation. */
gboolean
wf_context_plan (WfContext      *context,
                 WfOperation     operation,
                 const char     *algorithm,
                 gconstpointer   task,
                 gint64          n_pixels,
                 WfPlan         *plan,
                 GError        **error)
{
  return choose_variant (context, operation, algorithm, task, n_pixels, TRUE, plan, error) &&
         wf_context_check_memory (context, plan, task, error);
}

/* The same for a task that always runs on the CPU. */
gboolean
wf_context_plan_on_cpu (WfContext      *context,
                        WfOperation     operation,
                        gconstpointer   task,
                        WfPlan         *plan,
                        GError        **error)
{
  const WfBackend *cpu = wf_backend_cpu ();

  if (! plan_init (plan, context, operation, task, error))
    return FALSE;
  plan->variant = wf_backend_find_variant (cpu, operation, NULL, task);
  plan->backend = cpu;
  if (! plan->variant)
    return refuse_task (operation, NULL, NULL, error);
  return wf_context_check_memory (context, plan, task, error);
}

/* Whether a GPU was chosen by name, so that a plan for the CPU stands in for it. */
gboolean
wf_context_names_gpu (const WfContext *context)
{
  return context->device == DEVICE_CUDA;
}

/* Whether the CPU replaces @plan's device after @failure; @instead is the plan for that. */
gboolean
wf_context_plan_instead (const WfContext *context,
                         WfOperation      operation,
                         const WfPlan    *plan,
                         gconstpointer    task,
                         const GError    *failure,
                         WfPlan          *instead)
{
  const WfBackend *cpu = wf_backend_cpu ();

  *instead         = *plan;
  instead->variant = wf_backend_find_variant (cpu, operation, NULL, task);
  instead->backend = cpu;
  instead->device  = 0;
  memset (instead->expected, 0, sizeof instead->expected);
  return plan->backend != cpu && instead->variant && wf_context_may_fall_back (context) &&
         ! g_error_matches (failure, WF_ERROR, WF_ERROR_INVALID) &&
         ! g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Finds how much of the device's own memory the task takes.  Where that is too much, the
 * estimate falls back to the CPU, as wf_context_run() would.
 */
static void
foresee (WfOperation    operation,
         gconstpointer  task,
         WfEstimate    *estimate)
{
  const WfPlan        plan    = estimate->plan;
  g_autoptr (GError)  failure = NULL;
  WfPlan              instead;

  if (! plan.backend->foresee ||
      plan.backend->foresee (plan.device, plan.variant, task, &estimate->device_bytes,
                             &failure) ||
      ! wf_context_plan_instead (estimate->context, operation, &plan, task, failure, &instead))
    return;

  estimate->plan         = instead;
  estimate->device_bytes = 0;
  g_free (estimate->reason);
  estimate->reason = g_strdup (failure->message);
}

/* What would be done with @task, for wf_context_forecast(), or on the CPU without a context. */
gboolean
wf_context_estimate (WfOperation     operation,
                     const char     *algorithm,
                     gconstpointer   task,
                     WfEstimate     *estimate,
                     GError        **error)
{
  const WfBackend *cpu  = wf_backend_cpu ();
  WfPlan          *plan = &estimate->plan;

  *plan = (WfPlan) { .backend = cpu };
  if (! estimate->context)
    {
      plan->variant = wf_backend_find_variant (cpu, operation, algorithm, task);
      if (! plan->variant)
        return refuse_task (operation, algorithm, cpu->kind, error);
    }
  else if (! choose_variant (estimate->context, operation, algorithm, task, estimate->n_pixels,
                             FALSE, plan, error))
    return FALSE;
  else
    {
      estimate->reason = wf_plan_explain (estimate->context, plan);
      foresee (operation, task, estimate);
    }
  estimate->bytes = wf_plan_count_memory (plan, task, estimate->n_threads);
  return TRUE;
}

/* The name of the device that a plan is for, to be freed. */
char *
wf_plan_get_device (const WfPlan *plan)
{
  return wf_device_name (plan->backend, plan->device);
}
