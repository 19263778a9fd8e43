/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "preview-person.h"


/* The preview, with its size in units of the screen. */
static cairo_surface_t *
draw (Fixture *fixture,
      int      width,
      int      height)
{
  const int        scale   = fixture->scale;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale,
                                                         height * scale);
  cairo_t         *cr;

  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  gtk_widget_draw (fixture->widget, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/**
 * fixture_draw:
 * @fixture: a fixture
 *
 * Returns: (transfer full): the preview, in device pixels.
 */
cairo_surface_t *
fixture_draw (Fixture *fixture)
{
  return draw (fixture, FIXTURE_WIDTH, FIXTURE_HEIGHT);
}

/**
 * fixture_paint:
 * @fixture: a fixture
 *
 * Paints the preview, at any size.
 */
void
fixture_paint (Fixture *fixture)
{
  cairo_surface_destroy (draw (fixture, gtk_widget_get_allocated_width (fixture->widget),
                               gtk_widget_get_allocated_height (fixture->widget)));
}


/*  Events  */

static GdkEvent *
event_new (Fixture      *fixture,
           GdkEventType  type,
           gboolean      keyboard)
{
  GdkEvent *event = gdk_event_new (type);
  GdkSeat  *seat  = gdk_display_get_default_seat (gtk_widget_get_display (fixture->widget));

  event->any.window = g_object_ref (gtk_widget_get_window (fixture->widget));
  gdk_event_set_device (event, keyboard ? gdk_seat_get_keyboard (seat)
                                        : gdk_seat_get_pointer (seat));
  return event;
}

/* Frees @event; returns whether the preview handled it. */
static gboolean
send_event (Fixture  *fixture,
            GdkEvent *event)
{
  gboolean handled = gtk_widget_event (fixture->widget, event);

  gdk_event_free (event);
  return handled;
}

/**
 * fixture_focus:
 * @fixture: a fixture
 *
 * Gives the preview the keyboard focus, as a window manager would.
 */
void
fixture_focus (Fixture *fixture)
{
  GdkEvent *event = event_new (fixture, GDK_FOCUS_CHANGE, TRUE);

  gtk_widget_grab_focus (fixture->widget);
  event->focus_change.in = TRUE;
  gtk_widget_send_focus_change (fixture->widget, event);
  gdk_event_free (event);
}

gboolean
fixture_press_key (Fixture         *fixture,
                   guint            key,
                   GdkModifierType  state)
{
  GdkEvent *event = event_new (fixture, GDK_KEY_PRESS, TRUE);

  event->key.keyval = key;
  event->key.state  = state;
  return send_event (fixture, event);
}

void
fixture_press_button (Fixture      *fixture,
                      GdkEventType  type,
                      double        x,
                      double        y)
{
  GdkEvent *event = event_new (fixture, type, FALSE);

  event->button.button = GDK_BUTTON_PRIMARY;
  event->button.x      = x;
  event->button.y      = y;
  send_event (fixture, event);
}

void
fixture_move_pointer (Fixture *fixture,
                      double   x,
                      double   y)
{
  GdkEvent *event = event_new (fixture, GDK_MOTION_NOTIFY, FALSE);

  event->motion.x = x;
  event->motion.y = y;
  send_event (fixture, event);
}

void
fixture_leave (Fixture *fixture)
{
  GdkEvent *event = event_new (fixture, GDK_LEAVE_NOTIFY, FALSE);

  send_event (fixture, event);
}

/**
 * fixture_scroll:
 * @fixture: a fixture
 * @x: of the pointer
 * @y: of the pointer
 * @steps: by which the wheel is turned towards the user
 */
void
fixture_scroll (Fixture *fixture,
                double   x,
                double   y,
                double   steps)
{
  GdkEvent *event = event_new (fixture, GDK_SCROLL, FALSE);

  event->scroll.x         = x;
  event->scroll.y         = y;
  event->scroll.direction = GDK_SCROLL_SMOOTH;
  event->scroll.delta_y   = steps;
  send_event (fixture, event);
}

/**
 * fixture_pinch:
 * @fixture: a fixture
 * @phase: of the gesture
 * @factor: the distance of the fingers relative to that at its beginning
 */
void
fixture_pinch (Fixture                 *fixture,
               GdkTouchpadGesturePhase  phase,
               double                   factor)
{
  GdkEvent *event = event_new (fixture, GDK_TOUCHPAD_PINCH, FALSE);

  event->touchpad_pinch.phase     = (gint8) phase;
  event->touchpad_pinch.n_fingers = 2;
  event->touchpad_pinch.x         = FIXTURE_WIDTH / 2;
  event->touchpad_pinch.y         = FIXTURE_HEIGHT / 2;
  event->touchpad_pinch.scale     = factor;
  gtk_main_do_event (event);
  gdk_event_free (event);
}
