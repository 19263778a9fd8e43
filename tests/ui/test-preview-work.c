/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the preview reads and computes, how soon, and what it does not. */

#include <string.h>

#include "preview-person.h"

/* µs of computing without the busy indicator. */
#define LEAST_BUSY_DELAY 150000

static const FixtureImage small_image = { .side = 400 };
static const FixtureImage large_image = { .side = 2600 };


/* Fifty changes: the result of the last, at most one earlier result for each iteration of the
 * main loop, and the pixels are read once.
 */
static void
test_changes (Fixture       *fixture,
              gconstpointer  image)
{
  g_autoptr (WfPreviewResult)  expected = NULL;
  WfPreviewResult             *result;
  int                          before;

  fixture_wait (fixture, 1);
  g_assert_cmpint (fixture->n_reads, ==, 1);
  for (int i = 0; i < 50; i++)
    {
      if (i > 0 && i % 10 == 0)
        while (gtk_events_pending ())
          gtk_main_iteration ();
      fixture->settings.tolerance = i * 0.5;
      wf_preview_recompute (fixture->preview);
    }
  before = fixture->n_computed;
  g_assert_cmpint (before, <=, 1 + 4);
  fixture_wait (fixture, before + 1);
  fixture_wait_for (300);
  g_assert_cmpint (fixture->n_computed, ==, before + 1);
  g_assert_cmpint (fixture->n_reads, ==, 1);

  result   = wf_preview_get_result (fixture->preview);
  expected = fixture_compute (fixture);
  g_assert_cmpuint (result->n_labels, ==, expected->n_labels);
  g_assert_cmpmem (result->image.data, 4 * wf_image_n_pixels (&result->image),
                   expected->image.data, 4 * wf_image_n_pixels (&expected->image));
}

/* How soon a computation with new settings starts while an old one is running. */
static void
test_restart (Fixture       *fixture,
              gconstpointer  image)
{
  double most = 0;

  fixture_wait (fixture, 1);
  fixture->settings.delay = 60;
  wf_preview_recompute (fixture->preview);
  fixture_wait_for (100);
  for (int i = 0; i < 10; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      wf_preview_recompute (fixture->preview);
      while (fixture_begun_at < start)
        g_main_context_iteration (NULL, FALSE);
      most = MAX (most, (fixture_begun_at - start) / 1e6);
      fixture_wait_for (20 + 3 * i);
    }
  g_test_message ("computing anew after at most %.1f ms", most * 1000);
  g_assert_cmpfloat (most, <, 2);
}

/* A moderate image is computed as a whole: the preview shows what the operation makes. */
static void
test_whole (Fixture       *fixture,
            gconstpointer  image)
{
  const WfPreviewRegion  whole = { 1, 0, 0, 400, 400, 0 };
  const WfPreviewRegion *region;

  fixture_wait (fixture, 1);
  region = &wf_preview_get_result (fixture->preview)->region;
  g_assert_true (wf_preview_region_holds (region, &whole));
  g_assert_true (wf_preview_region_holds (&whole, region));
  g_object_set (fixture->widget, "zoom", 5.0, NULL);
  g_object_set (fixture->widget, "zoom", 0.3, NULL);
  fixture_wait_for (100);
  g_assert_cmpint (fixture->n_computed, ==, 1);
  g_assert_cmpint (fixture->n_reads, ==, 1);
}

/* Of a large image the visible part is computed, with a margin, at the shown scale or 1:1. */
static void
test_part (Fixture       *fixture,
           gconstpointer  image)
{
  const int       scale = fixture->scale;
  WfPreviewRegion region;
  double          zoom;

  fixture_wait (fixture, 1);
  zoom   = get_zoom (fixture);
  region = wf_preview_get_result (fixture->preview)->region;
  g_assert_cmpfloat (zoom, ==, FIXTURE_HEIGHT * scale / 2600.0);
  g_assert_cmpfloat (region.scale, ==, zoom);
  g_assert_cmpint (region.width, ==, FIXTURE_HEIGHT * scale);
  g_assert_cmpint (region.height, ==, FIXTURE_HEIGHT * scale);

  g_object_set (fixture->widget, "zoom", 2.0, NULL);
  fixture_wait (fixture, 2);
  region = wf_preview_get_result (fixture->preview)->region;
  g_assert_cmpfloat (region.scale, ==, 1);
  g_assert_cmpint (region.width, ==, FIXTURE_WIDTH * scale / 2 + 128);
  g_assert_cmpint (region.height, ==, FIXTURE_HEIGHT * scale / 2 + 128);
  g_assert_cmpint (region.x, ==, 1300 - region.width / 2);

  /* a larger zoom or a small move needs nothing new, a large move does */
  g_object_set (fixture->widget, "zoom", 6.0, NULL);
  g_object_set (fixture->widget, "zoom", 2.0, NULL);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  fixture_move_pointer (fixture, 110, 95);
  fixture_wait_for (100);
  g_assert_cmpint (fixture->n_computed, ==, 2);
  fixture_move_pointer (fixture, 300, 95);
  fixture_wait (fixture, 3);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 300, 95);
  region = wf_preview_get_result (fixture->preview)->region;
  g_assert_cmpint (region.x, ==, 1300 - region.width / 2 - 200 * scale / 2);
  g_assert_cmpint (fixture->n_reads, ==, 3);
}

