/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel, gestures and keys do in a preview. */

#include "preview-person.h"
#include "ui/preview/picking.h"

static const FixtureImage small_image = { .side = 400 };


/* Two fingers enlarge the image between them. */
static void
test_pinch (Fixture       *fixture,
            gconstpointer  image)
{
  const double first = 2 * fixture->scale;

  fixture_wait (fixture, 1);
  g_object_set (fixture->widget, "zoom", first, NULL);
  fixture_pinch (fixture, GDK_TOUCHPAD_GESTURE_PHASE_BEGIN, 1);
  fixture_pinch (fixture, GDK_TOUCHPAD_GESTURE_PHASE_UPDATE, 1.25);
  g_assert_cmpfloat (get_zoom (fixture), ==, 1.25 * first);
  fixture_pinch (fixture, GDK_TOUCHPAD_GESTURE_PHASE_UPDATE, 0.5);
  g_assert_cmpfloat (get_zoom (fixture), ==, 0.5 * first);
  fixture_pinch (fixture, GDK_TOUCHPAD_GESTURE_PHASE_UPDATE, 1.5);
  fixture_pinch (fixture, GDK_TOUCHPAD_GESTURE_PHASE_END, 1.5);
  g_assert_cmpfloat (get_zoom (fixture), ==, 1.5 * first);
}

/* A whole step of the wheel is a step of the zoom; the point under the pointer stays. */
static void
test_wheel (Fixture       *fixture,
            gconstpointer  image)
{
  const int        scale   = fixture->scale;
  const int        x       = 300;
  const int        y       = 100;
  const double     first   = 2 * scale;
  WfPreviewResult *result;
  int              notified = 0;
  double           before;

  g_signal_connect_swapped (fixture->widget, "notify::zoom", G_CALLBACK (g_atomic_int_inc),
                            &notified);
  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  g_object_set (fixture->widget, "zoom", first, NULL);
  notified = 0;
  fixture_move_pointer (fixture, x, y);
  result = wf_preview_get_result (fixture->preview);

  fixture_scroll (fixture, x, y, -0.4);
  fixture_scroll (fixture, x, y, -0.4);
  g_assert_cmpfloat (get_zoom (fixture), ==, first);
  fixture_scroll (fixture, x, y, -0.4);
  g_assert_cmpfloat (get_zoom (fixture), ==, 1.5 * first);
  fixture_scroll (fixture, x, y, -2);
  g_assert_cmpfloat (get_zoom (fixture), ==, 3 * first);
  g_assert_cmpint (notified, ==, 3);
  fixture_scroll (fixture, x, y, -30);
  g_assert_cmpfloat (get_zoom (fixture), ==, 16);

  /* the basin under the pointer is the same as at first */
  g_assert_cmpuint (fixture->hovered, ==,
                    label_at (result,
                              (int) ((x * scale - origin (FIXTURE_WIDTH * scale, 400, first)) /
                                     first),
                              (int) ((y * scale - origin (FIXTURE_HEIGHT * scale, 400, first)) /
                                     first)));
  g_assert_cmpint (count_lines (fixture), >, 0);

  before = get_zoom (fixture);
  fixture_scroll (fixture, x, y, 1);
  g_assert_cmpfloat (get_zoom (fixture), <, before);
  fixture_scroll (fixture, x, y, 40);
  g_assert_cmpfloat (get_zoom (fixture), ==, 1.0 / 16);
  fixture_wait_for (50);
  g_assert_cmpint (fixture->n_computed, ==, 1);
}

typedef struct
{
  GArray *points;
  guint   n_strokes;
  guint   n_clicks;
} Strokes;

static void
note_stroke (WfPreview    *preview,
             const double *points,
             guint         n,
             Strokes      *strokes)
{
  g_array_set_size (strokes->points, 0);
  g_array_append_vals (strokes->points, points, 2 * n);
  strokes->n_strokes++;
}

static void
note_click (WfPreview *preview,
            double     x,
            double     y,
            Strokes   *strokes)
{
  strokes->n_clicks++;
}

