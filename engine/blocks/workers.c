/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "workers.h"

/* Blocks at work on one GPU: one on its way there, one computed, one on its way back. */
#define LANES_OF_A_GPU 3

/* The part of a GPU's free memory that its lanes may take together. */
#define SHARE_OF_A_GPU 0.9

/* Blocks for each lane, at least, so that all end at about the same time. */
#define BLOCKS_OF_A_LANE 2

/* Pixels of a block, at most: enough for a GPU, and little of what is to be done. */
#define PIXELS_OF_A_BLOCK ((gint64) 1 << 28)

/* How often the caller's thread reports progress, in microseconds. */
#define REPORT_INTERVAL (G_USEC_PER_SEC / 20)

/* How much the last visit counts in the pace. */
#define WEIGHT_OF_A_VISIT 0.5

/**
 * Worker:
 * @name: of its device
 * @n_lanes: its lanes
 * @reserve: works only where all others have been left out
 * @out: it failed and was left out
 * @pace: pixels a second of all its lanes, or 0 before its first visit
 * @n_visits: how many blocks it has visited
 */
typedef struct
{
  char     *name;
  guint     n_lanes;
  gboolean  reserve;
  gboolean  out;
  double    pace;
  gint64    n_visits;
} Worker;

/**
 * Lane:
 * @block: the one that it visits, or −1
 * @gave_back: it did not visit the block that it had taken
 * @busy_seconds: of its visits
 * @file_seconds: in which it read and wrote
 * @files_since: when it began to
 */
typedef struct
{
  WfLane     public;
  WfWorkers *workers;
  Worker    *worker;
  gint64     block;
  gboolean   gave_back;
  double     busy_seconds;
  double     file_seconds;
  gint64     files_since;
} Lane;

/**
 * WfWorkers:
 * @context: the caller's
 * @stop: cancels all lanes
 * @files: held while a source is read or a sink written
 * @lock: of all that follows, and of the pass
 * @changed: a lane has finished a visit, or all are to stop
 * @running: for each block whether a lane visits it
 * @from, @step: where the next block is looked for, and in which direction
 * @n_done: visits so far
 * @n_in_order: blocks from the first on that have been visited
 * @failure: the first error that ends the work
 */
struct _WfWorkers
{
  WfContext    *context;
  GCancellable *stop;
  gulong        stop_handler;
  GPtrArray    *workers;
  GPtrArray    *lanes;
  GMutex        files;
  GMutex        lock;
  GCond         changed;
  WfPass       *pass;
  gboolean     *running;
  gint64        n_running;
  gint64        from;
  int           step;
  gint64        n_done;
  gint64        n_in_order;
  GError       *failure;
};


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

  lane->public  = (WfLane) { workers->lanes->len, context };
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
  context->seconds        = 0.0;
  context->device_seconds = 0.0;
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

  context->device          = device;
  context->device_index    = index;
  context->fallback        = WF_FALLBACK_NONE;
  context->threads         = caller->threads;
  context->tile_size       = caller->tile_size;
  context->memory_limit    = caller->memory_limit;
  context->partial_outputs = TRUE;
  context->lane            = workers->lanes->len;
  context->trace           = caller->trace ? wf_trace_ref (caller->trace) : NULL;
  wf_context_set_cancellable (context, workers->stop);
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

/* The workers of an operation; @task: without pixels, of a block.  To be freed. */
WfWorkers *
wf_workers_new (WfContext     *context,
                WfOperation    operation,
                const char    *algorithm,
                gconstpointer  task)
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

  if (context->cancellable)
    workers->stop_handler = g_cancellable_connect (context->cancellable, G_CALLBACK (cancel_all),
                                                   workers->stop, NULL);
  return workers;
}

