/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contexts: devices, threads, progress, cancelling and the report, for every operation. */

#include <math.h>
#include <string.h>

#include "tests/support/canceller.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"

/* The least duration of work to be cancelled, in hundredths of a second. */
#define LONG_QUICK     10
#define LONG_ALL       15

static WfOperation
operation_of (gconstpointer data)
{
  return (WfOperation) GPOINTER_TO_INT (data);
}

static void
configure (WfContext  *context,
           const char *device,
           int         threads,
           int         tile_size)
{
  WfContextOptions  options;
  GError           *error = NULL;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = device;
  options.threads   = threads;
  options.tile_size = tile_size;
  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
}

static WfContext *
new_cpu_context (int threads)
{
  WfContext *context = wf_context_new ();

  configure (context, "cpu", threads, 0);
  return context;
}

/* Returns the side of an image on which @operation takes at least that long: @taken seconds. */
static gint64
long_side (WfOperation  operation,
           double      *taken)
{
  return work_side_taking (operation, test_count (LONG_QUICK, LONG_ALL) / 100.0, taken);
}


/*  Devices and configuration  */

static void
test_references (void)
{
  WfContext *context = wf_context_new ();

  g_assert_nonnull (context);
  g_assert_true (wf_context_ref (context) == context);
  wf_context_unref (context);
  configure (context, "cpu", 1, 0);
  wf_context_unref (context);
}

static void
test_devices (void)
{
  g_autoptr (GError)    problem = NULL;
  g_autoptr (GPtrArray) devices = wf_list_devices (&problem);
  g_autoptr (GPtrArray) again   = wf_list_devices (NULL);

  g_assert_nonnull (devices);
  g_assert_cmpuint (devices->len, >=, 1);
  g_assert_cmpuint (devices->len, ==, again->len);
  /* If there is only the CPU, @problem says why. */
  if (devices->len == 1)
    {
      g_assert_nonnull (problem);
      assert_sentence (problem->message);
      g_test_message ("%s", problem->message);
    }
  for (guint i = 0; i < devices->len; i++)
    {
      const WfDevice  *device = devices->pdata[i];
      g_autofree char *name   = i ? g_strdup_printf ("cuda:%u", i - 1) : g_strdup ("cpu");

      g_test_message ("%s: %s", device->name, device->description);
      g_assert_cmpstr (device->name, ==, name);
      g_assert_nonnull (device->description);
      g_assert_cmpuint (strlen (device->description), >, 0);
      g_assert_cmpuint (device->n_units, >=, 1);
      g_assert_cmpuint (device->memory_total, >, 0);
      g_assert_cmpuint (device->memory_free, <=, device->memory_total);
    }
  wf_device_free (NULL);
}

static void
test_configure_refusals (void)
{
  const gsize               size    = sizeof (WfContextOptions);
  const WfContextOptions    bad[]   =
  {
    { size, "gpu", 0, 0, 0 }, { size, "", 0, 0, 0 }, { size, "cuda", 0, 0, 0 },
    { size, "cuda:x", 0, 0, 0 }, { size, "cpu:0", 0, 0, 0 }, { size, "cpu", 0, 0, 3 },
    { size, "cpu", 0, 0, -1 }, { size, "CPU", 0, 0, 0 }, { size, "cpu", -1, 0, 0 },
    { size, "cpu", 4097, 0, 0 }, { size, "cpu", 0, -1, 0 }, { size, "cpu", 0, (1 << 20) + 1, 0 },
    { size, "cpu", G_MININT, 0, 0 }, { size, "cpu", 0, G_MAXINT, 0 },
  };
  const WfContextOptions    absent  = { sizeof (WfContextOptions), "cuda:99", 0, 0, 0 };
  g_autoptr (WfContext)     context = new_cpu_context (1);
  g_autoptr (GuardedImage)  expected = work_result (WF_OPERATION_WATERSHED, 40);
  g_auto (Work)             work     = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_refused (wf_context_configure (context, &bad[i], &refusal), WF_ERROR_INVALID);
  assert_refused (wf_context_configure (context, &absent, &refusal), WF_ERROR_DEVICE);

  /* The previous configuration is still in effect. */
  work_init (&work, WF_OPERATION_WATERSHED, 40);
  g_assert_true (work_run (&work, context, NULL));
  g_assert_cmpint (guarded_image_find_difference (work.out, expected->view.data), ==, -1);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cpu");
  g_assert_cmpuint (wf_context_get_report (context)->threads, ==, 1);
}

