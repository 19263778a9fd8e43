/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a dialog with a preview.
 *
 * A dialog opens so large that the preview shows the whole image as large as the screen allows,
 * in steps of the zoom that enlarge all pixels alike.  Once a user has changed the size, the
 * dialog of this procedure opens with it again, and with the place of the edge between controls
 * and preview.  The size is kept in a persistent parasite of GIMP, whether the dialog is accepted
 * or cancelled.
 */

#include "config.h"

#include <string.h>

#include "window-size.h"
#include "ui/preview/pane.h"
#include "ui/preview/viewport.h"

#define FRAME     40     /* of the window, with a margin */
#define BORDER    14     /* around the preview in its pane, on both sides together */
#define SHARE     0.85   /* of the screen, for a size that nobody has chosen */
#define PARASITE  "wavefront-dialog-size:%s"
#define SIZE_KEY  "wavefront-first-size"

/**
 * Kept:
 * @width: of the window
 * @height: of the window
 * @edge: between controls and preview; 0: where the controls end
 * @maximized: whether the window was
 */
typedef struct
{
  int width;
  int height;
  int edge;
  int maximized;
} Kept;


/* The monitor with the pointer, where dialogs open, without panels. */
static void
get_work_area (GdkRectangle *area)
{
  GdkDisplay *display = gdk_display_get_default ();
  GdkMonitor *monitor;
  int         x, y;

  gdk_device_get_position (gdk_seat_get_pointer (gdk_display_get_default_seat (display)), NULL,
                           &x, &y);
  monitor = gdk_display_get_monitor_at_point (display, x, y);
  gdk_monitor_get_workarea (monitor, area);
}

/**
 * wf_window_get_room:
 * @width: set to the maximum width of a dialog on the present screen
 * @height: set to its maximum height
 */
void
wf_window_get_room (int *width,
                    int *height)
{
  GdkRectangle area;

  get_work_area (&area);
  *width  = area.width - FRAME;
  *height = area.height - FRAME;
}

/* The size of the image in a room of this size: as large as it can be. */
static void
fit_image (const WfWindowParts *parts,
           int                 *width,
           int                 *height)
{
  const int  scale = gtk_widget_get_scale_factor (parts->window);
  WfViewport viewport;

  wf_viewport_init (&viewport, parts->image[0], parts->image[1]);
  wf_viewport_set_view_size (&viewport, *width * scale, *height * scale);
  *width  = (int) (parts->image[0] * viewport.zoom / scale);
  *height = (int) (parts->image[1] * viewport.zoom / scale);
}

/* What surrounds the preview keeps its natural size; the preview gives way to it on a small
 * screen.
 */
static void
choose_size (const WfWindowParts *parts,
             int                 *width,
             int                 *height)
{
  GtkWidget      *preview = GTK_WIDGET (wf_preview_pane_get_preview
                                          (WF_PREVIEW_PANE (parts->pane)));
  GtkRequisition  window, columns, pane, least;
  int             room[2], size[2];

  gtk_widget_get_preferred_size (parts->window, NULL, &window);
  gtk_widget_get_preferred_size (parts->columns, NULL, &columns);
  gtk_widget_get_preferred_size (parts->pane, NULL, &pane);
  gtk_widget_get_preferred_size (preview, NULL, &least);
  wf_window_get_room (&room[0], &room[1]);

  size[0] = (int) (room[0] * SHARE) - (window.width - pane.width) - BORDER;
  size[1] = (int) (room[1] * SHARE) - (window.height - columns.height) -
            (pane.height - least.height) - BORDER;
  size[0] = MAX (size[0], least.width);
  size[1] = MAX (size[1], least.height);
  fit_image (parts, &size[0], &size[1]);
  size[0] += BORDER - pane.width;
  size[1] += BORDER + pane.height - least.height - columns.height;
  *width   = MIN (window.width + MAX (size[0], 0), room[0]);
  *height  = MIN (MIN (window.height, WF_WINDOW_HIGHEST) + MAX (size[1], 0), room[1]);
}

static char *
get_parasite_name (const char *name)
{
  return g_strdup_printf (PARASITE, name);
}

static gboolean
recall (const char *name,
        Kept       *kept)
{
  g_autofree char *full     = get_parasite_name (name);
  GimpParasite    *parasite = gimp_get_parasite (full);
  g_autofree char *text     = NULL;
  guint32          size;
  gconstpointer    data;
  gboolean         found;

  if (! parasite)
    return FALSE;
  data  = gimp_parasite_get_data (parasite, &size);
  text  = g_strndup (data, size);
  found = sscanf (text, "%d %d %d %d", &kept->width, &kept->height, &kept->edge,
                  &kept->maximized) == 4 && kept->width > 0 && kept->height > 0;
  gimp_parasite_free (parasite);
  return found;
}

