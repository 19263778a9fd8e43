/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A GTK module that tells what a person reads in the windows of a process, and where.  GTK loads it
 * into GIMP and its plug-ins with GTK_MODULES in their environment.
 *
 * When the file $WORK/question changes, each process writes the file $WORK/answer-PID: the content
 * of the question, then a line for each visible widget, with fields separated by tabs:
 *
 *   kind, title of its window, name, text, left, top, width, height, and whether it is sensitive
 *
 * The place is that on the screen.  The name is that of the label beside a widget, or its tooltip;
 * the text is what the widget says or holds.  Kinds are button, check, choice, entry, item (of a
 * menu), scale, text, area for canvases and previews, graph for histograms of objects, swatch for
 * the colors of the toolbox, and cell.
 *
 * A table has a line for each cell of the rows that are visible: its name is the title of its
 * column, or the icon in it.
 */

#include <string.h>
#include <unistd.h>

#include <gtk/gtk.h>

G_MODULE_EXPORT void gtk_module_init (int    *argc,
                                      char ***argv);

typedef struct
{
  GString    *answer;
  const char *title;
} Report;


/*  What widgets say  */

static char *
plain (const char *text)
{
  return g_strstrip (g_strdelimit (g_strdup (text ? text : ""), "\t\n", ' '));
}

/* The text of the row that a view of cells shows. */
static char *
read_cells (GtkCellView *view)
{
  GtkTreeModel              *model = gtk_cell_view_get_model (view);
  g_autoptr (GtkTreePath)    path  = gtk_cell_view_get_displayed_row (view);
  GtkCellArea               *area  = gtk_cell_layout_get_area (GTK_CELL_LAYOUT (view));
  g_autoptr (GList)          cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (view));
  g_autoptr (GString)        text  = g_string_new (NULL);
  GtkTreeIter                iter;

  if (! path || ! gtk_tree_model_get_iter (model, &iter, path))
    return g_strdup ("");
  gtk_cell_area_apply_attributes (area, model, &iter, FALSE, FALSE);
  for (GList *cell = cells; cell; cell = cell->next)
    if (GTK_IS_CELL_RENDERER_TEXT (cell->data))
      {
        g_autofree char *part = NULL;

        g_object_get (cell->data, "text", &part, NULL);
        g_string_append_printf (text, "%s%s", text->len ? " " : "", part ? part : "");
      }
  return plain (text->str);
}

static void
gather (GtkWidget *widget,
        gpointer   text)
{
  g_autofree char *part = NULL;

  if (GTK_IS_CELL_VIEW (widget))
    part = read_cells (GTK_CELL_VIEW (widget));
  else if (GTK_IS_LABEL (widget))
    part = plain (gtk_label_get_text (GTK_LABEL (widget)));
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), gather, text);
  if (part && *part)
    g_string_append_printf (text, "%s%s", ((GString *) text)->len ? " " : "", part);
}

static char *
read_all (GtkWidget *widget)
{
  GString *text = g_string_new (NULL);

  gather (widget, text);
  return g_string_free (text, FALSE);
}

/* GIMP's entries and choices may have their label inside. */
static char *
read_inner_label (GtkWidget *widget)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "label");
  char       *label = NULL;

  if (pspec && pspec->value_type == G_TYPE_STRING &&
      (GTK_IS_ENTRY (widget) || GTK_IS_COMBO_BOX (widget)))
    g_object_get (widget, "label", &label, NULL);
  return label;
}

/* The label beside a widget, or beside what the widget is a part of; without one, that inside, or
 * of a button its tooltip. */
static char *
read_name (GtkWidget *widget)
{
  g_autofree char *inner   = read_inner_label (widget);
  g_autofree char *tooltip = GTK_IS_BUTTON (widget) ? gtk_widget_get_tooltip_text (widget) : NULL;

  for (; widget && ! GTK_IS_WINDOW (widget); widget = gtk_widget_get_parent (widget))
    {
      g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (widget);

      if (labels && GTK_IS_LABEL (labels->data))
        return plain (gtk_label_get_text (labels->data));
    }
  return plain (inner ? inner : tooltip);
}


/*  The report  */

static const char *
name_kind (GtkWidget *widget)
{
  const char *type = G_OBJECT_TYPE_NAME (widget);

  return GTK_IS_TOGGLE_BUTTON (widget)                   ? "check"
         : GTK_IS_BUTTON (widget)                        ? "button"
         : GTK_IS_COMBO_BOX (widget)                     ? "choice"
         : GTK_IS_ENTRY (widget)                         ? "entry"
         : GTK_IS_MENU_ITEM (widget)                     ? "item"
         : GTK_IS_SCALE (widget)                         ? "scale"
         : GTK_IS_LABEL (widget)                         ? "text"
         : strstr (type, "Canvas") || strstr (type, "Preview") ? "area"
         : strstr (type, "RangeGraph")                   ? "graph"
         : strstr (type, "FgBgEditor")                   ? "swatch" : NULL;
}

static char *
read_text (GtkWidget *widget)
{
  if (GTK_IS_ENTRY (widget))
    return plain (gtk_entry_get_text (GTK_ENTRY (widget)));
  if (GTK_IS_SCALE (widget))
    return g_strdup_printf ("%g", gtk_range_get_value (GTK_RANGE (widget)));
  if (GTK_IS_TOGGLE_BUTTON (widget))
    {
      g_autofree char *label = read_all (widget);
      gboolean         on    = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget));

      return g_strdup_printf ("%s=%s", label, on ? "on" : "off");
    }
  return read_all (widget);
}

