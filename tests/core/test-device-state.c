/* SPDX-License-Identifier: GPL-3.0-or-later */

/* State that a context keeps on a device between operations, after failed allocations, after
 * cancelled operations, and with contexts in several threads.
 */

#include <string.h>

#include "tests/support/device-calls.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Makes the k-th call of those that can fail return an error; see cuda/core/failures.cu. */
#define FAULT "WAVEFRONT_CUDA_FAULT"

/* An upper bound on the calls that an operation makes for the images of this test. */
#define MOST_CALLS 3000

typedef struct
{
  GuardedImage *image;
  GuardedImage *second;
} Inputs;

static void
inputs_init (Inputs           *inputs,
             const DeviceCall *call,
             const RefSize    *size,
             gboolean          strided)
{
  const gint64        n      = ref_n_pixels (size);
  g_autofree guint8  *pixels = g_new (guint8, n);
  g_autofree guint8  *marker = g_new (guint8, n);
  g_autofree guint32 *labels = g_new (guint32, n);

  for (gint64 p = 0; p < n; p++)
    {
      const gint64  x     = p % size->width;
      const gint64  row   = p / size->width;
      const guint32 noise = (guint32) (x * 2654435761u ^ row * 2246822519u) >> 13;

      pixels[p] = (x / 5 + row / 7) % 3 * 30 + noise % 5;
      marker[p] = call->value == WF_BY_DILATION ? MAX (0, pixels[p] - 20) : pixels[p] + 20;
      labels[p] = noise % 200 == 0 || p == n / 2;
    }
  inputs->image = guarded_image_new (WF_TYPE_U8, size, strided);
  guarded_image_write (inputs->image, pixels);
  if (call->operation == WF_OPERATION_RECONSTRUCT)
    {
      inputs->second = guarded_image_new (WF_TYPE_U8, size, strided);
      guarded_image_write (inputs->second, marker);
    }
  else
    inputs->second = guarded_image_new_labels (size, labels);
}

