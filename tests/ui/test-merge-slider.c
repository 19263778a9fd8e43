/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Merging basins by a slider: it shows what the engine computes for its value, and reacts to
 * the user.
 */

#include <math.h>
#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/level-entry.h"
#include "merge-stage.h"
#include "pictures.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };


static double
position_of (const Stage *stage)
{
  return gtk_range_get_value (GTK_RANGE (stage->scale));
}

static void
scroll (const Stage   *stage,
        GtkScrollType  how)
{
  g_signal_emit_by_name (stage->scale, "move-slider", how);
}

static const char *
text_of (const Stage *stage)
{
  return gtk_entry_get_text (GTK_ENTRY (stage->entry));
}

/* Compares the slider's map with the engine's relabelling at the value that it shows, pixel
 * by pixel.
 */
static void
check_pixels (const Scene *scene,
              const Stage *stage)
{
  WfMergeBy           by        = wf_merge_slider_get_by (stage->slider);
  double              value     = g_ascii_strtod (text_of (stage), NULL);
  const WfHierarchy  *hierarchy = scene_get_hierarchy (scene, by);
  g_autofree guint32 *regions   = g_new (guint32, scene->n_basins);
  g_autofree guint32 *map       = g_new (guint32, scene->n_basins + 1);
  g_autofree guint32 *first     = g_new0 (guint32, scene->n_basins + 1);
  g_auto (WfImage)    out       = { 0 };
  guint32             n;

  if (by == WF_MERGE_BY_COUNT)
    n = wf_hierarchy_cut_to_count (hierarchy, value > 0 ? (guint32) value : G_MAXUINT32, regions);
  else
    n = wf_hierarchy_cut_at_depth (hierarchy,
                                   by == WF_MERGE_BY_AREA ? value
                                   : by == WF_MERGE_BY_VOLUME
                                   ? value * wf_level_maximum (scene->image.type)
                                   : wf_level_from_fraction (value, scene->image.type), regions);
  g_assert_cmpuint (wf_merge_slider_get_count (stage->slider), ==, n);
  g_assert_true (wf_image_allocate (&out, WF_TYPE_U32, scene->image.width, scene->image.height,
                                    1, NULL));
  g_assert_true (wf_hierarchy_relabel (NULL, hierarchy, regions, &scene->labels, &out, NULL));
  g_assert_true (wf_hierarchy_get_map (hierarchy, wf_merge_slider_get_count (stage->slider), map,
                                       scene->n_basins + 1, NULL));
  for (gint64 p = 0; p < wf_image_n_pixels (&out); p++)
    {
      guint32 region = ((guint32 *) out.data)[p];
      guint32 mapped = map[((guint32 *) scene->labels.data)[p]];

      if (first[region] == 0)
        first[region] = mapped;
      g_assert_cmpuint (mapped, ==, first[region]);
    }
  for (guint32 i = 2; i <= n; i++)
    g_assert_cmpuint (first[i], >, first[i - 1]);
}

static void
test_what_it_shows (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (Scene) scene = { 0 };
      Stage          stage;

      scene_init (&scene, types[i], 90);
      stage_init (&stage, types[i]);
      for (int by = 0; by <= WF_MERGE_BY_COUNT; by++)
        {
          gtk_combo_box_set_active (GTK_COMBO_BOX (stage.combo), by);
          stage_set_hierarchy (&scene, &stage);
          for (int step = 0; step < 6; step++)
            {
              check_pixels (&scene, &stage);
              g_assert_cmpuint (stage.last_count, ==, wf_merge_slider_get_count (stage.slider));
              scroll (&stage, step % 2 ? GTK_SCROLL_PAGE_FORWARD : GTK_SCROLL_STEP_FORWARD);
            }
          scroll (&stage, GTK_SCROLL_END);
          check_pixels (&scene, &stage);
          g_assert_cmpuint (stage.last_count, ==, 1);
          scroll (&stage, GTK_SCROLL_START);
          g_assert_cmpuint (stage.last_count, ==, scene.n_basins);
          g_assert_cmpstr (text_of (&stage), ==, "0");
        }
      gtk_widget_destroy (stage.window);
    }
}

