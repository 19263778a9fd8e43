/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview with its controls; and pictures of it for a person to look at, in both themes,
 * if WAVEFRONT_PICTURES names a folder.
 */

#include "pictures.h"
#include "ui/preview/pane.h"
#include "preview-person.h"
#include "widgets.h"

static const FixtureImage small_image = { .side = 400 };
static const FixtureImage clear_image = { .side = 400, .transparent = TRUE };
static const FixtureImage large_image = { .side = 2600 };
static const FixtureImage pane_image  = { .side = 400, .pane = TRUE };


/* The control of this type with this label, or else this name. */
static GtkWidget *
find (Fixture    *fixture,
      GType       type,
      const char *name)
{
  g_autoptr (GPtrArray) all = widgets_list (fixture->window);

  for (guint i = 0; i < all->len; i++)
    {
      GtkWidget  *widget = all->pdata[i];
      const char *label  = NULL;

      if (! g_type_is_a (G_OBJECT_TYPE (widget), type))
        continue;
      if (GTK_IS_LABEL (widget))
        label = gtk_label_get_text (GTK_LABEL (widget));
      else if (GTK_IS_BUTTON (widget))
        label = gtk_button_get_label (GTK_BUTTON (widget));
      if (! label)
        label = atk_object_get_name (gtk_widget_get_accessible (widget));
      if (! name || g_strcmp0 (label, name) == 0)
        return widget;
    }
  return NULL;
}

static void
test_pane (Fixture       *fixture,
           gconstpointer  image)
{
  GtkComboBox   *modes = GTK_COMBO_BOX (find (fixture, GTK_TYPE_COMBO_BOX, NULL));
  GtkWidget     *split = find (fixture, GTK_TYPE_CHECK_BUTTON, "Before and a_fter");
  WfPreviewMode  mode;
  gboolean       on;
  double         fitting;

  fixture_wait (fixture, 1);
  g_assert_cmpstr (gtk_combo_box_get_active_id (modes), ==, "lines");
  gtk_combo_box_set_active_id (modes, "lines-and-basins");
  g_object_get (fixture->widget, "mode", &mode, NULL);
  g_assert_cmpint (mode, ==, WF_PREVIEW_LINES_AND_BASINS);
  set_mode (fixture, WF_PREVIEW_RESULT);
  g_assert_cmpstr (gtk_combo_box_get_active_id (modes), ==, "result");

  gtk_button_clicked (GTK_BUTTON (split));
  g_object_get (fixture->widget, "split-view", &on, NULL);
  g_assert_true (on);
  fixture_press_key (fixture, GDK_KEY_s, 0);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (split)));

  fitting = get_zoom (fixture);
  gtk_button_clicked (GTK_BUTTON (find (fixture, GTK_TYPE_BUTTON,
                                        "One image pixel on each screen pixel")));
  g_assert_cmpfloat (get_zoom (fixture), ==, 1);
  g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, "1:1"));
  gtk_button_clicked (GTK_BUTTON (find (fixture, GTK_TYPE_BUTTON, "Zoom in")));
  g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, "1.5:1"));
  gtk_button_clicked (GTK_BUTTON (find (fixture, GTK_TYPE_BUTTON, "Zoom out")));
  g_assert_cmpfloat (get_zoom (fixture), ==, 1);
  gtk_button_clicked (GTK_BUTTON (find (fixture, GTK_TYPE_BUTTON, "Show all of the image")));
  g_assert_cmpfloat (get_zoom (fixture), ==, fitting);

  fixture_move_pointer (fixture, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 2);
  g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, fixture->measurements));
  fixture_leave (fixture);
  g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, "Drag to move, turn the wheel to zoom"));
}

/* The level of the cells, and that of the smoothed image, where the pointer is. */
static void
test_values (Fixture       *fixture,
             gconstpointer  image)
{
  const int        x        = FIXTURE_WIDTH / 2 + 3;
  const int        y        = FIXTURE_HEIGHT / 2 - 5;
  const guint8    *levels   = fixture->image.data;
  double           zoom;
  int              column, row;
  WfPreviewResult *result;

  fixture_wait (fixture, 1);
  g_object_set (fixture->widget, "zoom", (double) fixture->scale, NULL);
  zoom   = get_zoom (fixture) / fixture->scale;
  column = (int) ((x - gtk_widget_get_allocated_width (fixture->widget) / 2.0) / zoom + 200);
  row    = (int) ((y - gtk_widget_get_allocated_height (fixture->widget) / 2.0) / zoom + 200);
  fixture_move_pointer (fixture, x, y);
  {
    g_autofree char *text = g_strdup_printf ("Level %u", levels[row * 400 + column]);

    g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, text));
  }

  fixture->settings.levels = TRUE;
  fixture_recompute (fixture);
  result = wf_preview_get_result (fixture->preview);
  {
    g_autofree char *text = g_strdup_printf ("Level %u, result %u", levels[row * 400 + column],
                                             ((guint8 *) result->image.data)[row * 400 + column]);

    g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, text));
  }
  fixture_leave (fixture);
  g_assert_nonnull (find (fixture, GTK_TYPE_LABEL, "Drag to move, turn the wheel to zoom"));
}

