/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One operation under way: what a variant may use of the machine, how it reports progress,
 * and how it learns of cancelling.
 *
 * A variant divides its work into phases.  wf_run_begin() opens a phase that is
 * a given share of the whole and counts up to a given total; wf_run_advance()
 * may be called from any of the variant's threads.  Both are function pointers
 * so that a module need not be linked with the library's private parts.
 */

#pragma once

#include <string.h>

#include "wavefront.h"

typedef struct _WfRun WfRun;

/* Steps of a run that are told apart; further ones are not reported. */
#define WF_MOST_STEPS 8

struct _WfRun
{
  guint    n_threads;
  guint    kept_team;       /* threads that each parallel phase begins at least */
  gint64   tile_size;       /* 0: automatic */
  guint    device;          /* number within its back end */
  gboolean partial_outputs; /* a failed operation may leave partly written outputs */
  gboolean committed;       /* nothing may fail any more, see wf_run_commit() */
  gpointer device_state;    /* what the back end's open() gave the context */
  gboolean has_views;       /* images are in the device's memory: */
  gpointer stream;          /* work there follows what the caller has queued on this stream */
  double   device_seconds;  /* result: time that the device itself worked */
  double   download_seconds; /* result: time that results took from the device, after its work */
  guint    executions;      /* result: how often the work was done; 1 but where queues overflow */
  void     (* begin)   (WfRun *run, double share, gint64 total);
  gboolean (* advance) (WfRun *run, gint64 amount);

  /*< private >*/
  GCancellable   *cancellable;
  WfProgressFunc  progress;
  gpointer        progress_data;
  GThread        *owner;
  gint64          last_report;
  double          phase_start;
  double          phase_share;
  gint64          phase_total;
  gint64          phase_done;
  double          reported;
  const char     *step;           /* that is under way, or NULL */
  gint64          step_begun;

  /*< results of some algorithms >*/
  guint64       queued_first;     /* pixels in queues before the propagation */
  guint64       queued;           /* pixels that were queued in all */
  guint         n_steps;          /* those of @steps */
  WfStepReport  steps[WF_MOST_STEPS];
};

/* Adds to the report's step @name, a static string. */
static inline void
wf_run_count_step (WfRun      *run,
                   const char *name,
                   double      seconds,
                   guint       rounds)
{
  guint i = 0;

  while (i < run->n_steps && strcmp (run->steps[i].name, name) != 0)
    i++;
  if (i == WF_MOST_STEPS)
    return;
  if (i == run->n_steps)
    run->steps[run->n_steps++] = (WfStepReport) { name, 0.0, 0 };
  run->steps[i].seconds += seconds;
  run->steps[i].rounds  += rounds;
}

/* From here on step @name is timed, by the clock; %NULL: none.  For the CPU, from one thread. */
static inline void
wf_run_step (WfRun      *run,
             const char *name)
{
  const gint64 now = g_get_monotonic_time ();

  if (run->step)
    wf_run_count_step (run, run->step, (now - run->step_begun) / (double) G_USEC_PER_SEC, 0);
  if (name)
    wf_run_count_step (run, name, 0.0, 0);
  run->step       = name;
  run->step_begun = now;
}

/* Opens a phase that is @share of the whole work and counts up to @total. */
static inline void
wf_run_begin (WfRun  *run,
              double  share,
              gint64  total)
{
  run->begin (run, share, total);
}

/* Counts @amount as done.  Returns FALSE once the run is cancelled. */
static inline gboolean
wf_run_advance (WfRun  *run,
                gint64  amount)
{
  return run->advance (run, amount) || run->committed;
}

/* From here on outputs are written, and cancelling is ignored. */
static inline void
wf_run_commit (WfRun *run)
{
  run->committed = TRUE;
}

/**
 * WfRows:
 * @n: how many rows there are
 * @chunk: how many of them a worker takes at a time; 0: at least some ten thousand of @amount
 * @amount: what a row counts in the run's phase, most often its pixels
 * @scratch_size: bytes of memory for each worker, all 0 before its first row
 *
 * What wf_run_rows() is to go over.
 */
typedef struct
{
  gint64 n;
  gint64 chunk;
  gint64 amount;
  gsize  scratch_size;
} WfRows;

/**
 * WfRow:
 * @number: number of the row
 * @worker: number of the thread, below the run's n_threads
 * @scratch: the worker's memory, or %NULL if it has none
 * @error: where to set an error
 *
 * One row of wf_run_rows().  It is passed by value: no store of the row function can
 * alias it.
 */
typedef struct
{
  gint64    number;
  guint     worker;
  gpointer  scratch;
  GError  **error;
} WfRow;

/**
 * WfRowFunc:
 * @data: the operation's own
 *
 * Works on one row.  Returning %FALSE with the row's error set ends the loop.
 */
typedef gboolean (* WfRowFunc) (gpointer data,
                                WfRow    row);

/* What one of @n_workers threads does. */
typedef void (* WfWorkFunc) (gpointer data,
                             guint    worker,
                             guint    n_workers);

guint    wf_run_team          (const WfRun    *run,
                               gint64          n_parts,
                               gint64          amount);
void     wf_run_keep_team     (WfRun          *run,
                               gint64          amount);
guint    wf_run_begin_team    (const WfRun    *run,
                               guint           team);
void     wf_run_together      (const WfRun    *run,
                               guint           team,
                               WfWorkFunc      work,
                               gpointer        data);
gboolean wf_run_rows          (WfRun          *run,
                               const WfRows   *rows,
                               WfRowFunc       visit,
                               gpointer        data,
                               GError        **error);

gpointer wf_run_allocate      (const WfRun    *run,
                               gint64          n,
                               gsize           size,
                               GError        **error);
gsize    wf_run_worker_room   (gsize           size);

void     wf_run_init          (WfRun          *run,
                               GCancellable   *cancellable,
                               WfProgressFunc  progress,
                               gpointer        progress_data,
                               double          reported);
void     wf_run_finish        (WfRun          *run);
gboolean wf_run_set_cancelled (GError        **error);
