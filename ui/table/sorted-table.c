/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table whose rows are sorted by one of its columns.  A click on the title of a column sorts by
 * it, another one the other way round.
 *
 * Rows are as high as each other, and columns keep their width, so that the view looks at no row
 * but those that are seen.
 */

#include "config.h"

#include "row-model.h"
#include "sorted-table.h"

#define HEIGHT       120
#define WIDTH        260
#define COLUMN_WIDTH 80
#define CHARACTER    10
#define LETTER       7    /* of a text, which has narrow letters, too */

enum
{
  ROW_SELECTED,
  SORTED,
  N_SIGNALS
};

/**
 * WfSortedTable:
 * @content: what is shown; without rows for nothing
 * @data: for its functions
 * @sorted: the column by which the rows are sorted
 * @selected: the row that is selected, or −1
 * @selecting: whether it is the program that selects
 */
struct _WfSortedTable
{
  GtkScrolledWindow  parent_instance;

  WfTableContent     content;
  gpointer           data;
  GtkWidget         *view;
  guint              sorted;
  gboolean           descending;
  gint64             selected;
  gboolean           selecting;
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE (WfSortedTable, wf_sorted_table, GTK_TYPE_SCROLLED_WINDOW)


static void
show_cell (GtkTreeViewColumn *view_column,
           GtkCellRenderer   *cell,
           GtkTreeModel      *model,
           GtkTreeIter       *iter,
           gpointer           data)
{
  WfSortedTable   *table = g_object_get_data (G_OBJECT (view_column), "table");
  const guint      index = GPOINTER_TO_UINT (data);
  g_autofree char *text  = NULL;
  guint            row;

  gtk_tree_model_get (model, iter, 0, &row, -1);
  if (index >= table->content.n_columns || row >= table->content.n_rows)
    return;
  text = table->content.get_text (row, index, table->data);
  g_object_set (cell, "text", text, NULL);
}


/*  Sorting and selecting  */

static void
mark_selected (WfSortedTable *table)
{
  GtkTreeView            *view  = GTK_TREE_VIEW (table->view);
  GtkTreeModel           *model = gtk_tree_view_get_model (view);
  g_autoptr (GtkTreePath) path  = NULL;

  table->selecting = TRUE;
  if (table->selected < 0 || ! model)
    gtk_tree_selection_unselect_all (gtk_tree_view_get_selection (view));
  else
    {
      const guint32 row = wf_row_model_get_row (WF_ROW_MODEL (model), (guint32) table->selected);

      path = gtk_tree_path_new_from_indices ((int) row, -1);
      gtk_tree_view_set_cursor (view, path, NULL, FALSE);
      gtk_tree_view_scroll_to_cell (view, path, NULL, FALSE, 0, 0);
    }
  table->selecting = FALSE;
}

static void
sort (WfSortedTable *table)
{
  g_autoptr (GtkTreeModel)  model   = NULL;
  g_autoptr (GList)         columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (table->view));
  guint                     i       = 0;

  for (GList *column = columns; column; column = column->next, i++)
    {
      gtk_tree_view_column_set_sort_indicator (column->data, i == table->sorted);
      gtk_tree_view_column_set_sort_order (column->data, table->descending ? GTK_SORT_DESCENDING
                                                                           : GTK_SORT_ASCENDING);
    }
  model = wf_row_model_new (table->content.n_rows,
                            table->content.get_order (table->sorted, table->data),
                            table->descending);
  table->selecting = TRUE;
  gtk_tree_view_set_model (GTK_TREE_VIEW (table->view), model);
  table->selecting = FALSE;
  g_signal_emit (table, signals[SORTED], 0);
  mark_selected (table);
}

static void
title_clicked (GtkTreeViewColumn *column,
               WfSortedTable     *table)
{
  const guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "index"));

  if (table->content.n_columns == 0)
    return;
  table->descending = index == table->sorted && ! table->descending;
  table->sorted     = index;
  sort (table);
}

static void
selection_changed (GtkTreeSelection *selection,
                   WfSortedTable    *table)
{
  GtkTreeModel *model;
  GtkTreeIter   iter;
  guint         row;

  if (table->selecting || ! gtk_tree_selection_get_selected (selection, &model, &iter))
    return;
  gtk_tree_model_get (model, &iter, 0, &row, -1);
  table->selected = row;
  g_signal_emit (table, signals[ROW_SELECTED], 0, row);
}


/*  Columns  */

