/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass of workers over blocks: which block a lane takes next, the visit, and what follows it. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "workers-private.h"

/* How often the caller's thread reports progress, in microseconds. */
#define REPORT_INTERVAL (G_USEC_PER_SEC / 20)

/* How much the last visit counts in the pace. */
#define WEIGHT_OF_A_VISIT 0.5

/* How many times a device must be as fast as another to have blocks left to it: paces of equal
 * devices differ by what their last visits were.
 */
#define MUCH_FASTER 2.0


/*  Which block next  */

void
wf_pass_set_waiting (WfPass   *pass,
                     gint64    block,
                     gboolean  waits)
{
  pass->n_waiting    += (waits != FALSE) - (pass->waits[block] != FALSE);
  pass->waits[block]  = waits;
}

static gboolean
is_alive (const Worker *worker)
{
  return ! worker->out && ! worker->reserve && worker->n_threads > 0;
}

/* Whether a block is at home with @worker, or with nobody who can visit it and @worker takes such
 * blocks.
 */
static gboolean
is_for (const WfWorkers *workers,
        const Worker    *worker,
        gboolean         takes_any,
        gint64           block)
{
  const int     number = workers->pass->home ? workers->pass->home[block] : -1;
  const Worker *home   = number >= 0 ? workers->workers->pdata[number] : NULL;

  return home == worker || (takes_any && (! home || ! is_alive (home)));
}

/* Whether a block, or the same at another visit, is visited now. */
static gboolean
is_running (const WfWorkers *workers,
            gint64           block)
{
  const gint64 n_second = workers->pass->n_second;

  return workers->running[block] ||
         (n_second > 0 &&
          workers->running[block < n_second ? block + n_second : block - n_second]);
}

/* The first block from @from on, in steps of @step, that waits, that nobody visits and that is for
 * @worker, or −1.
 */
static gint64
look_ahead (const WfWorkers *workers,
            const Worker    *worker,
            gboolean         takes_any,
            gint64           from,
            gint64           step)
{
  const WfPass *pass = workers->pass;

  for (gint64 i = from; i >= 0 && i < pass->n; i += step)
    if (pass->waits[i] && ! is_running (workers, i) && is_for (workers, worker, takes_any, i))
      return i;
  return -1;
}

static gboolean
is_over (const WfWorkers *workers)
{
  const WfPass *pass = workers->pass;

  return workers->failure || g_cancellable_is_cancelled (workers->stop) ||
         (workers->n_running == 0 &&
          (pass->n_waiting == 0 || (pass->most > 0 && workers->n_done >= pass->most)));
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
      slower |= other->pace > MUCH_FASTER * worker->pace;
    }
  return slower && worker->pace > 0.0 &&
         others * worker->n_lanes > worker->pace * workers->pass->n_waiting;
}

/* How many second visits are left to a worker: of blocks that are at home with it, or that it
 * visits for the first time.
 */
static gint64
count_second (const WfWorkers *workers,
              const Worker    *worker)
{
  const WfPass *pass = workers->pass;
  gint64        n    = 0;

  for (gint64 i = 0; i < pass->n_second; i++)
    n += pass->home[i] >= 0 && workers->workers->pdata[pass->home[i]] == worker;
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane *lane = workers->lanes->pdata[i];

      n += lane->worker == worker && lane->block >= pass->n_second;
    }
  return n;
}

/* How many times as fast a worker is as another, or 1 where they differ by no more than their last
 * visits may.
 */
static double
compare_paces (const Worker *worker,
               const Worker *other)
{
  const double fast = MAX (worker->pace, other->pace);
  const double slow = MIN (worker->pace, other->pace);

  return slow > 0.0 && fast > MUCH_FASTER * slow ? worker->pace / other->pace : 1.0;
}

/* Whether a worker's second visits take longer than those of another one like it, which takes the
 * next first visit, too, if not at once.  As long as a lane works, others look again after it.
 */
