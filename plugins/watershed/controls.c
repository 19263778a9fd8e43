/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pages of the watershed's dialog: input, division and output.  Rows that do not apply to the
 * other settings are hidden.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "basin-preview.h"
#include "controls.h"
#include "correction-tools.h"
#include "flooded-picture.h"
#include "marker-source.h"
#include "object-controls.h"
#include "object-numbers.h"
#include "pen-tools.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/input/threshold-scale.h"
#include "preset-chooser.h"
#include "result-files.h"
#include "ui/merge/slider.h"
#include "ui/options/level-entry.h"
#include "ui/options/unit-box.h"

#define LINES_TOOLTIP "wavefront-lines-tooltip"


/* Adds a row that is shown only while another setting needs it. */
static GtkWidget *
add_option_for (WfDialog     *dialog,
                WfOptionGrid *grid,
                const char   *name,
                const char   *property,
                const char   *values)
{
  GtkWidget *widget = wf_dialog_add_option (dialog, grid, name);

  wf_condition_show (G_OBJECT (wf_dialog_get_run (dialog)->config), property, values, widget);
  return widget;
}

/* It divides objects from a background; what it marks is the foreground. */
static void
set_threshold (GObject    *config,
               GParamSpec *pspec,
               GtkWidget  *threshold)
{
  g_autoptr (GList) labels     = gtk_widget_list_mnemonic_labels (threshold);
  g_autofree char  *input      = NULL;
  g_autofree char  *objects    = NULL;
  g_autofree char  *background = NULL;
  gboolean          is_shown;
  gboolean          is_dark;

  g_object_get (config, "input", &input, "objects", &objects, "background", &background, NULL);
  if (g_strcmp0 (input, "objects") == 0)
    {
      is_shown = TRUE;
      is_dark  = g_strcmp0 (objects, "dark") == 0;
    }
  else
    {
      is_shown = g_strcmp0 (background, "none") != 0;
      is_dark  = g_strcmp0 (background, "bright") == 0;
    }
  g_object_set (threshold, "dark", is_dark, "visible", is_shown, NULL);
  for (GList *label = labels; label; label = label->next)
    gtk_widget_set_visible (label->data, is_shown);
}

static void
add_threshold (WfDialog     *dialog,
               WfOptionGrid *grid)
{
  static const char *const depends_on[] = { "notify::input", "notify::objects",
                                            "notify::background" };
  GObject   *config    = G_OBJECT (wf_dialog_get_run (dialog)->config);
  GtkWidget *threshold = wf_threshold_control_add (dialog, grid,
                                                   wf_watershed_preview_find_histogram);

  set_threshold (config, NULL, threshold);
  for (guint i = 0; i < G_N_ELEMENTS (depends_on); i++)
    g_signal_connect_object (config, depends_on[i], G_CALLBACK (set_threshold), threshold, 0);
}

static void
add_relief (WfDialog *dialog)
{
  WfOptionGrid *grid;

  wf_dialog_add_page (dialog, _("_Image"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_option (dialog, grid, "input");
  wf_dialog_add_option (dialog, grid, "smoothing");
  add_option_for (dialog, grid, "gradient", "input", "gradient");
  add_option_for (dialog, grid, "valleys", "input", "levels|gradient");
  add_option_for (dialog, grid, "objects", "input", "objects");
  add_option_for (dialog, grid, "background", "input", "levels|gradient");
  add_threshold (dialog, grid);
  add_option_for (dialog, grid, "split-tolerance", "input", "objects");
}

/* Depths are levels of the layer, or pixels if distances are flooded. */
static void
set_type (GObject       *config,
          GParamSpec    *pspec,
          WfMergeSlider *merge)
{
  g_autofree char *input = NULL;
  WfType           type  = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (merge),
                                                               "wavefront-type"));
  gboolean         distances;

  g_object_get (config, "input", &input, NULL);
  distances = g_strcmp0 (input, "objects") == 0;
  wf_merge_slider_set_type (merge, distances ? WF_TYPE_F32 : type);
  wf_merge_slider_set_distances (merge, distances);
}

/* The parts of the widget have tooltips of their own, which do not cover it. */
static void
drop_tooltips (GtkWidget *merge)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (merge);

  gtk_widget_set_has_tooltip (merge, FALSE);
  for (GList *label = labels; label; label = label->next)
    gtk_widget_set_has_tooltip (label->data, FALSE);
}