static gboolean
has_columns (WfSortedTable *table)
{
  g_autoptr (GList) columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (table->view));
  guint             i       = 0;

  if (g_list_length (columns) != table->content.n_columns)
    return FALSE;
  for (GList *column = columns; column; column = column->next, i++)
    {
      g_autofree char *title = table->content.get_title (i, table->data);

      if (g_strcmp0 (title, gtk_tree_view_column_get_title (column->data)) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
add_column (WfSortedTable *table,
            guint          index)
{
  GtkCellRenderer   *cell   = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  g_autofree char   *title  = table->content.get_title (index, table->data);
  const guint        width  = table->content.get_width
                              ? table->content.get_width (index, table->data) : 0;

  if (width > 0)
    g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  else
    g_object_set (cell, "xalign", 1.0f, NULL);
  gtk_tree_view_column_set_title (column, title);
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, show_cell, GUINT_TO_POINTER (index), NULL);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (column,
                                        MAX (MAX (COLUMN_WIDTH, LETTER * (int) width),
                                             CHARACTER * (int) g_utf8_strlen (title, -1)));
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_clickable (column, TRUE);
  g_object_set_data (G_OBJECT (column), "table", table);
  g_object_set_data (G_OBJECT (column), "index", GUINT_TO_POINTER (index));
  g_signal_connect (column, "clicked", G_CALLBACK (title_clicked), table);
  gtk_tree_view_append_column (GTK_TREE_VIEW (table->view), column);
}

static void
make_columns (WfSortedTable *table)
{
  g_autoptr (GList) columns = gtk_tree_view_get_columns (GTK_TREE_VIEW (table->view));

  for (GList *column = columns; column; column = column->next)
    gtk_tree_view_remove_column (GTK_TREE_VIEW (table->view), column->data);
  for (guint i = 0; i < table->content.n_columns; i++)
    add_column (table, i);
  gtk_tree_view_set_fixed_height_mode (GTK_TREE_VIEW (table->view), TRUE);
  table->sorted     = 0;
  table->descending = FALSE;
}


/*  The widget  */

static void
wf_sorted_table_class_init (WfSortedTableClass *klass)
{
  /**
   * WfSortedTable::row-selected:
   * @table: the table
   * @row: its number, from 0
   *
   * The user has selected a row.
   */
  signals[ROW_SELECTED] = g_signal_new ("row-selected", G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                        G_TYPE_UINT);
  /**
   * WfSortedTable::sorted:
   * @table: the table
   *
   * The rows were sorted, maybe by another column.
   */
  signals[SORTED] = g_signal_new ("sorted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
wf_sorted_table_init (WfSortedTable *table)
{
  table->selected = -1;
}

/**
 * wf_sorted_table_new:
 * @name: of the table, translated, for those who do not see it
 *
 * Returns: an empty table
 */
GtkWidget *
wf_sorted_table_new (const char *name)
{
  WfSortedTable     *table    = g_object_new (WF_TYPE_SORTED_TABLE, NULL);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (table);

  table->view = gtk_tree_view_new ();
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (table->view), FALSE);
  atk_object_set_name (gtk_widget_get_accessible (table->view), name);
  g_signal_connect (gtk_tree_view_get_selection (GTK_TREE_VIEW (table->view)), "changed",
                    G_CALLBACK (selection_changed), table);
  gtk_scrolled_window_set_min_content_height (scrolled, HEIGHT);
  gtk_scrolled_window_set_min_content_width (scrolled, WIDTH);
  gtk_scrolled_window_set_shadow_type (scrolled, GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (table), table->view);
  return GTK_WIDGET (table);
}

/**
 * wf_sorted_table_set_content:
 * @table: a table
 * @content: (nullable): what it shows; copied
 * @data: for its functions, as long as it is shown
 *
 * The order stays if the columns do.  Nothing is selected then.
 */
void
wf_sorted_table_set_content (WfSortedTable        *table,
                             const WfTableContent *content,
                             gpointer              data)
{
  g_return_if_fail (WF_IS_SORTED_TABLE (table));

  gtk_tree_view_set_model (GTK_TREE_VIEW (table->view), NULL);
  table->content  = content ? *content : (WfTableContent) { 0 };
  table->data     = data;
  table->selected = -1;
  if (! content)
    return;
  if (! has_columns (table))
    make_columns (table);
  sort (table);
}

/**
 * wf_sorted_table_get_sorted:
 * @table: a table
 *
 * Returns: the column by which it is sorted
 */
guint
wf_sorted_table_get_sorted (WfSortedTable *table)
{
  g_return_val_if_fail (WF_IS_SORTED_TABLE (table), 0);

  return table->sorted;
}

/**
 * wf_sorted_table_select:
 * @table: a table
 * @row: the number of a row, or −1
 *
 * Selects it and scrolls to it.
 */
void
wf_sorted_table_select (WfSortedTable *table,
                        gint64         row)
{
  g_return_if_fail (WF_IS_SORTED_TABLE (table));

  table->selected = row < table->content.n_rows ? row : -1;
  mark_selected (table);
}
