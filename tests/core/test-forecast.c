/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Forecasts of a context, and what it does if the configured device is missing or fails.  Tests
 * that need a GPU are skipped where there is none; it is given as faster than the CPU.
 */

#include <string.h>

#include "tests/support/pace-file.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"

#define FAULT "WAVEFRONT_CUDA_FAULT"
#define SIDE  40

static WfOperation
operation_of (gconstpointer data)
{
  return (WfOperation) GPOINTER_TO_INT (data);
}

static WfContext *
new_context (const char *device,
             int         threads,
             WfFallback  fallback)
{
  WfContextOptions  options = { sizeof (WfContextOptions), device, threads, 0, fallback };
  WfContext        *context = wf_context_new ();
  GError           *error   = NULL;

  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  return context;
}

/* Returns the name of the first GPU, or NULL. */
static const char *
first_gpu (void)
{
  g_autoptr (GPtrArray) devices = wf_list_devices (NULL);

  return devices->len > 1 ? g_intern_string (((WfDevice *) devices->pdata[1])->name) : NULL;
}

static WfForecast *
forecast_of (WfContext     *context,
             WfOperation    operation,
             const WfImage *image)
{
  GError     *error    = NULL;
  WfForecast *forecast = wf_context_forecast (context, operation, image,
                                              work_options (operation), &error);

  g_assert_no_error (error);
  g_assert_nonnull (forecast);
  assert_sentence (forecast->reason);
  g_assert_cmpuint (forecast->memory_available, >, 0);
  return forecast;
}

/* An image with a size but only one pixel in memory; a forecast reads no pixels. */
static WfImage
view_of (gint64 width,
         gint64 height)
{
  static guint8 pixel;
  WfImage       view;

  g_assert_true (wf_image_init (&view, WF_TYPE_U8, width, height, 1, &pixel, NULL));
  return view;
}


/* What no GPU does: the CPU does it instead, also for a GPU that is chosen by name.  Of the numbers
 * in between GPUs have those from erosion to closing, and of the last ones no tool for labels.
 */
static gboolean
is_of_cpu (WfOperation operation)
{
  return operation >= WF_OPERATION_AREA_OPENING && operation <= WF_OPERATION_GEODESIC_DISTANCE &&
         ! (operation >= WF_OPERATION_EROSION && operation <= WF_OPERATION_CLOSING) &&
         operation != WF_OPERATION_THRESHOLD;
}


/*  Forecasts  */

/* An operation uses the device, the algorithm and the threads of its forecast. */
static void
test_comes_true (gconstpointer data)
{
  const char *const devices[] = { "cpu", "auto", "all", first_gpu () };

  for (guint i = 0; i < G_N_ELEMENTS (devices) && devices[i]; i++)
    {
      g_autoptr (WfContext)   context  = new_context (devices[i], 2, WF_FALLBACK_AUTO);
      g_autoptr (WfForecast)  forecast = NULL;
      g_auto (Work)           work     = { 0 };
      const WfReport         *report;
      GError                 *error    = NULL;

      work_init (&work, operation_of (data), SIDE);
      forecast = forecast_of (context, operation_of (data), &work.image->view);
      work_run (&work, context, &error);
      g_assert_no_error (error);
      report = wf_context_get_report (context);
      g_assert_cmpstr (forecast->device, ==, report->device);
      g_assert_cmpstr (forecast->algorithm, ==, report->algorithm);
      g_assert_cmpuint (forecast->threads, ==, report->threads);
    }
}

static void
test_memory (gconstpointer data)
{
  g_autoptr (WfContext)   context  = new_context ("cpu", 0, WF_FALLBACK_AUTO);
  WfImage                 view     = view_of (3000, 2000);
  g_autoptr (WfForecast)  forecast = forecast_of (context, operation_of (data), &view);
  g_autoptr (WfForecast)  limited  = NULL;

  wf_context_set_memory_limit (context, 1000);
  limited = forecast_of (context, operation_of (data), &view);
  g_assert_cmpuint (limited->memory_available, ==, 1000);
  g_assert_cmpuint (limited->memory_needed, ==, forecast->memory_needed);
}

