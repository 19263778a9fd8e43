/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The part of an image that a view shows: fitting, zooming at a point, moving, and the
 * resulting region.
 */

#include <math.h>

#include <glib.h>

#include "ui/preview/viewport.h"
#include "tests/support/tiers.h"


static WfViewport
make (int image_width,
      int image_height,
      int view_width,
      int view_height)
{
  WfViewport viewport;

  wf_viewport_init (&viewport, image_width, image_height);
  wf_viewport_set_view_size (&viewport, view_width, view_height);
  return viewport;
}

static void
assert_origin (const WfViewport *viewport,
               gint64            x,
               gint64            y)
{
  gint64 got_x, got_y;

  wf_viewport_get_origin (viewport, &got_x, &got_y);
  g_assert_cmpint (got_x, ==, x);
  g_assert_cmpint (got_y, ==, y);
}

static void
assert_region (const WfPreviewRegion *region,
               double                 scale,
               int                    x,
               int                    y,
               int                    width,
               int                    height)
{
  g_assert_cmpfloat (region->scale, ==, scale);
  g_assert_cmpint (region->x, ==, x);
  g_assert_cmpint (region->y, ==, y);
  g_assert_cmpint (region->width, ==, width);
  g_assert_cmpint (region->height, ==, height);
}

static void
test_fit (void)
{
  WfViewport      wide  = make (4000, 1000, 500, 400);
  WfViewport      small = make (100, 60, 480, 400);
  WfViewport      tiny  = make (3, 2, 480, 400);
  WfViewport      half  = make (300, 200, 570, 400);
  WfViewport      same  = make (300, 200, 430, 400);
  WfPreviewRegion region;

  g_assert_cmpfloat (wide.zoom, ==, 1.0 / 8);
  assert_origin (&wide, 0, 138);
  wf_viewport_get_region (&wide, 10, &region);
  assert_region (&region, 1.0 / 8, 0, 0, 500, 125);

  /* enlarged by 1.5 and whole numbers, up to the largest zoom */
  g_assert_cmpfloat (half.zoom, ==, 1.5);
  g_assert_cmpfloat (same.zoom, ==, 1);
  g_assert_cmpfloat (small.zoom, ==, 4);
  assert_origin (&small, 40, 80);
  g_assert_cmpfloat (tiny.zoom, ==, 16);
  wf_viewport_get_region (&small, 10, &region);
  assert_region (&region, 1, 0, 0, 100, 60);
}

/* A fitted image stays fitted; others keep their middle. */
static void
test_resize (void)
{
  WfViewport viewport = make (1000, 1000, 500, 500);

  g_assert_true (wf_viewport_set_view_size (&viewport, 250, 300));
  g_assert_false (wf_viewport_set_view_size (&viewport, 250, 300));
  g_assert_cmpfloat (viewport.zoom, ==, 0.25);

  wf_viewport_zoom_at (&viewport, 1, 125, 150);
  wf_viewport_pan (&viewport, 100, -50);
  g_assert_cmpfloat (viewport.center_x, ==, 400);
  g_assert_cmpfloat (viewport.center_y, ==, 550);
  wf_viewport_set_view_size (&viewport, 300, 200);
  g_assert_cmpfloat (viewport.zoom, ==, 1);
  g_assert_cmpfloat (viewport.center_x, ==, 400);
  g_assert_cmpfloat (viewport.center_y, ==, 550);

  g_assert_true (wf_viewport_fit (&viewport));
  g_assert_false (wf_viewport_fit (&viewport));
  g_assert_true (viewport.fitting);
}

