/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The context: device, threads, tile size, memory limit, progress callback and cancellable of
 * the operations that follow, and the report of the last one.  plan.c decides which variant
 * does a task.
 */

#include "config.h"

#include <string.h>
#include <time.h>

#include <glib/gi18n-lib.h>

#include "context-private.h"
#include "memory.h"
#include "options.h"
#include "record.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/**
 * wf_context_new:
 *
 * Makes a context that chooses device, algorithm, threads and tiles by itself, and has no
 * memory limit of its own, no cancellable and no progress callback.
 *
 * Returns: (transfer full): a context that chooses everything by itself.
 */
WfContext *
wf_context_new (void)
{
  WfContext *context = g_new0 (WfContext, 1);

  g_atomic_ref_count_init (&context->ref_count);
  context->named.automatic = TRUE;
  context->devices         = context->named;
  context->gpu_sharers     = 1;
  return context;
}

/**
 * wf_context_ref:
 * @context: a context
 *
 * Adds a reference, from any thread.
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

/* Sets up the state on a device; it is kept until another device is used. */
gboolean
wf_context_open_device (WfContext        *context,
                        const WfBackend  *backend,
                        guint             device,
                        GError          **error)
{
  const WfPlan *opened = &context->opened;

  if (! backend->open ||
      (context->device_state && opened->backend == backend && opened->device == device))
    return TRUE;

  close_device (context);
  context->opened       = (WfPlan) { .backend = backend, .device = device };
  context->device_state = backend->open (device, error);
  return context->device_state != NULL;
}

/**
 * wf_context_unref:
 * @context: (transfer full): a context
 *
 * Drops a reference, from any thread.  The last one frees the context and the memory that it
 * keeps on a device.
 */
