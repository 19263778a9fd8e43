/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Computes what a preview shows, in a thread of its own.  The latest job wins: starting a
 * computation cancels the running job and drops the waiting one.
 *
 * There is at most one waiting, one running and one finished job.  A finished one is
 * delivered by a source of the main context in which the worker was created; if another
 * job is started before that, it is dropped.  So fifty starts without returning to the main
 * loop deliver one result, the last.
 *
 * A result that can be shown before it is complete is delivered then, and again when it is
 * complete; only once if the main loop had no time in between.
 *
 * The thread is started with the first job.  Freeing the worker waits for its end; the
 * engine reacts to cancellation within a tenth of a second.
 */

#include "config.h"

#include "worker.h"

typedef struct
{
  const WfPreviewComputation *computation;
  WfPreviewInputs            *inputs;
  gpointer                    settings;
  GCancellable               *cancellable;
  WfPreviewResult            *result;
  GError                     *error;
} Job;

/**
 * WfPreviewWorker:
 * @main_context: where results are delivered
 * @thread: started by the first job
 * @context: of the thread
 * @waiting: the next job
 * @running: the present job; owned by the thread, except for its cancellable
 * @early: the result of the running job, to be delivered although it is not complete
 * @finished: the job to be delivered
 * @delivery: the source that delivers
 * @quitting: whether the thread has to end
 */
struct _WfPreviewWorker
{
  WfPreviewDoneFunc  done;
  gpointer           user_data;
  GMainContext      *main_context;
  GThread           *thread;
  WfContext         *context;

  GMutex             lock;
  GCond              changed;
  Job               *waiting;
  Job               *running;
  WfPreviewResult   *early;
  Job               *finished;
  GSource           *delivery;
  gboolean           quitting;
};


static Job *
job_new (const WfPreviewComputation *computation,
         gpointer                    data,
         WfPreviewInputs            *inputs)
{
  Job *job = g_new0 (Job, 1);

  job->computation = computation;
  job->inputs      = wf_preview_inputs_ref (inputs);
  job->settings    = computation->copy_settings ? computation->copy_settings (data) : NULL;
  job->cancellable = g_cancellable_new ();
  return job;
}

static void
job_free (Job *job)
{
  if (! job)
    return;

  if (job->computation->free_settings)
    job->computation->free_settings (job->settings);
  wf_preview_inputs_unref (job->inputs);
  g_clear_pointer (&job->result, wf_preview_result_unref);
  g_clear_error (&job->error);
  g_object_unref (job->cancellable);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)


/*  Delivery  */

/* In the main loop. */
static gboolean
deliver (gpointer data)
{
  WfPreviewWorker             *worker = data;
  g_autoptr (Job)              job    = NULL;
  g_autoptr (WfPreviewResult)  early  = NULL;

  g_mutex_lock (&worker->lock);
  job   = g_steal_pointer (&worker->finished);
  early = g_steal_pointer (&worker->early);
  g_clear_pointer (&worker->delivery, g_source_unref);
  g_mutex_unlock (&worker->lock);

  if (job && job->result && ! job->error)
    job->result->complete = TRUE;
  if (job)
    worker->done (job->result, job->error, worker->user_data);
  else if (early)
    worker->done (early, NULL, worker->user_data);
  return G_SOURCE_REMOVE;
}

/* With the lock. */
static void
queue_delivery (WfPreviewWorker *worker)
{
  if (worker->delivery)
    return;

  worker->delivery = g_idle_source_new ();
  g_source_set_priority (worker->delivery, G_PRIORITY_DEFAULT);
  g_source_set_callback (worker->delivery, deliver, worker, NULL);
  g_source_attach (worker->delivery, worker->main_context);
}


/*  The thread  */

static void
show_early (WfPreviewWorker *worker,
            const Job       *job,
            WfPreviewResult *result)
{
  g_mutex_lock (&worker->lock);
  if (! g_cancellable_is_cancelled (job->cancellable))
    {
      worker->early = wf_preview_result_ref (result);
      queue_delivery (worker);
    }
  g_mutex_unlock (&worker->lock);
}

static void
complete (WfPreviewWorker *worker,
          Job             *job)
{
  if (! job->computation->complete || job->result->complete)
    return;

  show_early (worker, job, job->result);
  job->computation->complete (worker->context, job->inputs, job->settings, job->result,
                              &job->error);
}

/* Without the lock, as this takes time. */
static void
run (WfPreviewWorker *worker,
     Job             *job)
{
  g_autoptr (WfPreviewResult) result = wf_preview_result_new (&job->inputs->region);

  wf_context_set_cancellable (worker->context, job->cancellable);
  if (! g_cancellable_set_error_if_cancelled (job->cancellable, &job->error) &&
      job->computation->compute (worker->context, job->inputs, job->settings, result,
                                 &job->error))
    {
      job->result = g_steal_pointer (&result);
      complete (worker, job);
    }
  else if (result->extra)
    {
      wf_image_clear (&result->image);
      job->result = g_steal_pointer (&result);
    }
  wf_context_set_cancellable (worker->context, NULL);
}