/* Each step leads to the next larger one, and back. */
static void
test_steps (void)
{
  WfViewport viewport = make (20000, 20000, 400, 400);
  double     ways[32];
  guint      n = 0;

  wf_viewport_zoom_at (&viewport, WF_MIN_ZOOM, 200, 200);
  g_assert_cmpfloat (viewport.zoom, ==, WF_MIN_ZOOM);
  for (double next; (next = wf_viewport_next_zoom (&viewport, 1)) != viewport.zoom; )
    {
      g_assert_cmpfloat (next, >, viewport.zoom);
      g_assert_cmpfloat (next, <=, viewport.zoom * 1.51);
      ways[n++] = viewport.zoom;
      wf_viewport_zoom_at (&viewport, next, 200, 200);
    }
  g_assert_cmpfloat (viewport.zoom, ==, WF_MAX_ZOOM);
  g_assert_cmpuint (n, >, 8);
  while (n-- > 0)
    {
      wf_viewport_zoom_at (&viewport, wf_viewport_next_zoom (&viewport, -1), 200, 200);
      g_assert_cmpfloat (viewport.zoom, ==, ways[n]);
    }

  /* between steps */
  wf_viewport_zoom_at (&viewport, 2.2, 200, 200);
  g_assert_cmpfloat (wf_viewport_next_zoom (&viewport, 1), ==, 3);
  g_assert_cmpfloat (wf_viewport_next_zoom (&viewport, -1), ==, 2);

  /* an image that does not fit at 1:16 can be shown as a whole */
  wf_viewport_fit (&viewport);
  g_assert_cmpfloat (viewport.zoom, ==, 400.0 / 20000);
  g_assert_cmpfloat (wf_viewport_next_zoom (&viewport, -1), ==, viewport.zoom);
  g_assert_cmpfloat (wf_viewport_next_zoom (&viewport, 1), ==, WF_MIN_ZOOM);
}

/* The point under the pointer stays there when zooming, to the device pixel, unless the image
 * is clamped at an edge.
 */
static void
test_zoom_at_point (void)
{
  const guint n      = test_count (400, 2000);
  guint       n_free = 0;

  for (guint i = 0; i < n; i++)
    {
      WfViewport viewport = make (g_test_rand_int_range (1, 5000), g_test_rand_int_range (1, 5000),
                                  g_test_rand_int_range (1, 900), g_test_rand_int_range (1, 900));
      double     view_x   = g_test_rand_double_range (0, viewport.view_width);
      double     view_y   = g_test_rand_double_range (0, viewport.view_height);
      double     before_x, before_y, after_x, after_y;

      wf_viewport_zoom_at (&viewport, exp2 (g_test_rand_double_range (-4, 4)), 0, 0);
      wf_viewport_pan (&viewport, g_test_rand_double_range (-3000, 3000),
                       g_test_rand_double_range (-3000, 3000));
      wf_viewport_to_image (&viewport, view_x, view_y, &before_x, &before_y);
      wf_viewport_zoom_at (&viewport, viewport.zoom * g_test_rand_double_range (1, 4),
                           view_x, view_y);
      wf_viewport_to_image (&viewport, view_x, view_y, &after_x, &after_y);

      g_assert_cmpfloat (viewport.zoom, <=, WF_MAX_ZOOM);
      if (viewport.center_x - viewport.view_width / viewport.zoom / 2 > 1 &&
          viewport.center_x + viewport.view_width / viewport.zoom / 2 < viewport.image_width - 1 &&
          viewport.center_y - viewport.view_height / viewport.zoom / 2 > 1 &&
          viewport.center_y + viewport.view_height / viewport.zoom / 2 < viewport.image_height - 1)
        {
          double pixel = 1 / viewport.zoom;

          /* half a device pixel before, enlarged by at most 4, and half of one after */
          g_assert_cmpfloat (fabs (after_x - before_x), <=, 2.6 * pixel);
          g_assert_cmpfloat (fabs (after_y - before_y), <=, 2.6 * pixel);
          n_free++;
        }
    }
  g_assert_cmpuint (n_free, >, n / 10);
}

/* However it is moved, an image larger than the view covers it, and a smaller one is
 * centred; the region is exactly the visible part.
 */
