/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table of objects, one in a row, with a column for each measure, and above it the histogram of
 * the column by which it is sorted.  A click on the title of a column sorts by it, another one the
 * other way round.
 *
 * Rows are as high as each other, and columns keep their width, so that the view looks at no row
 * but those that are seen.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "object-list.h"
#include "object-model.h"
#include "range-graph.h"

#define HEIGHT       120
#define WIDTH        260
#define COLUMN_WIDTH 80
#define CHARACTER    10
#define SORT_ARROW   22
#define SPACING      6

enum
{
  OBJECT_SELECTED,
  N_SIGNALS
};

/**
 * WfObjectList:
 * @regions: (nullable): the table
 * @unit: (nullable): of lengths
 * @spacing: of pixels, in @unit
 * @corner: of what was measured, in pixels
 * @sorted: the column by which the rows are sorted
 * @selected: the object that is selected, or −1
 * @selecting: whether it is the program that selects
 */
struct _WfObjectList
{
  GtkBox     parent_instance;

  WfRegions *regions;
  char      *unit;
  double     spacing[3];
  double     corner[2];
  GtkWidget *graph;
  GtkWidget *view;
  guint      sorted;
  gboolean   descending;
  gint64     selected;
  gboolean   selecting;
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE (WfObjectList, wf_object_list, GTK_TYPE_BOX)


/*  Cells  */

static void
show_cell (GtkTreeViewColumn *view_column,
           GtkCellRenderer   *cell,
           GtkTreeModel      *model,
           GtkTreeIter       *iter,
           gpointer           data)
{
  WfObjectList         *list  = g_object_get_data (G_OBJECT (view_column), "list");
  const guint           index = GPOINTER_TO_UINT (data);
  const WfRegionColumn *column;
  char                  text[64] = "";
  double                value;
  guint                 object;

  if (! list->regions || index >= wf_regions_get_n_columns (list->regions))
    return;
  gtk_tree_model_get (model, iter, 0, &object, -1);
  column = wf_regions_get_column (list->regions, index);
  value  = wf_regions_get_values (list->regions, index)[object];
  if (column->axis >= 0 && column->axis < 2)
    value += list->corner[column->axis] * (column->is_whole ? 1 : list->spacing[column->axis]);
  if (! isnan (value))
    g_snprintf (text, sizeof text, column->is_whole ? "%.0f" : "%.5g", value);
  g_object_set (cell, "text", text, NULL);
}

/* A table of a stack has places along its third axis. */
static gboolean
is_of_stack (const WfRegions *regions)
{
  for (guint i = 0; i < wf_regions_get_n_columns (regions); i++)
    if (wf_regions_get_column (regions, i)->axis == 2)
      return TRUE;
  return FALSE;
}

static char *
title_of (WfObjectList         *list,
          const WfRegionColumn *column)
{
  const char      *label = g_dgettext (GETTEXT_PACKAGE, column->label);
  const char      *unit  = list->unit ? list->unit : _("px");

  switch (column->unit)
    {
    case WF_REGION_UNIT_LENGTH:
      return g_strdup_printf ("%s (%s)", label, unit);
    case WF_REGION_UNIT_AREA:
      return g_strdup_printf (! list->unit ? "%s (%s)" : is_of_stack (list->regions)
                                                         ? "%s (%s³)" : "%s (%s²)", label, unit);
    case WF_REGION_UNIT_DEGREES:
      return g_strdup_printf ("%s (°)", label);
    default:
      return g_strdup (label);
    }
}


/*  Sorting and selecting  */

static void
mark_selected (WfObjectList *list)
{
  GtkTreeView            *view  = GTK_TREE_VIEW (list->view);
  GtkTreeModel           *model = gtk_tree_view_get_model (view);
  g_autoptr (GtkTreePath) path  = NULL;

  list->selecting = TRUE;
  if (list->selected < 0 || ! model)
    gtk_tree_selection_unselect_all (gtk_tree_view_get_selection (view));
  else
    {
      const guint32 row = wf_object_model_get_row (WF_OBJECT_MODEL (model),
                                                   (guint32) list->selected);

      path = gtk_tree_path_new_from_indices ((int) row, -1);
      gtk_tree_view_set_cursor (view, path, NULL, FALSE);
      gtk_tree_view_scroll_to_cell (view, path, NULL, FALSE, 0, 0);
    }
  list->selecting = FALSE;
}

static void
sort (WfObjectList *list)
{
  g_autoptr (GtkTreeModel)  model   = NULL;
  g_autoptr (GList)         columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (list->view));
  const double             *values  = wf_regions_get_values (list->regions, list->sorted);
  const gint64              n       = wf_regions_get_n_regions (list->regions);
  guint                     i       = 0;

