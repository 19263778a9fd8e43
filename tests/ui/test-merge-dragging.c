/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A merging slider and the pointer: dragging, long presses, and what tooltips cover. */

#include <math.h>

#include "merge-stage.h"
#include "ui/merge/state.h"


/* An event of the pointer at this column of the slider, through the main loop's dispatch. */
static void
point (const Stage  *stage,
       GdkEventType  type,
       double        x)
{
  g_autoptr (GList)  windows = gdk_window_get_children (gtk_widget_get_window (stage->scale));
  GdkSeat           *seat    = gdk_display_get_default_seat (gdk_display_get_default ());
  GdkEvent          *event   = gdk_event_new (type);

  for (GList *each = windows; each; each = each->next)
    {
      gpointer owner;

      gdk_window_get_user_data (each->data, &owner);
      if (owner == stage->scale)
        g_set_object (&event->any.window, each->data);
    }
  g_assert_nonnull (event->any.window);
  gdk_event_set_device (event, gdk_seat_get_pointer (seat));
  if (type == GDK_MOTION_NOTIFY)
    {
      event->motion.x     = x;
      event->motion.y     = gtk_widget_get_allocated_height (stage->scale) / 2.0;
      event->motion.state = GDK_BUTTON1_MASK;
    }
  else
    {
      event->button.x      = x;
      event->button.y      = gtk_widget_get_allocated_height (stage->scale) / 2.0;
      event->button.button = GDK_BUTTON_PRIMARY;
    }
  gtk_main_do_event (event);
  gdk_event_free (event);
}

static gboolean
set_true (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_for (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, set_true, &over);
  while (! over)
    gtk_main_iteration ();
}

static void
wait_for_frame (const Stage *stage)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (stage->scale);
  gboolean       over  = FALSE;
  gulong         id    = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (set_true),
                                                   &over);

  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  while (! over)
    gtk_main_iteration ();
  g_signal_handler_disconnect (clock, id);
}

/* The handle has its place from the next frame on. */
static double
middle_of_handle (const Stage *stage)
{
  int start, end;

  wait_for_frame (stage);
  gtk_range_get_slider_range (GTK_RANGE (stage->scale), &start, &end);
  return (start + end) / 2.0;
}

/* Dragging by a pixel at a time from one end to the other reaches every stop, and the handle stays
 * below the pointer.
 */
static void
test_drag (void)
{
  g_auto (Scene)      scene = { 0 };
  g_autoptr (GArray)  stops = NULL;
  Stage               stage;
  guint               reached = 1;
  double              x;

  scene_init (&scene, WF_TYPE_U16, 300);
  stage_init (&stage, WF_TYPE_U16);
  stage_set_hierarchy (&scene, &stage);
  stops = wf_merge_list_stops (scene.hierarchies[0], WF_MERGE_BY_DYNAMICS, WF_TYPE_U16,
                               WF_MERGE_MOST_STOPS);
  g_assert_cmpuint (stops->len, >, 150);
  g_assert_cmpint (gtk_widget_get_allocated_width (stage.scale), ==,
                   gtk_widget_get_allocated_width (GTK_WIDGET (stage.slider)));

  x = middle_of_handle (&stage);
  point (&stage, GDK_BUTTON_PRESS, x);
  g_assert_cmpuint (stage.last_count, ==, scene.n_basins);
  while (stage.last_count > 1)
    {
      const guint32 before = stage.last_count;

      point (&stage, GDK_MOTION_NOTIFY, ++x);
      g_assert_cmpfloat (x, <, gtk_widget_get_allocated_width (stage.scale));
      if ((int) x % 40 == 0)
        g_assert_cmpfloat (fabs (middle_of_handle (&stage) - x), <, 4);
      if (stage.last_count == before)
        continue;
      g_assert_cmpuint (stage.last_count, ==,
                        g_array_index (stops, WfMergeStop, reached).count);
      reached++;
    }
  g_assert_cmpuint (reached, ==, stops->len);
  point (&stage, GDK_BUTTON_RELEASE, x);
  gtk_widget_destroy (stage.window);
}

/* A button that is held changes nothing, also when the pointer moves on afterwards. */
static void
test_long_press (void)
{
  g_auto (Scene) scene = { 0 };
  Stage          stage;
  guint32        counts[2];
  double         x;
  guint          held;

  scene_init (&scene, WF_TYPE_U16, 200);
  stage_init (&stage, WF_TYPE_U16);
  stage_set_hierarchy (&scene, &stage);
  g_object_get (gtk_settings_get_default (), "gtk-long-press-time", &held, NULL);
  for (int i = 0; i < 2; i++)
    {
      g_object_set (stage.slider, "value", 0.02, NULL);
      x = middle_of_handle (&stage);
      point (&stage, GDK_BUTTON_PRESS, x);
      if (i == 1)
        {
          const guint32 before = stage.last_count;

          wait_for (3 * held);
          g_assert_cmpuint (stage.last_count, ==, before);
        }
      for (int step = 1; step <= 30; step++)
        point (&stage, GDK_MOTION_NOTIFY, x + step);
      counts[i] = stage.last_count;
      point (&stage, GDK_BUTTON_RELEASE, x + 30);
    }
  g_assert_cmpuint (counts[0], ==, counts[1]);

  /* beside the handle: it comes to the pointer at once, and stays there */
  x = gtk_widget_get_allocated_width (stage.scale) * 0.8;
  point (&stage, GDK_BUTTON_PRESS, x);
  counts[0] = stage.last_count;
  g_assert_cmpfloat (fabs (middle_of_handle (&stage) - x), <, 4);
  wait_for (3 * held);
  g_assert_cmpuint (stage.last_count, ==, counts[0]);
  point (&stage, GDK_BUTTON_RELEASE, x);
  gtk_widget_destroy (stage.window);
}

/* Tooltips open below the pointer: the number of basins is above everything that has one. */
static void
test_places (void)
{
  g_auto (Scene) scene = { 0 };
  Stage          stage;
  GtkWidget     *others[3];
  GtkAllocation  counted;
  int            narrow;

  scene_init (&scene, WF_TYPE_U8, 100);
  stage_init (&stage, WF_TYPE_U8);
  stage_set_hierarchy (&scene, &stage);
  others[0] = stage.combo;
  others[1] = stage.scale;
  others[2] = stage.entry;
  gtk_widget_get_allocation (stage.counted, &counted);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      GtkAllocation place;

      gtk_widget_get_allocation (others[i], &place);
      g_assert_cmpint (place.y, >=, counted.y + counted.height);
    }

  /* a long number is visible as a whole */
  gtk_widget_get_preferred_width (stage.entry, NULL, &narrow);
  g_object_set (stage.slider, "value", 0.123456789012345678, NULL);
  wait_for (50);
  g_assert_cmpint (gtk_widget_get_allocated_width (stage.entry), >, narrow);
  {
    PangoLayout  *layout = gtk_entry_get_layout (GTK_ENTRY (stage.entry));
    GdkRectangle  room;
    int           width;

    gtk_entry_get_text_area (GTK_ENTRY (stage.entry), &room);
    pango_layout_get_pixel_size (layout, &width, NULL);
    g_assert_cmpint (width, <=, room.width);
  }
  gtk_widget_destroy (stage.window);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/merge/drag", test_drag);
  g_test_add_func ("/merge/long-press", test_long_press);
  g_test_add_func ("/merge/places", test_places);
  return g_test_run ();
}