static void
test_invariants (void)
{
  const guint n = test_count (400, 2000);

  for (guint i = 0; i < n; i++)
    {
      WfViewport      viewport = make (g_test_rand_int_range (1, 5000),
                                       g_test_rand_int_range (1, 5000),
                                       g_test_rand_int_range (1, 900),
                                       g_test_rand_int_range (1, 900));
      int             margin   = g_test_rand_int_range (0, 100);
      WfPreviewRegion region, seen, whole;
      gint64          x, y;
      double          size, k;

      for (int move = 0; move < 4; move++)
        {
          wf_viewport_zoom_at (&viewport, exp2 (g_test_rand_double_range (-7, 7)),
                               g_test_rand_double_range (0, viewport.view_width),
                               g_test_rand_double_range (0, viewport.view_height));
          wf_viewport_pan (&viewport, g_test_rand_double_range (-3000, 3000),
                           g_test_rand_double_range (-3000, 3000));
        }

      wf_viewport_get_origin (&viewport, &x, &y);
      size = viewport.image_width * viewport.zoom;
      if (size >= viewport.view_width)
        {
          g_assert_cmpfloat (x, <=, 0.5);
          g_assert_cmpfloat (x + size, >=, viewport.view_width - 0.5001);
        }
      else
        {
          g_assert_cmpfloat (fabs (x + size / 2 - viewport.view_width / 2.0), <=, 0.5001);
        }

      wf_viewport_get_region (&viewport, 0, &seen);
      wf_viewport_get_region (&viewport, margin, &region);
      wf_preview_region_whole (&whole, viewport.image_width, viewport.image_height, seen.scale);
      g_assert_true (wf_preview_region_holds (&region, &seen));
      g_assert_true (wf_preview_region_holds (&whole, &region));
      g_assert_cmpint (region.x, ==, MAX (seen.x - margin, 0));
      g_assert_cmpint (region.y + region.height, ==,
                       MIN (seen.y + seen.height + margin, whole.height));
      g_assert_cmpfloat (seen.scale, ==, fmin (viewport.zoom, 1));

      /* the first and last visible pixels reach the view's edges, or the image's */
      k = viewport.zoom / seen.scale;
      g_assert_true (seen.x == 0 || x + seen.x * k <= 0.001);
      g_assert_true (seen.x == 0 || x + (seen.x + 1) * k > -0.001);
      g_assert_true (seen.x + seen.width == whole.width ||
                     x + (seen.x + seen.width) * k >= viewport.view_width - 0.001);
      g_assert_true (seen.y + seen.height == whole.height ||
                     y + (seen.y + seen.height - 1) * k < viewport.view_height + 0.001);
    }
}

static void
test_pan (void)
{
  WfViewport      viewport = make (2000, 2000, 400, 300);
  WfPreviewRegion region;
  double          x, y;

  wf_viewport_zoom_at (&viewport, 1, 200, 150);
  assert_origin (&viewport, -800, -850);
  g_assert_true (wf_viewport_pan (&viewport, 30, -20));
  assert_origin (&viewport, -770, -870);
  wf_viewport_to_image (&viewport, 5, 6, &x, &y);
  g_assert_cmpfloat (x, ==, 775);
  g_assert_cmpfloat (y, ==, 876);
  wf_viewport_get_region (&viewport, 0, &region);
  assert_region (&region, 1, 770, 870, 400, 300);

  g_assert_true (wf_viewport_pan (&viewport, 1e6, 1e6));
  assert_origin (&viewport, 0, 0);
  g_assert_false (wf_viewport_pan (&viewport, 1, 0));
  g_assert_true (wf_viewport_pan (&viewport, -1e6, -1e6));
  assert_origin (&viewport, -1600, -1700);
}

static void
test_format (void)
{
  static const struct
  {
    double      zoom;
    const char *text;
  } cases[] =
  {
    { 1, "1:1" }, { 2, "2:1" }, { 16, "16:1" }, { 1.5, "1.5:1" }, { 0.25, "1:4" },
    { 1 / 1.5, "1:1.5" }, { 1 / 3.0, "1:3" }, { 0.0371, "1:27" }, { 2.96, "3:1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = wf_zoom_format (cases[i].zoom);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/viewport/fit", test_fit);
  g_test_add_func ("/viewport/resize", test_resize);
  g_test_add_func ("/viewport/steps", test_steps);
  g_test_add_func ("/viewport/zoom-at-point", test_zoom_at_point);
  g_test_add_func ("/viewport/invariants", test_invariants);
  g_test_add_func ("/viewport/pan", test_pan);
  g_test_add_func ("/viewport/format", test_format);

  return g_test_run ();
}