/* Texts as long as in any language are shown as a whole, and the preview keeps its size. */
static void
test_long_texts (Fixture       *fixture,
                 gconstpointer  image)
{
  static const char *const texts[] = {
    "1.234.567.890 Pixel, Helligkeit von 0,0000012345 bis 12.345.678,9, Mittelwert 0,00098765",
    "Helligkeit 0,0000012345, Abstand 0,0000012345"
  };
  GtkAllocation before, after;

  fixture_wait (fixture, 1);
  gtk_widget_get_allocation (fixture->widget, &before);
  g_signal_emit_by_name (fixture->widget, "basin-hovered", 1, texts[0]);
  g_signal_emit_by_name (fixture->widget, "values-changed", texts[1]);
  fixture_wait_for (100);
  gtk_widget_get_allocation (fixture->widget, &after);
  g_assert_cmpint (after.width, ==, before.width);
  g_assert_cmpint (after.height, ==, before.height);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget   *label  = find (fixture, GTK_TYPE_LABEL, texts[i]);
      PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
      int          width, height;

      pango_layout_get_pixel_size (layout, &width, &height);
      g_assert_false (pango_layout_is_ellipsized (layout));
      g_assert_cmpint (width, <=, gtk_widget_get_allocated_width (label));
      g_assert_cmpint (height, <=, gtk_widget_get_allocated_height (label));
    }
}

static void
save (Fixture    *fixture,
      const char *name,
      gboolean    dark)
{
  g_autofree char *full = g_strdup_printf ("preview-%s%s", name, fixture->scale > 1 ? "-2x" : "");

  pictures_save (fixture->window, full, dark);
}

static void
take_pictures (Fixture  *fixture,
               gboolean  dark)
{
  pictures_set_dark (dark);
  set_mode (fixture, WF_PREVIEW_LINES);
  save (fixture, "lines", dark);
  set_mode (fixture, WF_PREVIEW_LINES_AND_BASINS);
  fixture_move_pointer (fixture, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 2);
  save (fixture, "basins", dark);
  g_object_set (fixture->widget, "split-view", TRUE, NULL);
  save (fixture, "split", dark);

  fixture_focus (fixture);
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  g_object_set (fixture->widget, "split-view", FALSE, "zoom", 8.0 * fixture->scale, NULL);
  fixture_press_key (fixture, GDK_KEY_Left, 0);
  set_mode (fixture, WF_PREVIEW_LINES);
  save (fixture, "near", dark);
  wf_preview_fit (fixture->preview);

  fixture->settings.fail = TRUE;
  wf_preview_recompute (fixture->preview);
  fixture_wait_for (100);
  save (fixture, "error", dark);
  fixture->settings.fail  = FALSE;
  fixture->settings.delay = 30;
  wf_preview_recompute (fixture->preview);
  fixture_wait_for (400);
  save (fixture, "busy", dark);
  fixture->settings.delay = 0;
  fixture_recompute (fixture);
}

static void
test_pictures (Fixture       *fixture,
               gconstpointer  image)
{
  fixture_wait (fixture, 1);
  take_pictures (fixture, FALSE);
  take_pictures (fixture, TRUE);
}

static void
test_pictures_large (Fixture       *fixture,
                     gconstpointer  image)
{
  fixture_wait (fixture, 1);
  for (int dark = 0; dark < 2; dark++)
    {
      pictures_set_dark (dark);
      set_mode (fixture, WF_PREVIEW_LINES);
      save (fixture, "far", dark);
    }
}

static void
test_pictures_clear (Fixture       *fixture,
                     gconstpointer  image)
{
  fixture->settings.levels = TRUE;
  fixture_recompute (fixture);
  for (int dark = 0; dark < 2; dark++)
    {
      pictures_set_dark (dark);
      g_object_set (fixture->widget, "split-view", TRUE, NULL);
      save (fixture, "clear", dark);
    }
}

static void
test_pictures_pane (Fixture       *fixture,
                    gconstpointer  image)
{
  fixture_wait (fixture, 1);
  gtk_container_set_border_width (GTK_CONTAINER (fixture->window), 12);
  for (int dark = 0; dark < 2; dark++)
    {
      pictures_set_dark (dark);
      fixture_move_pointer (fixture, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 2 + dark);
      save (fixture, "pane", dark);
    }
}

int
main (int    argc,
      char **argv)
{
  /* the variable would fix the theme, and there are pictures of two */
  g_unsetenv ("GTK_THEME");
  gtk_test_init (&argc, &argv, NULL);

  fixture_add ("/preview/pane", &pane_image, test_pane);
  fixture_add ("/preview/pane/values", &pane_image, test_values);
  fixture_add ("/preview/pane/long-texts", &pane_image, test_long_texts);
  fixture_add ("/preview/pictures", &small_image, test_pictures);
  fixture_add ("/preview/pictures/large", &large_image, test_pictures_large);
  fixture_add ("/preview/pictures/clear", &clear_image, test_pictures_clear);
  fixture_add ("/preview/pictures/pane", &pane_image, test_pictures_pane);

  return g_test_run ();
}
