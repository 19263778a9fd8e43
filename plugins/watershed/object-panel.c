/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of the objects that are kept, below the preview: it is measured while it is shown, of
 * the whole image.  An object that is clicked in the preview is selected in the table, and one that
 * is selected there is outlined in the preview, which moves to it.  While the objects are measured
 * again the rows of those before are still seen, but insensitive.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "object-lookup.h"
#include "object-panel.h"
#include "object-save.h"
#include "object-unit.h"
#include "table-measures.h"
#include "ui/objects/object-list.h"

#define SPACING 6

#define BIT(measure) (G_GUINT64_CONSTANT (1) << (measure))

/* What limits are of, and edges, is measured of every table, whether it is shown or not. */
#define ALWAYS (BIT (WF_REGION_AREA) | BIT (WF_REGION_BOUNDING_BOX) | \
                BIT (WF_REGION_CIRCULARITY) | BIT (WF_REGION_MEAN) | \
                BIT (WF_REGION_TOUCHES_BORDER))

/**
 * Panel:
 * @box: all of it
 * @list: the table
 * @table: (nullable): what the rows are of; %NULL if they are out of date
 * @objects: the object of each row
 * @rows: for each object its row, or −1
 * @renumbered: as of #WfObjectsShown
 * @checks: of the measures
 * @outlines: whether an object is outlined
 * @place: of that object, in pixels of the image
 * @unit: (nullable): of lengths
 * @spacing: of a pixel, in @unit
 */
typedef struct
{
  WfJob               *run;
  GObject             *config;
  WfPreview           *preview;
  WfObjectView        *view;
  GtkWidget           *box;
  GtkWidget           *list;
  GtkWidget           *actions;
  GtkWidget           *checks;
  const WfObjectTable *table;
  gint64              *objects;
  gint64              *rows;
  gboolean             renumbered;
  gboolean             outlines;
  double               place[2];
  char                *unit;
  double               spacing[3];
} Panel;


/*  What is shown  */

static void
forget_rows (Panel *panel)
{
  g_clear_pointer (&panel->table, wf_object_table_unref);
  g_clear_pointer (&panel->objects, g_free);
  g_clear_pointer (&panel->rows, g_free);
}

static void
set_rows (Panel               *panel,
          const WfObjectTable *table,
          const guint8        *kept,
          gint64               n_kept)
{
  gint64 row = 0;

  panel->table   = wf_object_table_ref (table);
  panel->objects = g_new (gint64, n_kept + 1);
  panel->rows    = g_new (gint64, table->n + 1);
  for (gint64 i = 0; i < table->n; i++)
    {
      panel->rows[i] = kept[i] ? row : -1;
      if (kept[i])
        panel->objects[row++] = i;
    }
}

/* The preview may show a part of the image, or a smaller one, with basins of its own: the one that
 * it has at the object's place is outlined.
 */
static void
outline (Panel *panel)
{
  const guint32 basin = panel->outlines
                        ? wf_preview_get_basin_at (panel->preview, panel->place[0],
                                                   panel->place[1]) : 0;

  wf_preview_set_selected (panel->preview, basin == WF_PREVIEW_LEFT_OUT ? 0 : basin);
}

/* Of WfObjectsShownFunc: a table is of the whole image. */
static void
shown (const WfObjectsShown *objects,
       gpointer              data)
{
  Panel               *panel     = data;
  const WfObjectTable *table     = objects->part ? NULL : objects->table;
  const double         corner[2] = { panel->run->region.image_x, panel->run->region.image_y };
  WfRegions           *listed    = NULL;

  panel->outlines = FALSE;
  outline (panel);
  forget_rows (panel);
  panel->renumbered = objects->renumbered;
  if (table && table->listed)
    {
      set_rows (panel, table, objects->kept, objects->n_kept);
      listed = wf_objects_list_kept (table->listed, objects->renumbered ? objects->kept : NULL);
    }
  gtk_widget_set_sensitive (panel->list, ! objects->pending);
  gtk_widget_set_sensitive (panel->actions, listed != NULL);
  if (! objects->pending)
    wf_object_list_set_regions (WF_OBJECT_LIST (panel->list), listed, panel->unit, panel->spacing,
                                corner);
  if (listed)
    g_debug ("objects: %" G_GINT64_FORMAT " rows are listed", objects->n_kept);
}


/*  Selecting  */

/* What the rows are of, if that is still so. */
static const WfObjectTable *
get_table (Panel *panel)
{
  return panel->table == wf_object_view_get_table (panel->view) ? panel->table : NULL;
}

