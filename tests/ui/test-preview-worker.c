/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview's worker: the latest of many requests is answered, once, with what the engine
 * computes directly; all others are cancelled at once, without leaks.
 */

#include <math.h>
#include <string.h>

#include "ui/preview/array.h"
#include "ui/preview/painter.h"
#include "ui/preview/worker.h"
#include "tests/support/tiers.h"

#define SIDE       512
#define LARGE_SIDE 2048
#define N_CHANGES  50

/* Generous, so that a busy machine does not fail. */
#define MOST_RESTART_SECONDS 1.0
#define MOST_FIRST_SECONDS   5.0

typedef struct
{
  double   tolerance;
  gboolean reconstruct;
  gboolean wait;
  gboolean fail;
  gboolean describe;
} Settings;

typedef struct
{
  Settings         settings;
  WfImage          image;
  int              n_done;
  WfPreviewResult *result;
  char            *error;
} Fixture;

/* The numbers of copies of settings, and of computations that have begun. */
static int    n_copies;
static int    n_begun;
static gint64 begun_at;
/* Whether completing a result never ends, and how often it has ended. */
static int    held;
static int    n_completed;
/* Whether it fails. */
static int    incomplete;


/*  The computation  */

static gpointer
copy_settings (gpointer data)
{
  g_atomic_int_inc (&n_copies);
  return g_memdup2 (data, sizeof (Settings));
}

static void
free_settings (gpointer settings)
{
  g_atomic_int_add (&n_copies, -1);
  g_free (settings);
}

static gboolean
flood (WfContext       *context,
       const WfImage   *image,
       const Settings  *settings,
       WfPreviewResult *result,
       GError         **error)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.tolerance = settings->tolerance;
  return wf_image_allocate (&result->image, WF_TYPE_U32, image->width, image->height, 1, error) &&
         wf_watershed (context, image, NULL, &result->image, &result->n_labels, &options, error);
}

static gboolean
fill_holes (WfContext       *context,
            const WfImage   *image,
            WfPreviewResult *result,
            GError         **error)
{
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_FILL_HOLES), &options);
  return wf_image_allocate (&result->image, image->type, image->width, image->height, 1, error) &&
         wf_fill_holes (context, image, &result->image, &options, error);
}

static gboolean
compute (WfContext              *context,
         const WfPreviewInputs  *inputs,
         gconstpointer           data,
         WfPreviewResult        *result,
         GError                **error)
{
  const Settings *settings = data;
  gboolean        done;

  begun_at = g_get_monotonic_time ();
  g_atomic_int_inc (&n_begun);
  if (settings->fail)
    {
      if (settings->describe)
        {
          g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U8, 1, 1, 1, NULL));
          result->extra      = g_strdup ("described");
          result->free_extra = g_free;
        }
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, "It is refused.");
      return FALSE;
    }
  /* repeats the computation until it is cancelled */
  do
    {
      wf_image_clear (&result->image);
      done = settings->reconstruct ? fill_holes (context, &inputs->images[0], result, error)
                                   : flood (context, &inputs->images[0], settings, result, error);
    }
  while (done && settings->wait);
  result->extra      = g_memdup2 (settings, sizeof (Settings));
  result->free_extra = g_free;
  return done;
}

/* Waits while it is held, unless it is cancelled. */
static gboolean
complete (WfContext              *context,
          const WfPreviewInputs  *inputs,
          gconstpointer           settings,
          WfPreviewResult        *result,
          GError                **error)
{
  while (g_atomic_int_get (&held))
    {
      g_autoptr (WfPreviewResult) other = wf_preview_result_new (&inputs->region);

      if (! fill_holes (context, &inputs->images[0], other, error))
        return FALSE;
    }
  if (g_atomic_int_get (&incomplete))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, "It is too large.");
      return FALSE;
    }
  result->label_lines = wf_label_lines_new (context, &result->image, 8, error);
  if (! result->label_lines)
    return FALSE;
  g_atomic_int_inc (&n_completed);
  return TRUE;
}

static const WfPreviewComputation in_two_parts = { copy_settings, free_settings, compute,
                                                   complete };

static const WfPreviewComputation computation = { .copy_settings = copy_settings,
                                                  .free_settings = free_settings,
                                                  .compute       = compute };


/*  The source  */

static gboolean
read_inputs (const WfPreviewRegion  *region,
             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
             gpointer                data,
             GError                **error)
{
  return wf_preview_array_read_levels (data, region, &inputs[0], error);
}

