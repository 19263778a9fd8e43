/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a label and a widget, one for each option. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "option-grid.h"
#include "option-widget.h"

#define ROW_SPACING    6
#define COLUMN_SPACING 12

struct _WfOptionGrid
{
  GtkGrid       parent_instance;

  GObject      *settings;
  WfType        type;
  GtkSizeGroup *labels;
  int           n_rows;
};

G_DEFINE_TYPE (WfOptionGrid, wf_option_grid, GTK_TYPE_GRID)


static void
wf_option_grid_dispose (GObject *object)
{
  WfOptionGrid *grid = WF_OPTION_GRID (object);

  g_clear_object (&grid->settings);
  g_clear_object (&grid->labels);
  G_OBJECT_CLASS (wf_option_grid_parent_class)->dispose (object);
}

static void
wf_option_grid_class_init (WfOptionGridClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wf_option_grid_dispose;
}

static void
wf_option_grid_init (WfOptionGrid *grid)
{
  gtk_grid_set_row_spacing (GTK_GRID (grid), ROW_SPACING);
  gtk_grid_set_column_spacing (GTK_GRID (grid), COLUMN_SPACING);
}

/**
 * wf_option_grid_new:
 * @settings: an object with a property for each option, of the same name
 * @type: of the image, for levels
 * @labels: keeps the labels of several grids equally wide
 *
 * Returns: a grid without rows
 */
GtkWidget *
wf_option_grid_new (GObject      *settings,
                    WfType        type,
                    GtkSizeGroup *labels)
{
  WfOptionGrid *grid = g_object_new (WF_TYPE_OPTION_GRID, NULL);

  grid->settings = g_object_ref (settings);
  grid->type     = type;
  grid->labels   = g_object_ref (labels);
  return GTK_WIDGET (grid);
}

/* A widget's own tooltip, such as that of the device chooser, goes below @tooltip, unless it is
 * the same.
 */
static void
add_tooltip (GtkWidget  *widget,
             const char *tooltip)
{
  g_autofree char *own  = gtk_widget_get_tooltip_text (widget);
  g_autofree char *both = own && strcmp (own, tooltip) != 0
                          ? g_strdup_printf ("%s\n\n%s", tooltip, own) : NULL;

  gtk_widget_set_tooltip_text (widget, both ? both : tooltip);
}

/* Screen readers get the label as the name of the widget. */
static GtkWidget *
label_new (const char *text,
           GtkWidget  *widget,
           const char *tooltip)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_widget_set_tooltip_text (label, tooltip);
  atk_object_set_name (gtk_widget_get_accessible (widget),
                       gtk_label_get_text (GTK_LABEL (label)));
  return label;
}

/* GTK keeps the size that a hidden label had in its group, which may be less than its text
 * needs.
 */
static void
measure_labels (GtkWidget    *label,
                GParamSpec   *pspec,
                GtkSizeGroup *labels)
{
  if (! gtk_widget_get_visible (label))
    return;
  gtk_size_group_remove_widget (labels, label);
  gtk_size_group_add_widget (labels, label);
}

/**
 * wf_option_grid_add_widget:
 * @grid: a grid
 * @label: (nullable): text with a mnemonic, or %NULL if @widget has a label
 * @widget: goes to the right of it, or over both columns
 * @tooltip: the purpose
 *
 * Adds a row at the end of @grid and shows it.
 */
void
wf_option_grid_add_widget (WfOptionGrid *grid,
                           const char   *label,
                           GtkWidget    *widget,
                           const char   *tooltip)
{
  g_return_if_fail (WF_IS_OPTION_GRID (grid) && GTK_IS_WIDGET (widget));

  add_tooltip (widget, tooltip);
  if (label)
    {
      GtkWidget *text = label_new (label, widget, tooltip);

      gtk_size_group_add_widget (grid->labels, text);
      g_signal_connect_object (text, "notify::visible", G_CALLBACK (measure_labels),
                               grid->labels, 0);
      gtk_grid_attach (GTK_GRID (grid), text, 0, grid->n_rows, 1, 1);
      gtk_widget_show (text);
      gtk_widget_set_hexpand (widget, TRUE);
      gtk_grid_attach (GTK_GRID (grid), widget, 1, grid->n_rows, 1, 1);
    }
  else
    gtk_grid_attach (GTK_GRID (grid), widget, 0, grid->n_rows, 2, 1);
  gtk_widget_show (widget);
  grid->n_rows++;
}

/**
 * wf_option_grid_add_option:
 * @grid: a grid
 * @option: set by the row
 *
 * Adds a row at the end of @grid: the option's label, and a widget for it.
 *
 * Returns: (transfer none): the widget
 */
GtkWidget *
wf_option_grid_add_option (WfOptionGrid   *grid,
                           const WfOption *option)
{
  GtkWidget *widget;

  g_return_val_if_fail (WF_IS_OPTION_GRID (grid) && option != NULL, NULL);

  widget = wf_option_widget_new (option, grid->settings, grid->type);
  wf_option_grid_add_widget (grid,
                             option->kind == WF_OPTION_BOOLEAN
                             ? NULL : g_dgettext (GETTEXT_PACKAGE, option->label),
                             widget,
                             g_dgettext (GETTEXT_PACKAGE, option->blurb));
  return widget;
}
