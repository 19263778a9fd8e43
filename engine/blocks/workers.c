/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "workers-private.h"

/* Blocks at work on one GPU: one on its way there, one computed, one on its way back. */
#define LANES_OF_A_GPU 3

/* The part of a GPU's free memory that its lanes may take together. */
#define SHARE_OF_A_GPU 0.9

/* Blocks for each lane, at least, so that all end at about the same time. */
#define BLOCKS_OF_A_LANE 2

/* Pixels of a block, at most: enough for a GPU, and little of what is to be done. */
#define PIXELS_OF_A_BLOCK ((gint64) 1 << 28)


/*  Devices  */

static void
worker_free (gpointer data)
{
  Worker *worker = data;

  g_free (worker->name);
  g_free (worker);
}

static void
lane_free (gpointer data)
{
  Lane *lane = data;

  g_clear_pointer (&lane->public.context, wf_context_unref);
  g_free (lane);
}

static void
add_lane (WfWorkers *workers,
          Worker    *worker,
          WfContext *context)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->public  = (WfLane) { workers->lanes->len, context, workers->workers->len - 1 };
  lane->workers = workers;
  lane->worker  = worker;
  lane->block   = -1;
  g_ptr_array_add (workers->lanes, lane);
  worker->n_lanes++;
}

/* A context that an operation before has left, with what it keeps on the device, or a new one. */
static WfContext *
find_context (WfContext    *caller,
              DeviceChoice  device,
              guint         index)
{
  for (guint i = 0; caller->lanes && i < caller->lanes->len; i++)
    {
      const WfContext *kept = caller->lanes->pdata[i];

      if (kept->device == device && kept->device_index == index)
        return g_ptr_array_steal_index (caller->lanes, i);
    }
  return wf_context_new ();
}

/* Leaves the context of a lane for the next operation. */
static void
keep_context (WfContext *caller,
              WfContext *context)
{
  wf_context_set_cancellable (context, NULL);
  wf_context_set_tracing (context, FALSE);
  wf_context_begin_report (context);
  context->seconds        = 0.0;
  context->device_seconds = 0.0;
  context->download_seconds = 0.0;
  if (! caller->lanes)
    caller->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_context_unref);
  g_ptr_array_add (caller->lanes, context);
}

/* A context of one lane, which has no progress of its own, and no device but this one. */
static WfContext *
make_context (const WfWorkers *workers,
              DeviceChoice     device,
              guint            index)
{
  WfContext *caller  = workers->context;
  WfContext *context = find_context (caller, device, index);

  wf_context_follow (context, caller);
  wf_context_set_cancellable (context, workers->stop);
  context->device       = device;
  context->device_index = index;
  context->fallback     = WF_FALLBACK_NONE;
  context->lane         = workers->lanes->len;
  context->trace        = caller->trace ? wf_trace_ref (caller->trace) : NULL;
  return context;
}

static Worker *
add_worker (WfWorkers       *workers,
            const WfBackend *backend,
            guint            index)
{
  Worker *worker = g_new0 (Worker, 1);

  worker->name = wf_device_name (backend, index);
  g_ptr_array_add (workers->workers, worker);
  return worker;
}

static void
add_gpu (WfWorkers       *workers,
         const WfBackend *backend,
         guint            index)
{
  Worker *worker = add_worker (workers, backend, index);

  for (int i = 0; i < LANES_OF_A_GPU; i++)
    add_lane (workers, worker, make_context (workers, DEVICE_CUDA, index));
}

static void
add_cpu (WfWorkers *workers,
         gboolean   reserve)
{
  Worker *worker = add_worker (workers, wf_backend_cpu (), 0);

  worker->reserve = reserve;
  add_lane (workers, worker, make_context (workers, DEVICE_CPU, 0));
}

