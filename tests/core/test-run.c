/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a run provides to the variants: parallel loops over rows, and queues shared by threads. */

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/core/run.h"
#include "engine/propagation/shared-fifo.h"
#include "tests/support/tiers.h"

#define MOST_THREADS 4

static void
init_run (WfRun        *run,
          GCancellable *cancellable)
{
  wf_run_init (run, cancellable, NULL, NULL, 0);
  run->n_threads = g_test_rand_int_range (1, MOST_THREADS + 1);
  run->tile_size = g_test_rand_int_range (0, 2);
  wf_run_begin (run, 1, 1);
}


/*  Rows  */

typedef struct
{
  const WfRows *rows;
  guint         n_threads;
  gint         *n_visits;       /* for each row, atomic */
  gint64        fail_at;        /* the row that fails, or cancels the run; −1: none */
  GCancellable *cancellable;
  gint          n_wrong;        /* atomic */
  gint          n_late;         /* rows after a failed one in the same thread, atomic */
} Field;

/* A worker's scratch memory: whether a row has failed, and its last row's number plus 1. */
typedef struct
{
  gboolean failed;
  gint64   next;
  guint8   rest[100];
} Notes;

static gboolean
visit_row (gpointer data,
           WfRow    row)
{
  Field *field = data;
  Notes *notes = row.scratch;

  if (row.worker >= field->n_threads || row.number < 0 || row.number >= field->rows->n)
    g_atomic_int_inc (&field->n_wrong);
  g_atomic_int_inc (&field->n_visits[row.number]);

  /* Within a chunk, rows are visited in order. */
  if (field->rows->chunk > 0 && row.number % field->rows->chunk != 0 && notes->next != row.number)
    g_atomic_int_inc (&field->n_wrong);
  for (guint i = 0; i < sizeof notes->rest; i++)
    if (notes->rest[i] != (notes->next > 0 ? row.worker + 1 : 0))
      g_atomic_int_inc (&field->n_wrong);
  memset (notes->rest, row.worker + 1, sizeof notes->rest);
  notes->next = row.number + 1;

  if (notes->failed)
    g_atomic_int_inc (&field->n_late);
  if (row.number != field->fail_at)
    return TRUE;
  if (field->cancellable)
    {
      g_cancellable_cancel (field->cancellable);
      return TRUE;
    }
  notes->failed = TRUE;
  g_set_error (row.error, WF_ERROR, WF_ERROR_LABELS, "row");
  return FALSE;
}

static void
check_rows (gboolean fail,
            gboolean cancel)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError)       error       = NULL;
  const WfRows             rows        = { .n = g_test_rand_int_range (0, 300),
                                           .chunk = g_test_rand_int_range (0, 9),
                                           .amount = g_test_rand_int_range (0, 30000),
                                           .scratch_size = sizeof (Notes) };
  g_autofree gint         *n_visits    = g_new0 (gint, rows.n);
  Field                    field       = { .rows = &rows, .n_visits = n_visits, .fail_at = -1 };
  WfRun                    run;
  gboolean                 done;

  init_run (&run, cancellable);
  field.n_threads = run.n_threads;
  if (rows.n > 0 && (fail || cancel))
    field.fail_at = g_test_rand_int_range (0, rows.n);
  if (cancel)
    field.cancellable = cancellable;

  done = wf_run_rows (&run, &rows, visit_row, &field, &error);
  g_assert_cmpint (field.n_wrong, ==, 0);
  g_assert_cmpint (field.n_late, ==, 0);
  g_assert_true (done == ! error);
  if (field.fail_at < 0)
    g_assert_no_error (error);
  else if (fail)
    g_assert_error (error, WF_ERROR, WF_ERROR_LABELS);
  else
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (gint64 row = 0; row < rows.n; row++)
    if (done)
      g_assert_cmpint (n_visits[row], ==, 1);
    else
      g_assert_cmpint (n_visits[row], <=, 1);
}

static void
test_rows (void)
{
  for (int i = 0; i < 500; i++)
    check_rows (FALSE, FALSE);
}

static void
test_rows_failure (void)
{
  for (int i = 0; i < 500; i++)
    check_rows (TRUE, FALSE);
}

static void
test_rows_cancelled (void)
{
  for (int i = 0; i < 500; i++)
    check_rows (FALSE, TRUE);
}

/* Small work gets one thread, unless a tile size is set. */
static void
test_team (void)
{
  WfRun run;

  wf_run_init (&run, NULL, NULL, NULL, 0);
  run.n_threads = 8;
  g_assert_cmpuint (wf_run_team (&run, 1000, 100), ==, 1);
  g_assert_cmpuint (wf_run_team (&run, 1000, G_MAXINT64), ==, 8);
  g_assert_cmpuint (wf_run_team (&run, 3, G_MAXINT64), ==, 3);
  g_assert_cmpuint (wf_run_team (&run, 0, 0), ==, 1);
  run.tile_size = 1;
  g_assert_cmpuint (wf_run_team (&run, 1000, 100), ==, 8);
  g_assert_cmpuint (wf_run_team (&run, 2, 100), ==, 2);
}