static void
row_selected (WfObjectList *list,
              guint         row,
              Panel        *panel)
{
  const WfObjectTable *table = get_table (panel);
  const double        *left, *top, *width, *height;
  double               scale;
  gint64               i;

  if (! table)
    return;
  i      = panel->objects[row];
  scale  = table->result->region.scale;
  left   = wf_objects_get_values (table->objects, "left");
  top    = wf_objects_get_values (table->objects, "top");
  width  = wf_objects_get_values (table->objects, "width");
  height = wf_objects_get_values (table->objects, "height");
  wf_preview_show_place (panel->preview, (left[i] + width[i] / 2) / scale,
                         (top[i] + height[i] / 2) / scale);
  panel->outlines = wf_object_table_find_place (table, i, panel->place);
  outline (panel);
}

static void
clicked (WfPreview *preview,
         double     x,
         double     y,
         Panel     *panel)
{
  const WfObjectTable *table = get_table (panel);
  const gint64         i     = table ? wf_object_table_find_at (table, x, y) : -1;
  const gint64         row   = i >= 0 ? panel->rows[i] : -1;

  wf_object_list_select (WF_OBJECT_LIST (panel->list), row);
  panel->outlines = row >= 0;
  panel->place[0] = x;
  panel->place[1] = y;
  outline (panel);
}

/* A view that was moved has other basins at the same place. */
static void
completed (WfPreview       *preview,
           WfPreviewResult *result,
           Panel           *panel)
{
  if (panel->outlines)
    outline (panel);
}


/*  Copy and save  */

/* Where what is shown is in the image, and what is chosen. */
static WfTablePlace
find_place (Panel *panel)
{
  return (WfTablePlace) { .size     = sizeof (WfTablePlace),
                          .left     = panel->run->region.image_x,
                          .top      = panel->run->region.image_y,
                          .measures = wf_table_measures_get_shown (panel->config) };
}

/* No value has a comma. */
static void
copy (Panel *panel)
{
  const WfTablePlace  place   = find_place (panel);
  const WfRegions    *regions = wf_object_list_get_regions (WF_OBJECT_LIST (panel->list));
  g_autofree char    *text    = wf_regions_format (regions, WF_TABLE_CSV, panel->unit, &place);

  g_strdelimit (text, ",", '\t');
  gtk_clipboard_set_text (gtk_widget_get_clipboard (panel->box, GDK_SELECTION_CLIPBOARD), text, -1);
}

/* Other objects may be measured while the user chooses a file. */
static void
save (Panel *panel)
{
  const WfObjectTable *table   = wf_object_table_ref (panel->table);
  g_autofree guint8   *kept    = g_malloc ((gsize) table->n + 1);
  g_autofree char     *unit    = g_strdup (panel->unit);
  WfObjectsToSave      objects = { table, panel->renumbered ? kept : NULL, NULL, unit,
                                   find_place (panel) };
  WfRegions           *regions;

  for (gint64 i = 0; i < table->n; i++)
    kept[i] = panel->rows[i] >= 0;
  objects.regions = regions = wf_objects_list_kept (table->listed, objects.kept);
  wf_objects_save (GTK_WINDOW (gtk_widget_get_toplevel (panel->box)), &objects);
  wf_regions_free (regions);
  wf_object_table_unref (table);
}


/*  Columns  */

static void
follow (Panel *panel)
{
  const guint64 measures = wf_table_measures_get_shown (panel->config);
  gboolean      is_shown;

  g_object_get (panel->config, "table-shown", &is_shown, NULL);
  gtk_widget_set_visible (panel->box, is_shown);
  panel->outlines = FALSE;
  outline (panel);
  wf_object_list_set_measures (WF_OBJECT_LIST (panel->list), measures);
  wf_object_view_list (panel->view, is_shown ? measures | ALWAYS : 0, panel->spacing);
}

/* The last measure stays: a table of labels alone says nothing. */
static void
measure_toggled (GtkToggleButton *check,
                 Panel           *panel)
{
  const guint64 bit      = BIT (GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "measure")));
  const guint64 before   = wf_table_measures_get_shown (panel->config);
  const guint64 measures = gtk_toggle_button_get_active (check) ? before | bit : before & ~bit;

  if (measures == 0)
    gtk_toggle_button_set_active (check, TRUE);
  else if (measures != before)
    wf_table_measures_choose (panel->config, measures);
}

/* Settings that are loaded or reset change it, too. */
static void
measures_changed (Panel *panel)
{
  const guint64     measures = wf_table_measures_get_shown (panel->config);
  g_autoptr (GList) checks   = gtk_container_get_children (GTK_CONTAINER (panel->checks));
  int               i        = 0;

  for (GList *check = checks; check; check = check->next, i++)
    {
      g_signal_handlers_block_by_func (check->data, measure_toggled, panel);
      gtk_toggle_button_set_active (check->data, measures >> i & 1);
      g_signal_handlers_unblock_by_func (check->data, measure_toggled, panel);
    }
  follow (panel);
}