/* Hills and valleys a few pixels wide, and noise. */
static void
make_image (WfImage *image,
            int      side)
{
  guint8 *pixels;

  g_assert_true (wf_image_allocate (image, WF_TYPE_U8, side, side, 1, NULL));
  pixels = image->data;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      *pixels++ = (guint8) (128 + 50 * sin (x * 0.21) * cos (y * 0.17) + 30 * sin (x * y * 1e-4) +
                            g_test_rand_int_range (-20, 21));
}

static WfPreviewInputs *
make_inputs (WfImage *image)
{
  const WfPreviewSource  source = { .width       = (int) image->width,
                                    .height      = (int) image->height,
                                    .read_inputs = read_inputs };
  WfPreviewRegion        region;
  WfPreviewInputs       *inputs;

  wf_preview_region_whole (&region, source.width, source.height, 1);
  inputs = wf_preview_inputs_new (&source, image, &region, NULL);
  g_assert_nonnull (inputs);
  return inputs;
}


/*  The main loop  */

static void
done (WfPreviewResult *result,
      const GError    *error,
      gpointer         data)
{
  Fixture *fixture = data;

  fixture->n_done++;
  g_clear_pointer (&fixture->result, wf_preview_result_unref);
  g_clear_pointer (&fixture->error, g_free);
  fixture->result = result ? wf_preview_result_ref (result) : NULL;
  fixture->error  = error ? g_strdup (error->message) : NULL;
}

static gboolean
set_true (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

static void
loop_for (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, set_true, &over);
  while (! over)
    g_main_context_iteration (NULL, TRUE);
}

static void
loop_until_idle (WfPreviewWorker *worker)
{
  while (wf_preview_worker_is_busy (worker))
    g_main_context_iteration (NULL, TRUE);
}

static void
fixture_set_up (Fixture       *fixture,
                gconstpointer  side)
{
  n_begun = 0;
  make_image (&fixture->image, GPOINTER_TO_INT (side));
}

static void
fixture_tear_down (Fixture       *fixture,
                   gconstpointer  side)
{
  wf_image_clear (&fixture->image);
  g_clear_pointer (&fixture->result, wf_preview_result_unref);
  g_free (fixture->error);
  g_assert_cmpint (g_atomic_int_get (&n_copies), ==, 0);
}

static void
assert_result (Fixture *fixture,
               double   tolerance)
{
  g_autoptr (WfContext)        context  = wf_context_new ();
  g_autoptr (WfPreviewInputs)  inputs   = make_inputs (&fixture->image);
  g_autoptr (WfPreviewResult)  expected = wf_preview_result_new (&inputs->region);
  const Settings               settings = { .tolerance = tolerance };

  g_assert_nonnull (fixture->result);
  g_assert_true (flood (context, &fixture->image, &settings, expected, NULL));
  g_assert_cmpuint (fixture->result->n_labels, ==, expected->n_labels);
  g_assert_cmpmem (fixture->result->image.data, wf_image_n_pixels (&fixture->result->image) * 4,
                   expected->image.data, wf_image_n_pixels (&expected->image) * 4);
}


/*  Tests  */

/* Fifty changes before the main loop runs: one result, of the last. */
static void
test_burst (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  for (int i = 0; i < N_CHANGES; i++)
    {
      fixture->settings.tolerance = i;
      wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
      g_usleep (i % 7 * 300);
    }
  g_assert_cmpint (fixture->n_done, ==, 0);
  loop_until_idle (worker);
  loop_for (50);
  g_assert_cmpint (fixture->n_done, ==, 1);
  assert_result (fixture, N_CHANGES - 1);
}

/* The same while the main loop runs: results may come in between, never outdated ones, and
 * the last is of the last change.
 */
static void
test_stream (Fixture       *fixture,
             gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  for (int i = 0; i < N_CHANGES; i++)
    {
      int before = fixture->n_done;

      fixture->settings.tolerance = i;
      wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
      loop_for (i % 5 * 4 + 1);
      g_assert_cmpint (fixture->n_done - before, <=, 1);
      if (fixture->n_done > before)
        g_assert_cmpfloat (((Settings *) fixture->result->extra)->tolerance, ==, i);
    }
  loop_until_idle (worker);
  loop_for (50);
  g_assert_cmpint (fixture->n_done, >=, 1);
  g_assert_cmpint (fixture->n_done, <=, N_CHANGES);
  assert_result (fixture, N_CHANGES - 1);
}

static void
wait_until_begun (int n)
{
  while (g_atomic_int_get (&n_begun) < n)
    g_usleep (200);
}