/* The forecast of GPU memory is at least that of the images, and increases with their size. */
static void
test_device_memory (gconstpointer data)
{
  const char              *gpu     = first_gpu ();
  g_autoptr (WfContext)    cpu     = new_context ("cpu", 1, WF_FALLBACK_AUTO);
  g_autoptr (WfContext)    context = NULL;
  WfImage                  small   = view_of (1000, 800);
  WfImage                  large   = view_of (3000, 2000);
  g_autoptr (WfForecast)   on_cpu  = forecast_of (cpu, operation_of (data), &large);
  g_autoptr (WfForecast)   less    = NULL;
  g_autoptr (WfForecast)   more    = NULL;

  g_assert_cmpuint (on_cpu->device_needed, ==, 0);
  if (! gpu)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  context = new_context (gpu, 1, WF_FALLBACK_AUTO);
  less    = forecast_of (context, operation_of (data), &small);
  more    = forecast_of (context, operation_of (data), &large);
  g_assert_true (more->device_free > 0 || is_of_cpu (operation_of (data)));
  if (operation_of (data) == WF_OPERATION_HIERARCHY || is_of_cpu (operation_of (data)))
    {
      g_assert_cmpuint (more->device_needed, ==, 0);   /* depends on the number of basins */
      g_assert_true (! is_of_cpu (operation_of (data)) || strcmp (more->device, "cpu") == 0);
      return;
    }
  g_assert_cmpuint (less->device_needed, >=, 2 * 1000 * 800);
  g_assert_cmpuint (more->device_needed, >=, 2 * 3000 * 2000);
  g_assert_cmpuint (more->device_needed, >, less->device_needed);
}

/* The forecast of GPU memory is that of the named algorithm; some algorithms depend on the GPU. */
static void
test_device_algorithms (void)
{
  static const char *const names[] = { "tiled", "basins", "raster", "queue",
                                      "queue-prefix", "queue-naive" };
  const char              *gpu     = first_gpu ();
  g_autoptr (WfContext)    context = NULL;
  WfImage                  view    = view_of (3000, 2000);
  WfReconstructOptions     options;

  if (! gpu)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  context = new_context (gpu, 1, WF_FALLBACK_AUTO);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (WfForecast) forecast = NULL;

      options.algorithm = names[i];
      forecast = wf_context_forecast (context, WF_OPERATION_RECONSTRUCT, &view, &options, NULL);
      g_assert_cmpstr (forecast->algorithm, ==, names[i]);
      g_test_message ("%s: %" G_GUINT64_FORMAT, names[i], forecast->device_needed);
      g_assert_cmpuint (forecast->device_needed, >=, 2 * 3000 * 2000);
      g_assert_cmpuint (forecast->device_needed, <=, (guint64) 100 * 3000 * 2000);
    }
}

static void
check_too_large (const char    *device,
                 WfFallback     fallback,
                 const WfImage *image,
                 const char    *expected)
{
  g_autoptr (WfContext)   context  = new_context (device, 1, fallback);
  g_autoptr (WfForecast)  forecast = forecast_of (context, WF_OPERATION_GAUSSIAN, image);

  g_assert_cmpstr (forecast->device, ==, expected);
  if (strcmp (expected, "cpu") != 0)
    g_assert_cmpuint (forecast->device_needed, >, forecast->device_free);
  else
    {
      g_assert_cmpuint (forecast->device_needed, ==, 0);
      g_assert_nonnull (strstr (forecast->reason, "GPU memory"));
    }
}

/* If the fallback allows it, an image larger than GPU memory is computed by the CPU, and the
 * reason of the forecast says so.
 */