void
wf_context_unref (WfContext *context)
{
  g_return_if_fail (context != NULL);

  if (! g_atomic_ref_count_dec (&context->ref_count))
    return;
  close_device (context);
  g_clear_object (&context->cancellable);
  g_free (context->missing);
  g_free (context->device_name);
  g_free (context->notice);
  g_clear_pointer (&context->worker_reports, g_array_unref);
  g_clear_pointer (&context->trace, wf_trace_unref);
  g_clear_pointer (&context->lanes, g_ptr_array_unref);
  g_clear_pointer (&context->ranks, wf_communicator_unref);
  g_free (context->reason);
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

/* Leaves the GPUs that this machine has; @problem: why the first of the others is missing. */
static void
find_missing (WfDeviceList  *devices,
              GError       **problem)
{
  guint n = 0;

  for (guint i = 0; i < devices->n_gpus; i++)
    if (check_cuda_device (devices->gpus[i], *problem ? NULL : problem))
      devices->gpus[n++] = devices->gpus[i];
  devices->n_gpus = n;
}

static DeviceChoice
choose (const WfDeviceList *devices)
{
  if (devices->automatic)
    return DEVICE_AUTO;
  if (devices->all || (devices->cpu && devices->n_gpus > 0))
    return DEVICE_ALL;
  return devices->n_gpus > 0 ? DEVICE_CUDA : DEVICE_CPU;
}

/* The ranks of a host share its GPUs out; which of several is used matters only then. */
static void
share_gpus (WfContext *context)
{
  const WfBackend *backend = NULL;
  guint            n_ranks = 1;
  guint            rank    = 0;

  if (context->ranks)
    rank = wf_communicator_get_host_rank (context->ranks, &n_ranks);
  if (n_ranks > 1 && context->device != DEVICE_CPU)
    backend = wf_backend_loaded (NULL);
  context->devices     = context->named;
  context->gpu_sharers = backend ? wf_device_list_share (&context->devices, backend->n_devices,
                                                         rank, n_ranks)
                                 : 1;
  context->device_index = context->devices.n_gpus > 0 ? context->devices.gpus[0] : 0;
  g_clear_pointer (&context->lanes, g_ptr_array_unref);
}

/**
 * wf_context_configure:
 * @context: a context
 * @options: device, what is done without it, threads and tile size
 * @error: %WF_ERROR_INVALID for values that wf_context_get_options() does not
 *   allow, %WF_ERROR_DEVICE for a device that this machine does not have, unless
 *   %WF_FALLBACK_CPU is to do without it
 *
 * Chooses devices, threads and tile size for the operations that follow.  A device that is
 * missing is an error, %WF_ERROR_DEVICE, unless the fallback is %WF_FALLBACK_CPU.
 *
 * Returns: %FALSE on failure; then @context is as it was.
 */
gboolean
wf_context_configure (WfContext               *context,
                      const WfContextOptions  *options,
                      GError                 **error)
{
  g_autoptr (GError) problem = NULL;
  WfContextOptions   taken;
  WfDeviceList       devices;

  g_return_val_if_fail (context != NULL && options != NULL, FALSE);

  if (! wf_option_group_take (wf_context_get_options (), options, &taken, error))
    return FALSE;

  wf_device_list_parse (taken.device ? taken.device : "auto", &devices);
  find_missing (&devices, &problem);
  if (problem && taken.fallback != WF_FALLBACK_CPU)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  g_free (context->missing);
  context->missing      = problem ? g_strdup (problem->message) : NULL;
  context->device       = choose (&devices);
  context->named        = devices;
  context->fallback     = (WfFallback) taken.fallback;
  context->threads      = taken.threads;
  context->tile_size    = taken.tile_size;
  share_gpus (context);
  return TRUE;
}

/**
 * wf_context_set_memory_limit:
 * @context: a context
 * @bytes: the most main memory that an operation may take beyond its input and
 *   output; 0 for what the machine has available
 *
 * Limits the main memory of the operations that follow.  An operation that needs more is
 * refused before it starts, with %WF_ERROR_MEMORY; the limit does not count a GPU's own memory.
 */
void
wf_context_set_memory_limit (WfContext *context,
                             guint64    bytes)
{
  g_return_if_fail (context != NULL);

  context->memory_limit = bytes;
}

/**
 * wf_context_set_communicator:
 * @context: a context
 * @communicator: (nullable): of the ranks; %NULL for this process alone
 *
 * Makes the operations in blocks that follow work of all ranks, which must call them with the same
 * arguments in the same order; each does a part.  Operations on images in memory stay those of
 * this process.
 *
 * Ranks of one host share out the GPUs that were named, or all that it has: each takes others,
 * where there are enough.
 */
void
wf_context_set_communicator (WfContext      *context,
                             WfCommunicator *communicator)
{
  g_return_if_fail (context != NULL);

  if (communicator)
    wf_communicator_ref (communicator);
  g_clear_pointer (&context->ranks, wf_communicator_unref);
  context->ranks = communicator;
  share_gpus (context);
}

/**
 * wf_context_set_partial_outputs:
 * @context: a context
 * @allowed: whether an operation that fails or is cancelled may leave partly written
 *   outputs; by default it leaves them unchanged
 *
 * Chooses between safe outputs and less memory.  Partial outputs save an operation the
 * memory for another copy of its result, and the time to copy it.  Outputs that lie on
 * inputs are safe all the same.
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
 * @cancellable: (nullable) (transfer none): cancels the operation that runs, from any
 *   thread, within a tenth of a second; %NULL for none
 *
 * Sets what cancels the operations that follow; the context keeps a reference.  A cancelled
 * operation fails with %G_IO_ERROR_CANCELLED.
 */
void
wf_context_set_cancellable (WfContext    *context,
                            GCancellable *cancellable)
{
  g_return_if_fail (context != NULL);

  g_set_object (&context->cancellable, cancellable);
}

/**
 * wf_context_set_stream:
 * @context: a context
 * @stream: (nullable): a stream of CUDA, a cudaStream_t, of the device whose memory views are in;
 *   %NULL for the default stream
 *
 * Sets the caller's stream for the operations that follow, and for wf_image_copy(), where a view is
 * in the memory of a GPU.  They begin there when all is done that was queued on @stream before the
 * call (without a stream: on the default stream, so also on all that block it), and the calling
 * thread waits until they have ended, as for images in main memory: nothing of them runs on, and
 * what is queued after the call on any stream sees the results.  Nothing is queued on @stream but
 * an event.  The stream must exist until another one is set, or the context is freed.
 *
 * wf_image_allocate_on() and wf_image_clear() do not wait for a stream.
 */
void
wf_context_set_stream (WfContext *context,
                       gpointer   stream)
{
  g_return_if_fail (context != NULL);

  context->stream = stream;
}

/* (transfer none) (nullable) */
GCancellable *
wf_context_get_cancellable (WfContext *context)
{
  return context->cancellable;
}

/**
 * wf_context_set_progress:
 * @context: a context
 * @progress: (nullable) (scope forever) (closure user_data): called while an operation
 *   runs; %NULL for none
 * @user_data: for @progress
 *
 * Sets the callback of the operations that follow, in place of the previous one.  It is called
 * in the thread that called the operation, about twenty times a second; @user_data must stay
 * valid until the callback is replaced or the context is freed.
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
 * Gives the report of the last operation that succeeded with @context: device, algorithm and
 * time.  It belongs to the context.
 *
 * Returns: (transfer none): what the last operation that succeeded did; valid until the next one.
 */
const WfReport *
wf_context_get_report (WfContext *context)
{
  g_return_val_if_fail (context != NULL, NULL);

  return &context->report;
}

/**
 * wf_context_get_worker_reports:
 * @context: a context
 * @n_workers: (out): how many there are
 *
 * Gets what each of several devices has done in the last operation that they shared; they belong
 * to the context.
 *
 * Returns: (transfer none) (nullable) (array length=n_workers): a report for each device, valid
 *   until the next operation; %NULL if the last operation was not shared
 */
const WfWorkerReport *
wf_context_get_worker_reports (WfContext *context,
                               guint     *n_workers)
{
  g_return_val_if_fail (context != NULL && n_workers != NULL, NULL);

  *n_workers = context->worker_reports ? context->worker_reports->len : 0;
  return *n_workers > 0 ? (gconstpointer) context->worker_reports->data : NULL;
}

/**
 * wf_context_set_tracing:
 * @context: a context
 * @tracing: whether what is done when is kept from now on
 *
 * Begins a trace of the operations that follow, or ends and forgets it.
 */
void
wf_context_set_tracing (WfContext *context,
                        gboolean   tracing)
{
  g_return_if_fail (context != NULL);

  g_clear_pointer (&context->trace, wf_trace_unref);
  if (tracing)
    context->trace = wf_trace_new ();
}

/**
 * wf_context_get_trace:
 * @context: a context
 *
 * Gets the trace since wf_context_set_tracing(): for each lane of each device what it did when, in
 * the JSON format of Chrome's trace viewer.
 *
 * Returns: (transfer full) (nullable): the text; %NULL without a trace
 */
char *
wf_context_get_trace (WfContext *context)
{
  g_return_val_if_fail (context != NULL, NULL);

  return context->trace ? wf_trace_format (context->trace) : NULL;
}

/* Gives a context that works for @other as many threads and as much memory; results that are not
 * complete are nobody's but the caller's.
 */
void
wf_context_follow (WfContext       *context,
                   const WfContext *other)
{
  context->threads         = other->threads;
  context->tile_size       = other->tile_size;
  context->memory_limit    = other->memory_limit;
  context->partial_outputs = TRUE;
}

/* A context for a part of what @context does, in any thread: on the CPU, cancelled together; no
 * progress, no sharing.
 */
WfContext *
wf_context_new_quiet (const WfContext *context)
{
  WfContext *quiet = wf_context_new ();

  wf_context_follow (quiet, context);
  quiet->device    = DEVICE_CPU;
  quiet->in_blocks = TRUE;
  wf_context_set_cancellable (quiet, context->cancellable);
  return quiet;
}

/* The context that an operation uses: the caller's, or one of its own. */
WfContext *
wf_context_ensure (WfContext *context)
{
  return context ? wf_context_ref (context) : wf_context_new ();
}


/* How many threads of the CPU may work at once; %NULL: in a new context. */
guint
wf_context_count_threads (const WfContext *context)
{
#ifdef _OPENMP
  return context && context->threads > 0 ? context->threads : MAX (1, omp_get_num_procs ());
#else
  return 1;
#endif
}

/* Refuses f32 images that hold a NaN, unless the variant does so itself. */
static gboolean
check_inputs (WfContext        *context,
              const WfPlan     *plan,
              const WfStaging  *staging,
              GError          **error)
{
  WfRun run;

  wf_run_init (&run, context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (context);
  for (guint i = 0; i < G_N_ELEMENTS (plan->inputs) && ! plan->variant->checks_nan; i++)
    if (plan->inputs[i].image &&
        ! wf_image_check_nan (wf_staging_find (staging, plan->inputs[i].image),
                              plan->inputs[i].what, &run, error))
      return FALSE;
  return TRUE;
}

/* Nothing has been done yet. */
void
wf_context_begin_report (WfContext *context)
{
  g_clear_pointer (&context->device_name, g_free);
  g_clear_pointer (&context->notice, g_free);
  g_clear_pointer (&context->worker_reports, g_array_unref);
  g_clear_pointer (&context->reason, g_free);
  memset (&context->report, 0, sizeof context->report);
}

/* Adds a sentence to the notice of the report. */
void
wf_context_add_notice (WfContext  *context,
                       const char *notice)
{
  char *both = context->notice ? g_strdup_printf ("%s %s", context->notice, notice)
                               : g_strdup (notice);

  g_free (context->notice);
  context->notice        = both;
  context->report.notice = both;
}

/* Of a GPU, what goes there and back is told apart from the work. */
static void
trace_run (WfContext   *context,
           const WfRun *run,
           gint64       start)
{
  const gint64 end      = g_get_monotonic_time ();
  const gint64 computed = MAX (start, end - (gint64) (run->download_seconds * G_USEC_PER_SEC));
  const gint64 uploaded = run->device_seconds > 0.0
                          ? MAX (start, computed - (gint64) (run->device_seconds * G_USEC_PER_SEC))
                          : start;
  WfSpan       span     = { context->report.algorithm, context->device_name, context->lane, -1,
                            uploaded, computed };

  if (! context->trace)
    return;
  wf_trace_add (context->trace, &span);
  if (uploaded > start)
    wf_trace_add (context->trace, &(WfSpan) { "upload", context->device_name, context->lane, -1,
                                              start, uploaded });
  if (end > computed)
    wf_trace_add (context->trace, &(WfSpan) { "download", context->device_name, context->lane, -1,
                                              computed, end });
}

/* Does @task, with copies in main memory of images that the variant would not find there. */
static gboolean
run_staged (WfContext      *context,
            WfOperation     operation,
            const WfPlan   *plan,
            gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  const guint64         memory  = wf_plan_count_memory (plan, task,
                                                        wf_context_count_threads (context));
  g_autofree gpointer   copy    = NULL;
  g_auto (WfStaging)    staging = { .context = context };

  if (plan->memory != WF_MEMORY_HOST &&
      (plan->backend == wf_backend_cpu () || plan->variant->reads_on_host))
    {
      task = copy = wf_staging_take_task (&staging, operation, task, memory, error);
      if (! copy)
        return FALSE;
    }
  if (! check_inputs (context, plan, &staging, error) ||
      ! wf_context_open_device (context, plan->backend, plan->device, error))
    return FALSE;
  run->device_state = plan->backend->open ? context->device_state : NULL;
  return plan->variant->run (task, run, error) && wf_staging_deliver (&staging, error);
}

static void
report_steps (WfContext   *context,
              const WfRun *run)
{
  memcpy (context->steps, run->steps, sizeof context->steps);
  context->report.steps   = context->steps;
  context->report.n_steps = run->n_steps;
}

static gboolean
run_plan (WfContext      *context,
          WfOperation     operation,
          const WfPlan   *plan,
          gconstpointer   task,
          double         *reported,
          GError        **error)
{
  WfRun   run;
  gint64  start = g_get_monotonic_time ();
  clock_t ticks = clock ();

  wf_run_init (&run, context->cancellable, context->progress, context->progress_data, *reported);
  run.n_threads       = plan->backend == wf_backend_cpu () ? wf_context_count_threads (context)
                                                           : 1;
  run.tile_size       = context->tile_size;
  run.device          = plan->device;
  run.partial_outputs = context->partial_outputs;
  run.has_views       = plan->memory != WF_MEMORY_HOST;
  run.stream          = context->stream;
  wf_run_keep_team (&run, plan->n_pixels);

  if (g_cancellable_is_cancelled (context->cancellable))
    return wf_run_set_cancelled (error);
  if (! run_staged (context, operation, plan, task, &run, error))
    {
      *reported = run.reported;
      return FALSE;
    }

  wf_run_finish (&run);
  context->device_name           = wf_device_name (plan->backend, plan->device);
  context->report.device         = context->device_name;
  context->report.algorithm      = plan->variant->algorithm;
  context->report.threads        = run.n_threads;
  context->report.seconds        = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  context->report.device_seconds = run.device_seconds;
  context->report.executions     = run.executions;
  context->report.queued_first   = run.queued_first;
  context->report.queued         = run.queued;
  report_steps (context, &run);
  context->seconds              += context->report.seconds;
  context->device_seconds       += run.device_seconds;
  context->download_seconds     += run.download_seconds;
  trace_run (context, &run, start);
  context->reason                = plan->n_pixels > 0 ? wf_plan_explain (context, plan) : NULL;
  context->report.reason         = context->reason;
  g_debug ("%s on %s: %.6f s, processors %.6f s", context->report.algorithm,
           context->report.device, context->report.seconds,
           (double) (clock () - ticks) / CLOCKS_PER_SEC);
  if (run.executions > 1)
    {
      g_autofree char *notice = g_strdup_printf (_("Queues overflowed, so the propagation was "
                                                   "executed %u times."), run.executions);

      wf_context_add_notice (context, notice);
    }
  if (context->missing && plan->backend != wf_backend_cpu ())
    wf_context_add_notice (context, context->missing);
  else if (context->missing)
    {
      g_autofree char *notice = g_strdup_printf (_("Computed on the CPU: %s"), context->missing);

      wf_context_add_notice (context, notice);
    }
  return TRUE;
}

/* Of all devices, one has done alone what they cannot share. */
void
wf_context_tell_alone (WfContext *context)
{
  g_autofree char *notice = NULL;

  if (context->device != DEVICE_ALL || ! wf_backend_loaded (NULL))
    return;
  notice = g_strdup_printf (_("This operation cannot use several devices at once: it was computed "
                              "on %s."), context->device_name);
  wf_context_add_notice (context, notice);
}

static void
tell_not_shared (WfContext   *context,
                 WfOperation  operation)
{
  if (operation < WF_N_OPERATIONS && wf_operation_get_record (operation)->share_cost <= 0.0)
    wf_context_tell_alone (context);
}

/* Why the device of the report was chosen; takes @reason. */
void
wf_context_set_reason (WfContext *context,
                       char      *reason)
{
  g_free (context->reason);
  context->reason        = reason;
  context->report.reason = reason;
}

/* Reports what several devices have done together; takes @names. */
void
wf_context_report_devices (WfContext  *context,
                           char       *names,
                           const char *algorithm)
{
  g_free (context->device_name);
  context->device_name           = names;
  context->report.device         = names;
  context->report.algorithm      = algorithm;
  context->report.threads        = wf_context_count_threads (context);
  context->report.executions     = 1;
  context->report.n_steps        = 0;
  context->report.queued_first   = 0;
  context->report.queued         = 0;
}

/* Names the device in an error that the device has caused, not the task. */
static void
blame_device (const WfPlan  *plan,
              GError       **failure)
{
  g_autofree char *name = wf_device_name (plan->backend, plan->device);

  if (plan->backend != wf_backend_cpu () &&
      (g_error_matches (*failure, WF_ERROR, WF_ERROR_DEVICE) ||
       g_error_matches (*failure, WF_ERROR, WF_ERROR_MEMORY)))
    g_prefix_error (failure, _("On %s: "), name);
}

/* Runs @plan.  Where the fallback allows it, the CPU replaces a device that fails, and the
 * report says so: a variant that fails has written nothing.
 */
gboolean
wf_context_run (WfContext      *context,
                WfOperation     operation,
                const WfPlan   *plan,
                gconstpointer   task,
                GError        **error)
{
  g_autoptr (GError)  failure  = NULL;
  g_autofree char    *device   = wf_plan_get_device (plan);
  g_autofree char    *notice   = NULL;
  WfPlan              plan_on_cpu;
  double              reported = 0.0;

  wf_context_begin_report (context);
  if (run_plan (context, operation, plan, task, &reported, &failure))
    {
      tell_not_shared (context, operation);
      if (plan->stands_in)
        wf_context_add_notice (context,
                               _("Computed on the CPU, because the GPU cannot do this task."));
      return TRUE;
    }

  if (! wf_context_plan_instead (context, operation, plan, task, failure, &plan_on_cpu))
    {
      blame_device (plan, &failure);
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }

  notice = g_strdup_printf (_("Computed on the CPU, because %s failed: %s"), device,
                            failure->message);
  if (! wf_context_check_memory (context, &plan_on_cpu, task, error) ||
      ! run_plan (context, operation, &plan_on_cpu, task, &reported, error))
    return FALSE;
  tell_not_shared (context, operation);
  wf_context_add_notice (context, notice);
  return TRUE;
}

void
wf_context_set_no_background (WfContext  *context,
                              const char *notice)
{
  context->report.no_background = TRUE;
  wf_context_add_notice (context, notice);
}