/* An automatically chosen device gives the result of the CPU. */
static void
test_automatic (gconstpointer data)
{
  static const char *const devices[] = { "auto", "all", NULL };
  g_autoptr (WfContext)    cpu       = new_cpu_context (1);
  g_auto (Work)            model     = { 0 };
  GError                  *error     = NULL;

  work_init (&model, operation_of (data), 150);
  work_run (&model, cpu, &error);
  g_assert_no_error (error);

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autoptr (WfContext)  context = wf_context_new ();
      g_auto (Work)          work    = { 0 };
      const WfReport        *report;

      configure (context, devices[i], 0, 0);
      work_init (&work, operation_of (data), 150);
      work_run (&work, context, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (work.out, model.out->view.data), ==, -1);

      report = wf_context_get_report (context);
      g_assert_nonnull (report->device);
      if (report->notice)
        assert_sentence (report->notice);
    }
}

static void
test_report (gconstpointer data)
{
  g_autoptr (WfContext)  context = new_cpu_context (2);
  g_auto (Work)          work    = { 0 };
  const WfReport        *report  = wf_context_get_report (context);
  gint64                 start;

  g_assert_nonnull (report);
  work_init (&work, operation_of (data), 300);
  start = g_get_monotonic_time ();
  g_assert_true (work_run (&work, context, NULL));
  report = wf_context_get_report (context);
  g_assert_cmpstr (report->device, ==, "cpu");
  g_assert_cmpuint (report->threads, >=, 1);
  g_assert_cmpuint (report->threads, <=, 2);
  g_assert_cmpfloat (report->seconds, >, 0);
  g_assert_cmpfloat (report->seconds, <=, (g_get_monotonic_time () - start) / 1e6);
  g_assert_false (report->no_background);
  g_assert_null (report->notice);
}


/*  Cancelling  */

static void
test_cancelled_before (gconstpointer data)
{
  g_autoptr (WfContext)     context     = new_cpu_context (2);
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GuardedImage)  expected    = work_result (operation_of (data), 60);
  g_auto (Work)             work        = { 0 };
  GError                   *error       = NULL;

  work_init (&work, operation_of (data), 60);
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (work_run (&work, context, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_true (guarded_image_is_untouched (work.out));

  /* The context can be used again with the cancellable reset, and without one. */
  g_cancellable_reset (cancellable);
  g_assert_true (work_run (&work, context, &error));
  g_assert_cmpint (guarded_image_find_difference (work.out, expected->view.data), ==, -1);
  g_cancellable_cancel (cancellable);
  wf_context_set_cancellable (context, NULL);
  g_assert_true (work_run (&work, context, &error));
  g_assert_no_error (error);
}

/* Whether the work was cancelled before it was complete. */
static gboolean
check_cancelling (Work   *work,
                  int     threads,
                  double  delay)
{
  g_autoptr (WfContext)     context     = new_cpu_context (threads);
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GError)        error       = NULL;
  Canceller                 canceller   = { .cancellable = cancellable };
  gboolean                  succeeded;
  double                    seconds;

  wf_context_set_cancellable (context, cancellable);
  guarded_image_wipe (work->out);
  canceller_start (&canceller, delay);
  succeeded = work_run (work, context, &error);
  seconds   = canceller_stop (&canceller);

  if (succeeded && seconds < 0)
    {
      g_test_message ("it was done before it was cancelled after %g s", delay);
      return FALSE;
    }
  g_test_message ("%d threads, cancelled after %.3f s: returned after another %.3f s", threads,
                  delay, seconds);
  g_assert_cmpfloat (seconds, <, CANCEL_SECONDS);
  if (succeeded)
    return FALSE;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (guarded_image_is_untouched (work->out));
  return TRUE;
}