/* A cancelled computation ends, and is not reported. */
static void
test_cancel (Fixture       *fixture,
             gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  fixture->settings.wait = TRUE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  g_assert_true (wf_preview_worker_is_busy (worker));
  wait_until_begun (1);
  wf_preview_worker_cancel (worker);
  g_assert_false (wf_preview_worker_is_busy (worker));
  loop_for (200);
  g_assert_cmpint (fixture->n_done, ==, 0);

  /* neither is a finished one that is not delivered yet */
  fixture->settings.wait = FALSE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  wait_until_begun (2);
  g_usleep (300000);
  wf_preview_worker_cancel (worker);
  loop_for (50);
  g_assert_cmpint (fixture->n_done, ==, 0);

  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_cmpint (fixture->n_done, ==, 1);
}

/* How soon the next one begins while a large one is running. */
static void
test_restart (Fixture       *fixture,
              gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);
  double                      most   = 0;

  fixture->settings.wait = TRUE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  for (int i = 1; i <= 10; i++)
    {
      gint64 asked_at;

      wait_until_begun (i);
      g_usleep (7000 * i);
      asked_at = g_get_monotonic_time ();
      fixture->settings.reconstruct = i % 2;
      wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
      wait_until_begun (i + 1);
      most = MAX (most, (begun_at - asked_at) / 1e6);
    }
  g_test_message ("begun anew after at most %.1f ms", most * 1000);
  g_assert_cmpfloat (most, <, MOST_RESTART_SECONDS);
}

/* A result that can be shown does not wait until it is complete. */
static void
test_early (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker)  worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs)  inputs = make_inputs (&fixture->image);
  WfPreviewResult             *early;

  held = TRUE;
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  while (fixture->n_done < 1)
    g_main_context_iteration (NULL, TRUE);
  early = fixture->result;
  assert_result (fixture, 0);
  g_assert_false (early->complete);
  loop_for (30);
  g_assert_cmpint (fixture->n_done, ==, 1);
  g_assert_true (wf_preview_worker_is_busy (worker));

  g_atomic_int_set (&held, FALSE);
  loop_until_idle (worker);
  g_assert_cmpint (fixture->n_done, ==, 2);
  g_assert_true (fixture->result == early);
  g_assert_true (early->complete);
  g_assert_nonnull (early->label_lines);

  /* if the main loop runs late there is one report */
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  while (g_atomic_int_get (&n_completed) < 2)
    g_usleep (1000);
  g_usleep (100000);
  loop_until_idle (worker);
  loop_for (30);
  g_assert_cmpint (fixture->n_done, ==, 3);
  g_assert_true (fixture->result->complete);
  assert_result (fixture, 0);
}

/* Outdated results are not completed. */
static void
test_early_cancel (Fixture       *fixture,
                   gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);
  g_autoptr (WfPreviewResult) early  = NULL;

  held = TRUE;
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  while (fixture->n_done < 1)
    g_main_context_iteration (NULL, TRUE);
  early = wf_preview_result_ref (fixture->result);
  fixture->settings.tolerance = 9;
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  while (fixture->n_done < 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (fixture->result != early);
  g_assert_false (early->complete);
  g_assert_null (early->label_lines);
  assert_result (fixture, 9);

  wf_preview_worker_cancel (worker);
  loop_for (50);
  g_assert_cmpint (fixture->n_done, ==, 2);
  g_assert_false (wf_preview_worker_is_busy (worker));
  held = FALSE;
}

static void
test_error (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  fixture->settings.fail = TRUE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_cmpint (fixture->n_done, ==, 1);
  g_assert_null (fixture->result);
  g_assert_cmpstr (fixture->error, ==, "It is refused.");

  fixture->settings.describe = TRUE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_cmpstr (fixture->error, ==, "It is refused.");
  g_assert_cmpstr (fixture->result->extra, ==, "described");
  g_assert_null (fixture->result->image.data);
  g_assert_false (fixture->result->complete);

  fixture->settings.fail = FALSE;
  wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_cmpint (fixture->n_done, ==, 3);
  g_assert_null (fixture->error);
  assert_result (fixture, 0);
}

/* What could not be completed is told from what could not be computed. */
static void
test_incomplete (Fixture       *fixture,
                 gconstpointer  unused)
{
  g_autoptr (WfPreviewWorker) worker = wf_preview_worker_new (done, fixture);
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  incomplete = TRUE;
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_cmpstr (fixture->error, ==, "It is too large.");
  assert_result (fixture, 0);
  g_assert_false (fixture->result->complete);

  g_atomic_int_set (&incomplete, FALSE);
  wf_preview_worker_start (worker, &in_two_parts, &fixture->settings, inputs);
  loop_until_idle (worker);
  g_assert_null (fixture->error);
  g_assert_true (fixture->result->complete);
}