static void
inputs_clear (Inputs *inputs)
{
  g_clear_pointer (&inputs->image, guarded_image_free);
  g_clear_pointer (&inputs->second, guarded_image_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Inputs, inputs_clear)

static gboolean
run_call (const DeviceCall  *call,
          WfContext         *context,
          const Inputs      *inputs,
          DeviceResult      *result,
          GError           **error)
{
  return device_call_run (call, context, &inputs->image->view, &inputs->second->view, result,
                          error);
}

/* Computes the result on the CPU. */
static void
find_expected (const DeviceCall *call,
               const RefSize    *size,
               const Inputs     *inputs,
               DeviceResult     *expected)
{
  g_autoptr (WfContext)  cpu   = device_context_new ("cpu");
  GError                *error = NULL;

  device_result_init (expected, call, WF_TYPE_U8, size, FALSE);
  run_call (call, cpu, inputs, expected, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (wf_context_get_report (cpu)->device_seconds, ==, 0);
}

/* Returns FALSE if the device refuses the call; otherwise its result must equal @expected. */
static gboolean
check_call (const DeviceCall   *call,
            WfContext          *context,
            const RefSize      *size,
            const Inputs       *inputs,
            const DeviceResult *expected)
{
  g_auto (DeviceResult)  result = { 0 };
  g_autoptr (GError)     error  = NULL;

  device_result_init (&result, call, WF_TYPE_U8, size, TRUE);
  if (! run_call (call, context, inputs, &result, &error))
    {
      if (! device_call_is_refused (error))
        g_assert_no_error (error);
      return FALSE;
    }
  g_assert_true (device_result_is_equal (&result, expected));
  return TRUE;
}


/*  Failures  */

/* Runs the operation with its @k-th call failing.  Returns FALSE if it makes fewer calls. */
static gboolean
fails_at (const DeviceCall   *call,
          WfContext          *context,
          int                 k,
          const RefSize      *size,
          const Inputs       *inputs,
          const DeviceResult *expected)
{
  g_autofree char       *text   = g_strdup_printf ("%d", k);
  g_auto (DeviceResult)  result = { 0 };
  GError                *error  = NULL;
  gboolean               done;

  device_result_init (&result, call, WF_TYPE_U8, size, FALSE);
  g_setenv (FAULT, text, TRUE);
  done = run_call (call, context, inputs, &result, &error);
  g_unsetenv (FAULT);
  if (done)
    {
      g_assert_no_error (error);
      g_assert_true (device_result_is_equal (&result, expected));
      return FALSE;
    }

  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  assert_sentence (error->message);
  g_assert_true (device_result_untouched (&result));
  g_clear_error (&error);
  return TRUE;
}

/* Lets each call fail in turn, in a new context or in a used one; afterwards the context works
 * as before.  In the quick tier only about every third call fails.
 */
static void
check_faults (const DeviceCall *call,
              const char       *device,
              gboolean          used)
{
  const RefSize          size     = { 97, 75, 1 };
  g_auto (Inputs)        inputs   = { 0 };
  g_auto (DeviceResult)  expected = { 0 };
  g_autoptr (WfContext)  kept     = device_context_new (device);
  int                    k        = 1;

  inputs_init (&inputs, call, &size, TRUE);
  find_expected (call, &size, &inputs, &expected);
  if (! check_call (call, kept, &size, &inputs, &expected))
    {
      g_test_skip ("The device has no algorithm for this.");
      return;
    }

  for (; k < MOST_CALLS; k += g_test_rand_int_range (1, test_is_quick () ? 6 : 2))
    {
      g_autoptr (WfContext) fresh   = device_context_new (device);
      WfContext            *context = used ? kept : fresh;

      if (! fails_at (call, context, k, &size, &inputs, &expected))
        break;
      g_assert_true (check_call (call, context, &size, &inputs, &expected));
    }
  g_test_message ("fewer than %d calls can fail", k);
  g_assert_cmpint (k, >, 5);
  g_assert_cmpint (k, <, MOST_CALLS);
}


/*  Alternating devices, and several threads  */

/* All calls in one context, which changes between devices in the meantime. */
static void
test_alternating (gconstpointer data)
{
  const char            *device  = data;
  g_autoptr (WfContext)  context = device_context_new (device);
  const RefSize          sizes[] = { { 300, 200, 1 }, { 41, 37, 5 }, { 64, 50, 1 } };
  guint                  done    = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (const DeviceCall *call = device_calls; call->name; call++)
      {
        const char            *names[] = { "cpu", device, "auto" };
        WfContextOptions       options = { sizeof (WfContextOptions),
                                           names[(s + done) % 3], 0, 0, 0 };
        g_auto (Inputs)        inputs  = { 0 };
        g_auto (DeviceResult)  expected = { 0 };

        inputs_init (&inputs, call, &sizes[s], FALSE);
        find_expected (call, &sizes[s], &inputs, &expected);
        done += check_call (call, context, &sizes[s], &inputs, &expected);
        g_assert_true (wf_context_configure (context, &options, NULL));
        check_call (call, context, &sizes[s], &inputs, &expected);
        options.device = device;
        g_assert_true (wf_context_configure (context, &options, NULL));
      }
  g_assert_cmpuint (done, >, 0);
}

typedef struct
{
  const char *device;
  int         number;
  guint       done;
} Worker;

static gpointer
work_in_thread (gpointer data)
{
  Worker                *worker  = data;
  g_autoptr (WfContext)  context = device_context_new (worker->device);
  guint                  n_calls = 0;

  while (device_calls[n_calls].name)
    n_calls++;
  for (guint i = 0; i < n_calls; i++)
    {
      const DeviceCall     *call     = &device_calls[(i * 7 + worker->number * 3) % n_calls];
      const RefSize         size     = { 200 + 31 * worker->number, 150 + i, 1 };
      g_auto (Inputs)       inputs   = { 0 };
      g_auto (DeviceResult) expected = { 0 };

      inputs_init (&inputs, call, &size, i % 2);
      find_expected (call, &size, &inputs, &expected);
      for (int repeat = 0; repeat < 3; repeat++)
        worker->done += check_call (call, context, &size, &inputs, &expected);
    }
  return NULL;
}

static void
test_threads (gconstpointer data)
{
  Worker   workers[4];
  GThread *threads[G_N_ELEMENTS (workers)];

  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    {
      workers[i] = (Worker) { data, i, 0 };
      threads[i] = g_thread_new ("device", work_in_thread, &workers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    g_assert_cmpuint (workers[i].done, >, 0);
}


/*  Large images  */

/* Images that are transferred in several chunks, with and without gaps between rows. */
static void
check_large (const DeviceCall *call,
             const char       *device,
             const RefSize    *size)
{
  g_autoptr (WfContext)  context  = device_context_new (device);
  g_auto (DeviceResult)  expected = { 0 };

  for (int strided = 0; strided < 2; strided++)
    {
      g_auto (Inputs)  inputs = { 0 };
      const WfReport  *report;

      inputs_init (&inputs, call, size, strided);
      if (! expected.out)
        find_expected (call, size, &inputs, &expected);
      if (! check_call (call, context, size, &inputs, &expected))
        {
          g_test_skip ("The device has no algorithm for this.");
          return;
        }
      report = wf_context_get_report (context);
      g_assert_cmpstr (report->device, ==, device);
      g_assert_cmpfloat (report->device_seconds, >, 0);
      g_assert_cmpfloat (report->device_seconds, <=, report->seconds);
    }
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (g_test_rand_int_range (0, 20000));
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* A cancelled operation leaves its outputs unchanged; otherwise the result is complete. */
static void
check_cancelling (const DeviceCall *call,
                  const char       *device)
{
  const RefSize          size     = { 2500, 2000, 1 };
  g_autoptr (WfContext)  context  = device_context_new (device);
  g_auto (Inputs)        inputs   = { 0 };
  g_auto (DeviceResult)  expected = { 0 };
  guint                  stopped  = 0;

  inputs_init (&inputs, call, &size, FALSE);
  find_expected (call, &size, &inputs, &expected);
  for (guint repeat = 0; repeat < test_count (3, 10); repeat++)
    {
      g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
      g_auto (DeviceResult)     result      = { 0 };
      GThread                  *thread;
      GError                   *error       = NULL;

      device_result_init (&result, call, WF_TYPE_U8, &size, FALSE);
      wf_context_set_cancellable (context, cancellable);
      thread = g_thread_new ("cancel", cancel_soon, cancellable);
      if (run_call (call, context, &inputs, &result, &error))
        g_assert_true (device_result_is_equal (&result, &expected));
      else if (! device_call_is_refused (error))
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_assert_true (device_result_untouched (&result));
          stopped++;
        }
      g_clear_error (&error);
      g_thread_join (thread);
    }
  g_test_message ("%u were cancelled", stopped);
  wf_context_set_cancellable (context, NULL);
  check_call (call, context, &size, &inputs, &expected);
}


/*  Tests  */

typedef enum
{
  FAULTS_FRESH,
  FAULTS_USED,
  LARGE_IMAGE,
  LARGE_STACK,
  CANCELLING,
  N_CHECKS
} Check;

typedef struct
{
  const char       *device;
  const DeviceCall *call;
  Check             check;
} Test;

static void
run_test (gconstpointer data)
{
  const Test   *test  = data;
  const RefSize image = { 3500, 2700, 1 };
  const RefSize stack = { 210, 170, 70 };

  switch (test->check)
    {
    case FAULTS_FRESH:
    case FAULTS_USED:
      check_faults (test->call, test->device, test->check == FAULTS_USED);
      break;
    case LARGE_IMAGE:
    case LARGE_STACK:
      check_large (test->call, test->device, test->check == LARGE_IMAGE ? &image : &stack);
      break;
    default:
      check_cancelling (test->call, test->device);
    }
}

static void
add_tests (const char *device)
{
  static const char *const names[N_CHECKS] = { "faults", "faults-used", "large", "large-stack",
                                               "cancelling" };

  for (const DeviceCall *call = device_calls; call->name; call++)
    for (Check check = 0; check < N_CHECKS; check++)
      {
        g_autofree char *path = g_strdup_printf ("/device-state/%s/%s/%s", device, names[check],
                                                 call->name);
        const Test       test = { device, call, check };

        g_test_add_data_func_full (path, g_memdup2 (&test, sizeof test), run_test, g_free);
      }
}

static void
add_test (const char     *device,
          const char     *name,
          GTestDataFunc   test)
{
  g_autofree char *path = g_strdup_printf ("/device-state/%s/%s", device, name);

  g_test_add_data_func (path, device, test);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    {
      add_tests (names->pdata[i]);
      add_test (names->pdata[i], "alternating", test_alternating);
      add_test (names->pdata[i], "threads", test_threads);
    }
  if (problem)
    g_test_add_data_func ("/device-state/none", problem, device_test_none);

  return g_test_run ();
}