static void
test_too_large (void)
{
  g_autoptr (GPtrArray) devices = wf_list_devices (NULL);
  const WfDevice       *gpu     = devices->len > 1 ? devices->pdata[1] : NULL;
  gint64                side    = 1;
  WfImage               view;

  if (! gpu)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  while ((guint64) side * side < gpu->memory_total)
    side *= 2;
  view = view_of (side, side);
  check_too_large ("auto", WF_FALLBACK_AUTO, &view, "cpu");
  check_too_large ("all", WF_FALLBACK_AUTO, &view, "cpu");
  check_too_large ("auto", WF_FALLBACK_NONE, &view, gpu->name);
  check_too_large (gpu->name, WF_FALLBACK_AUTO, &view, gpu->name);
  check_too_large (gpu->name, WF_FALLBACK_CPU, &view, "cpu");
  check_too_large (gpu->name, WF_FALLBACK_NONE, &view, gpu->name);
}

/* On a GPU with less than a byte of memory a pixel, forecast, notice and error give the same
 * reason, except where the memory depends on markers or basins, which a forecast does not know.
 */
static void
test_little (gconstpointer data)
{
  const int                 side      = 1100;   /* large enough for a GPU to be chosen */
  const gboolean            known     = operation_of (data) != WF_OPERATION_HIERARCHY;
  const gboolean            exactly   = known && operation_of (data) != WF_OPERATION_IMPOSE_MINIMA;
  g_autoptr (GPtrArray)     devices   = wf_list_devices (NULL);
  const WfDevice           *gpu       = devices->len > 1 ? devices->pdata[1] : NULL;
  g_autoptr (WfContext)     automatic = new_context ("auto", 2, WF_FALLBACK_AUTO);
  g_autoptr (WfContext)     by_name   = NULL;
  g_autoptr (WfForecast)    forecast  = NULL;
  g_autoptr (WfForecast)    of_gpu    = NULL;
  g_auto (Work)             work      = { 0 };
  g_autoptr (GError)        error     = NULL;

  if (! gpu || gpu->memory_total > side * side)
    {
      g_test_skip ("There is no GPU with so little memory.");
      return;
    }
  work_init (&work, operation_of (data), side);
  if (is_of_cpu (operation_of (data)))
    {
      by_name = new_context (gpu->name, 1, WF_FALLBACK_AUTO);
      g_assert_true (work_run (&work, by_name, NULL));
      g_assert_cmpstr (wf_context_get_report (by_name)->device, ==, "cpu");
      assert_sentence (wf_context_get_report (by_name)->notice);
      g_clear_pointer (&by_name, wf_context_unref);
      by_name = new_context (gpu->name, 1, WF_FALLBACK_NONE);
      g_assert_false (work_run (&work, by_name, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
      return;
    }
  forecast = forecast_of (automatic, operation_of (data), &work.image->view);
  g_assert_true (work_run (&work, automatic, NULL));
  g_assert_cmpstr (wf_context_get_report (automatic)->device, ==, "cpu");
  if (known)
    {
      g_assert_cmpstr (forecast->device, ==, "cpu");
      g_assert_cmpstr (forecast->algorithm, ==, wf_context_get_report (automatic)->algorithm);
    }
  g_assert_true (! exactly || strstr (wf_context_get_report (automatic)->notice,
                                      forecast->reason));

  by_name = new_context (gpu->name, 1, WF_FALLBACK_AUTO);
  of_gpu  = forecast_of (by_name, operation_of (data), &work.image->view);
  g_assert_cmpstr (of_gpu->device, ==, gpu->name);
  g_assert_true (! known || of_gpu->device_needed > of_gpu->device_free);
  g_assert_false (work_run (&work, by_name, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  g_assert_true (! exactly || strstr (error->message, forecast->reason));
}

static guint64
free_on_gpu (void)
{
  g_autoptr (GPtrArray) devices = wf_list_devices (NULL);

  return devices->len > 1 ? ((WfDevice *) devices->pdata[1])->memory_free : 0;
}

static void
smooth (WfContext *context,
        WfImage   *image)
{
  GError *error = NULL;

  wf_gaussian (context, image, image, work_options (WF_OPERATION_GAUSSIAN), &error);
  g_assert_no_error (error);
}

/* GPU memory that a context keeps for later operations counts as free. */
static void
test_in_store (void)
{
  const char             *gpu      = first_gpu ();
  g_autoptr (WfContext)   context  = NULL;
  g_autoptr (WfForecast)  forecast = NULL;
  g_auto (WfImage)        image    = { 0 };
  guint64                 before;

  if (free_on_gpu () <= (guint64) 1 << 30)
    {
      g_test_skip ("There is no GPU with more than a gigabyte.");
      return;
    }
  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, 8192, 8192, 1, NULL));
  memset (image.data, 7, 8192 * 8192);
  context = new_context (gpu, 1, WF_FALLBACK_NONE);
  smooth (context, &image);
  g_clear_pointer (&context, wf_context_unref);   /* the code stays loaded on the GPU */
  before  = free_on_gpu ();

  context  = new_context (gpu, 1, WF_FALLBACK_NONE);
  forecast = forecast_of (context, WF_OPERATION_GAUSSIAN, &image);
  smooth (context, &image);
  g_assert_cmpuint (forecast->device_needed, >=, 2 * 8192 * 8192);
  g_assert_cmpuint (free_on_gpu () + forecast->device_needed / 2, >, before);
}

static void
test_reasons (void)
{
  g_autoptr (WfContext)   automatic = new_context ("auto", 3, WF_FALLBACK_AUTO);
  g_autoptr (WfContext)   cpu       = new_context ("cpu", 3, WF_FALLBACK_AUTO);
  WfImage                 small     = view_of (1000, 1000);
  WfImage                 large     = view_of (4000, 3000);
  g_autoptr (WfForecast)  of_small  = forecast_of (automatic, WF_OPERATION_WATERSHED, &small);
  g_autoptr (WfForecast)  of_large  = forecast_of (automatic, WF_OPERATION_WATERSHED, &large);
  g_autoptr (WfForecast)  of_cpu    = forecast_of (cpu, WF_OPERATION_WATERSHED, &large);
  g_autoptr (GError)      problem   = NULL;
  g_autoptr (GPtrArray)   devices   = wf_list_devices (&problem);

  g_assert_cmpstr (of_small->device, ==, "cpu");
  g_assert_nonnull (strstr (of_small->reason, "too small"));
  g_assert_cmpstr (of_cpu->device, ==, "cpu");
  g_assert_cmpuint (of_cpu->threads, ==, 3);
  g_assert_nonnull (strstr (of_cpu->reason, "was chosen"));
  g_assert_cmpstr (of_cpu->description, ==, ((WfDevice *) devices->pdata[0])->description);
  if (devices->len == 1)
    {
      g_assert_cmpstr (of_large->device, ==, "cpu");
      g_assert_cmpstr (of_large->reason, ==, problem->message);
    }
  else
    {
      g_assert_cmpstr (of_large->device, ==, "cuda:0");
      g_assert_cmpuint (of_large->threads, ==, 1);
      g_assert_nonnull (strstr (of_large->reason, "expected"));
      g_assert_cmpstr (of_large->description, ==, ((WfDevice *) devices->pdata[1])->description);
      g_assert_cmpuint (of_large->device_free, >, 0);
    }
}

static void
test_refusals (void)
{
  g_autoptr (WfContext)  context = new_context ("cpu", 1, WF_FALLBACK_AUTO);
  WfImage                view    = view_of (30, 20);
  WfImage                empty   = { 0 };
  WfWatershedOptions     options;
  g_autoptr (WfForecast) none    = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  assert_refused ((none = wf_context_forecast (context, WF_OPERATION_WATERSHED, &empty, NULL,
                                               &refusal)) != NULL, WF_ERROR_INVALID);
  options.algorithm = "sync";
  assert_refused ((none = wf_context_forecast (context, WF_OPERATION_WATERSHED, &view, &options,
                                               &refusal)) != NULL, WF_ERROR_UNSUPPORTED);
  options.algorithm    = "auto";
  options.connectivity = 6;
  assert_refused ((none = wf_context_forecast (context, WF_OPERATION_WATERSHED, &view, &options,
                                               &refusal)) != NULL, WF_ERROR_INVALID);
  wf_forecast_free (NULL);
}


/*  Devices that are missing or fail  */

/* With fallback to the CPU, a missing device is replaced by the CPU, and a notice says so. */
static void
test_missing (void)
{
  const WfContextOptions    bad[]    = { { sizeof (WfContextOptions), "cuda:99", 1, 0,
                                           WF_FALLBACK_AUTO },
                                         { sizeof (WfContextOptions), "cuda:99", 1, 0,
                                           WF_FALLBACK_NONE } };
  const WfContextOptions    cpu      = { sizeof (WfContextOptions), "cpu", 1, 0, WF_FALLBACK_CPU };
  g_autoptr (WfContext)     context  = new_context ("cuda:99", 1, WF_FALLBACK_CPU);
  g_autoptr (GuardedImage)  expected = work_result (WF_OPERATION_WATERSHED, SIDE);
  g_autoptr (WfForecast)    forecast = NULL;
  g_auto (Work)             work     = { 0 };
  GError                   *error    = NULL;

  work_init (&work, WF_OPERATION_WATERSHED, SIDE);
  forecast = forecast_of (context, WF_OPERATION_WATERSHED, &work.image->view);
  g_assert_cmpstr (forecast->device, ==, "cpu");
  g_assert_nonnull (strstr (forecast->reason, "cuda:99"));

  /* a refused configuration changes nothing */
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_refused (wf_context_configure (context, &bad[i], &refusal), WF_ERROR_DEVICE);
  work_run (&work, context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (work.out, expected->view.data), ==, -1);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cpu");
  assert_sentence (wf_context_get_report (context)->notice);
  g_assert_nonnull (strstr (wf_context_get_report (context)->notice, "cuda:99"));

  wf_context_configure (context, &cpu, &error);
  g_assert_no_error (error);
  work_run (&work, context, &error);
  g_assert_no_error (error);
  g_assert_null (wf_context_get_report (context)->notice);
}

/* Runs the work with the first call to the device failing. */
static gboolean
run_failing (Work       *work,
             WfContext  *context,
             GError    **error)
{
  gboolean done;

  g_setenv (FAULT, "1", TRUE);
  done = work_run (work, context, error);
  g_unsetenv (FAULT);
  return done;
}

static void
test_failing (void)
{
  const char               *gpu      = first_gpu ();
  g_autoptr (GuardedImage)  expected = work_result (WF_OPERATION_WATERSHED, SIDE);

  if (! gpu)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  for (int fallback = WF_FALLBACK_AUTO; fallback <= WF_FALLBACK_NONE; fallback++)
    {
      g_autoptr (WfContext)  context = new_context (gpu, 1, (WfFallback) fallback);
      g_auto (Work)          work    = { 0 };
      g_autoptr (GError)     error   = NULL;
      const WfReport        *report  = wf_context_get_report (context);

      work_init (&work, WF_OPERATION_WATERSHED, SIDE);
      if (fallback == WF_FALLBACK_CPU)
        {
          g_assert_true (run_failing (&work, context, &error));
          g_assert_no_error (error);
          g_assert_cmpint (guarded_image_find_difference (work.out, expected->view.data), ==, -1);
          g_assert_cmpstr (report->device, ==, "cpu");
          assert_sentence (report->notice);
          g_assert_nonnull (strstr (report->notice, gpu));
        }
      else
        {
          g_assert_false (run_failing (&work, context, &error));
          g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
          assert_sentence (error->message);
          g_assert_nonnull (strstr (error->message, gpu));
          g_assert_true (guarded_image_is_untouched (work.out));
        }

      /* afterwards the device works as before */
      g_assert_true (work_run (&work, context, NULL));
      g_assert_cmpstr (report->device, ==, gpu);
      g_assert_null (report->notice);
    }
}

/* Automatic choice takes the GPU for an algorithm that only GPUs have; there it fails. */
static void
test_failing_automatic (void)
{
  const char         *gpu  = first_gpu ();
  WfImage             view = view_of (SIDE, SIDE);
  WfWatershedOptions  options;

  if (! gpu)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.algorithm = "sync";
  for (int fallback = WF_FALLBACK_AUTO; fallback <= WF_FALLBACK_NONE; fallback++)
    {
      g_autoptr (WfContext)   context  = new_context ("auto", 1, (WfFallback) fallback);
      g_autoptr (WfForecast)  forecast = wf_context_forecast (context, WF_OPERATION_WATERSHED,
                                                              &view, &options, NULL);
      g_auto (WfImage)        labels   = { 0 };
      g_auto (Work)           work     = { 0 };
      g_autoptr (GError)      error    = NULL;
      gboolean                done;

      g_assert_cmpstr (forecast->device, ==, gpu);
      g_assert_nonnull (strstr (forecast->reason, "Only GPUs"));
      work_init (&work, WF_OPERATION_WATERSHED, SIDE);
      g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, work.image->view.width,
                                        work.image->view.height, work.image->view.depth, NULL));
      g_setenv (FAULT, "1", TRUE);
      done = wf_watershed (context, &work.image->view, NULL, &labels, NULL, &options, &error);
      g_unsetenv (FAULT);
      if (fallback == WF_FALLBACK_NONE)
        {
          g_assert_false (done);
          g_assert_nonnull (strstr (error->message, gpu));
        }
      else
        {
          g_assert_true (done);
          g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cpu");
          g_assert_nonnull (strstr (wf_context_get_report (context)->notice, gpu));
        }
    }
}

