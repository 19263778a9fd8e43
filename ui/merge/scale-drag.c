/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Dragging the handle of a horizontal scale, in place of GtkRange's own dragging.
 *
 * GtkRange changes the speed when the button is held for a while, and the handle then leaves the
 * pointer.  Here the handle follows the pointer all the time, by the same number of steps for
 * each pixel, and a press alone changes nothing, unless it is beside the handle.  As in GtkRange,
 * the scale emits GtkRange::change-value.
 */

#include "config.h"

#include <math.h>

#include "scale-drag.h"

/**
 * Drag:
 * @from: the value at the beginning; the handler of the signal may round those that follow
 */
typedef struct
{
  GtkRange   *range;
  GtkGesture *gesture;
  double      from;
} Drag;


/* The change of the value for a pixel, negative if the scale runs to the left; sets @first to the
 * middle of the handle at the least value.
 */
static double
value_per_pixel (const Drag *drag,
                 double     *first)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (drag->range);
  GdkRectangle   whole;
  int            start, end;
  double         length;

  gtk_range_get_range_rect (drag->range, &whole);
  gtk_range_get_slider_range (drag->range, &start, &end);
  length = MAX (whole.width - (end - start), 1);
  *first = whole.x + (end - start) / 2.0;
  if (gtk_widget_get_direction (GTK_WIDGET (drag->range)) == GTK_TEXT_DIR_RTL)
    {
      *first += length;
      length  = -length;
    }
  return (gtk_adjustment_get_upper (adjustment) -
          gtk_adjustment_get_lower (adjustment)) / length;
}

static void
change_value (const Drag *drag,
              double      value)
{
  gboolean handled;

  g_signal_emit_by_name (drag->range, "change-value", GTK_SCROLL_JUMP, value, &handled);
}

/* A press beside the handle moves it to the pointer. */
static void
begun (GtkGesture *gesture,
       double      x,
       double      y,
       Drag       *drag)
{
  double first;
  double per_pixel = value_per_pixel (drag, &first);
  double pressed   = gtk_adjustment_get_lower (gtk_range_get_adjustment (drag->range)) +
                     (x - first) * per_pixel;

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (drag->range));
  drag->from = gtk_range_get_value (drag->range);
  if (fabs (pressed - drag->from) <= WF_SCALE_HANDLE / 2.0 * fabs (per_pixel))
    return;
  drag->from = pressed;
  change_value (drag, pressed);
}

static void
updated (GtkGesture *gesture,
         double      dx,
         double      dy,
         Drag       *drag)
{
  double first;

  if (dx != 0)
    change_value (drag, drag->from + dx * value_per_pixel (drag, &first));
}

static void
drag_free (gpointer data)
{
  Drag *drag = data;

  g_object_unref (drag->gesture);
  g_free (drag);
}

/**
 * wf_scale_drag_add:
 * @scale: a horizontal scale
 *
 * Replaces its dragging by the primary button.
 */
void
wf_scale_drag_add (GtkScale *scale)
{
  Drag *drag = g_new0 (Drag, 1);

  drag->range   = GTK_RANGE (scale);
  drag->gesture = gtk_gesture_drag_new (GTK_WIDGET (scale));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag->gesture),
                                              GTK_PHASE_TARGET);
  g_signal_connect (drag->gesture, "drag-begin", G_CALLBACK (begun), drag);
  g_signal_connect (drag->gesture, "drag-update", G_CALLBACK (updated), drag);
  g_object_set_data_full (G_OBJECT (scale), "wavefront-drag", drag, drag_free);
}
