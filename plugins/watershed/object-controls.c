/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of the watershed's dialog for the objects that are kept: a range for each measure, with
 * the histogram of the objects, and how many are kept.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "measured-levels.h"
#include "object-controls.h"
#include "object-options.h"
#include "object-panel.h"
#include "object-unit.h"
#include "plugins/common/dialog/condition.h"
#include "ui/objects/range-selector.h"
#include "ui/options/level-fraction.h"

/* Longer texts, as those of errors, are broken. */
#define COUNT_CHARS 50

typedef enum
{
  RANGE_AREA,
  RANGE_CIRCULARITY,
  RANGE_MEAN,
  N_RANGES
} Range;

/* The column of each, and the arguments of its limits. */
static const struct
{
  const char *column;
  const char *lower;
  const char *upper;
} ranges[N_RANGES] =
{
  [RANGE_AREA]        = { "pixels", "min-area", "max-area" },
  [RANGE_CIRCULARITY] = { "circularity", "min-circularity", "max-circularity" },
  [RANGE_MEAN]        = { "mean", "min-mean", "max-mean" },
};

typedef struct
{
  WfJob     *run;
  GtkWidget *selectors[N_RANGES];
  GtkWidget *count;
} Controls;


/*  What is shown  */

/* In the unit of the arguments. */
static double
find_factor (const WfObjectTable *table,
             int                  range)
{
  const WfPreviewBasins *basins = table->result->extra;
  const double           scale  = table->result->region.scale;

  return range == RANGE_AREA ? 1 / (scale * scale)
         : range == RANGE_MEAN
         ? 1 / wf_level_maximum (wf_preview_get_measured (basins->inputs)->type) : 1;
}

static void
show_values (Controls            *controls,
             const WfObjectTable *table)
{
  for (int range = 0; range < N_RANGES; range++)
    {
      const double       *values = table ? wf_objects_get_values (table->objects,
                                                                  ranges[range].column) : NULL;
      const gsize         n      = values ? (gsize) table->n : 0;
      const double        factor = values ? find_factor (table, range) : 1;
      g_autofree double  *shown  = g_new (double, n + 1);

      for (gsize i = 0; i < n; i++)
        shown[i] = values[i] * factor;
      wf_range_selector_set_values (WF_RANGE_SELECTOR (controls->selectors[range]), shown, n);
    }
}

static char *
format_count (gint64   n,
              gint64   n_kept,
              gboolean part)
{
  g_autofree char *all  = g_strdup_printf ("%'" G_GINT64_FORMAT, n);
  g_autofree char *kept = g_strdup_printf ("%'" G_GINT64_FORMAT, n_kept);
  const gulong     form = (gulong) MIN (n, 1000000000);

  if (n_kept == n)
    return g_strdup_printf (part
                            /* TRANSLATORS: of a part of the image */
                            ? ngettext ("%s object in the part shown",
                                        "%s objects in the part shown", form)
                            : ngettext ("%s object", "%s objects", form), all);
  /* TRANSLATORS: how many are kept, of how many there are */
  return g_strdup_printf (part ? ngettext ("%s of %s object in the part shown",
                                           "%s of %s objects in the part shown", form)
                               : ngettext ("%s of %s object", "%s of %s objects", form),
                          kept, all);
}

/* Of WfObjectsShownFunc. */
static void
shown (const WfObjectsShown *objects,
       gpointer              data)
{
  Controls            *controls = data;
  const WfObjectTable *table    = objects->table;
  g_autofree char     *text     = NULL;

  gtk_widget_set_sensitive (controls->count, ! objects->pending);
  if (objects->pending)
    return;
  text = table ? format_count (table->n, objects->n_kept, objects->part)
               : g_strdup (objects->error ? objects->error->message : "");
  if (objects->measured)
    show_values (controls, table);
  gtk_label_set_text (GTK_LABEL (controls->count), text);
}


/*  Rows  */

/* The unit of areas, in a stack of volumes, with that of a pixel: the image's, or pixels. */
static char *
find_unit (GimpImage *image,
           gboolean   stack,
           double    *area)
{
  double           spacing[3];
  g_autofree char *unit = wf_object_unit_find (image, spacing);

  *area = spacing[0] * spacing[1] * (stack ? spacing[2] : 1);
  return unit ? g_strdup_printf (stack ? "%s³" : "%s²", unit) : g_strdup (_("px"));
}

static GtkWidget *
selector_new (WfDialog *dialog,
              int       range)
{
  WfJob *run = wf_dialog_get_run (dialog);

  switch (range)
    {
    case RANGE_AREA:
      return wf_range_selector_new (_("Area"), TRUE, 0, WF_HIGHEST_AREA, 1, NULL);
    case RANGE_CIRCULARITY:
      return wf_range_selector_new (_("Circularity"), FALSE, 0, WF_HIGHEST_CIRCULARITY, 1, NULL);
    default:
      return wf_range_selector_new (_("Mean level"), FALSE, 0, 1, wf_level_maximum (run->type),
                                    NULL);
    }
}