/* Each step merges something, each step back splits something. */
static void
test_steps (void)
{
  g_auto (Scene) scene = { 0 };
  Stage          stage;
  guint32        before;

  scene_init (&scene, WF_TYPE_U16, 150);
  stage_init (&stage, WF_TYPE_U16);
  stage_set_hierarchy (&scene, &stage);
  before = scene.n_basins;
  for (int i = 0; i < 20; i++)
    {
      scroll (&stage, GTK_SCROLL_STEP_FORWARD);
      g_assert_cmpuint (stage.last_count, <, before);
      before = stage.last_count;
    }
  g_assert_cmpint (stage.n_cuts, ==, 21);
  g_object_set (stage.slider, "value", wf_merge_slider_get_value (stage.slider) + 1e-7, NULL);
  for (int i = 0; i < 20; i++)
    {
      scroll (&stage, GTK_SCROLL_STEP_BACKWARD);
      g_assert_cmpuint (stage.last_count, >, before);
      before = stage.last_count;
    }
  g_assert_cmpuint (before, ==, scene.n_basins);
  gtk_widget_destroy (stage.window);
}

/* The value is kept without a hierarchy, and with a new one. */
static void
test_value_is_kept (void)
{
  g_auto (Scene) first  = { 0 };
  g_auto (Scene) second = { 0 };
  Stage          stage;
  double         position;

  scene_init (&first, WF_TYPE_U8, 100);
  scene_init (&second, WF_TYPE_U8, 220);
  stage_init (&stage, WF_TYPE_U8);
  g_assert_false (gtk_widget_get_sensitive (stage.scale));
  g_object_set (stage.slider, "value", 0.02, NULL);
  g_assert_cmpstr (text_of (&stage), ==, "0.02");
  g_assert_cmpuint (wf_merge_slider_get_count (stage.slider), ==, 0);
  g_assert_cmpint (stage.n_cuts, ==, 0);

  stage_set_hierarchy (&first, &stage);
  g_assert_true (gtk_widget_get_sensitive (stage.scale));
  g_assert_cmpint (stage.n_cuts, ==, 1);
  g_assert_cmpuint (stage.last_count, ==,
                    wf_hierarchy_cut_at_depth (first.hierarchies[0], 5, NULL));
  position = position_of (&stage);
  g_assert_cmpfloat (position, >, 0);

  stage_set_hierarchy (&second, &stage);
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==, 0.02);
  g_assert_cmpuint (stage.last_count, ==,
                    wf_hierarchy_cut_at_depth (second.hierarchies[0], 5, NULL));
  check_pixels (&second, &stage);

  wf_merge_slider_set_hierarchy (stage.slider, WF_MEASURE_DYNAMICS, NULL);
  g_assert_false (gtk_widget_get_sensitive (stage.scale));
  g_assert_cmpstr (text_of (&stage), ==, "0.02");
  g_assert_cmpuint (wf_merge_slider_get_count (stage.slider), ==, 0);
  gtk_widget_destroy (stage.window);
}

/* Successive choices keep the number of basins as far as possible. */
static void
test_measure (void)
{
  g_auto (Scene) scene = { 0 };
  Stage          stage;
  guint32        count;
  g_autofree char *measure = NULL;

  scene_init (&scene, WF_TYPE_U8, 150);
  stage_init (&stage, WF_TYPE_U8);
  stage_set_hierarchy (&scene, &stage);
  g_object_set (stage.slider, "value", 0.01, NULL);
  count = stage.last_count;

  /* the same hierarchy: at once */
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (stage.combo), "count");
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==, count);
  g_assert_cmpuint (wf_merge_slider_get_count (stage.slider), ==, count);
  g_assert_false (wf_merge_slider_is_waiting (stage.slider));

  /* another: when it comes, and not before */
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (stage.combo), "area");
  g_object_get (stage.slider, "measure", &measure, NULL);
  g_assert_cmpstr (measure, ==, "area");
  g_assert_true (wf_merge_slider_is_waiting (stage.slider));
  g_assert_cmpstr (text_of (&stage), ==, "");
  wf_merge_slider_set_hierarchy (stage.slider, WF_MEASURE_DYNAMICS, scene.hierarchies[0]);
  g_assert_true (wf_merge_slider_is_waiting (stage.slider));
  stage_set_hierarchy (&scene, &stage);
  g_assert_false (wf_merge_slider_is_waiting (stage.slider));
  g_assert_cmpuint (stage.last_count, <=, count);
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==,
                     wf_merge_find_value (scene.hierarchies[1], WF_MERGE_BY_AREA, count,
                                          WF_TYPE_U8));
  check_pixels (&scene, &stage);

  /* programs and presets set the value itself */
  g_object_set (stage.slider, "measure", "volume", "value", 2.5, NULL);
  stage_set_hierarchy (&scene, &stage);
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==, 2.5);
  check_pixels (&scene, &stage);
  g_object_set (stage.slider, "measure", "nonsense", NULL);
  g_assert_cmpint (wf_merge_slider_get_by (stage.slider), ==, WF_MERGE_BY_VOLUME);
  gtk_widget_destroy (stage.window);
}

