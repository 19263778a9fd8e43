/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * WfTableContent:
 * @n_rows: rows
 * @n_columns: columns
 * @get_title: returns the title of a column
 * @get_text: returns what is in a cell
 * @get_order: returns the values by which a column sorts the rows, one for each
 * @get_width: (nullable): returns the width of a column of texts in characters; 0 for a column of
 *   numbers, as every column is without it
 *
 * What a table shows.  Rows are numbered as they are without an order.
 */
typedef struct
{
  guint           n_rows;
  guint           n_columns;
  char *       (* get_title) (guint    column,
                              gpointer data);
  char *       (* get_text)  (guint    row,
                              guint    column,
                              gpointer data);
  const double * (* get_order) (guint    column,
                              gpointer data);
  guint        (* get_width) (guint    column,
                              gpointer data);
} WfTableContent;

#define WF_TYPE_SORTED_TABLE (wf_sorted_table_get_type ())
G_DECLARE_FINAL_TYPE (WfSortedTable, wf_sorted_table, WF, SORTED_TABLE, GtkScrolledWindow)

GtkWidget * wf_sorted_table_new         (const char           *name);
void        wf_sorted_table_set_content (WfSortedTable        *table,
                                         const WfTableContent *content,
                                         gpointer              data);
guint       wf_sorted_table_get_sorted  (WfSortedTable        *table);
void        wf_sorted_table_select      (WfSortedTable        *table,
                                         gint64                row);

G_END_DECLS