/* @place: within the widget */
static void
append_line (Report             *into,
             GtkWidget          *widget,
             const char         *kind,
             const char         *name,
             const char         *text,
             const GdkRectangle *place)
{
  GtkWidget *top = gtk_widget_get_toplevel (widget);
  int        x   = 0;
  int        y   = 0;
  int        left;
  int        above;

  gtk_widget_translate_coordinates (widget, top, place->x, place->y, &x, &y);
  gdk_window_get_origin (gtk_widget_get_window (top), &left, &above);
  g_string_append_printf (into->answer, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", kind,
                          into->title, name, text, left + x, above + y, place->width,
                          place->height, gtk_widget_is_sensitive (widget) ? "yes" : "no");
}

/* The value of a property of the cells in a column that has it. */
static char *
read_cell (GtkTreeViewColumn *column,
           const char        *property)
{
  g_autoptr (GList)   cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (column));
  g_autoptr (GString) text  = g_string_new (NULL);

  for (GList *cell = cells; cell; cell = cell->next)
    if (g_object_class_find_property (G_OBJECT_GET_CLASS (cell->data), property))
      {
        g_autofree char *part = NULL;

        g_object_get (cell->data, property, &part, NULL);
        g_string_append (text, part ? part : "");
      }
  return plain (text->str);
}

static void
report_row (Report      *into,
            GtkTreeView *view,
            GtkTreePath *path,
            GtkTreeIter *iter)
{
  g_autoptr (GList) columns = gtk_tree_view_get_columns (view);

  for (GList *one = columns; one; one = one->next)
    {
      g_autofree char *title = plain (gtk_tree_view_column_get_title (one->data));
      g_autofree char *icon  = NULL;
      g_autofree char *text  = NULL;
      GdkRectangle     place;

      if (! gtk_tree_view_column_get_visible (one->data))
        continue;
      gtk_tree_view_column_cell_set_cell_data (one->data, gtk_tree_view_get_model (view), iter,
                                               FALSE, FALSE);
      icon = read_cell (one->data, "icon-name");
      text = read_cell (one->data, "text");
      gtk_tree_view_get_cell_area (view, path, one->data, &place);
      gtk_tree_view_convert_bin_window_to_widget_coords (view, place.x, place.y, &place.x,
                                                         &place.y);
      append_line (into, GTK_WIDGET (view), "cell", *title ? title : icon, text, &place);
    }
}

static void
report_rows (Report      *into,
             GtkTreeView *view)
{
  g_autoptr (GtkTreePath) path = NULL;
  g_autoptr (GtkTreePath) last = NULL;
  GtkTreeModel           *model = gtk_tree_view_get_model (view);
  GtkTreeIter             iter;

  if (! model || ! gtk_tree_view_get_visible_range (view, &path, &last))
    return;
  for (; gtk_tree_path_compare (path, last) <= 0 && gtk_tree_model_get_iter (model, &iter, path);
       gtk_tree_path_next (path))
    report_row (into, view, path, &iter);
}

static void
report (GtkWidget *widget,
        gpointer   data)
{
  Report     *into = data;
  const char *kind = name_kind (widget);

  if (! gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_TREE_VIEW (widget))
    report_rows (into, GTK_TREE_VIEW (widget));
  if (kind)
    {
      const GdkRectangle place = { 0, 0, gtk_widget_get_allocated_width (widget),
                                   gtk_widget_get_allocated_height (widget) };
      g_autofree char   *name  = read_name (widget);
      g_autofree char   *text  = read_text (widget);

      append_line (into, widget, kind, name, text, &place);
    }
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), report, into);
}

static void
answer (GFileMonitor     *monitor,
        GFile            *question,
        GFile            *other,
        GFileMonitorEvent event,
        gpointer          data)
{
  g_autoptr (GString) text    = g_string_new (NULL);
  g_autoptr (GList)   windows = gtk_window_list_toplevels ();
  g_autofree char    *name    = g_strdup_printf ("answer-%d", (int) getpid ());
  g_autofree char    *path    = g_build_filename (g_getenv ("WORK"), name, NULL);
  g_autofree char    *asked   = NULL;

  if (! g_file_get_contents (g_file_peek_path (question), &asked, NULL, NULL))
    return;
  g_string_append_printf (text, "%s\n", asked);
  for (GList *one = windows; one; one = one->next)
    if (gtk_widget_get_mapped (one->data))
      {
        const char *title = gtk_window_get_title (one->data);
        Report      into  = { text, title ? title : "" };

        report (one->data, &into);
      }
  g_file_set_contents (path, text->str, text->len, NULL);
}

void
gtk_module_init (int    *argc,
                 char ***argv)
{
  const char        *work = g_getenv ("WORK");
  g_autofree char   *path = work ? g_build_filename (work, "question", NULL) : NULL;
  g_autoptr (GFile)  file = path ? g_file_new_for_path (path) : NULL;
  GFileMonitor      *monitor;

  monitor = file ? g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL) : NULL;
  if (monitor)   /* which lives as long as the process */
    g_signal_connect (monitor, "changed", G_CALLBACK (answer), NULL);
}