static void
press (GtkWidget *widget,
       guint      keyval)
{
  GdkEvent    *event = gdk_event_new (GDK_KEY_PRESS);
  gboolean     handled;
  GdkKeymapKey *keys  = NULL;
  int           n     = 0;

  event->key.window     = g_object_ref (gtk_widget_get_window (widget));
  event->key.send_event = TRUE;
  event->key.keyval     = keyval;
  if (gdk_keymap_get_entries_for_keyval (gdk_keymap_get_for_display (gdk_display_get_default ()),
                                         keyval, &keys, &n))
    event->key.hardware_keycode = (guint16) keys[0].keycode;
  gdk_event_set_device (event, gdk_seat_get_keyboard (gdk_display_get_default_seat
                                                        (gdk_display_get_default ())));
  handled = gtk_widget_event (widget, event);
  g_assert_true (handled);
  g_free (keys);
  gdk_event_free (event);
}

/* Without a window manager no window has the focus, so the event is sent. */
static void
leave (GtkWidget *widget)
{
  GdkEvent *event = gdk_event_new (GDK_FOCUS_CHANGE);

  event->focus_change.window     = g_object_ref (gtk_widget_get_window (widget));
  event->focus_change.send_event = TRUE;
  event->focus_change.in         = FALSE;
  gtk_widget_send_focus_change (widget, event);
  gdk_event_free (event);
}

/* The value follows typing; text that is no number changes nothing. */
static void
test_typing (void)
{
  g_auto (Scene) scene = { 0 };
  Stage          stage;

  scene_init (&scene, WF_TYPE_U8, 100);
  stage_init (&stage, WF_TYPE_U8);
  stage_set_hierarchy (&scene, &stage);
  gtk_widget_grab_focus (stage.entry);
  gtk_entry_set_text (GTK_ENTRY (stage.entry), "0.0400");
  g_assert_cmpstr (text_of (&stage), ==, "0.0400");
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==, 0.04);
  g_assert_cmpuint (stage.last_count, ==,
                    wf_hierarchy_cut_at_depth (scene.hierarchies[0], 10, NULL));
  gtk_entry_set_text (GTK_ENTRY (stage.entry), "0.0x");
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), ==, 0.04);
  press (stage.entry, GDK_KEY_Up);
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), >, 0.04);
  g_assert_cmpfloat (g_ascii_strtod (text_of (&stage), NULL), ==,
                     wf_merge_slider_get_value (stage.slider));
  press (stage.entry, GDK_KEY_Down);
  press (stage.entry, GDK_KEY_Down);
  g_assert_cmpfloat (wf_merge_slider_get_value (stage.slider), <, 0.04);
  check_pixels (&scene, &stage);
  gtk_entry_set_text (GTK_ENTRY (stage.entry), "nothing");
  leave (stage.entry);
  g_assert_cmpfloat (g_ascii_strtod (text_of (&stage), NULL), ==,
                     wf_merge_slider_get_value (stage.slider));
  gtk_widget_destroy (stage.window);
}

