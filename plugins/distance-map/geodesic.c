/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-geodesic-distance: how far each pixel is from a marker, on ways that lead
 * through some of the pixels only: those on one side of a threshold, or those of the selection.
 * The results are those of the distance map.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "command.h"
#include "controls.h"
#include "distance-preview.h"
#include "distances.h"
#include "geodesic.h"
#include "marks.h"
#include "options.h"
#include "outputs.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/marker/marker-chooser.h"
#include "plugins/common/marker/marker.h"
#include "resolution.h"
#include "ways.h"

static const WfChoice sides[] =
{
  { "light", WF_DISTANCES_INSIDE,     N_("Lighter pixels") },
  { "dark",  WF_DISTANCES_OUTSIDE,    N_("Darker pixels") },
  { "all",   WF_DISTANCES_EVERYWHERE, N_("All pixels") },
  { NULL,    0,                       NULL }
};

static const WfChoice units[] =
{
  { "pixels", WF_DISTANCES_BY_SPACING,    N_("Pixels") },
  { "image",  WF_DISTANCES_BY_RESOLUTION, N_("The image's unit, by its resolution") },
  { NULL,     0,                          NULL }
};

static const WfChoice outputs[] =
{
  { "normalized", WF_DISTANCES_NORMALIZED, N_("Levels: the largest distance becomes white") },
  { "raw",        WF_DISTANCES_RAW,        N_("Levels: the distances themselves") },
  { "clipped",    WF_DISTANCES_CLIPPED,    N_("Levels: a given maximum becomes white") },
  { "image",      WF_DISTANCES_IMAGE,      N_("Distances in a new image (32-bit)") },
  { "contours",   WF_DISTANCES_CONTOURS,   N_("Contour lines") },
  { NULL,         0,                       NULL }
};

static const WfOption own_options[] =
{
  WF_DISTANCES_AUTOMATIC_OPTION,
  { "through", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, side),
    N_("_Ways through"),
    N_("Which pixels ways lead through: those lighter than the threshold, the others, or all of "
       "the layer or the selection"),
    "light|dark|all", 0, 0, WF_DISTANCES_INSIDE, sides },
  { "unit", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, unit),
    N_("_Unit"),
    N_("The unit of the distances: pixels, or the unit of the image, by its resolution"),
    "pixels|image", 0, 0, WF_DISTANCES_BY_SPACING, units },
  { "output", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, output),
    N_("_Result"),
    N_("The kind of result.  Levels make a new layer in the image's precision, which is black "
       "where no way leads to"),
    "normalized|raw|clipped|image|contours", 0, 0, WF_DISTANCES_NORMALIZED, outputs },
  WF_DISTANCES_LENGTH_OPTIONS
};

static const WfOptionGroup own_group =
{
  "plug-in-wavefront-geodesic-distance", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfDistanceMapOptions)
};

static const WfArgumentNote notes[] =
{
  { "threshold", 0.5, N_("Divides the lighter pixels from the darker ones") },
  { NULL, 0, NULL }
};


static void
add_arguments (GimpProcedure *procedure)
{
  wf_marker_add_arguments (procedure);
  wf_line_color_add_argument (procedure);
}

static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The new layer, if the result is one"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "maximum", _("Maximum"),
                                          _("The largest finite distance, in the unit of the "
                                            "distances"),
                                          0, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_image_return_value (procedure, "distance-image", _("Image"),
                                         _("The new image, if the result is one"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "threshold-used", _("Threshold used"),
                                          _("The threshold, as a fraction of the range from "
                                            "black to white"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
}

static void
fill_dialog (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid;
  GtkWidget    *threshold;

  wf_dialog_add_page (dialog, _("_Ways"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_argument (dialog, grid, "marker",
                          wf_marker_chooser_new (wf_dialog_get_run (dialog),
                                                 _("Not chosen yet")));
  wf_dialog_add_option (dialog, grid, "through");
  threshold = wf_threshold_control_add (dialog, grid, wf_threshold_control_find_histogram);
  wf_condition_set (config, "through", "dark", threshold, "dark");
  wf_condition_show (config, "through", "light|dark", threshold);

  wf_dialog_add_page (dialog, _("Distanc_e"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_option (dialog, grid, "metric");
  wf_distance_controls_add_result (dialog, grid);
}

/* Mask, marks and their levels, of a selection that is the marker its coverage. */
static gsize
count_further (WfJob          *run,
               const WfSource *source)
{
  return 2 + sizeof (float);
}

static const char *
find_whole (WfJob *run)
{
  return g_dgettext (GETTEXT_PACKAGE, wf_operation_get_options (run->procedure->operation)->title);
}

static gboolean
measure (WfJob    *run,
         WfImage  *mask,
         WfImage  *distances,
         GError  **error)
{
  g_auto (WfImage) image = { 0 };
  g_auto (WfImage) marks = { 0 };
  double           fraction;

  if (! wf_job_read (run, &image, error) ||
      ! wf_job_read_mask (run, mask, error) ||
      ! wf_marks_read (run, &image, &marks, error) ||
      ! wf_ways_measure (run->context, &image, &marks, mask, TRUE, run->own, run->operation,
                         distances, &fraction, error))
    return FALSE;
  g_value_set_double (wf_job_get_value (run, "threshold-used"), fraction);
  return TRUE;
}

static gboolean
run (WfJob   *run,
     GError **error)
{
  WfDistanceMapOptions *own       = run->own;
  g_auto (WfImage)      mask      = { 0 };
  g_auto (WfImage)      distances = { 0 };
  WfDistancesShown      shown     = { .distances = &distances, .white = own->maximum,
                                      .step = own->step,
                                      .layer_name = _("Geodesic distances in %s") };

  if (! wf_distance_map_check (own, error) ||
      ! wf_resolution_get_side (run->image, own, error))
    return FALSE;
  run->to_rgb = own->output == WF_DISTANCES_CONTOURS && wf_line_color_wants_rgb (run);

  wf_job_set_stage (run, 0.0, 0.9);
  if (! measure (run, &mask, &distances, error))
    return FALSE;
  wf_ways_finish (&distances, &mask, own->pixel, own->output);
  wf_distances_find_range (&distances, &shown.minimum, &shown.maximum);
  g_value_set_double (wf_job_get_value (run, "maximum"), shown.maximum);

  wf_job_set_stage (run, 0.9, 1.0);
  return wf_distances_make_result (run, &shown, own->output, error);
}

const WfProcedure wf_geodesic_procedure =
{
  .name            = "plug-in-wavefront-geodesic-distance",
  .menu_label      = N_("_Geodesic Distance..."),
  .menu_place      = 2,
  .operation       = WF_OPERATION_GEODESIC_DISTANCE,
  .help            = N_("Measures how far each pixel is from a marker, another layer or channel or "
                        "the selection, on ways that lead only through pixels lighter than a "
                        "threshold, through darker ones, or through the selection.  Makes a new "
                        "layer whose levels are the distances, a new image with the distances in "
                        "32-bit floating point, or a transparent layer of contour lines."),
  .notes           = notes,
  .own             = &own_group,
  .add_arguments   = add_arguments,
  .add_values      = add_values,
  .recall          = wf_marker_recall,
  .remember        = wf_marker_remember,
  .takes_selection = wf_marker_takes_selection,
  .fill_dialog     = fill_dialog,
  .preview         = &wf_geodesic_preview,
  .find_whole      = find_whole,
  .count_further   = count_further,
  .write_command   = wf_geodesic_write_command,
  .run             = run,
};