/* The message is shown until there is a result again. */
static void
test_error (Fixture       *fixture,
            gconstpointer  image)
{
  fixture_wait (fixture, 1);
  fixture->settings.fail = TRUE;
  wf_preview_recompute (fixture->preview);
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  g_assert_nonnull (strstr (wf_preview_get_error (fixture->preview), "Markers"));
  g_assert_null (wf_preview_get_result (fixture->preview));
  set_mode (fixture, WF_PREVIEW_LINES);
  g_assert_cmpint (count_lines (fixture), ==, 0);

  fixture->settings.fail = FALSE;
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_null (wf_preview_get_error (fixture->preview));
  g_assert_cmpint (fixture->n_failed, ==, 1);
}

/* Errors in reading pixels are shown as well; reading is tried again when the view changes. */
static void
test_unreadable (Fixture       *fixture,
                 gconstpointer  image)
{
  fixture_wait (fixture, 1);
  fixture->unreadable = TRUE;
  wf_preview_reload (fixture->preview);
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  g_assert_cmpstr (wf_preview_get_error (fixture->preview), ==, "There is not enough memory.");
  g_assert_null (wf_preview_get_result (fixture->preview));
  fixture_paint (fixture);

  fixture->unreadable = FALSE;
  wf_preview_zoom_in (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_null (wf_preview_get_error (fixture->preview));
}

static gboolean
is_refused (Fixture *fixture)
{
  gboolean refused;

  g_object_get (fixture->widget, "refused", &refused, NULL);
  return refused;
}

static gboolean
is_described (Fixture    *fixture,
              const char *words)
{
  AtkObject *accessible = gtk_widget_get_accessible (fixture->widget);

  return strstr (atk_object_get_description (accessible), words) != NULL;
}

/* Of a moderate image a failure refuses the settings. */
static void
test_refused (Fixture       *fixture,
              gconstpointer  image)
{
  fixture_wait (fixture, 1);
  g_assert_false (is_refused (fixture));
  fixture->settings.fail = TRUE;
  wf_preview_recompute (fixture->preview);
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  g_assert_true (is_refused (fixture));
  fixture->settings.fail = FALSE;
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_false (is_refused (fixture));
}

/* Of a large one only that of the whole does, whatever happens in the view. */
static void
test_whole_refused (Fixture       *fixture,
                    gconstpointer  image)
{
  g_autoptr (GError) error = g_error_new_literal (WF_ERROR, WF_ERROR_MEMORY, "It is too large.");
  cairo_surface_t   *plain;
  cairo_surface_t   *marked;
  int                n_notified = 0;

  fixture_wait (fixture, 1);
  g_signal_connect_swapped (fixture->widget, "notify::refused", G_CALLBACK (g_atomic_int_inc),
                            &n_notified);
  plain = fixture_draw (fixture);
  wf_preview_set_whole_error (fixture->preview, error);
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_true (is_refused (fixture));
  g_assert_true (is_described (fixture, "It is too large."));
  g_assert_null (wf_preview_get_error (fixture->preview));
  g_assert_nonnull (wf_preview_get_result (fixture->preview));
  marked = fixture_draw (fixture);
  g_assert_cmpint (memcmp (cairo_image_surface_get_data (plain),
                           cairo_image_surface_get_data (marked),
                           (gsize) (cairo_image_surface_get_stride (plain) *
                                    cairo_image_surface_get_height (plain))), !=, 0);
  cairo_surface_destroy (plain);
  cairo_surface_destroy (marked);

  g_object_set (fixture->widget, "zoom", 2.0, NULL);
  fixture_wait (fixture, 2);
  g_assert_true (is_refused (fixture));
  wf_preview_set_whole_error (fixture->preview, NULL);
  g_assert_false (is_refused (fixture));
  g_assert_false (is_described (fixture, "It is too large."));

  fixture->settings.fail = TRUE;
  wf_preview_recompute (fixture->preview);
  g_assert_false (wf_preview_is_settled (fixture->preview));
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  g_assert_false (is_refused (fixture));
  while (! wf_preview_is_settled (fixture->preview))
    gtk_main_iteration ();
}

static gboolean
is_busy (Fixture *fixture)
{
  gboolean busy;

  g_object_get (fixture->widget, "busy", &busy, NULL);
  return busy;
}

/* Short computations show no busy indicator, however late the main loop runs; long ones do,
 * and the main loop runs meanwhile.
 */
static void
test_busy (Fixture       *fixture,
           gconstpointer  image)
{
  int    n_busy = 0;
  gint64 start;

  g_signal_connect_swapped (fixture->widget, "notify::busy", G_CALLBACK (g_atomic_int_inc),
                            &n_busy);
  fixture_wait (fixture, 1);
  n_busy = 0;
  fixture->settings.delay = 0.05;
  fixture_recompute (fixture);
  g_assert_cmpint (n_busy % 2, ==, 0);
  n_busy = 0;

  fixture->settings.delay = 30;
  start = g_get_monotonic_time ();
  wf_preview_recompute (fixture->preview);
  while (! is_busy (fixture) && fixture->n_computed < 3)
    gtk_main_iteration ();
  g_assert_cmpint (g_get_monotonic_time () - start, >=, LEAST_BUSY_DELAY);
  g_assert_cmpint (fixture->n_computed, ==, 2);
  g_assert_cmpint (n_busy, ==, 1);

  fixture->settings.delay = 0;
  fixture_recompute (fixture);
  g_assert_false (is_busy (fixture));
  g_assert_cmpint (n_busy, ==, 2);
}

/* What is not needed to show the result comes later, and is not reported before. */
static void
test_late (Fixture       *fixture,
           gconstpointer  image)
{
  fixture_wait (fixture, 1);
  g_assert_cmpint (fixture->n_completed, ==, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  fixture->settings.late = 60;
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_false (wf_preview_get_result (fixture->preview)->complete);
  g_assert_cmpint (fixture->n_completed, ==, 1);
  g_assert_cmpint (count_lines (fixture), >, 0);
  fixture_move_pointer (fixture, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 2);
  g_assert_cmpuint (fixture->hovered, >, 0);
  g_assert_null (fixture->measurements);

  fixture->settings.late = 0.05;
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 3);
  while (fixture->n_completed < 2)
    gtk_main_iteration ();
  g_assert_cmpint (fixture->n_computed, ==, 3);
  g_assert_true (wf_preview_get_result (fixture->preview)->complete);
  g_assert_nonnull (fixture->measurements);
}

/* The time from a change to the picture, in a view of four megapixels. */
static void
test_first_picture (Fixture       *fixture,
                    gconstpointer  image)
{
  const int side = 2000 / fixture->scale;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  gtk_widget_set_size_request (fixture->widget, side, side);
  while (gtk_widget_get_allocated_width (fixture->widget) < side)
    gtk_main_iteration ();
  g_object_set (fixture->widget, "zoom", 1.0, NULL);
  fixture_wait (fixture, 2);
  fixture_wait_for (300);

  for (int levels = 0; levels < 2; levels++)
    {
      const int n      = fixture->n_computed;
      double    best   = G_MAXDOUBLE;
      double    rest   = G_MAXDOUBLE;
      double    seconds;

      fixture->settings.levels = levels;
      for (int i = 0; i < 4; i++)
        {
          const gint64 start = g_get_monotonic_time ();

          wf_preview_reload (fixture->preview);
          fixture_wait (fixture, n + i + 1);
          fixture_paint (fixture);
          seconds = (g_get_monotonic_time () - start) / 1e6;
          rest    = MIN (rest, seconds - fixture_seconds);
          best    = MIN (best, seconds);
        }
      g_test_message ("smoothing%s in a view of 4 megapixels: %.0f ms; all but computing: %.0f ms",
                      levels ? "" : " and watershed", best * 1000, rest * 1000);
      g_assert_cmpfloat (best, <, 5);
    }
}

/* Closing the dialog ends its computation soon. */
static void
test_destroy (Fixture       *fixture,
              gconstpointer  image)
{
  gint64 start;

  fixture_wait (fixture, 1);
  fixture->settings.delay = 60;
  start = g_get_monotonic_time ();
  wf_preview_recompute (fixture->preview);
  while (fixture_begun_at < start)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (g_atomic_int_get (&fixture_n_copies), ==, 1);
  start = g_get_monotonic_time ();
  g_object_ref (fixture->preview);
  gtk_widget_destroy (fixture->widget);
  g_assert_null (fixture->widget);
  wf_preview_recompute (fixture->preview);
  wf_preview_set_map (fixture->preview, NULL, 0);
  g_object_set (fixture->preview, "zoom", 3.0, "mode", WF_PREVIEW_LINES, NULL);
  g_object_unref (fixture->preview);
  g_assert_cmpint (g_atomic_int_get (&fixture_n_copies), ==, 0);
  g_assert_cmpfloat ((g_get_monotonic_time () - start) / 1e6, <, 10);
  fixture_wait_for (50);
  g_assert_cmpint (fixture->n_computed, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  fixture_add ("/preview/changes", &small_image, test_changes);
  fixture_add ("/preview/restart", &large_image, test_restart);
  fixture_add ("/preview/whole", &small_image, test_whole);
  fixture_add ("/preview/part", &large_image, test_part);
  fixture_add ("/preview/error", &small_image, test_error);
  fixture_add ("/preview/unreadable", &small_image, test_unreadable);
  fixture_add ("/preview/refused", &small_image, test_refused);
  fixture_add ("/preview/whole-refused", &large_image, test_whole_refused);
  fixture_add ("/preview/busy", &small_image, test_busy);
  fixture_add ("/preview/late", &small_image, test_late);
  fixture_add ("/preview/first-picture", &large_image, test_first_picture);
  fixture_add ("/preview/destroy", &small_image, test_destroy);

  return g_test_run ();
}