/* Another thread cancels the work early, in the middle or late. */
static void
test_cancelled_within (gconstpointer data)
{
  static const double parts[]     = { 0.4, 0.1, 0.7 };
  double              taken;
  gint64              side        = long_side (operation_of (data), &taken);
  const guint         wanted      = test_count (1, 2);
  guint               n_cancelled = 0;
  g_auto (Work)       work        = { 0 };

  work_init (&work, operation_of (data), side);
  g_test_message ("a side of %" G_GINT64_FORMAT " takes %.3f s", side, taken);
  for (guint i = 0; i < test_count (1, G_N_ELEMENTS (parts)); i++)
    for (int threads = 1; threads <= 2; threads++)
      n_cancelled += check_cancelling (&work, threads, parts[i] * taken);

  /* With less other load than during the measurement, the work may end before it is cancelled. */
  for (double part = 0.2; n_cancelled < wanted && part > 0.005; part /= 2)
    n_cancelled += check_cancelling (&work, 1, part * taken);
  g_assert_cmpuint (n_cancelled, >=, wanted);
}


/*  Progress  */

typedef struct
{
  GThread  *thread;
  guint     n_calls;
  double    last;
  gboolean  wrong_thread;
  gboolean  wrong_order;
} Progress;

static void
note_progress (double   fraction,
               gpointer user_data)
{
  Progress *progress = user_data;

  progress->n_calls++;
  progress->wrong_thread |= g_thread_self () != progress->thread;
  progress->wrong_order  |= ! (fraction >= progress->last && fraction <= 1);
  progress->last          = fraction;
}

static void
check_progress (Work   *work,
                int     threads,
                double  least_calls_a_second)
{
  g_autoptr (WfContext)  context  = new_cpu_context (threads);
  Progress               progress = { g_thread_self (), 0, 0, FALSE, FALSE };
  GError                *error    = NULL;
  gint64                 start;
  double                 worked;
  double                 taken;

  wf_context_set_progress (context, note_progress, &progress);
  start  = g_get_monotonic_time ();
  worked = work_clock ();
  work_run (work, context, &error);
  worked = work_clock () - worked;
  taken  = (g_get_monotonic_time () - start) / 1e6;
  g_assert_no_error (error);

  g_test_message ("%d threads: %u calls in %.3f s by the clock", threads, progress.n_calls, taken);
  g_assert_false (progress.wrong_thread);
  g_assert_false (progress.wrong_order);
  g_assert_cmpuint (progress.n_calls, >=, 1);
  g_assert_cmpfloat (progress.last, ==, 1.0);
  g_assert_cmpfloat (progress.n_calls, >=, floor (least_calls_a_second * worked / threads));
  /* There are about twenty calls a second of elapsed time, and the last one; this allows twice as
   * many.
   */
  g_assert_cmpfloat (progress.n_calls, <=, 40 * taken + 10);
}

/* After the function is removed there are no calls. */
static void
check_no_progress (Work *work,
                   int   threads)
{
  g_autoptr (WfContext)  context  = new_cpu_context (threads);
  Progress               progress = { g_thread_self (), 0, 0, FALSE, FALSE };
  GError                *error    = NULL;

  wf_context_set_progress (context, note_progress, &progress);
  wf_context_set_progress (context, NULL, NULL);
  work_run (work, context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (progress.n_calls, ==, 0);
}

/* Long work reports progress at least ten times a second; the test requires half of that. */
static void
test_progress (gconstpointer data)
{
  const WfOperation operation = operation_of (data);
  double            taken;
  const gint64      side      = long_side (operation, &taken);
  const gint64      sides[]   = { side, 1, 17 };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_auto (Work) work = { 0 };

      work_init (&work, operation, sides[i]);
      for (int threads = 1; threads <= 3; threads++)
        if (test_takes_turn (threads + operation, 3))
          check_progress (&work, threads, i == 0 ? 5.0 / SLOWNESS : 0);
      check_no_progress (&work, 1 + operation % 3);
    }
}

static void
cancel_on_the_way (double   fraction,
                   gpointer user_data)
{
  if (fraction > 0.1)
    g_cancellable_cancel (user_data);
}