static void
note_tool (WfPreview *preview,
           gboolean   drawing,
           gboolean   picking,
           GString   *tools)
{
  g_string_append_c (tools, drawing && picking ? '!' : drawing ? 'd' : picking ? 'p' : '-');
}

static void
note_pick (WfPreview *preview,
           double     x,
           double     y,
           guint     *n_picks)
{
  (*n_picks)++;
}

/* Drawing ends picking, and picking ends drawing. */
static void
test_one_tool (Fixture       *fixture,
               gconstpointer  image)
{
  g_autoptr (GArray)  points  = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GString) tools   = g_string_new (NULL);
  Strokes             strokes = { points, 0, 0 };
  guint               n_picks = 0;

  g_signal_connect (fixture->widget, "tool-changed", G_CALLBACK (note_tool), tools);
  g_signal_connect (fixture->widget, "drawn", G_CALLBACK (note_stroke), &strokes);
  g_signal_connect (fixture->widget, "picked", G_CALLBACK (note_pick), &n_picks);
  fixture_wait (fixture, 1);
  wf_preview_set_picking (fixture->preview, TRUE);
  wf_preview_set_drawing (fixture->preview, FALSE);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 100, 100);
  g_assert_cmpuint (n_picks, ==, 1);
  wf_preview_set_drawing (fixture->preview, TRUE);
  wf_preview_set_picking (fixture->preview, FALSE);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 100, 100);
  g_assert_cmpuint (strokes.n_strokes, ==, 1);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  wf_preview_set_picking (fixture->preview, TRUE);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 100, 100);
  g_assert_cmpuint (strokes.n_strokes, ==, 1);
  wf_preview_set_picking (fixture->preview, FALSE);
  g_assert_cmpstr (tools->str, ==, "pdp-");
}

/* While strokes are drawn the button does not move the image; a click is a stroke of one point. */
static void
test_strokes (Fixture       *fixture,
              gconstpointer  image)
{
  g_autoptr (GArray) points  = g_array_new (FALSE, FALSE, sizeof (double));
  Strokes            strokes = { points, 0, 0 };
  cairo_surface_t   *before, *during, *after;
  double             step;

  g_signal_connect (fixture->widget, "drawn", G_CALLBACK (note_stroke), &strokes);
  g_signal_connect (fixture->widget, "clicked", G_CALLBACK (note_click), &strokes);
  fixture_wait (fixture, 1);
  g_object_set (fixture->widget, "zoom", 4.0 * fixture->scale, NULL);
  fixture_leave (fixture);
  before = fixture_draw (fixture);
  wf_preview_set_drawing (fixture->preview, TRUE);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 200, 200);
  fixture_move_pointer (fixture, 240, 200);
  fixture_leave (fixture);
  during = fixture_draw (fixture);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 240, 200);
  after = fixture_draw (fixture);
  g_assert_cmpuint (strokes.n_strokes, ==, 1);
  g_assert_cmpuint (points->len, ==, 4);
  step = g_array_index (points, double, 2) - g_array_index (points, double, 0);
  g_assert_cmpfloat_with_epsilon (step, 10, 1e-9);
  step = g_array_index (points, double, 3) - g_array_index (points, double, 1);
  g_assert_cmpfloat_with_epsilon (step, 0, 1e-9);
  g_assert_cmpuint (pixel_of (during, 220 * fixture->scale, 200 * fixture->scale), ==,
                    0xffffffff);
  for (int x = 0; x < FIXTURE_WIDTH * fixture->scale; x++)
    g_assert_cmpuint (pixel_of (before, x, 200 * fixture->scale), ==,
                      pixel_of (after, x, 200 * fixture->scale));

  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 100, 100);
  g_assert_cmpuint (strokes.n_strokes, ==, 2);
  g_assert_cmpuint (points->len, ==, 2);
  g_assert_cmpuint (strokes.n_clicks, ==, 0);
  wf_preview_set_drawing (fixture->preview, FALSE);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 100, 100);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 100, 100);
  g_assert_cmpuint (strokes.n_strokes, ==, 2);
  g_assert_cmpuint (strokes.n_clicks, ==, 1);
  cairo_surface_destroy (before);
  cairo_surface_destroy (during);
  cairo_surface_destroy (after);
}

