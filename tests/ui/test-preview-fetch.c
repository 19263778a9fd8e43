/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels that take long to come: the preview fetches those of the present view a little at a
 * time, and shows the ones that are there.  Also the slices of a stack.
 */

#include <string.h>

#include "preview-person.h"

/* Too many pieces to be fetched within a test. */
#define MANY 100000

static const FixtureImage near_image    = { .side = 2600 };
static const FixtureImage distant_image = { .side = 2600, .n_pieces = 150 };
static const FixtureImage stack_image   = { .side = 400, .n_slices = 5 };


/* The number of equal pixels. */
static gsize
count_same (cairo_surface_t *one,
            cairo_surface_t *other)
{
  gsize n = 0;

  for (int y = 0; y < cairo_image_surface_get_height (one); y++)
    for (int x = 0; x < cairo_image_surface_get_width (one); x++)
      n += pixel_of (one, x, y) == pixel_of (other, x, y);
  return n;
}

/* The main loop runs during fetching, and the image appears from the top down. */
static void
test_patches (Fixture       *fixture,
              gconstpointer  image)
{
  cairo_surface_t *part    = NULL;
  cairo_surface_t *all     = NULL;
  gint64           longest = 0;
  gsize            n;

  set_mode (fixture, WF_PREVIEW_IMAGE);
  while (fixture->n_computed < 1)
    {
      const gint64 start = g_get_monotonic_time ();

      g_main_context_iteration (NULL, FALSE);
      longest = MAX (longest, g_get_monotonic_time () - start);
      if (! part && fixture->n_patched > 1)
        part = fixture_draw (fixture);
    }
  g_test_message ("the main loop was held up for at most %.1f ms", longest / 1e3);
  g_assert_cmpint (longest, <, 1500000);
  g_assert_cmpint (fixture->n_patched, >=, 2);
  g_assert_cmpint (fixture->n_reads, ==, 1);
  g_assert_cmpint (fixture->n_computed, ==, 1);

  fixture_wait_for (50);
  all = fixture_draw (fixture);
  n   = count_same (part, all);
  g_assert_cmpuint (n, >, (gsize) FIXTURE_WIDTH * FIXTURE_HEIGHT / 10);
  g_assert_cmpuint (n, <, (gsize) FIXTURE_WIDTH * FIXTURE_HEIGHT * fixture->scale *
                          fixture->scale * 9 / 10);
  cairo_surface_destroy (part);
  cairo_surface_destroy (all);
}

/* The final picture is the same as without fetching. */
static guint
hash_of (cairo_surface_t *surface)
{
  g_autoptr (GBytes) bytes =
    g_bytes_new_static (cairo_image_surface_get_data (surface),
                        (gsize) cairo_image_surface_get_stride (surface) *
                        cairo_image_surface_get_height (surface));

  return g_bytes_hash (bytes);
}

static void
test_same (Fixture       *fixture,
           gconstpointer  image)
{
  static guint     hash;
  cairo_surface_t *surface;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  fixture_wait_for (100);
  surface = fixture_draw (fixture);
  if (fixture->n_pieces == 0)
    hash = hash_of (surface);
  else
    g_assert_cmphex (hash_of (surface), ==, hash);
  cairo_surface_destroy (surface);
}

/* A new view does not wait for the fetch of the old one, and keeps its picture. */
static void
test_newest (Fixture       *fixture,
             gconstpointer  image)
{
  const int pieces = fixture->n_pieces;
  int       reads;

  fixture_wait (fixture, 1);
  reads = fixture->n_reads;
  fixture->n_pieces = MANY;
  for (int i = 0; i < 4; i++)
    {
      g_object_set (fixture->widget, "zoom", 1.0 + i / 4.0, NULL);
      fixture_wait_for (40);
      g_assert_cmpint (fixture->n_reads, ==, reads);
    }
  g_assert_nonnull (wf_preview_get_result (fixture->preview));
  fixture->n_pieces = pieces;
  g_object_set (fixture->widget, "zoom", 3.0, NULL);
  fixture_wait (fixture, 2);
  g_assert_cmpint (fixture->n_computed, ==, 2);
  g_assert_cmpint (fixture->n_reads, ==, reads + 1);
  g_assert_cmpfloat (wf_preview_get_result (fixture->preview)->region.scale, ==, 1);
}

static gboolean
is_busy (Fixture *fixture)
{
  gboolean busy;

  g_object_get (fixture->widget, "busy", &busy, NULL);
  return busy;
}

