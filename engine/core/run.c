/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "image.h"
#include "run.h"
#include "waiting.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Reports twenty times a second: often enough for the eye, too seldom to cost. */
#define REPORT_INTERVAL (G_USEC_PER_SEC / 20)

/* Pixels that are worth waking a thread for: some tens of microseconds of work. */
#define WORTH_A_THREAD (1 << 15)

/* Pixels that a worker processes between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 14)

/* Where the size of chunks is free, a worker takes this part of its share of the rows that are
 * left: large chunks first, as threads that write to rows close by wait for each other's cache
 * lines and pages, and small ones last, so that all end at the same time.
 */
#define PART_OF_SHARE 4

/* Memory that a thread touches at a time: a huge page. */
#define PIECE ((gsize) 2 << 20)

/* The smallest page. */
#define PAGE ((gsize) 4096)


static void
report (WfRun  *run,
        double  fraction)
{
  fraction = CLAMP (fraction, run->reported, 1.0);
  run->reported = fraction;
  run->progress (fraction, run->progress_data);
}

static void
begin_phase (WfRun  *run,
             double  share,
             gint64  total)
{
  run->phase_start += run->phase_share;
  run->phase_share  = share;
  run->phase_total  = MAX (total, 1);
  __atomic_store_n (&run->phase_done, 0, __ATOMIC_RELAXED);
}

/* Only the thread that called the operation reports progress: a user interface may allow no
 * other thread.
 */
static gboolean
advance_phase (WfRun  *run,
               gint64  amount)
{
  gint64 done = __atomic_add_fetch (&run->phase_done, amount, __ATOMIC_RELAXED);

  if (run->progress && g_thread_self () == run->owner)
    {
      gint64 now = g_get_monotonic_time ();

      if (now - run->last_report >= REPORT_INTERVAL)
        {
          run->last_report = now;
          report (run, run->phase_start
                       + run->phase_share * MIN (1.0, (double) done / run->phase_total));
        }
    }
  return ! g_cancellable_is_cancelled (run->cancellable);
}

/* @reported: the fraction that a device reported before it failed. */
void
wf_run_init (WfRun          *run,
             GCancellable   *cancellable,
             WfProgressFunc  progress,
             gpointer        progress_data,
             double          reported)
{
  *run = (WfRun) {
    .n_threads     = 1,
    .executions    = 1,
    .begin         = begin_phase,
    .advance       = advance_phase,
    .cancellable   = cancellable,
    .progress      = progress,
    .progress_data = progress_data,
    .owner         = g_thread_self (),
    .reported      = reported,
  };
  if (progress)
    report (run, reported);
}

void
wf_run_finish (WfRun *run)
{
  wf_run_step (run, NULL);
  if (run->progress)
    report (run, 1.0);
}

/* What a variant returns once wf_run_advance() has returned FALSE. */
gboolean
wf_run_set_cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The operation was cancelled."));
  return FALSE;
}


/*  Threads  */

/* How many threads should share @n_parts of work that together count @amount, in pixels.
 * Waking and joining a thread takes microseconds, and far longer on a busy machine.  A tile
 * size that was set overrides this: then each part may have a thread.
 */
guint
wf_run_team (const WfRun *run,
             gint64       n_parts,
             gint64       amount)
{
  gint64 worth = run->tile_size > 0 ? n_parts : MIN (n_parts, amount / WORTH_A_THREAD);

  return CLAMP (worth, 1, run->n_threads);
}

/* The run will have parallel phases that count @amount, in pixels. */
void
wf_run_keep_team (WfRun  *run,
                  gint64  amount)
{
  run->kept_team = wf_run_team (run, G_MAXINT64, amount);
}

/* How many threads a parallel phase begins in which @team of them work.  GNU's runtime ends the
 * threads that a smaller team does without and starts new ones for a larger team: 64 threads take
 * 5 ms.  So all teams of a run are as large as that of its largest phases.
 */
guint
wf_run_begin_team (const WfRun *run,
                   guint        team)
{
  if (team <= 1)
    return 1;
  wf_shorten_waits (team);
  return MAX (team, run->kept_team);
}

/* Calls @work in @team threads at once, of which the calling one is worker 0, and
 * waits for all of them.  There may be fewer of them than asked for.
 */
void
wf_run_together (const WfRun *run,
                 guint        team,
                 WfWorkFunc   work,
                 gpointer     data)
{
#ifdef _OPENMP
  const guint begun = wf_run_begin_team (run, team);

#pragma omp parallel num_threads(begun) if (begun > 1)
  {
    const guint worker    = omp_get_thread_num ();
    const guint n_workers = MIN (team, (guint) omp_get_num_threads ());

    if (worker < n_workers)
      work (data, worker, n_workers);
  }
#else
  work (data, 0, 1);
#endif
}


/*  Rows  */

typedef struct
{
  WfRun        *run;
  const WfRows *rows;
  gint64        chunk;      /* rows that a worker takes at a time, at least */
  WfRowFunc     visit;
  gpointer      data;
  guint8       *scratch;    /* of all workers */
  gint64        next;       /* the first row that is not taken yet */
  int           stop;
  GError       *error;      /* the first one */
} RowLoop;