static gboolean
has_more_left (const WfWorkers *workers,
               const Worker    *worker)
{
  const gint64 own  = count_second (workers, worker);
  gboolean     more = FALSE;

  for (guint i = 0; i < workers->workers->len; i++)
    {
      const Worker *other = workers->workers->pdata[i];

      more |= other != worker && is_alive (other) && other->n_lanes == worker->n_lanes &&
              ! is_too_slow (workers, other) &&
              count_second (workers, other) * compare_paces (worker, other) < own;
    }
  return more && workers->n_running > 0;
}

/* Second visits come first. */
static gint64
find_second (const WfWorkers *workers,
             const Worker    *worker,
             gboolean         takes_any)
{
  const gint64 next = look_ahead (workers, worker, takes_any, 0, 1);

  return next >= workers->pass->n_second && has_more_left (workers, worker) ? -1 : next;
}

/* Blocks that are visited again are so up and down in turn: a wave that crosses many of them
 * crosses each once.
 */
static gint64
find_next (WfWorkers    *workers,
           const Worker *worker,
           gboolean      takes_any)
{
  const WfPass *pass = workers->pass;
  gint64        next;

  if (pass->every_other)
    {
      next = look_ahead (workers, worker, takes_any, 0, 2);
      return next >= 0 ? next : look_ahead (workers, worker, takes_any, 1, 2);
    }
  if (pass->n_second > 0)
    return find_second (workers, worker, takes_any);
  if (pass->in_order)
    workers->from = workers->n_in_order;
  next = look_ahead (workers, worker, takes_any, workers->from, workers->step);
  if (next < 0 && ! pass->in_order)
    {
      workers->step = -workers->step;
      workers->from = workers->step > 0 ? 0 : pass->n - 1;
      next          = look_ahead (workers, worker, takes_any, workers->from, workers->step);
    }
  return next;
}

/* How many blocks a worker's lanes are visiting. */
static gint64
count_running (const WfWorkers *workers,
               const Worker    *worker)
{
  gint64 n = 0;

  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane *lane = workers->lanes->pdata[i];

      n += lane->worker == worker && lane->block >= 0;
    }
  return n;
}

/* Whether other GPUs that have less to do than this one will take all that waits. */
static gboolean
is_busier (const WfWorkers *workers,
           const Worker    *worker)
{
  const gint64 own  = count_running (workers, worker);
  gint64       free = 0;

  for (guint i = 0; i < workers->workers->len && own > 0; i++)
    {
      const Worker *other = workers->workers->pdata[i];

      if (other != worker && is_alive (other) && other->n_lanes == worker->n_lanes &&
          ! is_too_slow (workers, other))
        free += MAX (MIN (own, (gint64) other->n_threads) - count_running (workers, other), 0);
    }
  return free >= workers->pass->n_waiting;
}