/* Another result is shown until one is computed; what is computed stays known. */
static void
test_shown (Fixture       *fixture,
            gconstpointer  image)
{
  g_autoptr (WfPreviewResult) other    = NULL;
  WfPreviewResult            *computed;
  int                         n_lines;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  computed = wf_preview_get_result (fixture->preview);
  n_lines  = count_lines (fixture);
  g_assert_cmpint (n_lines, >, 0);
  other = wf_preview_result_new (&computed->region);
  g_assert_true (wf_image_allocate (&other->image, WF_TYPE_U32, computed->image.width,
                                    computed->image.height, 1, NULL));
  for (gint64 i = 0; i < wf_image_n_pixels (&other->image); i++)
    ((guint32 *) other->image.data)[i] = 1;
  other->n_labels = 1;
  other->complete = TRUE;
  wf_preview_set_shown (fixture->preview, other);
  g_assert_true (wf_preview_get_shown (fixture->preview) == other);
  g_assert_true (wf_preview_get_result (fixture->preview) == computed);
  g_assert_cmpint (count_lines (fixture), ==, 0);
  g_assert_cmpuint (wf_preview_get_basin_at (fixture->preview, 5, 5), ==, 1);
  wf_preview_set_map (fixture->preview, (const guint32[]) { 0, WF_PREVIEW_LEFT_OUT }, 2);
  g_assert_cmpuint (wf_preview_get_basin_at (fixture->preview, 5, 5), ==, WF_PREVIEW_LEFT_OUT);
  g_assert_cmpuint (wf_preview_get_basin_at (fixture->preview, -5, 5), ==, 0);
  wf_preview_set_shown (fixture->preview, NULL);
  g_assert_true (wf_preview_get_shown (fixture->preview) == computed);
  g_assert_cmpint (count_lines (fixture), ==, n_lines);

  wf_preview_set_shown (fixture->preview, other);
  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, 2);
  g_assert_true (wf_preview_get_shown (fixture->preview) ==
                 wf_preview_get_result (fixture->preview));
  g_assert_cmpint (count_lines (fixture), ==, n_lines);
}

static void
test_drag (Fixture       *fixture,
           gconstpointer  image)
{
  cairo_surface_t *before, *after;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  g_object_set (fixture->widget, "zoom", 4.0 * fixture->scale, NULL);
  before = fixture_draw (fixture);
  fixture_press_button (fixture, GDK_BUTTON_PRESS, 200, 200);
  fixture_move_pointer (fixture, 212, 195);
  fixture_move_pointer (fixture, 240, 180);
  fixture_press_button (fixture, GDK_BUTTON_RELEASE, 240, 180);
  fixture_move_pointer (fixture, 10, 10);
  fixture_leave (fixture);
  after = fixture_draw (fixture);
  for (int y = 20 * fixture->scale; y < (FIXTURE_HEIGHT - 40) * fixture->scale; y++)
    for (int x = 10 * fixture->scale; x < (FIXTURE_WIDTH - 60) * fixture->scale; x++)
      g_assert_cmphex (pixel_of (after, x + 40 * fixture->scale, y - 20 * fixture->scale), ==,
                       pixel_of (before, x, y));
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

static void
test_keys (Fixture       *fixture,
           gconstpointer  image)
{
  static const guint others[] = { GDK_KEY_Tab, GDK_KEY_Escape, GDK_KEY_Return, GDK_KEY_x };
  double             fitting;
  guint              first;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  fitting = get_zoom (fixture);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_1, 0));
  g_assert_cmpfloat (get_zoom (fixture), ==, 1);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_plus, GDK_SHIFT_MASK));
  g_assert_cmpfloat (get_zoom (fixture), ==, 1.5);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_KP_Subtract, 0));
  g_assert_true (fixture_press_key (fixture, GDK_KEY_minus, 0));
  g_assert_cmpfloat (get_zoom (fixture), ==, 1 / 1.5);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_0, 0));
  g_assert_cmpfloat (get_zoom (fixture), ==, fitting);

  /* by keys the basin in the middle is inspected */
  g_object_set (fixture->widget, "zoom", 8.0 * fixture->scale, NULL);
  g_assert_true (fixture_press_key (fixture, GDK_KEY_Left, 0));
  first = fixture->hovered;
  g_assert_cmpuint (first, >, 0);
  for (int i = 0; i < 12; i++)
    g_assert_true (fixture_press_key (fixture, GDK_KEY_Up, 0));
  g_assert_cmpuint (fixture->hovered, !=, first);
  g_assert_nonnull (fixture->measurements);
  for (int i = 0; i < 12; i++)
    g_assert_true (fixture_press_key (fixture, GDK_KEY_Down, 0));
  g_assert_cmpuint (fixture->hovered, ==, first);

  /* other keys are left to the dialog */
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (fixture_press_key (fixture, others[i], 0));
  g_assert_false (fixture_press_key (fixture, GDK_KEY_plus, GDK_CONTROL_MASK));
}