static void
test_words (void)
{
  g_auto (Scene)   scene    = { 0 };
  Stage            stage;
  g_autofree char *expected = NULL;

  scene_init (&scene, WF_TYPE_U8, 100);
  stage_init (&stage, WF_TYPE_U8);
  stage_set_hierarchy (&scene, &stage);
  g_object_set (stage.slider, "measure", "count", "value", 7.0, NULL);
  expected = g_strdup_printf ("7 of %u basins", scene.n_basins);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.counted)), ==, expected);
  g_assert_cmpstr (atk_object_get_description (gtk_widget_get_accessible (stage.scale)), ==,
                   expected);
  g_assert_nonnull (atk_object_get_name (gtk_widget_get_accessible (stage.scale)));
  g_assert_nonnull (atk_object_get_name (gtk_widget_get_accessible (stage.entry)));
  g_assert_nonnull (atk_object_get_name (gtk_widget_get_accessible (stage.combo)));
  g_assert_true (gtk_widget_mnemonic_activate (GTK_WIDGET (stage.slider), FALSE));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (stage.window)) == stage.scale);
  gtk_widget_destroy (stage.window);
}

/* Moving over very many basins takes no noticeable time. */
static void
test_speed (void)
{
  g_auto (Scene)      scene = { 0 };
  g_autofree guint32 *map   = NULL;
  Stage               stage;
  gint64              start;
  double              came;
  double              moved = 0;

  scene_init (&scene, WF_TYPE_F32, 1400);
  stage_init (&stage, WF_TYPE_F32);
  map   = g_new (guint32, scene.n_basins + 1);
  start = g_get_monotonic_time ();
  stage_set_hierarchy (&scene, &stage);
  came = (g_get_monotonic_time () - start) / 1e3;
  start = g_get_monotonic_time ();
  for (int i = 0; i < 100; i++)
    {
      scroll (&stage, GTK_SCROLL_STEP_FORWARD);
      g_assert_true (wf_hierarchy_get_map (scene.hierarchies[0], stage.last_count, map,
                                           scene.n_basins + 1, NULL));
    }
  moved = (g_get_monotonic_time () - start) / 1e3 / 100;
  g_test_message ("%u basins: a new hierarchy %.2f ms, a step with its map %.3f ms",
                  scene.n_basins, came, moved);
  g_assert_cmpuint (scene.n_basins, >, 80000);
  g_assert_cmpfloat (came, <, 200);
  g_assert_cmpfloat (moved, <, 50);
  gtk_widget_destroy (stage.window);
}

/* A destroyed slider keeps no reference to the hierarchy. */
static void
test_lifetime (void)
{
  g_auto (Scene)  scene  = { 0 };
  GtkWidget      *slider = g_object_ref_sink (wf_merge_slider_new (WF_TYPE_U8));
  GObject        *watch  = G_OBJECT (slider);

  scene_init (&scene, WF_TYPE_U8, 80);
  g_object_add_weak_pointer (watch, (gpointer *) &watch);
  wf_merge_slider_set_hierarchy (WF_MERGE_SLIDER (slider), WF_MEASURE_DYNAMICS,
                                 scene.hierarchies[0]);
  gtk_widget_destroy (slider);
  g_object_unref (slider);
  g_assert_null (watch);
}

static void
test_pictures (void)
{
  g_auto (Scene) scene = { 0 };

  scene_init (&scene, WF_TYPE_U8, 300);
  for (int dark = 0; dark < 2; dark++)
    {
      Stage stage;

      pictures_set_dark (dark);
      stage_init (&stage, WF_TYPE_U8);
      pictures_save (stage.window, "merge-slider-empty", dark);
      stage_set_hierarchy (&scene, &stage);
      g_object_set (stage.slider, "value", 0.012, NULL);
      gtk_widget_grab_focus (stage.scale);
      pictures_save (stage.window, "merge-slider-depth", dark);
      g_object_set (stage.slider, "measure", "volume", "value", 12.5, NULL);
      stage_set_hierarchy (&scene, &stage);
      pictures_save (stage.window, "merge-slider-volume", dark);
      gtk_widget_destroy (stage.window);
    }
  pictures_set_dark (FALSE);
}

int
main (int    argc,
      char **argv)
{
  pictures_init ();
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/merge/what-it-shows", test_what_it_shows);
  g_test_add_func ("/merge/steps", test_steps);
  g_test_add_func ("/merge/value-is-kept", test_value_is_kept);
  g_test_add_func ("/merge/measure", test_measure);
  g_test_add_func ("/merge/typing", test_typing);
  g_test_add_func ("/merge/words", test_words);
  g_test_add_func ("/merge/speed", test_speed);
  g_test_add_func ("/merge/lifetime", test_lifetime);
  g_test_add_func ("/merge/pictures", test_pictures);

  return g_test_run ();
}