/* Whether the work was cancelled by its progress function before it was complete. */
static gboolean
check_cancelling_by_progress (WfOperation operation,
                              gint64      side)
{
  g_autoptr (WfContext)     context     = new_cpu_context (2);
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GError)        error       = NULL;
  g_auto (Work)             work        = { 0 };

  work_init (&work, operation, side);
  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel_on_the_way, cancellable);
  if (work_run (&work, context, &error))
    return FALSE;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (guarded_image_is_untouched (work.out));
  return TRUE;
}

/* A progress function may cancel, like that of a dialog.  It is called about twenty times a
 * second, so the work must last long enough for such a call.
 */
static void
test_cancelled_by_progress (gconstpointer data)
{
  double   taken;
  gint64   side      = long_side (operation_of (data), &taken);
  gboolean cancelled = FALSE;

  for (int attempt = 0; attempt < 6 && ! cancelled; attempt++, side += side / 2)
    cancelled = check_cancelling_by_progress (operation_of (data), side);
  g_assert_true (cancelled);
}


/*  Concurrent contexts  */

typedef struct
{
  WfOperation   operation;
  GuardedImage *expected;
  gint64        side;
  int           threads;
  guint         n_wrong;
} Rival;

static gpointer
run_rival (gpointer data)
{
  Rival *rival = data;

  for (int i = 0; i < 5; i++)
    {
      g_autoptr (WfContext)  context = new_cpu_context (rival->threads);
      g_auto (Work)          work    = { 0 };

      work_init (&work, rival->operation, rival->side);
      if (! work_run (&work, context, NULL) ||
          guarded_image_find_difference (work.out, rival->expected->view.data) >= 0)
        rival->n_wrong++;
    }
  return NULL;
}

/* Contexts in different threads do not affect each other. */
static void
test_concurrent (void)
{
  Rival    rivals[2 * WF_N_OPERATIONS];
  GThread *threads[G_N_ELEMENTS (rivals)];
  guint    n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rivals); i++)
    {
      WfOperation operation = (WfOperation) (i % WF_N_OPERATIONS);
      gint64      side      = 100 + 10 * i;

      if (work_describes (operation))
        rivals[n++] = (Rival) { operation, work_result (operation, side), side, 1 + i % 3, 0 };
    }
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new (work_name (rivals[i].operation), run_rival, &rivals[i]);
  for (guint i = 0; i < n; i++)
    {
      g_thread_join (threads[i]);
      guarded_image_free (rivals[i].expected);
      g_assert_cmpuint (rivals[i].n_wrong, ==, 0);
    }
}

/* All operations are tested here except the hierarchy, whose result is not an image. */
static void
test_none_forgotten (void)
{
  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    if (operation != WF_OPERATION_HIERARCHY)
      {
        g_test_message ("%s", work_name ((WfOperation) operation));
        g_assert_true (work_describes ((WfOperation) operation));
      }
}

/* @turns: a test that takes seconds; outside the quick tier operations take turns */
static void
add (const char    *name,
     GTestDataFunc  test,
     gboolean       turns)
{
  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    {
      g_autofree char *path = g_strdup_printf ("/context/%s/%s", name,
                                               work_name ((WfOperation) operation));

      if (work_describes ((WfOperation) operation) &&
          (! turns || test_is_quick () || test_takes_turn ((guint) operation, 1)))
        g_test_add_data_func (path, GINT_TO_POINTER (operation), test);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/context/none-forgotten", test_none_forgotten);
  g_test_add_func ("/context/references", test_references);
  g_test_add_func ("/context/devices", test_devices);
  g_test_add_func ("/context/configure-refusals", test_configure_refusals);
  add ("automatic", test_automatic, FALSE);
  add ("report", test_report, FALSE);
  add ("cancelled-before", test_cancelled_before, FALSE);
  add ("cancelled-within", test_cancelled_within, TRUE);
  add ("cancelled-by-progress", test_cancelled_by_progress, FALSE);
  add ("progress", test_progress, TRUE);
  g_test_add_func ("/context/concurrent", test_concurrent);

  return g_test_run ();
}