/* The GPUs that were named and can do the task. */
static void
add_gpus (WfWorkers     *workers,
          WfOperation    operation,
          const char    *algorithm,
          gconstpointer  task)
{
  const WfContext    *context = workers->context;
  const WfDeviceList *devices = &context->devices;
  const WfBackend    *backend = context->device == DEVICE_CPU || context->device == DEVICE_AUTO
                                ? NULL : wf_backend_loaded (NULL);

  if (! backend || ! wf_backend_find_variant (backend, operation, algorithm, task))
    return;
  for (guint i = 0; devices->all && i < backend->n_devices; i++)
    add_gpu (workers, backend, i);
  for (guint i = 0; i < devices->n_gpus; i++)
    add_gpu (workers, backend, devices->gpus[i]);
}

static void
cancel_all (GCancellable *cancellable,
            gpointer      stop)
{
  g_cancellable_cancel (stop);
}

/* The workers of an operation, to be freed.  @task: without pixels, of a block; @image: the whole,
 * with its pixels if they are in memory
 */
WfWorkers *
wf_workers_new (WfContext     *context,
                WfOperation    operation,
                const char    *algorithm,
                gconstpointer  task,
                const WfImage *image)
{
  WfWorkers *workers = g_new0 (WfWorkers, 1);

  workers->context = wf_context_ref (context);
  workers->stop    = g_cancellable_new ();
  workers->workers = g_ptr_array_new_with_free_func (worker_free);
  workers->lanes   = g_ptr_array_new_with_free_func (lane_free);
  g_mutex_init (&workers->files);
  g_mutex_init (&workers->lock);
  g_cond_init (&workers->changed);

  add_gpus (workers, operation, algorithm, task);
  if (workers->lanes->len == 0)
    add_lane (workers, add_worker (workers, wf_backend_cpu (), 0), wf_context_ref (context));
  else if (wf_backend_find_variant (wf_backend_cpu (), operation, algorithm, task) &&
           (context->device == DEVICE_ALL || wf_context_may_fall_back (context)))
    add_cpu (workers, context->device != DEVICE_ALL);
  wf_workers_judge (workers, operation, algorithm, task, image);

  g_set_object (&workers->cancellable, context->cancellable);
  if (workers->cancellable)
    workers->stop_handler = g_cancellable_connect (workers->cancellable, G_CALLBACK (cancel_all),
                                                   workers->stop, NULL);
  return workers;
}

void
wf_workers_free (WfWorkers *workers)
{
  if (workers->stop_handler)
    g_cancellable_disconnect (workers->cancellable, workers->stop_handler);
  g_clear_object (&workers->cancellable);
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      Lane *lane = workers->lanes->pdata[i];

      if (lane->public.context != workers->context)
        keep_context (workers->context, g_steal_pointer (&lane->public.context));
    }
  g_ptr_array_unref (workers->lanes);
  g_ptr_array_unref (workers->workers);
  g_clear_error (&workers->failure);
  g_mutex_clear (&workers->files);
  g_mutex_clear (&workers->lock);
  g_cond_clear (&workers->changed);
  g_object_unref (workers->stop);
  wf_context_unref (workers->context);
  g_free (workers);
}

/* How many are no reserves. */
guint
wf_workers_count_active (const WfWorkers *workers)
{
  guint n = 0;

  for (guint i = 0; i < workers->workers->len; i++)
    n += ! ((Worker *) workers->workers->pdata[i])->reserve;
  return n;
}

/* Whether several devices share the blocks of an image, as of wf_workers_new(). */
gboolean
wf_workers_are_several (WfContext     *context,
                        WfOperation    operation,
                        const char    *algorithm,
                        gconstpointer  task,
                        const WfImage *image)
{
  g_autoptr (WfWorkers) workers = wf_workers_new (context, operation, algorithm, task, image);

  return wf_workers_count_active (workers) > 1 && workers->is_worth_several;
}

guint
wf_workers_count_lanes (const WfWorkers *workers)
{
  return workers->lanes->len;
}

guint
wf_workers_count (const WfWorkers *workers)
{
  return workers->workers->len;
}

gboolean
wf_workers_have_gpu (const WfWorkers *workers)
{
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane *lane = workers->lanes->pdata[i];

      if (lane->public.context->device == DEVICE_CUDA && ! lane->worker->reserve)
        return TRUE;
    }
  return FALSE;
}