/* Without a context it is that of a context of its own, as for the operations. */
static void
test_null_context (void)
{
  g_autoptr (WfContext)  context  = wf_context_new ();
  g_autoptr (WfForecast) expected = NULL;
  g_autoptr (WfForecast) forecast = NULL;
  GError                *error    = NULL;
  guint8                 nothing  = 0;
  WfImage                view;

  g_assert_true (wf_image_init (&view, WF_TYPE_U8, 300, 200, 1, &nothing, NULL));
  expected = wf_context_forecast (context, WF_OPERATION_LABEL, &view, NULL, NULL);
  forecast = wf_context_forecast (NULL, WF_OPERATION_LABEL, &view, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (forecast->device, ==, expected->device);
  g_assert_cmpstr (forecast->algorithm, ==, expected->algorithm);
  g_assert_cmpstr (forecast->reason, ==, expected->reason);
  g_assert_cmpuint (forecast->threads, ==, expected->threads);
  g_assert_cmpuint (forecast->memory_needed, ==, expected->memory_needed);
}

static void
add (const char    *name,
     GTestDataFunc  function)
{
  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    if (work_describes (operation))
      {
        g_autofree char *path = g_strdup_printf ("/forecast/%s/%s", name, work_name (operation));

        g_test_add_data_func (path, GINT_TO_POINTER (operation), function);
      }
}

int
main (int    argc,
      char **argv)
{
  int status;

  tests_begin (&argc, &argv);
  pace_file_use (1e6, 1e12, 1e10);

  add ("comes-true", test_comes_true);
  add ("memory", test_memory);
  add ("device-memory", test_device_memory);
  add ("little", test_little);
  g_test_add_func ("/forecast/device-algorithms", test_device_algorithms);
  g_test_add_func ("/forecast/too-large", test_too_large);
  g_test_add_func ("/forecast/in-store", test_in_store);
  g_test_add_func ("/forecast/reasons", test_reasons);
  g_test_add_func ("/forecast/refusals", test_refusals);
  g_test_add_func ("/forecast/null-context", test_null_context);
  g_test_add_func ("/forecast/missing", test_missing);
  g_test_add_func ("/forecast/failing", test_failing);
  g_test_add_func ("/forecast/failing-automatic", test_failing_automatic);

  status = g_test_run ();
  pace_file_remove ();
  return status;
}
