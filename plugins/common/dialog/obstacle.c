/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keeps a dialog from being accepted: OK is insensitive while there is an obstacle.  An error
 * that shows only afterwards brings the dialog back, with a message.
 */

#include "config.h"

#include "obstacle.h"

#define OBSTACLES     "wavefront-obstacles"
#define USER          "wavefront-obstacles-user"
#define MESSAGE_CHARS 80


static void
show_user (GtkWidget *window,
           guint      all)
{
  GtkWidget *button = g_object_get_data (G_OBJECT (window), USER);

  if (button)
    gtk_widget_set_sensitive (button, (all & ~(guint) WF_OBSTACLE_REFUSED) == 0);
}

/**
 * wf_obstacle_set:
 * @widget: in a dialog
 * @obstacle: why the dialog could not be accepted
 * @present: whether that is so now
 *
 * The dialog can be accepted while there is no obstacle.
 */
void
wf_obstacle_set (GtkWidget  *widget,
                 WfObstacle  obstacle,
                 gboolean    present)
{
  GtkWidget *window = gtk_widget_get_toplevel (widget);
  guint      all;

  if (! GTK_IS_DIALOG (window))
    return;
  all = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (window), OBSTACLES));
  all = present ? all | obstacle : all & ~obstacle;
  g_object_set_data (G_OBJECT (window), OBSTACLES, GUINT_TO_POINTER (all));
  gtk_dialog_set_response_sensitive (GTK_DIALOG (window), GTK_RESPONSE_OK, all == 0);
  show_user (window, all);
}

/**
 * wf_obstacle_set_user:
 * @window: a dialog
 * @button: uses its settings, but not its image
 *
 * Makes @button insensitive while the settings are not those that are shown.
 */
void
wf_obstacle_set_user (GtkWidget *window,
                      GtkWidget *button)
{
  g_object_set_data (G_OBJECT (window), USER, button);
  show_user (window, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (window), OBSTACLES)));
}

static void
preview_refused (GtkWidget *preview)
{
  gboolean refused;

  g_object_get (preview, "refused", &refused, NULL);
  wf_obstacle_set (preview, WF_OBSTACLE_REFUSED, refused);
}

/**
 * wf_obstacle_follow:
 * @preview: of a dialog
 *
 * Makes it an obstacle that @preview refuses the settings.
 */
void
wf_obstacle_follow (WfPreview *preview)
{
  g_signal_connect (preview, "notify::refused", G_CALLBACK (preview_refused), NULL);
}

/**
 * wf_obstacle_add_message:
 * @window: a dialog
 * @message: why the run failed that was accepted before
 *
 * Shows @message above everything else.
 */
void
wf_obstacle_add_message (GtkWidget  *window,
                         const char *message)
{
  GtkBox    *area  = GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window)));
  GtkWidget *bar   = gtk_info_bar_new ();
  GtkWidget *label = gtk_label_new (message);

  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MESSAGE_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_info_bar_set_message_type (GTK_INFO_BAR (bar), GTK_MESSAGE_ERROR);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area (GTK_INFO_BAR (bar))), label);
  gtk_box_pack_start (area, bar, FALSE, FALSE, 0);
  gtk_box_reorder_child (area, bar, 0);
  gtk_widget_show_all (bar);
}