/* Whether the lane with this number works on a GPU, and not in main memory. */
gboolean
wf_workers_is_on_gpu (const WfWorkers *workers,
                      guint            lane)
{
  return ((Lane *) workers->lanes->pdata[lane])->public.context->device == DEVICE_CUDA &&
         workers->lanes->len > 1;
}

/* Whether @block, without pixels, fits into the memory of each device as often as it has lanes. */
gboolean
wf_workers_fit (const WfWorkers *workers,
                WfOperation      operation,
                gconstpointer    options,
                const WfImage   *block)
{
  const guint n = workers->lanes->len;

  for (guint i = 0; i < n; i += ((Lane *) workers->lanes->pdata[i])->worker->n_lanes)
    {
      const Lane            *lane     = workers->lanes->pdata[i];
      g_autoptr (WfForecast) forecast = wf_context_forecast (lane->public.context, operation,
                                                             block, options, NULL);

      if (forecast && forecast->device_needed * lane->worker->n_lanes >
                      SHARE_OF_A_GPU * forecast->device_free / workers->context->gpu_sharers)
        return FALSE;
    }
  return TRUE;
}

/* Bytes of a worker's own memory that its lanes leave when each is at work on a block like @block,
 * which is without pixels; 0 for a CPU.  @needed: (nullable): result: what each needs for that
 */
guint64
wf_workers_count_spare (const WfWorkers *workers,
                        guint            worker,
                        WfOperation      operation,
                        gconstpointer    options,
                        const WfImage   *block,
                        guint64         *needed)
{
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane            *lane = workers->lanes->pdata[i];
      g_autoptr (WfForecast) forecast = NULL;
      double                 spare;

      if (lane->public.worker != worker || lane->public.context->device != DEVICE_CUDA)
        continue;
      forecast = wf_context_forecast (lane->public.context, operation, block, options, NULL);
      if (! forecast)
        return 0;
      if (needed)
        *needed = forecast->device_needed;
      spare = SHARE_OF_A_GPU * forecast->device_free / workers->context->gpu_sharers -
              (double) forecast->device_needed * lane->worker->n_lanes;
      return (guint64) MAX (spare, 0.0);
    }
  return 0;
}

/* The most rows (of a stack: slices) of a block: as many as the memory of each GPU allows, and so
 * few that all lanes have blocks.  @image: was checked; @rows: those that are wanted, or 0.
 * 0 where there is a single lane, and no other limit.
 */
gint64
wf_workers_limit_rows (const WfWorkers     *workers,
                       WfOperation          operation,
                       gconstpointer        options,
                       const WfBlockSource *image,
                       gint64               rows)
{
  const WfImage whole = wf_source_view (image);
  WfImage       block = whole;
  gint64       *least = whole.depth > 1 ? &block.depth : &block.height;
  const gint64  units = *least;
  const WfPart  part  = wf_ranks_find_part (workers->context->ranks, units);
  const gint64  own   = part.end - part.first;
  const gint64  unit  = wf_image_n_pixels (&whole) / units;
  const guint   n     = workers->lanes->len;

  if (n == 1)
    return rows;
  if (rows == 0)
    rows = MAX (1, MIN (own / (BLOCKS_OF_A_LANE * n), PIXELS_OF_A_BLOCK / unit));
  for (*least = rows; rows > 1 && ! wf_workers_fit (workers, operation, options, &block);
       *least = rows)
    rows = (rows + 1) / 2;
  return rows;
}

/* What a lane does beside its device's work begins: with files, or with images in memory. */
void
wf_workers_begin_access (WfWorkers    *workers,
                         const WfLane *lane)
{
  Lane *own = workers->lanes->pdata[lane->number];

  own->files_since = g_get_monotonic_time ();
}

