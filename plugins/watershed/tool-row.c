/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of tools below a preview: linked buttons, of which one is chosen, linked buttons with icons
 * that do something, and a count.
 */

#include "config.h"

#include "tool-row.h"
#include "ui/options/icon-button.h"

#define SPACING 6

/* The row is not to be wider than the preview. */
#define COUNT_CHARS 3


/**
 * wf_tool_row_new:
 *
 * Returns: (transfer full): an empty row
 */
GtkWidget *
wf_tool_row_new (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_widget_set_margin_start (row, SPACING);
  return row;
}

/**
 * wf_tool_row_add_box:
 * @row: a row
 *
 * Returns: (transfer none): a box of linked buttons in it
 */
GtkWidget *
wf_tool_row_add_box (GtkWidget *row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_style_context_add_class (gtk_widget_get_style_context (box), GTK_STYLE_CLASS_LINKED);
  gtk_box_pack_start (GTK_BOX (row), box, FALSE, FALSE, 0);
  return box;
}

/**
 * wf_tool_row_add_tool:
 * @box: of linked buttons
 * @group: (nullable): another tool, of which or of this one one is chosen
 * @label: its name; its key works in the preview, and not as a mnemonic, which would take a letter
 *   from every page
 * @blurb: what it does
 *
 * Returns: (transfer none): a #GtkRadioButton
 */
GtkWidget *
wf_tool_row_add_tool (GtkWidget  *box,
                      GtkWidget  *group,
                      const char *label,
                      const char *blurb)
{
  GtkWidget *button = gtk_radio_button_new_from_widget (group ? GTK_RADIO_BUTTON (group) : NULL);

  gtk_container_add (GTK_CONTAINER (button), gtk_label_new (label));
  gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, blurb);
  gtk_container_add (GTK_CONTAINER (box), button);
  return button;
}

/**
 * wf_tool_row_add_action:
 * @box: of linked buttons
 * @icon: name of its icon
 * @name: what it does
 * @func: called with @data
 * @data: for @func
 *
 * Returns: (transfer none): a button
 */
GtkWidget *
wf_tool_row_add_action (GtkWidget  *box,
                        const char *icon,
                        const char *name,
                        GCallback   func,
                        gpointer    data)
{
  GtkWidget *button = wf_icon_button_fill (gtk_button_new (), icon, name);

  g_signal_connect_swapped (button, "clicked", func, data);
  gtk_container_add (GTK_CONTAINER (box), button);
  return button;
}

/**
 * wf_tool_row_add_count:
 * @row: a row
 * @name: of what is counted
 *
 * Returns: (transfer none): a label that takes the rest of the row
 */
GtkWidget *
wf_tool_row_add_count (GtkWidget  *row,
                       const char *name)
{
  GtkWidget *count = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (count), 0);
  gtk_label_set_width_chars (GTK_LABEL (count), COUNT_CHARS);
  gtk_label_set_ellipsize (GTK_LABEL (count), PANGO_ELLIPSIZE_END);
  atk_object_set_name (gtk_widget_get_accessible (count), name);
  gtk_box_pack_start (GTK_BOX (row), count, TRUE, TRUE, 0);
  return count;
}