static void
add_merge_slider (WfDialog        *dialog,
                  WfOptionGrid    *grid,
                  WfObjectView    *objects,
                  WfCorrectedView *corrected)
{
  WfJob     *run    = wf_dialog_get_run (dialog);
  GObject   *config = G_OBJECT (run->config);
  GtkWidget *merge  = wf_merge_slider_new (run->type);

  g_object_set_data (G_OBJECT (merge), "wavefront-type", GINT_TO_POINTER ((int) run->type));
  set_type (config, NULL, WF_MERGE_SLIDER (merge));
  wf_merge_slider_set_linear (WF_MERGE_SLIDER (merge), wf_threshold_scale_is_linear (run));
  g_signal_connect_object (config, "notify::input", G_CALLBACK (set_type), merge, 0);
  g_object_bind_property (config, "merge-by", merge, "measure",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (config, "merge-value", merge, "value",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  wf_dialog_add_argument (dialog, grid, "merge-by", merge);
  drop_tooltips (merge);
  wf_watershed_preview_connect (dialog, merge, objects, corrected);
}

/* Without markers there is no compactness, and with it there are no lines between basins. */
static void
follow_compactness (GObject    *config,
                    GParamSpec *pspec,
                    GtkWidget  *lines)
{
  g_autofree char *markers = NULL;
  double           compactness;

  g_object_get (config, "markers", &markers, "compactness", &compactness, NULL);
  if (compactness > 0 && g_strcmp0 (markers, "minima") == 0)
    {
      g_object_set (config, "compactness", 0.0, NULL);   /* calls this function */
      return;
    }
  if (compactness > 0)
    g_object_set (config, "lines", FALSE, NULL);
  gtk_widget_set_sensitive (lines, ! (compactness > 0));
  gtk_widget_set_tooltip_text (lines, compactness > 0
                                      ? _("Compact basins cannot be divided by lines: set the "
                                          "compactness to 0 first")
                                      : g_object_get_data (G_OBJECT (lines), LINES_TOOLTIP));
}

static void
set_compactness_unit (GObject    *config,
                      GParamSpec *pspec,
                      WfUnitBox  *compactness)
{
  const gboolean   linear = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (compactness),
                                                                "wavefront-linear"));
  g_autofree char *input  = NULL;

  g_object_get (config, "input", &input, NULL);
  /* TRANSLATORS: the unit of a slope of distances: pixels of one for each pixel of another */
  wf_unit_box_set_unit (compactness, g_strcmp0 (input, "objects") == 0
                                     ? _("pixels per pixel")
                                     : wf_level_get_compound_unit (WF_OPTION_SLOPE, linear));
}

static void
add_compactness (WfDialog     *dialog,
                 WfOptionGrid *grid)
{
  WfJob     *run         = wf_dialog_get_run (dialog);
  GObject   *config      = G_OBJECT (run->config);
  GtkWidget *compactness = add_option_for (dialog, grid, "compactness", "markers",
                                           "layer|path|guides|strokes");
  GtkWidget *lines;

  g_object_set_data (G_OBJECT (compactness), "wavefront-linear",
                     GINT_TO_POINTER (wf_threshold_scale_is_linear (run)));
  set_compactness_unit (config, NULL, WF_UNIT_BOX (compactness));
  g_signal_connect_object (config, "notify::input", G_CALLBACK (set_compactness_unit),
                           compactness, 0);

  wf_dialog_add_option (dialog, grid, "connectivity");
  lines = wf_dialog_add_option (dialog, grid, "lines");
  g_object_set_data_full (G_OBJECT (lines), LINES_TOOLTIP, gtk_widget_get_tooltip_text (lines),
                          g_free);
  follow_compactness (config, NULL, lines);
  g_signal_connect_object (config, "notify::markers", G_CALLBACK (follow_compactness), lines, 0);
  g_signal_connect_object (config, "notify::compactness", G_CALLBACK (follow_compactness), lines,
                           0);
}

/* The number of basins comes first, where no tooltip of another row covers it. */
static void
add_basins (WfDialog        *dialog,
            WfObjectView    *objects,
            WfCorrectedView *corrected)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid;

  wf_dialog_add_page (dialog, _("_Basins"));
  grid = wf_dialog_add_frame (dialog, NULL);
  add_merge_slider (dialog, grid, objects, corrected);
  wf_dialog_add_option (dialog, grid, "markers");
  wf_condition_enable (config, "input", "levels|gradient",
                       add_option_for (dialog, grid, "tolerance", "markers", "minima"));
  wf_marker_source_add_controls (dialog, grid);
  add_compactness (dialog, grid);
  wf_flooded_picture_add_control (dialog, grid);
}

/* The last values may come from an image with a selection. */
static void
add_selection (WfDialog     *dialog,
               WfOptionGrid *grid)
{
  WfJob     *run    = wf_dialog_get_run (dialog);
  GtkWidget *widget = wf_dialog_add_option (dialog, grid, "select-basins");

  if (gimp_selection_is_empty (run->image))
    {
      g_object_set (run->config, "select-basins", FALSE, NULL);
      gtk_widget_set_sensitive (widget, FALSE);
    }
}

static void
add_outputs (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid;

  wf_dialog_add_page (dialog, _("Out_put"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_option (dialog, grid, "lines-layer");
  wf_condition_show (config, "lines-layer", "yes", wf_line_color_add_control (dialog, grid));
  add_option_for (dialog, grid, "line-opacity", "lines-layer", "yes");
  wf_line_color_add_conversion (dialog, grid);
  wf_dialog_add_option (dialog, grid, "basins-layer");
  wf_dialog_add_option (dialog, grid, "mean-layer");
  wf_dialog_add_option (dialog, grid, "label-image");
  wf_dialog_add_option (dialog, grid, "lines-path");
  wf_dialog_add_option (dialog, grid, "outline-paths");
  add_selection (dialog, grid);
  wf_result_files_add_controls (dialog, grid);
}

/**
 * wf_watershed_fill_dialog:
 * @dialog: the dialog of the procedure
 *
 * Adds its pages.
 */
void
wf_watershed_fill_dialog (WfDialog *dialog)
{
  WfObjectView    *objects   = wf_object_view_new (dialog);
  WfCorrectedView *corrected = wf_corrected_view_new (dialog, objects);

  wf_pen_tools_add (dialog, wf_correction_tools_add (dialog, corrected));
  wf_preset_chooser_add (dialog);
  add_relief (dialog);
  add_basins (dialog, objects, corrected);
  wf_object_controls_add (dialog, objects);
  add_outputs (dialog);
  wf_object_numbers_connect (dialog, objects);
}