/* @what: was done, for the trace */
void
wf_workers_end_access (WfWorkers    *workers,
                       const WfLane *lane,
                       const char   *what)
{
  Lane         *own = workers->lanes->pdata[lane->number];
  const gint64  now = g_get_monotonic_time ();

  own->file_seconds += (now - own->files_since) / (double) G_USEC_PER_SEC;
  if (workers->context->trace)
    wf_trace_add (workers->context->trace,
                  &(WfSpan) { what, own->worker->name, lane->number, own->block,
                              own->files_since, now });
}

/* The same of sources and sinks, which are called from one thread at a time. */
void
wf_workers_begin_files (WfWorkers    *workers,
                        const WfLane *lane)
{
  g_mutex_lock (&workers->files);
  wf_workers_begin_access (workers, lane);
}

void
wf_workers_end_files (WfWorkers    *workers,
                      const WfLane *lane,
                      const char   *what)
{
  g_mutex_unlock (&workers->files);
  wf_workers_end_access (workers, lane, what);
}

/* To be returned where the operation on the lane's device has failed; other errors are not its. */
gboolean
wf_workers_blame_device (WfWorkers    *workers,
                         const WfLane *lane)
{
  ((Lane *) workers->lanes->pdata[lane->number])->device_failed = TRUE;
  return FALSE;
}

/* The plan for the task of a band on the lane's device: the CPU where none was named. */
gboolean
wf_workers_plan (const WfLane   *lane,
                 WfOperation     operation,
                 const char     *algorithm,
                 gconstpointer   task,
                 WfPlan         *plan,
                 GError        **error)
{
  const WfBackend *backend = lane->context->device == DEVICE_CUDA ? wf_backend_loaded (error)
                                                                  : wf_backend_cpu ();

  if (! backend)
    return FALSE;
  *plan = (WfPlan) { .backend = backend,
                     .variant = wf_backend_find_variant (backend, operation, algorithm, task),
                     .device  = lane->context->device == DEVICE_CUDA
                                ? lane->context->device_index : 0 };
  if (plan->variant)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED, _("No algorithm of %s can do this task."),
               wf_operation_get_options (operation)->name);
  return FALSE;
}


/*  Reports  */

static WfWorkerReport
report_worker (const WfWorkers *workers,
               const Worker    *worker)
{
  WfWorkerReport report = { .device = g_intern_string (worker->name), .blocks = worker->n_visits,
                            .failed = worker->out };

  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane      *lane    = workers->lanes->pdata[i];
      const WfContext *context = lane->public.context;
      const double     compute = context->device == DEVICE_CUDA ? context->device_seconds
                                                                : context->seconds;

      if (lane->worker != worker)
        continue;
      report.busy_seconds     += lane->busy_seconds;
      report.compute_seconds  += compute;
      report.download_seconds += context->download_seconds;
      report.upload_seconds   += MAX (0.0, context->seconds - compute - context->download_seconds);
      report.file_seconds     += lane->file_seconds;
    }
  return report;
}

/* Tells the caller's context what several lanes have done. */
void
wf_workers_report (WfWorkers *workers)
{
  WfContext  *context   = workers->context;
  GString    *names     = g_string_new (NULL);
  const char *algorithm = NULL;

  g_clear_pointer (&context->worker_reports, g_array_unref);
  context->worker_reports = g_array_new (FALSE, FALSE, sizeof (WfWorkerReport));
  context->report.device_seconds = 0.0;
  for (guint i = 0; i < workers->workers->len; i++)
    {
      const WfWorkerReport worker = report_worker (workers, workers->workers->pdata[i]);

      g_array_append_val (context->worker_reports, worker);
      if (worker.blocks > 0)
        g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "", worker.device);
    }
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane *lane = workers->lanes->pdata[i];

      context->report.device_seconds += lane->public.context->device_seconds;
      if (lane->public.context->report.algorithm)
        algorithm = lane->public.context->report.algorithm;
    }
  wf_context_report_devices (context, g_string_free (names, FALSE), algorithm);
  if (context->missing && ! workers->has_told_missing)
    wf_context_add_notice (context, context->missing);
  workers->has_told_missing = TRUE;
}