/* Waiting for pixels is busy; on returning before they come the old ones are used. */
static void
test_back (Fixture       *fixture,
           gconstpointer  image)
{
  const int pieces = fixture->n_pieces;
  double    zoom;

  fixture_wait (fixture, 1);
  zoom = get_zoom (fixture);
  fixture->n_pieces = MANY;
  g_object_set (fixture->widget, "zoom", 1.0, NULL);
  while (! is_busy (fixture))
    gtk_main_iteration ();
  fixture->n_pieces = pieces;
  g_object_set (fixture->widget, "zoom", zoom, NULL);
  fixture_wait (fixture, 2);
  while (is_busy (fixture))
    gtk_main_iteration ();
  g_assert_cmpint (fixture->n_reads, ==, 1);
  g_assert_cmpfloat (wf_preview_get_result (fixture->preview)->region.scale, ==, zoom);
}

static void
test_lost (Fixture       *fixture,
           gconstpointer  image)
{
  fixture_wait (fixture, 1);
  fixture->unfetchable = TRUE;
  g_object_set (fixture->widget, "zoom", 1.0, NULL);
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  g_assert_cmpstr (wf_preview_get_error (fixture->preview), ==, "The layer was deleted.");
  fixture_wait_for (250);
  g_assert_false (is_busy (fixture));
  g_assert_cmpint (fixture->n_failed, ==, 1);

  fixture->unfetchable = FALSE;
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_null (wf_preview_get_error (fixture->preview));
}

/* Closing the dialog during a fetch. */
static void
test_destroy (Fixture       *fixture,
              gconstpointer  image)
{
  fixture_wait_for (50);
  gtk_widget_destroy (fixture->widget);
  fixture_wait_for (50);
  g_assert_cmpint (fixture->n_computed, ==, 0);
  g_assert_cmpint (fixture->n_reads, ==, 0);
}


/*  Changes in the image  */

/* Inverts the image, or its lower part. */
static void
turn_over (Fixture *fixture,
           int      first_row)
{
  const gint64  n      = wf_image_n_pixels (&fixture->image);
  guint8       *levels = fixture->image.data;

  for (gint64 i = first_row * fixture->image.width; i < n; i++)
    {
      levels[i] ^= 0xff;
      for (int c = 0; c < 3; c++)
        fixture->colors[4 * i + c] ^= 0xff;
    }
}

static void
finish_fetching (Fixture *fixture)
{
  while (fixture->n_fetched < fixture->n_pieces)
    gtk_main_iteration ();
  fixture_wait_for (150);
}

