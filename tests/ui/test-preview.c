/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the preview shows: the image, lines and tints over it, both side by side, and
 * messages.
 */

#include <string.h>

#include "preview-person.h"

static const FixtureImage small_image = { .side = 400 };
static const FixtureImage clear_image = { .side = 400, .transparent = TRUE };


/* At 1:1 the pixels in the lines' colour are those whose right or lower neighbour belongs
 * to another basin; the rest is the image.
 */
static void
test_lines (Fixture       *fixture,
            gconstpointer  image)
{
  const int        scale  = fixture->scale;
  const int        left   = (int) origin (FIXTURE_WIDTH * scale, 400, 1);
  const int        top    = (int) origin (FIXTURE_HEIGHT * scale, 400, 1);
  WfPreviewResult *result;
  cairo_surface_t *surface;
  int              n_lines = 0;

  set_mode (fixture, WF_PREVIEW_LINES);
  g_object_set (fixture->widget, "zoom", 1.0, NULL);
  fixture_wait (fixture, 1);
  result  = wf_preview_get_result (fixture->preview);
  surface = fixture_draw (fixture);
  g_assert_cmpuint (result->n_labels, >, 50);

  for (int y = 0; y < FIXTURE_HEIGHT * scale; y++)
    for (int x = 0; x < FIXTURE_WIDTH * scale; x++)
      {
        const int     column = x - left;
        const int     row    = y - top;
        const guint8 *color  = fixture->colors + 4 * (row * 400 + column);
        guint32       label;
        gboolean      line;

        if (column < 0 || row < 0 || column >= 399 || row >= 399)
          continue;
        label = label_at (result, column, row);
        line  = label != label_at (result, column + 1, row) ||
                label != label_at (result, column, row + 1) ||
                label != label_at (result, column + 1, row + 1);
        n_lines += line;
        g_assert_cmphex (pixel_of (surface, x, y), ==,
                         line ? LINE : 0xff000000u | (guint32) color[0] << 16 |
                                       (guint32) color[1] << 8 | color[2]);
      }
  g_assert_cmpint (n_lines, >, 1000);
  cairo_surface_destroy (surface);
}

static void
test_modes (Fixture       *fixture,
            gconstpointer  image)
{
  cairo_surface_t *surface;
  guint32          tinted, plain;
  GdkRGBA          red = { 1, 0, 0, 1 };
  int              n;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  n = count_lines (fixture);
  g_assert_cmpint (n, >, 1000);
  g_object_set (fixture->widget, "line-color", &red, NULL);
  g_assert_cmpint (count_lines (fixture), ==, 0);
  g_assert_cmpint (count_pixels (fixture, 0xffff0000u, 0, FIXTURE_WIDTH), ==, n);
  g_object_set (fixture->widget, "line-opacity", 0.5, NULL);
  g_assert_cmpint (count_pixels (fixture, 0xffff0000u, 0, FIXTURE_WIDTH), ==, 0);
  g_object_set (fixture->widget, "line-opacity", 1.0, "line-color", NULL, NULL);
  g_assert_cmpint (count_lines (fixture), ==, n);

  set_mode (fixture, WF_PREVIEW_IMAGE);
  g_assert_cmpint (count_lines (fixture), ==, 0);
  surface = fixture_draw (fixture);
  plain   = pixel_of (surface, FIXTURE_WIDTH * fixture->scale / 2 + 3,
                      FIXTURE_HEIGHT * fixture->scale / 2 + 3);
  cairo_surface_destroy (surface);

  set_mode (fixture, WF_PREVIEW_BASINS);
  g_assert_cmpint (count_lines (fixture), ==, 0);
  surface = fixture_draw (fixture);
  tinted  = pixel_of (surface, FIXTURE_WIDTH * fixture->scale / 2 + 3,
                      FIXTURE_HEIGHT * fixture->scale / 2 + 3);
  cairo_surface_destroy (surface);
  g_assert_cmphex (tinted, !=, plain);

  set_mode (fixture, WF_PREVIEW_LINES_AND_BASINS);
  g_assert_cmpint (count_lines (fixture), ==, n);

  /* without labels there are no lines */
  fixture->settings.levels = TRUE;
  fixture_recompute (fixture);
  g_assert_cmpint (count_lines (fixture), ==, 0);
}