static void
stop_rows (RowLoop *loop,
           GError  *error)
{
  if (__atomic_exchange_n (&loop->stop, TRUE, __ATOMIC_ACQ_REL))
    g_error_free (error);
  else
    loop->error = error;
}

/* Takes the next rows; FALSE if there are none. */
static gboolean
take_chunk (RowLoop *loop,
            guint    n_workers,
            gint64  *start,
            gint64  *end)
{
  const gint64 n = loop->rows->n;

  *start = __atomic_load_n (&loop->next, __ATOMIC_RELAXED);
  do
    {
      const gint64 part = (n - *start) / (PART_OF_SHARE * n_workers);

      if (*start >= n)
        return FALSE;
      *end = MIN (n, *start + (loop->rows->chunk > 0 ? loop->chunk : MAX (loop->chunk, part)));
    }
  while (! __atomic_compare_exchange_n (&loop->next, start, *end, FALSE, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return TRUE;
}

static gboolean
visit_chunk (RowLoop   *loop,
             gint64     start,
             gint64     end,
             guint      worker,
             gpointer   scratch,
             GError   **error)
{
  const WfRows *rows = loop->rows;
  gint64        done = 0;

  for (gint64 number = start; number < end; number++)
    {
      if (! loop->visit (loop->data, (WfRow) { number, worker, scratch, error }))
        return FALSE;
      done += rows->amount;
      if (done < WORTH_A_LOOK && number < end - 1)
        continue;
      if (! wf_run_advance (loop->run, done))
        return wf_run_set_cancelled (error);
      done = 0;
    }
  return TRUE;
}

static void
visit_rows (gpointer data,
            guint    worker,
            guint    n_workers)
{
  RowLoop     *loop    = data;
  const gsize  size    = loop->rows->scratch_size;
  gpointer     scratch = size > 0 ? loop->scratch + worker * wf_run_worker_room (size) : NULL;
  GError      *error   = NULL;
  gint64       start, end;

  if (scratch)
    memset (scratch, 0, size);

  while (! __atomic_load_n (&loop->stop, __ATOMIC_RELAXED) &&
         take_chunk (loop, n_workers, &start, &end))
    if (! visit_chunk (loop, start, end, worker, scratch, &error))
      {
        stop_rows (loop, error);
        return;
      }
}

/* Calls @visit for each row, on several threads if there is enough work.  Stops soon after the
 * run is cancelled or a row fails; the first error is returned.  One worker visits the rows of
 * a chunk in order.
 */
gboolean
wf_run_rows (WfRun         *run,
             const WfRows  *rows,
             WfRowFunc      visit,
             gpointer       data,
             GError       **error)
{
  g_autofree gpointer scratch = NULL;
  RowLoop             loop    = { .run = run, .rows = rows, .chunk = rows->chunk,
                                  .visit = visit, .data = data };
  guint               team;

  if (loop.chunk <= 0)
    loop.chunk = MAX (1, WORTH_A_LOOK / MAX (rows->amount, 1));
  team = wf_run_team (run, (rows->n + loop.chunk - 1) / loop.chunk, rows->n * rows->amount);
  if (rows->scratch_size > 0 &&
      ! (scratch = wf_allocate (team, wf_run_worker_room (rows->scratch_size), error)))
    return FALSE;
  loop.scratch = scratch;
  wf_run_together (run, team, visit_rows, &loop);

  if (loop.error)
    g_propagate_error (error, loop.error);
  return ! loop.stop;
}


/*  Memory  */

typedef struct
{
  guint8 *memory;
  gsize   size;
  gsize   next;         /* the first byte that is not taken yet */
} Touch;

static void
touch_pieces (gpointer data,
              guint    worker,
              guint    n_workers)
{
  Touch *touch = data;
  gsize  start;

  while ((start = __atomic_fetch_add (&touch->next, PIECE, __ATOMIC_RELAXED)) < touch->size)
    for (gsize i = start; i < MIN (start + PIECE, touch->size); i += PAGE)
      touch->memory[i] = 0;
}

/* As wf_allocate (), for memory that all threads of a run will write to.  The kernel clears a page
 * when it is first written to.  Threads that write to rows close by would wait for the same page,
 * and each of them would clear a huge page that only one can have; so each thread touches pages
 * of its own first.
 */
gpointer
wf_run_allocate (const WfRun  *run,
                 gint64        n,
                 gsize         size,
                 GError      **error)
{
  gpointer memory = wf_allocate (n, size, error);
  Touch    touch  = { memory, n * size, 0 };

  if (memory && run->n_threads > 1 && touch.size > PIECE)
    wf_run_together (run, MIN (run->n_threads, touch.size / PIECE), touch_pieces, &touch);
  return memory;
}

/* The memory of a worker of which @size bytes are used, where that of all is in one piece: the
 * kernel hands out and takes back one large piece faster than many of its own for each worker,
 * because all processors are told of each that is taken back.  No page has two workers.
 */
gsize
wf_run_worker_room (gsize size)
{
  return (size + PAGE - 1) & ~(PAGE - 1);
}