/* Of each worker of a phase the number of its thread, and how many workers there were. */
typedef struct
{
  guint threads[MOST_THREADS];
  gint  n_met;                  /* atomic */
  gint  n_wrong;                /* atomic */
  guint team;
} Meeting;

static void
note_thread (gpointer data,
             guint    worker,
             guint    n_workers)
{
  Meeting *meeting = data;

  if (n_workers > meeting->team || worker >= n_workers)
    g_atomic_int_inc (&meeting->n_wrong);
  else
    meeting->threads[worker] = syscall (SYS_gettid);
  g_atomic_int_inc (&meeting->n_met);
}

static Meeting
meet (const WfRun *run,
      guint        team)
{
  Meeting meeting = { .team = team };

  wf_run_together (run, team, note_thread, &meeting);
  g_assert_cmpint (meeting.n_wrong, ==, 0);
  g_assert_cmpint (meeting.n_met, <=, team);
  return meeting;
}

/* A phase with a smaller team neither calls more workers nor ends the other threads. */
static void
test_kept_team (void)
{
  WfRun   run;
  Meeting first, second;

  wf_run_init (&run, NULL, NULL, NULL, 0);
  run.n_threads = MOST_THREADS;
  wf_run_keep_team (&run, 100);
  g_assert_cmpuint (wf_run_begin_team (&run, 1), ==, 1);
  g_assert_cmpuint (wf_run_begin_team (&run, 2), ==, 2);
  wf_run_keep_team (&run, G_MAXINT64);
  g_assert_cmpuint (wf_run_begin_team (&run, 1), ==, 1);
  g_assert_cmpuint (wf_run_begin_team (&run, 2), ==, MOST_THREADS);

  first = meet (&run, MOST_THREADS);
  for (guint team = 1; team < MOST_THREADS; team++)
    g_assert_cmpint (meet (&run, team).n_met, <=, first.n_met);
  second = meet (&run, MOST_THREADS);
  g_assert_cmpmem (first.threads, sizeof first.threads, second.threads, sizeof second.threads);
}


/*  Shared queues  */

/* Work that creates more work: an item of value n creates n − 1 further ones, as a binary tree. */
typedef struct
{
  WfRun        *run;
  WfSharedFifo  shared;
  WfFifo        queues[MOST_THREADS];
  gint          n_done;         /* atomic */
  gint          fail_at;
} Heap;

static void
work (gpointer data,
      guint    worker,
      guint    n_workers)
{
  Heap   *heap  = data;
  WfFifo *queue = &heap->queues[worker];

  while (wf_shared_fifo_take (&heap->shared, queue, worker, n_workers, heap->run))
    {
      for (int i = 0; i < 50 && queue->n > 0; i++)
        {
          gint64 item = wf_fifo_pop (queue) - 1;
          gint   n    = g_atomic_int_add (&heap->n_done, 1) + 1;

          if (n == heap->fail_at)
            wf_shared_fifo_fail (&heap->shared,
                                 g_error_new (WF_ERROR, WF_ERROR_LABELS, "item %d", n));
          if (item > 0)
            g_assert_true (wf_fifo_push (queue, item - item / 2, NULL));
          if (item > 1)
            g_assert_true (wf_fifo_push (queue, item / 2, NULL));
        }
      g_assert_true (wf_shared_fifo_give (&heap->shared, queue, NULL));
    }
}

static void
check_heap (gint64 size,
            gint   fail_at)
{
  WfRun run;
  Heap  heap = { .run = &run, .fail_at = fail_at };

  init_run (&run, NULL);
  wf_shared_fifo_init (&heap.shared);
  g_assert_true (wf_fifo_push (&heap.queues[0], size, NULL));
  wf_run_together (&run, run.n_threads, work, &heap);
  if (fail_at)
    {
      g_assert_error (heap.shared.error, WF_ERROR, WF_ERROR_LABELS);
      g_assert_cmpint (heap.n_done, >=, fail_at);
    }
  else
    {
      g_assert_no_error (heap.shared.error);
      g_assert_cmpint (heap.n_done, ==, size);
      for (int i = 0; i < MOST_THREADS; i++)
        g_assert_cmpint (heap.queues[i].n, ==, 0);
    }
  for (int i = 0; i < MOST_THREADS; i++)
    wf_fifo_clear (&heap.queues[i]);
  wf_shared_fifo_clear (&heap.shared);
}

static void
test_shared (void)
{
  for (int i = 0; i < 100; i++)
    check_heap (g_test_rand_int_range (1, 20000), 0);
}

static void
test_shared_failure (void)
{
  for (int i = 0; i < 100; i++)
    check_heap (20000, g_test_rand_int_range (1, 20000));
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/run/rows", test_rows);
  g_test_add_func ("/run/rows-failure", test_rows_failure);
  g_test_add_func ("/run/rows-cancelled", test_rows_cancelled);
  g_test_add_func ("/run/team", test_team);
  g_test_add_func ("/run/kept-team", test_kept_team);
  g_test_add_func ("/run/shared", test_shared);
  g_test_add_func ("/run/shared-failure", test_shared_failure);

  return g_test_run ();
}