static gpointer
work (gpointer data)
{
  WfPreviewWorker *worker = data;

  g_mutex_lock (&worker->lock);
  while (! worker->quitting)
    {
      Job *job = g_steal_pointer (&worker->waiting);

      if (! job)
        {
          g_cond_wait (&worker->changed, &worker->lock);
          continue;
        }

      worker->running = job;
      g_mutex_unlock (&worker->lock);
      run (worker, job);
      g_mutex_lock (&worker->lock);
      worker->running = NULL;

      if (g_cancellable_is_cancelled (job->cancellable))
        {
          g_mutex_unlock (&worker->lock);
          job_free (job);
          g_mutex_lock (&worker->lock);
        }
      else
        {
          worker->finished = job;
          queue_delivery (worker);
        }
    }
  g_mutex_unlock (&worker->lock);
  return NULL;
}

/* Dropped jobs, to be freed without the lock. */
typedef struct
{
  Job             *waiting;
  Job             *finished;
  WfPreviewResult *early;
} Old;

static void
old_clear (Old *old)
{
  job_free (old->waiting);
  job_free (old->finished);
  g_clear_pointer (&old->early, wf_preview_result_unref);
}

/* With the lock: replaces all jobs by @next. */
static void
replace (WfPreviewWorker *worker,
         Job             *next,
         Old             *old)
{
  old->waiting    = worker->waiting;
  old->finished   = g_steal_pointer (&worker->finished);
  old->early      = g_steal_pointer (&worker->early);
  worker->waiting = next;
  if (worker->running)
    g_cancellable_cancel (worker->running->cancellable);
  g_cond_signal (&worker->changed);
}

static void
set_waiting (WfPreviewWorker *worker,
             Job             *next)
{
  Old old;

  g_mutex_lock (&worker->lock);
  replace (worker, next, &old);
  g_mutex_unlock (&worker->lock);
  old_clear (&old);
}

/**
 * wf_preview_worker_new:
 * @done: called with the results
 * @user_data: for @done
 *
 * Returns: (transfer full): a worker that delivers in the main context of this thread.
 */
WfPreviewWorker *
wf_preview_worker_new (WfPreviewDoneFunc done,
                       gpointer          user_data)
{
  WfPreviewWorker *worker = g_new0 (WfPreviewWorker, 1);

  worker->done         = done;
  worker->user_data    = user_data;
  worker->main_context = g_main_context_ref_thread_default ();
  worker->context      = wf_context_new ();
  wf_context_set_partial_outputs (worker->context, TRUE);
  g_mutex_init (&worker->lock);
  g_cond_init (&worker->changed);
  return worker;
}

/**
 * wf_preview_worker_free:
 * @worker: (transfer full): a worker
 *
 * Cancels the running job and waits for its end; nothing more is delivered.
 */
void
wf_preview_worker_free (WfPreviewWorker *worker)
{
  Old old;

  g_mutex_lock (&worker->lock);
  worker->quitting = TRUE;
  replace (worker, NULL, &old);
  g_mutex_unlock (&worker->lock);
  old_clear (&old);

  g_clear_pointer (&worker->thread, g_thread_join);
  if (worker->delivery)
    {
      g_source_destroy (worker->delivery);
      g_source_unref (worker->delivery);
    }
  g_main_context_unref (worker->main_context);
  wf_context_unref (worker->context);
  g_mutex_clear (&worker->lock);
  g_cond_clear (&worker->changed);
  g_free (worker);
}

/**
 * wf_preview_worker_start:
 * @worker: a worker
 * @computation: what to compute; must outlive @worker
 * @data: for the computation's copy_settings()
 * @inputs: what to compute it from
 *
 * Starts a computation in place of all before.
 */
void
wf_preview_worker_start (WfPreviewWorker            *worker,
                         const WfPreviewComputation *computation,
                         gpointer                    data,
                         WfPreviewInputs            *inputs)
{
  if (! worker->thread)
    worker->thread = g_thread_new ("wavefront-preview", work, worker);
  set_waiting (worker, job_new (computation, data, inputs));
}

/**
 * wf_preview_worker_cancel:
 * @worker: a worker
 *
 * Cancels everything; done() is not called for it.
 */
void
wf_preview_worker_cancel (WfPreviewWorker *worker)
{
  set_waiting (worker, NULL);
}

/**
 * wf_preview_worker_is_busy:
 * @worker: a worker
 *
 * Returns: whether a result is still to be delivered.
 */
gboolean
wf_preview_worker_is_busy (WfPreviewWorker *worker)
{
  gboolean busy;

  g_mutex_lock (&worker->lock);
  busy = worker->waiting || worker->early || worker->finished ||
         (worker->running && ! g_cancellable_is_cancelled (worker->running->cancellable));
  g_mutex_unlock (&worker->lock);
  return busy;
}