/* On a former line between two merged basins the pointer is on the merged basin. */
static void
assert_line_is_basin (Fixture *fixture)
{
  const WfPreviewResult *result = wf_preview_get_result (fixture->preview);
  const double           zoom   = get_zoom (fixture);
  const int              scale  = fixture->scale;
  int                    n      = 0;

  for (int y = 100; y < 300; y += 3)
    for (int x = 101; x < 300; x++)
      {
        const guint32 left  = label_at (result, x - 1, y);
        const guint32 right = label_at (result, x + 1, y);

        if (label_at (result, x, y) != 0 || ! left || ! right || left == right)
          continue;
        fixture_move_pointer (fixture,
                              (origin (FIXTURE_WIDTH * scale, 400, zoom) + (x + 0.5) * zoom) /
                              scale,
                              (origin (FIXTURE_HEIGHT * scale, 400, zoom) + (y + 0.5) * zoom) /
                              scale);
        g_assert_cmpuint (fixture->hovered, ==, 1);
        n++;
      }
  g_assert_cmpint (n, >, 20);
  fixture_leave (fixture);
}

/* Merging all basins leaves no line, except for dead ends with only one basin around them,
 * which wf_hierarchy_relabel() keeps as well; and nothing is computed.
 */
static void
test_map (Fixture       *fixture,
          gconstpointer  image)
{
  for (int lines = 0; lines < 2; lines++)
    {
      g_autofree guint32 *map = NULL;
      WfPreviewResult    *result;
      int                 all, half, n_computed;

      fixture->settings.lines = lines;
      fixture_recompute (fixture);
      set_mode (fixture, WF_PREVIEW_LINES);
      n_computed = fixture->n_computed;
      result = wf_preview_get_result (fixture->preview);
      map    = g_new0 (guint32, result->n_labels + 1);
      all    = count_lines (fixture);
      g_assert_cmpint (all, >, 1000);

      for (guint32 i = 1; i <= result->n_labels; i++)
        map[i] = i <= result->n_labels / 2 ? 1 : i;
      wf_preview_set_map (fixture->preview, map, result->n_labels + 1);
      half = count_lines (fixture);
      g_assert_cmpint (half, >, all / 4);
      g_assert_cmpint (half, <, 3 * all / 4);

      for (guint32 i = 1; i <= result->n_labels; i++)
        map[i] = 1;
      wf_preview_set_map (fixture->preview, map, result->n_labels + 1);
      g_assert_cmpint (count_lines (fixture), <=, lines ? all / 50 : 0);

      if (lines)
        assert_line_is_basin (fixture);

      wf_preview_set_map (fixture->preview, NULL, 0);
      g_assert_cmpint (count_lines (fixture), ==, all);
      fixture_wait_for (50);
      g_assert_cmpint (fixture->n_computed, ==, n_computed);
    }
}

static void
test_split (Fixture       *fixture,
            gconstpointer  image)
{
  int all;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  g_object_set (fixture->widget, "zoom", 2.0 * fixture->scale, NULL);
  all = count_pixels (fixture, LINE, FIXTURE_WIDTH * 3 / 4, FIXTURE_WIDTH);
  g_assert_cmpint (all, >, 50);
  g_object_set (fixture->widget, "split-view", TRUE, NULL);
  g_assert_cmpfloat (get_split (fixture), ==, 0.5);
  g_assert_cmpint (count_pixels (fixture, LINE, 0, FIXTURE_WIDTH / 2), ==, 0);
  g_assert_cmpint (count_pixels (fixture, LINE, FIXTURE_WIDTH * 3 / 4, FIXTURE_WIDTH), ==, all);

  /* the edge is dragged, not the image */
  fixture_press_button (fixture, GDK_BUTTON_PRESS, FIXTURE_WIDTH / 2 + 2, 40);
  fixture_move_pointer (fixture, FIXTURE_WIDTH / 4, 50);
  g_assert_cmpfloat (get_split (fixture), ==, 0.25);
  fixture_move_pointer (fixture, -100, 50);
  g_assert_cmpfloat (get_split (fixture), ==, 0);
  fixture_move_pointer (fixture, FIXTURE_WIDTH * 3 / 4, 50);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, FIXTURE_WIDTH * 3 / 4, 50);
  fixture_move_pointer (fixture, 7, 50);
  g_assert_cmpfloat (get_split (fixture), ==, 0.75);
  g_assert_cmpint (count_pixels (fixture, LINE, 0, FIXTURE_WIDTH * 3 / 4), ==, 0);

  g_assert_true (fixture_press_key (fixture, GDK_KEY_Left, GDK_SHIFT_MASK));
  g_assert_cmpfloat (get_split (fixture), <, 0.75);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_cmpfloat (get_split (fixture), ==, 0.75);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_s, 0));
  g_assert_cmpint (count_pixels (fixture, LINE, FIXTURE_WIDTH * 3 / 4, FIXTURE_WIDTH), ==, all);
}

