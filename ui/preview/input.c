/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, gestures and keys do in a preview.
 *
 *   drag, arrow keys         move the image
 *   wheel, pinch, + and -    zoom, at the pointer or at the middle
 *   1                        one image pixel on each screen pixel
 *   0, F                     all of the image
 *   Page Up, Page Down       the next slice of a stack, and the one before
 *   S                        split the view; Shift and the arrow keys move the edge, as
 *                            dragging does
 *
 * The basin under the pointer is highlighted and described, or, after the image was moved
 * by keys, the basin in the middle of the view.
 */

#include "config.h"

#include <math.h>

#include "private.h"

#define GRAB_DISTANCE 6
#define PAN_SHARE     (1.0 / 8)
#define SPLIT_STEP    (1.0 / 32)


static gboolean
is_at_split (WfPreview *preview,
             double     x)
{
  const int width = gtk_widget_get_allocated_width (GTK_WIDGET (preview));

  return preview->split_view && fabs (x - preview->split * width) <= GRAB_DISTANCE;
}

static void
show_cursor (WfPreview *preview)
{
  GdkWindow            *window = gtk_widget_get_window (GTK_WIDGET (preview));
  g_autoptr (GdkCursor) cursor = NULL;
  const char           *name   = NULL;

  if (preview->grabbed == GRABBED_SPLIT || is_at_split (preview, preview->pointer_x))
    name = "col-resize";
  else if (preview->grabbed == GRABBED_IMAGE)
    name = "grabbing";
  else if (preview->drawing || preview->picking)
    name = "crosshair";

  if (name)
    cursor = gdk_cursor_new_from_name (gdk_window_get_display (window), name);
  gdk_window_set_cursor (window, cursor);
}


/*  The pointer  */

static void
set_inspecting (WfPreview *preview,
                gboolean   inspecting)
{
  if (preview->inspecting != inspecting)
    gtk_widget_queue_draw (GTK_WIDGET (preview));
  preview->inspecting = inspecting;
  wf_preview_update_hovered (preview, FALSE);
}

static gboolean
button_press (GtkWidget      *widget,
              GdkEventButton *event)
{
  WfPreview *preview = WF_PREVIEW (widget);

  if (event->type != GDK_BUTTON_PRESS ||
      (event->button != GDK_BUTTON_PRIMARY && event->button != GDK_BUTTON_MIDDLE))
    return GDK_EVENT_PROPAGATE;

  gtk_widget_grab_focus (widget);
  preview->pointer_x = event->x;
  preview->pointer_y = event->y;
  preview->moved     = FALSE;
  preview->grabbed   = event->button == GDK_BUTTON_PRIMARY && is_at_split (preview, event->x)
                       ? GRABBED_SPLIT
                       : event->button == GDK_BUTTON_PRIMARY && preview->drawing
                       ? GRABBED_STROKE : GRABBED_IMAGE;
  if (preview->grabbed == GRABBED_STROKE)
    wf_preview_begin_stroke (preview);
  show_cursor (preview);
  return GDK_EVENT_STOP;
}

static void
tell_click (WfPreview *preview)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  double    x, y;

  wf_viewport_to_image (&preview->viewport, preview->pointer_x * scale, preview->pointer_y * scale,
                        &x, &y);
  g_signal_emit_by_name (preview, preview->picking ? "picked" : "clicked", x, y);
}

static gboolean
button_release (GtkWidget      *widget,
                GdkEventButton *event)
{
  WfPreview *preview = WF_PREVIEW (widget);

  if (preview->grabbed == GRABBED_NOTHING)
    return GDK_EVENT_PROPAGATE;

  if (preview->grabbed == GRABBED_IMAGE && ! preview->moved &&
      event->button == GDK_BUTTON_PRIMARY)
    tell_click (preview);
  wf_preview_end_stroke (preview, preview->grabbed == GRABBED_STROKE);
  preview->grabbed = GRABBED_NOTHING;
  show_cursor (preview);
  return GDK_EVENT_STOP;
}

static gboolean
motion_notify (GtkWidget      *widget,
               GdkEventMotion *event)
{
  WfPreview *preview = WF_PREVIEW (widget);
  double     dx      = event->x - preview->pointer_x;
  double     dy      = event->y - preview->pointer_y;

  preview->moved         |= preview->grabbed != GRABBED_NOTHING && (dx != 0 || dy != 0);
  preview->pointer_x      = event->x;
  preview->pointer_y      = event->y;
  preview->pointer_inside = TRUE;
  set_inspecting (preview, FALSE);
  if (preview->grabbed == GRABBED_SPLIT)
    wf_preview_set_split (preview, event->x / gtk_widget_get_allocated_width (widget));
  else if (preview->grabbed == GRABBED_IMAGE)
    wf_preview_pan (preview, dx, dy);
  else if (preview->grabbed == GRABBED_STROKE)
    wf_preview_extend_stroke (preview);
  else
    show_cursor (preview);
  return GDK_EVENT_STOP;
}