static GtkWidget *
columns_new (Panel *panel)
{
  const guint64  measures = wf_table_measures_get_shown (panel->config);
  GtkWidget     *button   = gtk_menu_button_new ();
  GtkWidget     *popover  = gtk_popover_new (button);
  GtkWidget     *scrolled = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget     *box      = panel->checks = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (int i = 0; wf_region_measure_describe ((WfRegionMeasure) i); i++)
    {
      const WfRegionMeasureInfo *info  = wf_region_measure_describe ((WfRegionMeasure) i);
      const char                *label = g_dgettext (GETTEXT_PACKAGE, info->label);
      GtkWidget                 *check = gtk_check_button_new_with_label (label);

      gtk_widget_set_tooltip_text (check, g_dgettext (GETTEXT_PACKAGE, info->blurb));
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (check), measures >> i & 1);
      g_object_set_data (G_OBJECT (check), "measure", GUINT_TO_POINTER ((guint) i));
      g_signal_connect (check, "toggled", G_CALLBACK (measure_toggled), panel);
      gtk_container_add (GTK_CONTAINER (box), check);
    }
  gtk_container_set_border_width (GTK_CONTAINER (box), SPACING);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 260);
  gtk_container_add (GTK_CONTAINER (scrolled), box);
  gtk_container_add (GTK_CONTAINER (popover), scrolled);
  gtk_widget_show_all (scrolled);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_button_set_label (GTK_BUTTON (button), _("Columns"));
  return button;
}


/*  The panel  */

/**
 * wf_object_panel_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds what the dialog remembers of the table.
 */
void
wf_object_panel_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_boolean_aux_argument (procedure, "table-shown", "Table shown",
                                           "Whether the dialog shows the table of objects", FALSE,
                                           G_PARAM_READWRITE);
}

static GtkWidget *
button_new (Panel      *panel,
            const char *label,
            const char *tooltip,
            GCallback   func)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_swapped (button, "clicked", func, panel);
  gtk_box_pack_start (GTK_BOX (panel->actions), button, FALSE, FALSE, 0);
  return button;
}

static void
panel_free (gpointer  data,
            GObject  *preview)
{
  Panel *panel = data;

  forget_rows (panel);
  g_free (panel->unit);
  g_free (panel);
}

/**
 * wf_object_panel_add:
 * @dialog: the dialog
 * @objects: of its preview
 *
 * Adds the panel below the preview.
 *
 * Returns: (transfer full): a check button that shows and hides it
 */
GtkWidget *
wf_object_panel_add (WfDialog     *dialog,
                     WfObjectView *objects)
{
  Panel     *panel = g_new0 (Panel, 1);
  GtkWidget *check = gtk_check_button_new_with_mnemonic (_("Show the _table"));
  GtkWidget *row   = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GClosure  *closure;

  panel->run     = wf_dialog_get_run (dialog);
  panel->config  = G_OBJECT (panel->run->config);
  panel->preview = wf_dialog_get_preview (dialog);
  panel->view    = objects;
  panel->unit    = wf_object_unit_find (panel->run->image, panel->spacing);
  panel->box     = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  panel->list    = wf_object_list_new ();
  panel->actions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  gtk_box_pack_start (GTK_BOX (panel->box), panel->list, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), columns_new (panel), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), panel->actions, FALSE, FALSE, 0);
  button_new (panel, _("Copy"), _("Copy the table to the clipboard, with tabs"), G_CALLBACK (copy));
  button_new (panel, _("Save…"),
              _("Save the table, as comma-separated values or JSON, or the outlines of the "
                "objects, as GeoJSON or regions of ImageJ"), G_CALLBACK (save));
  gtk_box_pack_end (GTK_BOX (row), wf_object_list_get_caption (WF_OBJECT_LIST (panel->list)), TRUE,
                    TRUE, 0);
  gtk_box_pack_start (GTK_BOX (panel->box), row, FALSE, FALSE, 0);
  gtk_widget_set_sensitive (panel->actions, FALSE);
  gtk_widget_show_all (panel->box);
  wf_dialog_set_lower_part (dialog, panel->box);
  gtk_widget_set_margin_start (panel->box, SPACING);

  g_signal_connect (panel->list, "object-selected", G_CALLBACK (row_selected), panel);
  g_signal_connect (panel->preview, "clicked", G_CALLBACK (clicked), panel);
  g_signal_connect_after (panel->preview, "completed", G_CALLBACK (completed), panel);
  g_object_weak_ref (G_OBJECT (panel->preview), panel_free, panel);
  wf_object_view_add_shown (objects, shown, panel);
  g_object_bind_property (panel->config, "table-shown", check, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  closure = g_cclosure_new_swap (G_CALLBACK (follow), panel, NULL);
  g_object_watch_closure (G_OBJECT (panel->preview), closure);
  g_signal_connect_closure (panel->config, "notify::table-shown", closure, FALSE);
  closure = g_cclosure_new_swap (G_CALLBACK (measures_changed), panel, NULL);
  g_object_watch_closure (G_OBJECT (panel->preview), closure);
  g_signal_connect_closure (panel->config, "notify::" WF_TABLE_MEASURES, closure, FALSE);
  follow (panel);
  return check;
}