/* Whether a worker may take a block now.  @takes_any: result: also one that is not at home there */
static gboolean
may_work (const WfWorkers *workers,
          const Worker    *worker,
          gboolean        *takes_any)
{
  const WfPass *pass = workers->pass;

  *takes_any = TRUE;
  if (worker->out || (pass->most > 0 && workers->n_done + workers->n_running >= pass->most))
    return FALSE;
  if (! worker->reserve)
    {
      *takes_any = ! is_too_slow (workers, worker) &&
                   (pass->n_second > 0 || ! is_busier (workers, worker));
      return *takes_any || pass->home;
    }
  for (guint i = 0; i < workers->workers->len; i++)
    if (is_alive (workers->workers->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
take_block (Lane *lane)
{
  WfWorkers *workers = lane->workers;
  gboolean   takes_any;

  lane->block = may_work (workers, lane->worker, &takes_any)
                ? find_next (workers, lane->worker, takes_any) : -1;
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

/* Reads band @number, or makes a view of it in memory.  @what: the image's name to the user */
gboolean
wf_workers_read (WfWorkers            *workers,
                 const WfLane         *lane,
                 const WfBands        *bands,
                 const WfBlockSource  *source,
                 gint64                number,
                 const char           *what,
                 WfImage              *band,
                 GError              **error)
{
  gboolean success;

  if (source->image)
    {
      wf_bands_view (bands, source->image, wf_bands_first (bands, number),
                     wf_bands_end (bands, number), band);
      return TRUE;
    }
  wf_workers_begin_files (workers, lane);
  success = wf_bands_read (bands, lane->context, source, number, what, band, error);
  wf_workers_end_files (workers, lane, "read");
  return success;
}

/* Writes band @number for the last time, in a pass that writes each band once.  A sink in memory
 * has it already.
 */
gboolean
wf_workers_finish (WfWorkers          *workers,
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
  if (! (sink->flags & WF_SINK_TAKES_ANY_ORDER) && ! await_turn (workers, lane, number, error))
    return FALSE;
  wf_workers_begin_files (workers, lane);
  success = wf_bands_finish (bands, sink, number, band, error);
  wf_workers_end_files (workers, lane, "write");
  return success;
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
  worker->out = lane->device_failed &&
                (g_error_matches (error, WF_ERROR, WF_ERROR_DEVICE) ||
                 g_error_matches (error, WF_ERROR, WF_ERROR_MEMORY));
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

  if (lane->block >= pass->n_second)
    worker->pace = worker->pace <= 0.0
                   ? pace : worker->pace + WEIGHT_OF_A_VISIT * (pace - worker->pace);
  worker->n_visits++;
  lane->busy_seconds += microseconds / (double) G_USEC_PER_SEC;
  workers->n_done++;
  while (pass->in_order && workers->n_in_order < pass->n &&
         ! pass->waits[workers->n_in_order] && ! workers->running[workers->n_in_order])
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

  lane->gave_back     = FALSE;
  lane->device_failed = FALSE;
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
  wf_steps_set_left (follower->steps, done - follower->reported + left + 1);
  wf_steps_advance (follower->steps, done - follower->reported);
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

/* Begins the lanes but @own, which is the caller's thread's.  Where a thread cannot be made, the
 * others do its work; returns @own, or a lane without a thread if there is no such.
 */
static Lane *
begin_lanes (WfWorkers  *workers,
             Lane       *own,
             GThread   **threads)
{
  for (guint i = 0; i < workers->workers->len; i++)
    ((Worker *) workers->workers->pdata[i])->n_threads = 0;
  g_mutex_lock (&workers->lock);
  for (guint i = 0; i < workers->lanes->len; i++)
    {
      Lane *lane = workers->lanes->pdata[i];

      if (lane != own)
        threads[i] = g_thread_try_new ("wavefront-lane", work, lane, NULL);
      if (! threads[i] && ! own)
        own = lane;
      lane->worker->n_threads += threads[i] || lane == own;
    }
  g_mutex_unlock (&workers->lock);
  return own;
}

static void
run_lanes (WfWorkers *workers,
           WfSteps   *steps)
{
  g_autofree GThread **threads  = g_new0 (GThread *, workers->lanes->len);
  Follower             follower = { .workers = workers, .steps = steps };
  Lane                *own      = begin_lanes (workers, find_own_lane (workers), threads);

  if (own)
    wf_context_set_progress (own->public.context, report_meanwhile, &follower);
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
  if (g_cancellable_is_cancelled (workers->stop))
    return wf_run_set_cancelled (error);
  if (workers->lanes->len > 1)
    wf_workers_report (workers);
  return TRUE;
}

/* Visits every band once, the first ones first.  @n_later: visits in passes to come */
gboolean
wf_workers_visit_each (WfWorkers      *workers,
                       const WfBands  *bands,
                       WfBlockFunc     visit,
                       gpointer        data,
                       gint64          n_later,
                       WfSteps        *steps,
                       GError        **error)
{
  const WfShape       *shape = &bands->shape;
  const gint64         unit  = shape->width * (shape->depth > 1 ? shape->height : 1);
  g_autofree gboolean *waits = g_new0 (gboolean, bands->n);
  WfPass               pass  = { .n = bands->n, .n_pixels = bands->length * unit,
                                 .in_order = TRUE, .n_later = n_later, .visit = visit,
                                 .data = data, .waits = waits };

  for (gint64 i = 0; i < bands->n; i++)
    wf_pass_set_waiting (&pass, i, TRUE);
  return wf_workers_run (workers, &pass, steps, error);
}
