/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Buttons with an icon, whose name is a tooltip, and is told to those who cannot see the icon. */

#include "config.h"

#include "icon-button.h"


/**
 * wf_icon_button_fill:
 * @button: an empty button of any kind
 * @icon: name of its icon
 * @name: what it does, translated
 *
 * Returns: (transfer none): @button
 */
GtkWidget *
wf_icon_button_fill (GtkWidget  *button,
                     const char *icon,
                     const char *name)
{
  g_autoptr (GIcon) themed = g_themed_icon_new_with_default_fallbacks (icon);

  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_gicon (themed, GTK_ICON_SIZE_BUTTON));
  gtk_widget_set_tooltip_text (button, name);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  return button;
}