static void
test_hover (Fixture       *fixture,
            gconstpointer  image)
{
  const int           scale = fixture->scale;
  WfPreviewResult    *result;
  g_autofree guint32 *map     = NULL;
  g_autofree char    *measurements = NULL;
  cairo_surface_t    *before, *after;
  guint               n       = 0;
  guint32             label;

  fixture_wait (fixture, 1);
  set_mode (fixture, WF_PREVIEW_LINES);
  g_object_set (fixture->widget, "zoom", 1.0 * scale, NULL);
  fixture_leave (fixture);
  result = wf_preview_get_result (fixture->preview);
  label  = label_at (result, 200, 200);
  before = fixture_draw (fixture);
  fixture_move_pointer (fixture, FIXTURE_WIDTH / 2 + 0.5, FIXTURE_HEIGHT / 2 + 0.5);
  g_assert_cmpuint (fixture->hovered, ==, label);
  g_assert_true (g_str_has_prefix (fixture->measurements, "Basin "));
  g_assert_true (g_str_has_suffix (fixture->measurements, " pixels"));

  /* the changed pixels are in that basin */
  after = fixture_draw (fixture);
  for (int y = 0; y < FIXTURE_HEIGHT; y++)
    for (int x = 0; x < FIXTURE_WIDTH; x++)
      if (pixel_of (before, x * scale, y * scale) != pixel_of (after, x * scale, y * scale))
        {
          n++;
          g_assert_cmpuint (label_at (result, x - (FIXTURE_WIDTH - 400) / 2,
                                      y - (FIXTURE_HEIGHT - 400) / 2), ==, label);
        }
  g_assert_cmpuint (n, >, 50);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);

  /* a basin that grows keeps its label, but has other measurements */
  map     = g_new0 (guint32, result->n_labels + 1);
  measurements = g_strdup (fixture->measurements);
  for (guint32 i = 1; i <= result->n_labels; i++)
    map[i] = i < label ? i : label;
  wf_preview_set_map (fixture->preview, map, result->n_labels + 1);
  g_assert_cmpuint (fixture->hovered, ==, label);
  g_assert_cmpstr (fixture->measurements, !=, measurements);

  /* basins that are merged are one */
  for (guint32 i = 1; i <= result->n_labels; i++)
    map[i] = 7;
  wf_preview_set_map (fixture->preview, map, result->n_labels + 1);
  g_assert_cmpuint (fixture->hovered, ==, 7);
  g_assert_cmpstr (fixture->measurements, ==, "Basin 7: 160000 pixels");

  fixture_leave (fixture);
  g_assert_cmpuint (fixture->hovered, ==, 0);
  g_assert_null (fixture->measurements);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  fixture_add ("/preview/wheel", &small_image, test_wheel);
  fixture_add ("/preview/pinch", &small_image, test_pinch);
  fixture_add ("/preview/drag", &small_image, test_drag);
  fixture_add ("/preview/strokes", &small_image, test_strokes);
  fixture_add ("/preview/one-tool", &small_image, test_one_tool);
  fixture_add ("/preview/shown", &small_image, test_shown);
  fixture_add ("/preview/keys", &small_image, test_keys);
  fixture_add ("/preview/hover", &small_image, test_hover);

  return g_test_run ();
}