static void
test_accessible (Fixture       *fixture,
                 gconstpointer  image)
{
  AtkObject *accessible = gtk_widget_get_accessible (fixture->widget);

  fixture_wait (fixture, 1);
  g_assert_true (gtk_widget_get_can_focus (fixture->widget));
  g_assert_cmpint (atk_object_get_role (accessible), ==, ATK_ROLE_IMAGE);
  g_assert_cmpstr (atk_object_get_name (accessible), ==, "Preview");
  g_object_set (fixture->widget, "zoom", 2.0, NULL);
  g_assert_nonnull (strstr (atk_object_get_description (accessible), "2:1"));
  set_mode (fixture, WF_PREVIEW_LINES);
  fixture_press_key (fixture, GDK_KEY_Left, 0);
  g_assert_nonnull (strstr (atk_object_get_description (accessible), fixture->measurements));
}

/* Where the image is transparent there is a checkerboard, under levels as well. */
static void
test_transparency (Fixture       *fixture,
                   gconstpointer  image)
{
  for (int levels = 0; levels < 2; levels++)
    {
      fixture->settings.levels = levels;
      fixture_recompute (fixture);
      set_mode (fixture, levels ? WF_PREVIEW_RESULT : WF_PREVIEW_IMAGE);
      g_assert_cmpint (count_pixels (fixture, 0xff666666u, FIXTURE_WIDTH / 2, FIXTURE_WIDTH),
                       >, 1000);
      g_assert_cmpint (count_pixels (fixture, 0xff999999u, FIXTURE_WIDTH / 2, FIXTURE_WIDTH),
                       >, 1000);
      g_assert_cmpint (count_pixels (fixture, 0xff666666u, 0, FIXTURE_WIDTH / 4), <, 1000);
    }
}

/* The keyboard focus is visible. */
static void
test_focus (Fixture       *fixture,
            gconstpointer  image)
{
  cairo_surface_t *before, *after;
  const int        last = FIXTURE_WIDTH * fixture->scale - 1;

  fixture_wait (fixture, 1);
  before = fixture_draw (fixture);
  fixture_focus (fixture);
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  after = fixture_draw (fixture);
  for (int y = 0; y < FIXTURE_HEIGHT * fixture->scale; y++)
    {
      g_assert_cmphex (pixel_of (after, 0, y), ==, pixel_of (after, last, y));
      g_assert_cmphex (pixel_of (after, 0, y), !=, pixel_of (before, 0, y));
    }
  g_assert_cmphex (pixel_of (after, last / 2, 100), ==, pixel_of (before, last / 2, 100));
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  fixture_add ("/preview/lines", &small_image, test_lines);
  fixture_add ("/preview/modes", &small_image, test_modes);
  fixture_add ("/preview/map", &small_image, test_map);
  fixture_add ("/preview/split", &small_image, test_split);
  fixture_add ("/preview/accessible", &small_image, test_accessible);
  fixture_add ("/preview/focus", &small_image, test_focus);
  fixture_add ("/preview/transparency", &clear_image, test_transparency);

  return g_test_run ();
}