void
wf_workers_free (WfWorkers *workers)
{
  if (workers->stop_handler)
    g_cancellable_disconnect (workers->context->cancellable, workers->stop_handler);
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

/* Whether several devices share the blocks of this operation. */
gboolean
wf_workers_are_several (WfContext     *context,
                        WfOperation    operation,
                        const char    *algorithm,
                        gconstpointer  task)
{
  g_autoptr (WfWorkers) workers = wf_workers_new (context, operation, algorithm, task);
  guint                 n       = 0;

  for (guint i = 0; i < workers->workers->len; i++)
    n += ! ((Worker *) workers->workers->pdata[i])->reserve;
  return n > 1;
}

guint
wf_workers_count_lanes (const WfWorkers *workers)
{
  return workers->lanes->len;
}

const WfLane *
wf_workers_get_lane (const WfWorkers *workers,
                     guint            number)
{
  return &((Lane *) workers->lanes->pdata[number])->public;
}

/* Whether @rows rows of @whole fit into the memory of a lane's device as often as it has lanes. */
static gboolean
fits (const Lane    *lane,
      WfOperation    operation,
      gconstpointer  options,
      const WfImage *whole,
      gint64         rows)
{
  WfImage                block    = *whole;
  g_autoptr (WfForecast) forecast = NULL;

  *(whole->depth > 1 ? &block.depth : &block.height) = rows;
  forecast = wf_context_forecast (lane->public.context, operation, &block, options, NULL);
  return ! forecast || forecast->device_needed * lane->worker->n_lanes <=
                       SHARE_OF_A_GPU * forecast->device_free;
}

/* The most rows (of a stack: slices) of a block: as many as the memory of each GPU allows, and so
 * few that all lanes have blocks.  @whole: the image without pixels; @rows: those that are wanted,
 * or 0.  0 where there is a single lane, and no other limit.
 */
gint64
wf_workers_limit_rows (const WfWorkers *workers,
                       WfOperation      operation,
                       gconstpointer    options,
                       const WfImage   *whole,
                       gint64           rows)
{
  const gint64 units = whole->depth > 1 ? whole->depth : whole->height;
  const gint64 unit  = wf_image_n_pixels (whole) / units;
  const guint  n     = workers->lanes->len;

  if (n == 1)
    return rows;
  if (rows == 0)
    rows = MAX (1, MIN (units / (BLOCKS_OF_A_LANE * n), PIXELS_OF_A_BLOCK / unit));
  for (guint i = 0; i < n; i++)
    while (rows > 1 && ! fits (workers->lanes->pdata[i], operation, options, whole, rows))
      rows = (rows + 1) / 2;
  return rows;
}

/* Sources and sinks are called from one thread at a time. */
void
wf_workers_begin_files (WfWorkers    *workers,
                        const WfLane *lane)
{
  Lane *own = workers->lanes->pdata[lane->number];

  g_mutex_lock (&workers->files);
  own->files_since = g_get_monotonic_time ();
}

/* @what: was done with them, for the trace */
void
wf_workers_end_files (WfWorkers    *workers,
                      const WfLane *lane,
                      const char   *what)
{
  Lane         *own = workers->lanes->pdata[lane->number];
  const gint64  now = g_get_monotonic_time ();

  g_mutex_unlock (&workers->files);
  own->file_seconds += (now - own->files_since) / (double) G_USEC_PER_SEC;
  if (workers->context->trace)
    wf_trace_add (workers->context->trace,
                  &(WfSpan) { what, own->worker->name, lane->number, own->block,
                              own->files_since, now });
}


/*  Which block next  */

void
wf_pass_set_waiting (WfPass   *pass,
                     gint64    block,
                     gboolean  waits)
{
  pass->n_waiting    += (waits != FALSE) - (pass->waits[block] != FALSE);
  pass->waits[block]  = waits;
}

/* The next block in the present direction that waits and that nobody visits, or −1. */
static gint64
look_ahead (const WfWorkers *workers)
{
  const WfPass *pass = workers->pass;

  for (gint64 i = workers->from; i >= 0 && i < pass->n; i += workers->step)
    if (pass->waits[i] && ! workers->running[i])
      return i;
  return -1;
}

/* Blocks that are visited again are so up and down in turn: a wave that crosses many of them
 * crosses each once.
 */
static gint64
find_next (WfWorkers *workers)
{
  gint64 next;

  if (workers->pass->in_order)
    workers->from = workers->n_in_order;
  next = look_ahead (workers);
  if (next < 0 && ! workers->pass->in_order)
    {
      workers->step = -workers->step;
      workers->from = workers->step > 0 ? 0 : workers->pass->n - 1;
      next          = look_ahead (workers);
    }
  return next;
}

static gboolean
is_over (const WfWorkers *workers)
{
  const WfPass *pass = workers->pass;

  return workers->failure || g_cancellable_is_cancelled (workers->stop) ||
         (workers->n_running == 0 &&
          (pass->n_waiting == 0 || (pass->most > 0 && workers->n_done >= pass->most)));
}

static gboolean
is_alive (const Worker *worker)
{
  return ! worker->out && ! worker->reserve;
}

/* Whether the others will have done all that waits before this worker is done with one block. */
static gboolean
is_too_slow (const WfWorkers *workers,
             const Worker    *worker)
{
  double   others = 0.0;
  gboolean slower = FALSE;

  for (guint i = 0; i < workers->workers->len; i++)
    {
      const Worker *other = workers->workers->pdata[i];

      if (other == worker || ! is_alive (other))
        continue;
      others += other->pace;
      slower |= other->pace > worker->pace;
    }
  return slower && worker->pace > 0.0 &&
         others * worker->n_lanes > worker->pace * workers->pass->n_waiting;
}

/* Whether a worker may take a block now. */
static gboolean
may_work (const WfWorkers *workers,
          const Worker    *worker)
{
  const WfPass *pass = workers->pass;

  if (worker->out || (pass->most > 0 && workers->n_done + workers->n_running >= pass->most))
    return FALSE;
  if (! worker->reserve)
    return ! is_too_slow (workers, worker);
  for (guint i = 0; i < workers->workers->len; i++)
    if (is_alive (workers->workers->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
take_block (Lane *lane)
{
  WfWorkers *workers = lane->workers;

  lane->block = may_work (workers, lane->worker) ? find_next (workers) : -1;
  if (lane->block < 0)
    return FALSE;
  workers->from = lane->block;
  workers->running[lane->block] = TRUE;
  workers->n_running++;
  wf_pass_set_waiting (workers->pass, lane->block, FALSE);
  return TRUE;
}

/* Waits until all blocks before @block have been visited, for sinks that take blocks in order.
 * Fails where a lane must give its block back, because one before it waits for a lane.
 */
static gboolean
await_turn (WfWorkers     *workers,
            const WfLane  *lane,
            gint64         block,
            GError       **error)
{
  Lane     *own = workers->lanes->pdata[lane->number];
  gboolean  first;

  g_mutex_lock (&workers->lock);
  while (workers->n_in_order < block && ! own->gave_back && ! is_over (workers))
    {
      for (gint64 i = workers->n_in_order; i < block; i++)
        own->gave_back |= workers->pass->waits[i];
      if (! own->gave_back)
        g_cond_wait (&workers->changed, &workers->lock);
    }
  first = workers->n_in_order >= block;
  g_mutex_unlock (&workers->lock);
  return first || wf_run_set_cancelled (error);
}


/* Writes band @number, in a pass that writes each band once.  A sink in memory has it already. */
gboolean
wf_workers_write (WfWorkers          *workers,
                  const WfLane       *lane,
                  const WfBands      *bands,
                  const WfBlockSink  *sink,
                  gint64              number,
                  const WfImage      *band,
                  GError            **error)
{
  gboolean success;

  if (sink->image)
    return TRUE;
  if (! sink->any_order && ! await_turn (workers, lane, number, error))
    return FALSE;
  wf_workers_begin_files (workers, lane);
  success = wf_bands_write (bands, sink, number, band, error);
  wf_workers_end_files (workers, lane, "write");
  return success;
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


/*  Visits  */

/* A device that fails is left out; other errors, and that of the last device, end the work. */
static void
take_failure (Lane   *lane,
              GError *error)
{
  WfWorkers *workers = lane->workers;
  Worker    *worker  = lane->worker;
  gboolean   left    = FALSE;

  wf_pass_set_waiting (workers->pass, lane->block, TRUE);
  if (lane->gave_back || worker->out)
    {
      g_error_free (error);
      return;
    }
  worker->out = g_error_matches (error, WF_ERROR, WF_ERROR_DEVICE) ||
                g_error_matches (error, WF_ERROR, WF_ERROR_MEMORY);
  for (guint i = 0; i < workers->workers->len; i++)
    left |= ! ((Worker *) workers->workers->pdata[i])->out;
  if (worker->out && left)
    {
      g_autofree char *notice = g_strdup_printf (_("The device %s failed and was left out: %s"),
                                                 worker->name, error->message);

      wf_context_add_notice (workers->context, notice);
      g_error_free (error);
      return;
    }
  if (workers->failure)
    g_error_free (error);
  else
    workers->failure = error;
  g_cancellable_cancel (workers->stop);
}

static void
take_success (Lane   *lane,
              gint64  microseconds)
{
  WfWorkers    *workers = lane->workers;
  Worker       *worker  = lane->worker;
  const WfPass *pass    = workers->pass;
  const double  pace    = worker->n_lanes * (double) pass->n_pixels * G_USEC_PER_SEC /
                          MAX (microseconds, 1);

  worker->pace = worker->n_visits == 0
                 ? pace : worker->pace + WEIGHT_OF_A_VISIT * (pace - worker->pace);
  worker->n_visits++;
  lane->busy_seconds += microseconds / (double) G_USEC_PER_SEC;
  workers->n_done++;
  if (lane->block == workers->n_in_order)
    workers->n_in_order++;
  if (pass->done)
    pass->done (pass->data, &lane->public, lane->block);
}

/* Visits the block that @lane has taken; called and left with the lock held. */
static void
visit_block (Lane *lane)
{
  WfWorkers    *workers = lane->workers;
  const WfPass *pass    = workers->pass;
  const gint64  start   = g_get_monotonic_time ();
  GError       *error   = NULL;
  gboolean      success;

  lane->gave_back = FALSE;
  g_mutex_unlock (&workers->lock);
  success = pass->visit (pass->data, &lane->public, lane->block, &error);
  g_mutex_lock (&workers->lock);

  workers->running[lane->block] = FALSE;
  workers->n_running--;
  if (success)
    take_success (lane, g_get_monotonic_time () - start);
  else
    take_failure (lane, error);
  lane->block = -1;
  g_cond_broadcast (&workers->changed);
}

static gpointer
work (gpointer data)
{
  Lane      *lane    = data;
  WfWorkers *workers = lane->workers;

  g_mutex_lock (&workers->lock);
  while (! is_over (workers) && ! lane->worker->out)
    if (take_block (lane))
      visit_block (lane);
    else
      g_cond_wait (&workers->changed, &workers->lock);
  g_cond_broadcast (&workers->changed);
  g_mutex_unlock (&workers->lock);
  return NULL;
}


/*  A pass  */

/* How many visits are to come, as far as that is known. */
static gint64
count_left (const WfWorkers *workers)
{
  const WfPass *pass = workers->pass;
  const gint64  left = pass->n_waiting + workers->n_running;

  return pass->n_later + (pass->most > 0 ? MIN (left, pass->most - workers->n_done) : left);
}

/* What the caller's thread follows. */
typedef struct
{
  WfWorkers *workers;
  WfSteps   *steps;
  gint64     reported;
} Follower;

/* The caller's thread reports what the lanes have done; called and left with the lock held. */
static void
report_visits (Follower *follower)
{
  WfWorkers    *workers = follower->workers;
  const gint64  done    = workers->n_done;
  const gint64  left    = count_left (workers);

  if (done == follower->reported)
    return;
  g_mutex_unlock (&workers->lock);
  wf_steps_advance (follower->steps, done - follower->reported);
  wf_steps_set_left (follower->steps, left);
  follower->reported = done;
  g_mutex_lock (&workers->lock);
}

/* Of WfProgressFunc: what the lanes have done while the caller's thread visits a block itself. */
static void
report_meanwhile (double   fraction,
                  gpointer data)
{
  Follower *follower = data;

  g_mutex_lock (&follower->workers->lock);
  report_visits (follower);
  g_mutex_unlock (&follower->workers->lock);
}

/* @own: the lane that is the caller's thread's, or NULL */
static void
follow (Follower *follower,
        Lane     *own)
{
  WfWorkers *workers = follower->workers;

  g_mutex_lock (&workers->lock);
  while (! is_over (workers))
    {
      if (own && ! own->worker->out && take_block (own))
        visit_block (own);
      else
        g_cond_wait_until (&workers->changed, &workers->lock,
                           g_get_monotonic_time () + REPORT_INTERVAL);
      report_visits (follower);
    }
  g_cond_broadcast (&workers->changed);
  g_mutex_unlock (&workers->lock);
}

/* The CPU's lane, if it has one: the caller's thread does its work, whose team of threads is there
 * already.
 */
static Lane *
find_own_lane (const WfWorkers *workers)
{
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      Lane *lane = workers->lanes->pdata[i];

      if (lane->public.context->device == DEVICE_CPU)
        return lane;
    }
  return NULL;
}

static void
run_lanes (WfWorkers *workers,
           WfSteps   *steps)
{
  g_autofree GThread **threads  = g_new0 (GThread *, workers->lanes->len);
  Follower             follower = { .workers = workers, .steps = steps };
  Lane                *own      = find_own_lane (workers);

  if (own)
    wf_context_set_progress (own->public.context, report_meanwhile, &follower);
  for (guint i = 0; i < workers->lanes->len; i++)
    if (workers->lanes->pdata[i] != own)
      threads[i] = g_thread_new ("wavefront-lane", work, workers->lanes->pdata[i]);
  follow (&follower, own);
  for (guint i = 0; i < workers->lanes->len; i++)
    if (threads[i])
      g_thread_join (threads[i]);
  if (own)
    wf_context_set_progress (own->public.context, NULL, NULL);
}

static void
run_alone (WfWorkers *workers,
           WfSteps   *steps)
{
  Lane *lane = workers->lanes->pdata[0];

  g_mutex_lock (&workers->lock);
  while (! is_over (workers) && take_block (lane))
    {
      wf_steps_set_left (steps, count_left (workers) + 1);   /* it may make another one wait */
      visit_block (lane);
      g_mutex_unlock (&workers->lock);
      wf_steps_advance (steps, 1);
      g_mutex_lock (&workers->lock);
    }
  g_mutex_unlock (&workers->lock);
}

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
      report.transfer_seconds += context->seconds - compute;
      report.file_seconds     += lane->file_seconds;
    }
  return report;
}

/* Tells the caller's context what several lanes have done. */
static void
report (WfWorkers *workers)
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
}

/* Visits the blocks that wait, until none does or the pass's most visits have been made. */
gboolean
wf_workers_run (WfWorkers  *workers,
                WfPass     *pass,
                WfSteps    *steps,
                GError    **error)
{
  g_autofree gboolean *running = g_new0 (gboolean, pass->n);

  workers->pass       = pass;
  workers->running    = running;
  workers->n_running  = 0;
  workers->from       = 0;
  workers->step       = 1;
  workers->n_done     = 0;
  workers->n_in_order = 0;
  if (workers->lanes->len == 1)
    run_alone (workers, steps);
  else
    run_lanes (workers, steps);

  workers->pass = NULL;
  if (g_cancellable_is_cancelled (workers->context->cancellable))
    return wf_run_set_cancelled (error);
  if (workers->failure)
    {
      g_propagate_error (error, g_steal_pointer (&workers->failure));
      return FALSE;
    }
  if (workers->lanes->len > 1)
    report (workers);
  return TRUE;
}