static void
test_refresh (Fixture       *fixture,
              gconstpointer  image)
{
  cairo_surface_t *before, *after;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  fixture_wait_for (50);
  before = fixture_draw (fixture);

  /* without changes nothing is read again */
  wf_preview_refresh (fixture->preview);
  g_assert_true (fixture->invalidated);
  finish_fetching (fixture);
  g_assert_cmpint (fixture->n_reads, ==, 1);
  g_assert_cmpint (fixture->n_computed, ==, 1);

  /* if pixels to compute on are unchanged, nothing is computed */
  fixture->differs = TRUE;
  wf_preview_refresh (fixture->preview);
  finish_fetching (fixture);
  g_assert_cmpint (fixture->n_reads, ==, 2);
  g_assert_cmpint (fixture->n_computed, ==, 1);

  /* the old picture stays until everything is there */
  turn_over (fixture, 0);
  wf_preview_refresh (fixture->preview);
  fixture_wait_for (40);
  after = fixture_draw (fixture);
  g_assert_cmphex (hash_of (after), ==, hash_of (before));
  cairo_surface_destroy (after);
  fixture_wait (fixture, 2);
  fixture_wait_for (150);
  g_assert_cmpint (fixture->n_computed, ==, 2);
  after = fixture_draw (fixture);
  g_assert_cmpuint (count_same (before, after), <, (gsize) FIXTURE_WIDTH * FIXTURE_HEIGHT *
                    fixture->scale * fixture->scale / 2);
  g_assert_nonnull (wf_preview_get_result (fixture->preview));
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

/* After a change of the view its pixels are fetched first, and are new as well. */
static void
test_refresh_elsewhere (Fixture       *fixture,
                        gconstpointer  image)
{
  fixture_wait (fixture, 1);
  fixture->differs = TRUE;
  turn_over (fixture, 1300);
  wf_preview_refresh (fixture->preview);
  fixture_wait_for (40);
  g_object_set (fixture->widget, "zoom", 2.0, NULL);
  fixture_wait (fixture, 2);
  g_assert_cmpfloat (wf_preview_get_result (fixture->preview)->region.scale, ==, 1);
  fixture_wait_for (600);
  g_assert_cmpint (fixture->n_computed, ==, 2);
}

static void
send_focus (Fixture  *fixture,
            gboolean  in)
{
  GdkEvent *event = gdk_event_new (GDK_FOCUS_CHANGE);

  event->focus_change.window = g_object_ref (gtk_widget_get_window (fixture->window));
  event->focus_change.in     = in;
  gtk_widget_send_focus_change (fixture->window, event);
  gdk_event_free (event);
}

/* The first keyboard focus changes nothing; when the focus returns the preview is refreshed. */
static void
test_focus (Fixture       *fixture,
            gconstpointer  image)
{
  fixture_wait (fixture, 1);
  send_focus (fixture, TRUE);
  fixture_wait_for (30);
  g_assert_false (fixture->invalidated);
  send_focus (fixture, FALSE);
  fixture_wait_for (30);
  g_assert_false (fixture->invalidated);
  turn_over (fixture, 0);
  fixture->differs = TRUE;
  send_focus (fixture, TRUE);
  g_assert_true (fixture->invalidated);
  fixture_wait (fixture, 2);
}

static void
test_refresh_lost (Fixture       *fixture,
                   gconstpointer  image)
{
  fixture_wait (fixture, 1);
  fixture->unfetchable = TRUE;
  wf_preview_refresh (fixture->preview);
  while (fixture->n_failed < 1)
    gtk_main_iteration ();
  fixture_wait_for (100);
  g_assert_cmpint (fixture->n_failed, ==, 1);
  g_assert_cmpstr (wf_preview_get_error (fixture->preview), ==, "The layer was deleted.");
}


/*  Slices  */

static int
get_slice (Fixture *fixture)
{
  int slice;

  g_object_get (fixture->widget, "slice", &slice, NULL);
  return slice;
}

static void
test_slices (Fixture       *fixture,
             gconstpointer  image)
{
  int n_notified = 0;
  int n_slices;

  fixture_wait (fixture, 1);
  g_object_get (fixture->widget, "n-slices", &n_slices, NULL);
  g_assert_cmpint (n_slices, ==, 5);
  g_assert_cmpint (get_slice (fixture), ==, 2);
  g_assert_cmpint (wf_preview_get_result (fixture->preview)->region.slice, ==, 2);

  g_signal_connect_swapped (fixture->widget, "notify::slice", G_CALLBACK (g_atomic_int_inc),
                            &n_notified);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_Page_Up, 0));
  fixture_wait (fixture, 2);
  g_assert_cmpint (get_slice (fixture), ==, 3);
  g_assert_cmpint (wf_preview_get_result (fixture->preview)->region.slice, ==, 3);
  g_object_set (fixture->widget, "slice", 77, NULL);
  fixture_wait (fixture, 3);
  g_assert_cmpint (get_slice (fixture), ==, 4);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_Page_Up, 0));
  g_assert_cmpint (n_notified, ==, 2);
  for (int i = 0; i < 9; i++)
    g_assert_true (fixture_press_key (fixture, GDK_KEY_KP_Page_Down, 0));
  fixture_wait (fixture, 4);
  g_assert_cmpint (get_slice (fixture), ==, 0);
  g_assert_cmpint (n_notified, ==, 6);
  g_assert_cmpint (fixture->n_reads, ==, 4);
}

/* Without a stack the keys are left to the widgets around the preview. */
static void
test_no_slices (Fixture       *fixture,
                gconstpointer  image)
{
  fixture_wait (fixture, 1);
  g_assert_false (fixture_press_key (fixture, GDK_KEY_Page_Up, 0));
  g_assert_cmpint (get_slice (fixture), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  fixture_add ("/preview/fetch/near", &near_image, test_same);
  fixture_add ("/preview/fetch/same", &distant_image, test_same);
  fixture_add ("/preview/fetch/patches", &distant_image, test_patches);
  fixture_add ("/preview/fetch/newest", &distant_image, test_newest);
  fixture_add ("/preview/fetch/back", &distant_image, test_back);
  fixture_add ("/preview/fetch/lost", &distant_image, test_lost);
  fixture_add ("/preview/fetch/destroy", &distant_image, test_destroy);
  fixture_add ("/preview/refresh", &distant_image, test_refresh);
  fixture_add ("/preview/refresh/elsewhere", &distant_image, test_refresh_elsewhere);
  fixture_add ("/preview/refresh/focus", &distant_image, test_focus);
  fixture_add ("/preview/refresh/lost", &distant_image, test_refresh_lost);
  fixture_add ("/preview/slices", &stack_image, test_slices);
  fixture_add ("/preview/no-slices", &near_image, test_no_slices);

  return g_test_run ();
}