static void
remember (const char *name,
          const Kept *kept)
{
  g_autofree char *full = get_parasite_name (name);
  g_autofree char *text = g_strdup_printf ("%d %d %d %d", kept->width, kept->height, kept->edge,
                                           kept->maximized);
  GimpParasite    *parasite;

  parasite = gimp_parasite_new (full, GIMP_PARASITE_PERSISTENT, (guint32) strlen (text), text);
  gimp_attach_parasite (parasite);
  gimp_parasite_free (parasite);
}

/* The size of a window that is not maximized, since a maximized one gets its old size back. */
static void
follow_size (GtkWidget     *window,
             GtkAllocation *allocation,
             Kept          *now)
{
  if (! gtk_window_is_maximized (GTK_WINDOW (window)))
    gtk_window_get_size (GTK_WINDOW (window), &now->width, &now->height);
}

/* What the window manager has made of the size that was asked for is no choice of the user. */
static gboolean
note_first_size (gpointer data)
{
  Kept *both = g_object_get_data (data, SIZE_KEY);

  both[1] = both[0];
  return G_SOURCE_REMOVE;
}

static gboolean
mapped (GtkWidget *window,
        GdkEvent  *event,
        gpointer   unused)
{
  g_idle_add_full (G_PRIORITY_LOW, note_first_size, g_object_ref (window), g_object_unref);
  return GDK_EVENT_PROPAGATE;
}

/**
 * wf_window_set_size:
 * @parts: of a dialog that is complete but not shown
 * @name: of its procedure
 *
 * Makes the dialog as large as it was last, or as the image needs.
 */
void
wf_window_set_size (const WfWindowParts *parts,
                    const char          *name)
{
  GtkWindow *window = GTK_WINDOW (parts->window);
  Kept       kept   = { 0 };
  Kept      *both   = g_new0 (Kept, 2);   /* now, and after the window was mapped */

  if (recall (name, &kept))
    {
      int room[2];

      wf_window_get_room (&room[0], &room[1]);
      gtk_window_set_default_size (window, MIN (kept.width, room[0]), MIN (kept.height, room[1]));
      if (kept.edge > 0)
        gtk_paned_set_position (GTK_PANED (parts->columns), kept.edge);
      if (kept.maximized)
        gtk_window_maximize (window);
    }
  else
    {
      choose_size (parts, &kept.width, &kept.height);
      gtk_window_set_default_size (window, kept.width, kept.height);
    }
  g_object_set_data_full (G_OBJECT (window), SIZE_KEY, both, g_free);
  g_signal_connect (window, "size-allocate", G_CALLBACK (follow_size), both);
  g_signal_connect (window, "map-event", G_CALLBACK (mapped), NULL);
}

/* What content has enlarged, such as rows that were unfolded, is no choice of the user either. */
static gboolean
is_as_first (GtkWidget  *window,
             const Kept *now,
             const Kept *first)
{
  GtkRequisition least, natural;

  gtk_widget_get_preferred_size (window, &least, &natural);
  return (now->width == first->width || now->width == least.width ||
          now->width == natural.width) &&
         (now->height == first->height || now->height == least.height ||
          now->height == natural.height);
}

/**
 * wf_window_keep_size:
 * @parts: of a dialog that was shown
 * @name: of its procedure
 *
 * Keeps the dialog's size for the next time, if the user has changed it now or before.
 */
void
wf_window_keep_size (const WfWindowParts *parts,
                     const char          *name)
{
  const Kept *both   = g_object_get_data (G_OBJECT (parts->window), SIZE_KEY);
  Kept        now    = both[0];
  Kept        before = { 0 };
  gboolean    moved;

  g_object_get (parts->columns, "position-set", &moved, NULL);
  now.edge      = moved ? gtk_paned_get_position (GTK_PANED (parts->columns)) : 0;
  now.maximized = gtk_window_is_maximized (GTK_WINDOW (parts->window));
  if (now.width == 0 ||
      (recall (name, &before) ? memcmp (&now, &before, sizeof now) == 0
                              : ! moved && ! now.maximized &&
                                is_as_first (parts->window, &now, &both[1])))
    return;
  remember (name, &now);
}