static gboolean
leave_notify (GtkWidget        *widget,
              GdkEventCrossing *event)
{
  WfPreview *preview = WF_PREVIEW (widget);

  preview->pointer_inside = FALSE;
  wf_preview_update_hovered (preview, FALSE);
  return GDK_EVENT_PROPAGATE;
}

/* Smooth-scrolling devices report fractions of a step, which are added up as long as the
 * direction stays the same; a wheel reports whole steps.
 */
static gboolean
scroll (GtkWidget      *widget,
        GdkEventScroll *event)
{
  WfPreview *preview = WF_PREVIEW (widget);
  double     dx      = 0;
  double     dy      = 0;

  if (event->direction == GDK_SCROLL_UP)
    dy = -1;
  else if (event->direction == GDK_SCROLL_DOWN)
    dy = 1;
  else if (! gdk_event_get_scroll_deltas ((GdkEvent *) event, &dx, &dy))
    return GDK_EVENT_PROPAGATE;

  if (preview->scrolled * dy < 0)
    preview->scrolled = 0;
  for (preview->scrolled += dy; fabs (preview->scrolled) >= 1;
       preview->scrolled -= copysign (1, preview->scrolled))
    wf_preview_zoom_at (preview,
                        wf_viewport_next_zoom (&preview->viewport, preview->scrolled < 0 ? 1 : -1),
                        event->x, event->y);
  return GDK_EVENT_STOP;
}

static void
pinch_begin (WfPreview *preview)
{
  preview->pinch_zoom = preview->viewport.zoom;
  preview->grabbed    = GRABBED_NOTHING;
  wf_preview_end_stroke (preview, FALSE);
}

static void
pinch_scale_changed (GtkGestureZoom *pinch,
                     double          factor,
                     WfPreview      *preview)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (pinch), &x, &y))
    wf_preview_zoom_at (preview, preview->pinch_zoom * factor, x, y);
}


/*  Keys  */

static void
press_arrow (WfPreview *preview,
             gboolean   shift,
             int        x,
             int        y)
{
  GtkWidget *widget = GTK_WIDGET (preview);

  if (shift && preview->split_view && x != 0)
    {
      wf_preview_set_split (preview, preview->split + x * SPLIT_STEP);
      return;
    }
  wf_preview_pan (preview,
                  -x * round (gtk_widget_get_allocated_width (widget) * PAN_SHARE),
                  -y * round (gtk_widget_get_allocated_height (widget) * PAN_SHARE));
  set_inspecting (preview, TRUE);
}

static gboolean
press_page (WfPreview *preview,
            int        direction)
{
  if (wf_preview_get_n_slices (preview) == 1)
    return GDK_EVENT_PROPAGATE;

  wf_preview_set_slice (preview, preview->viewport.slice + direction);
  return GDK_EVENT_STOP;
}

static gboolean
key_press (GtkWidget   *widget,
           GdkEventKey *event)
{
  WfPreview      *preview = WF_PREVIEW (widget);
  GdkModifierType state   = event->state & gtk_accelerator_get_default_mod_mask ();
  gboolean        shift   = (state & GDK_SHIFT_MASK) != 0;

  if (state & ~GDK_SHIFT_MASK)
    return GDK_EVENT_PROPAGATE;

  switch (event->keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      press_arrow (preview, shift, -1, 0);
      break;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      press_arrow (preview, shift, 1, 0);
      break;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      press_arrow (preview, shift, 0, -1);
      break;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      press_arrow (preview, shift, 0, 1);
      break;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      wf_preview_zoom_in (preview);
      break;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      wf_preview_zoom_out (preview);
      break;
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      wf_preview_zoom_at_middle (preview, 1);
      break;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
    case GDK_KEY_f:
    case GDK_KEY_F:
      wf_preview_fit (preview);
      break;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      return press_page (preview, 1);
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      return press_page (preview, -1);
    case GDK_KEY_s:
    case GDK_KEY_S:
      g_object_set (preview, "split-view", ! preview->split_view, NULL);
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  return GDK_EVENT_STOP;
}

/**
 * wf_preview_input_init:
 * @preview: a preview
 */
void
wf_preview_input_init (WfPreview *preview)
{
  GtkWidget *widget = GTK_WIDGET (preview);

  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_add_events (widget,
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK |
                         GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                         GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_KEY_PRESS_MASK |
                         GDK_TOUCH_MASK | GDK_TOUCHPAD_GESTURE_MASK);

  preview->pinch = gtk_gesture_zoom_new (widget);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (preview->pinch),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (preview->pinch, "begin", G_CALLBACK (pinch_begin), preview);
  g_signal_connect (preview->pinch, "scale-changed", G_CALLBACK (pinch_scale_changed), preview);
}

/**
 * wf_preview_input_class_init:
 * @klass: of the preview
 */
void
wf_preview_input_class_init (GtkWidgetClass *klass)
{
  klass->button_press_event   = button_press;
  klass->button_release_event = button_release;
  klass->motion_notify_event  = motion_notify;
  klass->leave_notify_event   = leave_notify;
  klass->scroll_event         = scroll;
  klass->key_press_event      = key_press;
}
