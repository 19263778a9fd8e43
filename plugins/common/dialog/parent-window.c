/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window of GIMP above which a dialog stays.
 *
 * libgimpui asks GIMP for the window that shows the plug-in's progress when it makes the dialog,
 * and uses the answer when the dialog appears.  There is no such window if gimp-console or a
 * script has called the procedure: the answer is empty, which libgimpui (3.0 and 3.2) takes for a
 * handle and reports as a critical error.  It offers no way to withdraw the answer, so the event
 * that makes it look ends before it does.
 */

#include "config.h"

#include <libgimp/gimpui.h>

#include "parent-window.h"


/* libgimpui's handler runs after the window's own, which is run here in its place. */
static gboolean
appeared (GtkWidget   *window,
          GdkEventAny *event)
{
  GtkWidgetClass *class = GTK_WIDGET_GET_CLASS (window);

  if (class->map_event)
    class->map_event (window, event);
  return TRUE;
}

static gboolean
has_parent (void)
{
  GBytes   *handle = gimp_progress_get_window_handle ();
  gboolean  known  = handle && g_bytes_get_size (handle) > 0;

  g_clear_pointer (&handle, g_bytes_unref);
  return known;
}

/**
 * wf_parent_window_check:
 * @window: a dialog of libgimpui that is not shown yet, with all its other handlers of map-event
 *
 * Lets @window appear without a parent if GIMP knows none.
 */
void
wf_parent_window_check (GtkWidget *window)
{
  if (! has_parent ())
    g_signal_connect (window, "map-event", G_CALLBACK (appeared), NULL);
}
