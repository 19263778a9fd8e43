/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Things, one in a row, in the order of one of their values, as a model for a tree view.  Its only
 * column is the number of the thing, from 0: the view asks for the values of the rows that are
 * seen.  A list store would copy each value of each row.
 */

#include "config.h"

#include <math.h>

#include "row-model.h"

/**
 * WfRowModel:
 * @n: rows
 * @things: the thing of each row
 * @rows: the row of each thing
 * @stamp: of valid iters
 */
struct _WfRowModel
{
  GObject  parent_instance;

  guint32  n;
  guint32 *things;
  guint32 *rows;
  int      stamp;
};

static void tree_model_init (GtkTreeModelIface *iface);

G_DEFINE_TYPE_WITH_CODE (WfRowModel, wf_row_model, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_TREE_MODEL, tree_model_init))


static gboolean
set_iter (WfRowModel *model,
          GtkTreeIter   *iter,
          gint64         row)
{
  if (row < 0 || row >= model->n)
    {
      iter->stamp = 0;
      return FALSE;
    }
  iter->stamp     = model->stamp;
  iter->user_data = GUINT_TO_POINTER ((guint) row);
  return TRUE;
}

static guint32
row_of (const GtkTreeIter *iter)
{
  return GPOINTER_TO_UINT (iter->user_data);
}

static GtkTreeModelFlags
get_flags (GtkTreeModel *model)
{
  return GTK_TREE_MODEL_LIST_ONLY | GTK_TREE_MODEL_ITERS_PERSIST;
}

static int
get_n_columns (GtkTreeModel *model)
{
  return 1;
}

static GType
get_column_type (GtkTreeModel *model,
                 int           column)
{
  return G_TYPE_UINT;
}

static gboolean
get_iter (GtkTreeModel *model,
          GtkTreeIter  *iter,
          GtkTreePath  *path)
{
  return set_iter (WF_ROW_MODEL (model), iter, gtk_tree_path_get_indices (path)[0]);
}

static GtkTreePath *
get_path (GtkTreeModel *model,
          GtkTreeIter  *iter)
{
  return gtk_tree_path_new_from_indices ((int) row_of (iter), -1);
}

static void
get_value (GtkTreeModel *model,
           GtkTreeIter  *iter,
           int           column,
           GValue       *value)
{
  g_value_init (value, G_TYPE_UINT);
  g_value_set_uint (value, WF_ROW_MODEL (model)->things[row_of (iter)]);
}

static gboolean
iter_next (GtkTreeModel *model,
           GtkTreeIter  *iter)
{
  return set_iter (WF_ROW_MODEL (model), iter, (gint64) row_of (iter) + 1);
}

static gboolean
iter_previous (GtkTreeModel *model,
               GtkTreeIter  *iter)
{
  return set_iter (WF_ROW_MODEL (model), iter, (gint64) row_of (iter) - 1);
}

static gboolean
iter_nth_child (GtkTreeModel *model,
                GtkTreeIter  *iter,
                GtkTreeIter  *parent,
                int           n)
{
  return set_iter (WF_ROW_MODEL (model), iter, parent ? -1 : n);
}

static gboolean
iter_children (GtkTreeModel *model,
               GtkTreeIter  *iter,
               GtkTreeIter  *parent)
{
  return iter_nth_child (model, iter, parent, 0);
}

static gboolean
iter_has_child (GtkTreeModel *model,
                GtkTreeIter  *iter)
{
  return FALSE;
}

static int
iter_n_children (GtkTreeModel *model,
                 GtkTreeIter  *iter)
{
  return iter ? 0 : (int) WF_ROW_MODEL (model)->n;
}

static gboolean
iter_parent (GtkTreeModel *model,
             GtkTreeIter  *iter,
             GtkTreeIter  *child)
{
  return set_iter (WF_ROW_MODEL (model), iter, -1);
}

static void
tree_model_init (GtkTreeModelIface *iface)
{
  iface->get_flags       = get_flags;
  iface->get_n_columns   = get_n_columns;
  iface->get_column_type = get_column_type;
  iface->get_iter        = get_iter;
  iface->get_path        = get_path;
  iface->get_value       = get_value;
  iface->iter_next       = iter_next;
  iface->iter_previous   = iter_previous;
  iface->iter_children   = iter_children;
  iface->iter_has_child  = iter_has_child;
  iface->iter_n_children = iter_n_children;
  iface->iter_nth_child  = iter_nth_child;
  iface->iter_parent     = iter_parent;
}

static void
wf_row_model_finalize (GObject *object)
{
  g_free (WF_ROW_MODEL (object)->things);
  g_free (WF_ROW_MODEL (object)->rows);
  G_OBJECT_CLASS (wf_row_model_parent_class)->finalize (object);
}

static void
wf_row_model_class_init (WfRowModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wf_row_model_finalize;
}

static void
wf_row_model_init (WfRowModel *model)
{
  model->stamp = g_random_int_range (1, G_MAXINT);
}

typedef struct
{
  const double *values;
  gboolean      descending;
} Order;

/* What is not a number comes last; equal ones stay in the order of their numbers. */
static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      data)
{
  const Order   *order = data;
  const guint32  one   = *(const guint32 *) a;
  const guint32  other = *(const guint32 *) b;
  const double   x     = order->values[one];
  const double   y     = order->values[other];

  if (isnan (x) != isnan (y))
    return isnan (x) ? 1 : -1;
  if (x != y && ! isnan (x))
    return (x < y) != order->descending ? -1 : 1;
  return one < other ? -1 : one > other;
}

/**
 * wf_row_model_new:
 * @n: things
 * @values: by which they are ordered, one for each
 * @descending: whether the greatest comes first
 *
 * Returns: (transfer full): their rows
 */
GtkTreeModel *
wf_row_model_new (guint32       n,
                     const double *values,
                     gboolean      descending)
{
  WfRowModel *model  = g_object_new (WF_TYPE_ROW_MODEL, NULL);
  GArray     *things = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  Order       order  = { values, descending };

  for (guint32 i = 0; i < n; i++)
    g_array_append_val (things, i);
  g_array_sort_with_data (things, compare, &order);
  model->n       = n;
  model->things = (guint32 *) (gpointer) g_array_free (things, FALSE);
  model->rows    = g_new (guint32, (gsize) n + 1);
  for (guint32 row = 0; row < n; row++)
    model->rows[model->things[row]] = row;
  return GTK_TREE_MODEL (model);
}

/**
 * wf_row_model_get_row:
 * @model: rows
 * @thing: the number of one
 *
 * Returns: its row
 */
guint32
wf_row_model_get_row (WfRowModel *model,
                         guint32     thing)
{
  g_return_val_if_fail (WF_IS_ROW_MODEL (model) && thing < model->n, 0);

  return model->rows[thing];
}