  model = wf_object_model_new ((guint32) n, values, list->descending);
  list->selecting = TRUE;
  gtk_tree_view_set_model (GTK_TREE_VIEW (list->view), model);
  list->selecting = FALSE;
  /* the view removes the indicators of its columns with the model that it had before */
  for (GList *column = columns; column; column = column->next, i++)
    {
      gtk_tree_view_column_set_sort_indicator (column->data, i == list->sorted);
      gtk_tree_view_column_set_sort_order (column->data, list->descending ? GTK_SORT_DESCENDING
                                                                          : GTK_SORT_ASCENDING);
    }
  wf_range_graph_set_values (WF_RANGE_GRAPH (list->graph), values, (gsize) n);
  mark_selected (list);
}

static void
title_clicked (GtkTreeViewColumn *column,
               WfObjectList      *list)
{
  const guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "index"));

  list->descending = index == list->sorted && ! list->descending;
  list->sorted     = index;
  sort (list);
}

static void
selection_changed (GtkTreeSelection *selection,
                   WfObjectList     *list)
{
  GtkTreeModel *model;
  GtkTreeIter   iter;
  guint         object;

  if (list->selecting || ! gtk_tree_selection_get_selected (selection, &model, &iter))
    return;
  gtk_tree_model_get (model, &iter, 0, &object, -1);
  list->selected = object;
  g_signal_emit (list, signals[OBJECT_SELECTED], 0, object);
}


/*  Columns  */

static gboolean
has_columns_of (WfObjectList *list)
{
  g_autoptr (GList) columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (list->view));
  guint             i       = 0;

  if (g_list_length (columns) != wf_regions_get_n_columns (list->regions))
    return FALSE;
  for (GList *column = columns; column; column = column->next, i++)
    {
      g_autofree char *title = title_of (list, wf_regions_get_column (list->regions, i));

      if (g_strcmp0 (title, gtk_tree_view_column_get_title (column->data)) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
add_column (WfObjectList *list,
            guint         index)
{
  GtkCellRenderer   *cell   = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  g_autofree char   *title  = title_of (list, wf_regions_get_column (list->regions, index));

  g_object_set (cell, "xalign", 1.0f, NULL);
  gtk_tree_view_column_set_title (column, title);
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, show_cell, GUINT_TO_POINTER (index), NULL);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (column, MAX (COLUMN_WIDTH, SORT_ARROW + CHARACTER *
                                                     (int) g_utf8_strlen (title, -1)));
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_clickable (column, TRUE);
  g_object_set_data (G_OBJECT (column), "list", list);
  g_object_set_data (G_OBJECT (column), "index", GUINT_TO_POINTER (index));
  g_signal_connect (column, "clicked", G_CALLBACK (title_clicked), list);
  gtk_tree_view_append_column (GTK_TREE_VIEW (list->view), column);
}

static void
make_columns (WfObjectList *list)
{
  g_autoptr (GList) columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (list->view));

  for (GList *column = columns; column; column = column->next)
    gtk_tree_view_remove_column (GTK_TREE_VIEW (list->view), column->data);
  for (guint i = 0; i < wf_regions_get_n_columns (list->regions); i++)
    add_column (list, i);
  gtk_tree_view_set_fixed_height_mode (GTK_TREE_VIEW (list->view), TRUE);
  list->sorted     = 0;
  list->descending = FALSE;
}