static void
add_range (WfDialog     *dialog,
           WfOptionGrid *grid,
           Controls     *controls,
           int           range,
           const char   *label,
           const char   *tooltip)
{
  GObject   *config   = G_OBJECT (wf_dialog_get_run (dialog)->config);
  GtkWidget *selector = controls->selectors[range] = selector_new (dialog, range);

  g_object_bind_property (config, ranges[range].lower, selector, "lower",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (config, ranges[range].upper, selector, "upper",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  wf_option_grid_add_widget (grid, label, selector, tooltip);
  gtk_widget_set_has_tooltip (selector, FALSE);   /* its parts have their own */
}

/* The circularity of a stack is not defined, and its areas are volumes. */
static void
follow_stack (Controls *controls)
{
  GObject         *config      = G_OBJECT (controls->run->config);
  GtkWidget       *circularity = controls->selectors[RANGE_CIRCULARITY];
  g_autofree char *unit        = NULL;
  gboolean         stack;
  double           area;

  g_object_get (config, "stack", &stack, NULL);
  gtk_widget_set_sensitive (circularity, ! stack);
  if (stack)
    g_object_set (circularity, "lower", 0.0, "upper", (double) WF_HIGHEST_CIRCULARITY, NULL);
  unit = find_unit (controls->run->image, stack, &area);
  wf_range_selector_set_unit (WF_RANGE_SELECTOR (controls->selectors[RANGE_AREA]), area, unit);
}

/* Levels are those of what is measured. */
static void
follow_measured (Controls *controls)
{
  const WfType type = wf_measured_levels_get_type (controls->run);

  wf_range_selector_set_unit (WF_RANGE_SELECTOR (controls->selectors[RANGE_MEAN]),
                              wf_level_maximum (type), NULL);
}

static void
controls_free (gpointer  data,
               GObject  *preview)
{
  g_free (data);
}

/**
 * wf_object_controls_add:
 * @dialog: the dialog
 * @objects: of its preview
 *
 * Adds the page.
 */
void
wf_object_controls_add (WfDialog     *dialog,
                        WfObjectView *objects)
{
  WfJob               *run      = wf_dialog_get_run (dialog);
  GObject             *config   = G_OBJECT (run->config);
  const WfOptionGroup *group    = wf_objects_get_options ();
  Controls            *controls = g_new0 (Controls, 1);
  WfOptionGrid        *grid;
  GClosure            *closure;

  controls->run = run;
  wf_object_options_repair (config);
  wf_dialog_add_page (dialog, _("Ob_jects"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_measured_levels_add_controls (dialog, grid);
  add_range (dialog, grid, controls, RANGE_AREA, _("_Area"),
             _("Keep objects whose area is in this range"));
  add_range (dialog, grid, controls, RANGE_CIRCULARITY, _("_Circularity"),
             _("Keep objects whose circularity, 4π area ∕ perimeter², is in this range"));
  add_range (dialog, grid, controls, RANGE_MEAN, _("_Mean level"),
             _("Keep objects whose mean level is in this range"));
  wf_option_grid_add_option (grid, &group->options[group->n_options - 1]);

  controls->count = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (controls->count), 0);
  gtk_label_set_line_wrap (GTK_LABEL (controls->count), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (controls->count), COUNT_CHARS);
  atk_object_set_name (gtk_widget_get_accessible (controls->count), _("Objects that are kept"));
  wf_option_grid_add_widget (grid, NULL, controls->count,
                             _("Objects that are left out are hatched in the preview, and are "
                               "background in all results"));

  follow_stack (controls);
  closure = g_cclosure_new_swap (G_CALLBACK (follow_stack), controls, NULL);
  g_object_watch_closure (G_OBJECT (wf_dialog_get_preview (dialog)), closure);
  g_signal_connect_closure (config, "notify::stack", closure, FALSE);
  follow_measured (controls);
  closure = g_cclosure_new_swap (G_CALLBACK (follow_measured), controls, NULL);
  g_object_watch_closure (G_OBJECT (wf_dialog_get_preview (dialog)), closure);
  g_signal_connect_closure (config, "notify::measure-on", closure, FALSE);
  g_object_weak_ref (G_OBJECT (wf_dialog_get_preview (dialog)), controls_free, controls);
  wf_object_view_add_shown (objects, shown, controls);
  wf_dialog_add_option (dialog, grid, "numbers-layer");
  wf_option_grid_add_widget (grid, NULL, wf_object_panel_add (dialog, objects),
                             _("Show a table of the objects below the preview: a row for each "
                               "that is kept"));
}
