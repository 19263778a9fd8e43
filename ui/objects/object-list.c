/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table of objects, one in a row, with a column for each measure, and above it the histogram of
 * the column by which it is sorted; of the numbers of objects, which are no measure, that of the
 * first measure.  What it shows is said in a line of its own, which has a place elsewhere.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "object-list.h"
#include "range-graph.h"
#include "ui/table/sorted-table.h"

#define SPACING 6

enum
{
  OBJECT_SELECTED,
  N_SIGNALS
};

/**
 * WfObjectList:
 * @regions: (nullable): the table
 * @measures: a bit for each measure that is shown
 * @columns: the columns of @regions that are shown
 * @n_columns: their number
 * @unit: (nullable): of lengths
 * @spacing: of pixels, in @unit
 * @corner: of what was measured, in pixels
 * @caption: what the histogram shows
 */
struct _WfObjectList
{
  GtkBox     parent_instance;

  WfRegions *regions;
  guint64    measures;
  guint     *columns;
  guint      n_columns;
  char      *unit;
  double     spacing[3];
  double     corner[2];
  GtkWidget *graph;
  GtkWidget *table;
  GtkWidget *caption;
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE (WfObjectList, wf_object_list, GTK_TYPE_BOX)


/*  Content  */

static const double *
get_values (WfObjectList *list,
            guint         index)
{
  return wf_regions_get_values (list->regions, list->columns[index]);
}

static char *
get_text (guint    object,
          guint    index,
          gpointer data)
{
  WfObjectList         *list   = data;
  const WfRegionColumn *column = wf_regions_get_column (list->regions, list->columns[index]);
  double                value  = get_values (list, index)[object];

  if (column->axis >= 0 && column->axis < 2)
    value += list->corner[column->axis] * (column->is_whole ? 1 : list->spacing[column->axis]);
  return isnan (value) ? g_strdup ("")
                       : g_strdup_printf (column->is_whole ? "%.0f" : "%.5g", value);
}

static const double *
get_order (guint    index,
           gpointer data)
{
  return get_values (data, index);
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
get_title (guint    index,
           gpointer data)
{
  WfObjectList         *list   = data;
  const WfRegionColumn *column = wf_regions_get_column (list->regions, list->columns[index]);
  const char           *label  = g_dgettext (GETTEXT_PACKAGE, column->label);
  const char           *unit   = list->unit ? list->unit : _("px");

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


static void
row_selected (WfSortedTable *table,
              guint          row,
              WfObjectList  *list)
{
  g_signal_emit (list, signals[OBJECT_SELECTED], 0, row);
}

/* Of the least and the greatest value, which are shown as in the table. */
static void
show_caption (WfObjectList *list,
              guint         index)
{
  const double    *values = get_values (list, index);
  const gint64     n      = wf_regions_get_n_regions (list->regions);
  gint64           least  = -1;
  gint64           most   = -1;
  g_autofree char *title  = get_title (index, list);
  g_autofree char *first  = NULL;
  g_autofree char *last   = NULL;
  g_autofree char *text   = NULL;

  for (gint64 i = 0; i < n; i++)
    {
      if (isnan (values[i]))
        continue;
      least = least < 0 || values[i] < values[least] ? i : least;
      most  = most < 0 || values[i] > values[most] ? i : most;
    }
  if (least >= 0)
    {
      first = get_text ((guint) least, index, list);
      last  = get_text ((guint) most, index, list);
      /* TRANSLATORS: of a histogram: a measure with its unit, and its least and greatest value */
      text  = g_strdup_printf (_("%s: %s – %s"), title, first, last);
    }
  gtk_label_set_text (GTK_LABEL (list->caption), text ? text : title);
  gtk_widget_set_tooltip_text (list->caption, text ? text : title);
}

static void
sorted (WfSortedTable *table,
        WfObjectList  *list)
{
  guint index = wf_sorted_table_get_sorted (table);

  if (list->columns[index] == 0 && list->n_columns > index + 1)
    index++;
  wf_range_graph_set_values (WF_RANGE_GRAPH (list->graph),
                             get_values (list, index),
                             (gsize) wf_regions_get_n_regions (list->regions));
  show_caption (list, index);
}


/*  The widget  */

static void
wf_object_list_finalize (GObject *object)
{
  WfObjectList *list = WF_OBJECT_LIST (object);

  g_clear_pointer (&list->regions, wf_regions_free);
  g_clear_object (&list->caption);
  g_free (list->columns);
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
  list->measures = G_MAXUINT64;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (list), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (list), SPACING);
  list->graph = wf_range_graph_new (FALSE, -INFINITY, INFINITY);
  wf_range_graph_set_fixed (WF_RANGE_GRAPH (list->graph));
  atk_object_set_name (gtk_widget_get_accessible (list->graph),
                       _("Histogram of the sorted column"));
  gtk_box_pack_start (GTK_BOX (list), list->graph, FALSE, FALSE, 0);
  list->caption = g_object_ref_sink (gtk_label_new (NULL));
  gtk_label_set_ellipsize (GTK_LABEL (list->caption), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (list->caption), 1);

  list->table = wf_sorted_table_new (_("Table of the objects"));
  g_signal_connect (list->table, "row-selected", G_CALLBACK (row_selected), list);
  g_signal_connect (list->table, "sorted", G_CALLBACK (sorted), list);
  gtk_box_pack_start (GTK_BOX (list), list->table, TRUE, TRUE, 0);
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

static void
show_columns (WfObjectList *list)
{
  const guint    n       = wf_regions_get_n_columns (list->regions);
  WfTableContent content = {
    .n_rows    = (guint) wf_regions_get_n_regions (list->regions),
    .get_title = get_title,
    .get_text  = get_text,
    .get_order = get_order,
  };

  g_free (list->columns);
  list->columns   = g_new (guint, n);
  list->n_columns = 0;
  for (guint i = 0; i < n; i++)
    if (wf_region_column_is_of (wf_regions_get_column (list->regions, i), list->measures))
      list->columns[list->n_columns++] = i;
  content.n_columns = list->n_columns;
  wf_sorted_table_set_content (WF_SORTED_TABLE (list->table), &content, list);
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

  wf_sorted_table_set_content (WF_SORTED_TABLE (list->table), NULL, NULL);
  g_clear_pointer (&list->regions, wf_regions_free);
  g_free (list->unit);
  list->regions   = regions;
  list->unit      = g_strdup (unit);
  memcpy (list->spacing, spacing, sizeof list->spacing);
  list->corner[0] = corner[0];
  list->corner[1] = corner[1];
  if (regions)
    show_columns (list);
  else
    {
      wf_range_graph_set_values (WF_RANGE_GRAPH (list->graph), NULL, 0);
      gtk_label_set_text (GTK_LABEL (list->caption), "");
    }
}

/**
 * wf_object_list_set_measures:
 * @list: a list
 * @measures: a bit for each measure that is shown of those that the table has
 *
 * Chooses the columns beside the labels; at first all are shown.  Nothing is selected then.
 */
void
wf_object_list_set_measures (WfObjectList *list,
                             guint64       measures)
{
  g_return_if_fail (WF_IS_OBJECT_LIST (list));

  if (measures == list->measures)
    return;
  list->measures = measures;
  wf_sorted_table_set_content (WF_SORTED_TABLE (list->table), NULL, NULL);
  if (list->regions)
    show_columns (list);
}

/**
 * wf_object_list_get_caption:
 * @list: a list
 *
 * Returns: (transfer none): a label that says what the histogram shows, to be placed near the list
 */
GtkWidget *
wf_object_list_get_caption (WfObjectList *list)
{
  g_return_val_if_fail (WF_IS_OBJECT_LIST (list), NULL);

  return list->caption;
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

  wf_sorted_table_select (WF_SORTED_TABLE (list->table), object);
}