/*  The widget  */

static void
wf_object_list_finalize (GObject *object)
{
  WfObjectList *list = WF_OBJECT_LIST (object);

  g_clear_pointer (&list->regions, wf_regions_free);
  g_free (list->unit);
  G_OBJECT_CLASS (wf_object_list_parent_class)->finalize (object);
}

static void
wf_object_list_class_init (WfObjectListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wf_object_list_finalize;

  /**
   * WfObjectList::object-selected:
   * @list: the list
   * @object: the number of the object, from 0
   *
   * The user has selected a row.
   */
  signals[OBJECT_SELECTED] = g_signal_new ("object-selected", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                           G_TYPE_UINT);
}

static void
wf_object_list_init (WfObjectList *list)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (list), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (list), SPACING);
  list->selected = -1;
  list->graph    = wf_range_graph_new (FALSE, -INFINITY, INFINITY);
  wf_range_graph_set_fixed (WF_RANGE_GRAPH (list->graph));
  atk_object_set_name (gtk_widget_get_accessible (list->graph),
                       _("Histogram of the sorted column"));
  gtk_box_pack_start (GTK_BOX (list), list->graph, FALSE, FALSE, 0);

  list->view = gtk_tree_view_new ();
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (list->view), FALSE);
  atk_object_set_name (gtk_widget_get_accessible (list->view), _("Table of the objects"));
  g_signal_connect (gtk_tree_view_get_selection (GTK_TREE_VIEW (list->view)), "changed",
                    G_CALLBACK (selection_changed), list);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), HEIGHT);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scrolled), WIDTH);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scrolled), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (scrolled), list->view);
  gtk_box_pack_start (GTK_BOX (list), scrolled, TRUE, TRUE, 0);
}

/**
 * wf_object_list_new:
 *
 * Returns: an empty list
 */
GtkWidget *
wf_object_list_new (void)
{
  return g_object_new (WF_TYPE_OBJECT_LIST, NULL);
}

/**
 * wf_object_list_set_regions:
 * @list: a list
 * @regions: (nullable) (transfer full): the table to show
 * @unit: (nullable): of its lengths; %NULL: pixels
 * @spacing: of pixels, as for @regions
 * @corner: where the left upper corner of what was measured is, in pixels
 *
 * Nothing is selected then.
 */
void
wf_object_list_set_regions (WfObjectList *list,
                            WfRegions    *regions,
                            const char   *unit,
                            const double  spacing[3],
                            const double  corner[2])
{
  g_return_if_fail (WF_IS_OBJECT_LIST (list));

  gtk_tree_view_set_model (GTK_TREE_VIEW (list->view), NULL);
  g_clear_pointer (&list->regions, wf_regions_free);
  g_free (list->unit);
  list->regions   = regions;
  list->unit      = g_strdup (unit);
  memcpy (list->spacing, spacing, sizeof list->spacing);
  list->corner[0] = corner[0];
  list->corner[1] = corner[1];
  list->selected  = -1;
  if (! regions)
    {
      wf_range_graph_set_values (WF_RANGE_GRAPH (list->graph), NULL, 0);
      return;
    }
  if (! has_columns_of (list))
    make_columns (list);
  sort (list);
}

/**
 * wf_object_list_get_regions:
 * @list: a list
 *
 * Returns: (transfer none) (nullable): the table
 */
const WfRegions *
wf_object_list_get_regions (WfObjectList *list)
{
  g_return_val_if_fail (WF_IS_OBJECT_LIST (list), NULL);

  return list->regions;
}

/**
 * wf_object_list_select:
 * @list: a list
 * @object: the number of an object, or −1
 *
 * Selects its row and scrolls to it.
 */
void
wf_object_list_select (WfObjectList *list,
                       gint64        object)
{
  g_return_if_fail (WF_IS_OBJECT_LIST (list));

  list->selected = list->regions && object < wf_regions_get_n_regions (list->regions) ? object : -1;
  mark_selected (list);
}