/* Freed before it has begun, while running, and with a result to deliver: no thread, no
 * settings and no result are left.
 */
static void
test_free (Fixture       *fixture,
           gconstpointer  unused)
{
  g_autoptr (WfPreviewInputs) inputs = make_inputs (&fixture->image);

  for (int i = 0; i < 12; i++)
    {
      WfPreviewWorker *worker = wf_preview_worker_new (done, fixture);

      n_begun = 0;
      fixture->settings.wait = i % 3 == 1;
      if (i > 0)
        wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
      if (i % 3 == 1)
        wait_until_begun (1);
      if (i % 3 == 2)
        g_usleep (100000);
      wf_preview_worker_free (worker);
      g_assert_cmpint (g_atomic_int_get (&n_copies), ==, 0);
      loop_for (5);
    }
  g_assert_cmpint (fixture->n_done, ==, 0);
}

/* A view of four megapixels: read, compute, paint. */
static void
time_first (Fixture    *fixture,
            gboolean    reconstruct,
            const char *what)
{
  g_autoptr (WfPreviewWorker) worker   = wf_preview_worker_new (done, fixture);
  WfViewport                  viewport;
  WfPreviewStyle              style    = { .show_lines = TRUE, .line = { 0x00e05a, 0 },
                                           .line_opacity = 1, .line_width = 1 };
  cairo_surface_t            *surface  = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                                                     LARGE_SIDE, LARGE_SIDE);

  wf_viewport_init (&viewport, LARGE_SIDE, LARGE_SIDE);
  wf_viewport_set_view_size (&viewport, LARGE_SIDE, LARGE_SIDE);
  fixture->settings.reconstruct = reconstruct;
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (WfPreviewInputs) inputs = NULL;
      gint64                      start  = g_get_monotonic_time ();
      gint64                      computed;

      inputs = make_inputs (&fixture->image);
      wf_preview_worker_start (worker, &computation, &fixture->settings, inputs);
      loop_until_idle (worker);
      computed = g_get_monotonic_time ();
      if (reconstruct)
        wf_preview_paint_levels (surface, surface, &viewport, fixture->result, NULL, 8);
      else
        wf_preview_paint_labels (surface, surface, &viewport, fixture->result, NULL, &style);
      g_test_message ("%s of 4 megapixels%s: %.0f ms, computed after %.0f ms", what,
                      i ? ", again" : "", (g_get_monotonic_time () - start) / 1e3,
                      (computed - start) / 1e3);
      g_assert_cmpfloat ((g_get_monotonic_time () - start) / 1e6, <, MOST_FIRST_SECONDS);
    }
  cairo_surface_destroy (surface);
}

static void
test_first_picture (Fixture       *fixture,
                    gconstpointer  unused)
{
  time_first (fixture, FALSE, "watershed");
  time_first (fixture, TRUE, "filled holes");
}

int
main (int    argc,
      char **argv)
{
  const gconstpointer small = GINT_TO_POINTER (SIDE);
  const gconstpointer large = GINT_TO_POINTER (LARGE_SIDE);

  tests_begin (&argc, &argv);

  g_test_add ("/worker/burst", Fixture, small, fixture_set_up, test_burst, fixture_tear_down);
  g_test_add ("/worker/stream", Fixture, small, fixture_set_up, test_stream, fixture_tear_down);
  g_test_add ("/worker/cancel", Fixture, small, fixture_set_up, test_cancel, fixture_tear_down);
  g_test_add ("/worker/restart", Fixture, large, fixture_set_up, test_restart, fixture_tear_down);
  g_test_add ("/worker/early", Fixture, large, fixture_set_up, test_early, fixture_tear_down);
  g_test_add ("/worker/early-cancel", Fixture, large,
              fixture_set_up, test_early_cancel, fixture_tear_down);
  g_test_add ("/worker/error", Fixture, small, fixture_set_up, test_error, fixture_tear_down);
  g_test_add ("/worker/incomplete", Fixture, small,
              fixture_set_up, test_incomplete, fixture_tear_down);
  g_test_add ("/worker/free", Fixture, small, fixture_set_up, test_free, fixture_tear_down);
  g_test_add ("/worker/first-picture", Fixture, large,
              fixture_set_up, test_first_picture, fixture_tear_down);

  return g_test_run ();
}
