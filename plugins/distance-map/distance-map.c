/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The executable registers this procedure and that of geodesic.c.
 *
 * plug-in-wavefront-distance-map: the distance of each pixel on one side of a threshold to
 * the nearest pixel on the other side; optionally with negative distances of the other pixels.
 * The result is a layer of levels, an image of numbers, a layer of contour lines, or a
 * layer in which each pixel has the colour of its nearest pixel.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "command.h"
#include "controls.h"
#include "distance-preview.h"
#include "distances.h"
#include "geodesic.h"
#include "measuring.h"
#include "options.h"
#include "outputs.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/procedure/plug-in.h"
#include "proposer.h"
#include "resolution.h"

static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The new layer, if the result is one"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "maximum", _("Maximum"),
                                          _("The largest finite distance, in pixels or in the "
                                            "unit of the spacing"),
                                          0, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_return_value (procedure, "no-background", _("No background"),
                                           _("Whether there was no background, so that every "
                                             "distance is infinite"),
                                           FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "minimum", _("Minimum"),
                                          _("The smallest finite distance: 0, or less with "
                                            "signed distances"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_image_return_value (procedure, "distance-image", _("Image"),
                                         _("The new image, if the result is one"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "threshold-used", _("Threshold used"),
                                          _("The threshold, as a fraction of the range from "
                                            "black to white"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
}

/* The connectivity and the algorithm do not change an exact map, so they
 * are arguments for scripts only.
 */
static void
fill_dialog (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid;

  wf_dialog_add_page (dialog, _("_Foreground"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_condition_set (config, "side", "outside",
                    wf_threshold_control_add (dialog, grid,
                                              wf_threshold_control_find_histogram), "dark");
  wf_dialog_add_option (dialog, grid, "side");
  wf_condition_enable (config, "side", "inside",
                       wf_dialog_add_option (dialog, grid, "border-background"));

  wf_dialog_add_page (dialog, _("Distanc_e"));
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_option (dialog, grid, "metric");
  wf_dialog_add_option (dialog, grid, "signed");
  wf_distance_controls_add_result (dialog, grid);
}

static gboolean
measure (WfJob                    *run,
         const WfDistanceOptions  *options,
         WfImage                  *distances,
         WfImage                  *nearest,
         GError                  **error)
{
  g_auto (WfImage) image = { 0 };
  g_auto (WfImage) mask  = { 0 };
  double           fraction;

  if (! wf_job_read (run, &image, error) ||
      ! wf_job_read_mask (run, &mask, error) ||
      ! wf_distance_map_measure (run->context, &image, &mask, run->own, options, distances,
                                 nearest, &fraction, error))
    return FALSE;
  g_value_set_double (wf_job_get_value (run, "threshold-used"), fraction);
  return TRUE;
}

/* Marks of the side that is measured; of a signed map within a selection the other side, too; the
 * colors that nearest pixels have.
 */
static gsize
count_further (WfJob          *run,
               const WfSource *source)
{
  const WfDistanceMapOptions *own     = run->own;
  const WfDistanceOptions    *options = run->operation;
  const gboolean              within  = source->region.selection != NULL;
  const gboolean              nearest = own->output == WF_DISTANCES_NEAREST;
  gsize                       bytes   = within || own->side != WF_DISTANCES_INSIDE ? 1 : 0;

  if (within && options->signed_distance)
    bytes += 1 + sizeof (float) + (nearest ? sizeof (guint64) : 0);
  if (nearest)
    bytes += (gsize) babl_format_get_bytes_per_pixel
                       (wf_pixels_get_format (source->slices[0].drawable, TRUE, source->type));
  return bytes;
}

static gboolean
makes_image (GObject *config)
{
  g_autofree char *output = NULL;

  g_object_get (config, "output", &output, NULL);
  return g_strcmp0 (output, "image") == 0;
}

static gboolean
makes_layers (GObject *config)
{
  return ! makes_image (config);
}

static const WfFolderKind folder =
{
  .makes_layers = makes_layers,
  .makes_image  = makes_image,
  .image_value  = "distance-image",
  .image_suffix = "-distances",
};

static gboolean
run (WfJob   *run,
     GError **error)
{
  const WfDistanceMapOptions *own = run->own;
  WfDistanceOptions  options   = *(const WfDistanceOptions *) run->operation;
  g_auto (WfImage)   distances = { 0 };
  g_auto (WfImage)   nearest   = { 0 };
  WfDistancesShown   shown     = { .distances = &distances, .nearest = &nearest,
                                   .white = own->maximum, .step = own->step,
                                   .layer_name = _("Distance map of %s") };

  if (! wf_distance_map_check (own, error))
    return FALSE;
  run->to_rgb = own->output == WF_DISTANCES_CONTOURS && wf_line_color_wants_rgb (run);
  if (own->unit == WF_DISTANCES_BY_RESOLUTION)
    wf_resolution_get_spacing (run->image, options.spacing);

  wf_job_set_stage (run, 0.0, 0.9);
  if (! measure (run, &options, &distances, &nearest, error))
    return FALSE;
  wf_distances_find_range (&distances, &shown.minimum, &shown.maximum);

  wf_job_set_stage (run, 0.9, 1.0);
  if (! wf_distances_make_result (run, &shown, own->output, error))
    return FALSE;

  g_value_set_double (wf_job_get_value (run, "maximum"), shown.maximum);
  g_value_set_double (wf_job_get_value (run, "minimum"), shown.minimum);
  g_value_set_boolean (wf_job_get_value (run, "no-background"),
                       wf_context_get_report (run->context)->no_background);
  return TRUE;
}

static const WfProcedure procedure =
{
  .name          = "plug-in-wavefront-distance-map",
  .menu_label    = N_("_Distance Map..."),
  .menu_place    = 2,
  .operation     = WF_OPERATION_DISTANCE,
  .help          = N_("Measures the distance from each pixel lighter than the threshold to the "
                      "nearest pixel that is not, or vice versa.  Makes a new layer whose "
                      "levels are the distances, a new image with the distances in 32-bit "
                      "floating point, a transparent layer of contour lines, or a layer in "
                      "which each pixel has the color of its nearest pixel."),
  .notes         = wf_distance_map_notes,
  .own           = &wf_distance_map_options_group,
  .add_arguments = wf_line_color_add_argument,
  .add_values    = add_values,
  .proposer      = &wf_distance_map_proposer,
  .fill_dialog   = fill_dialog,
  .preview       = &wf_distance_map_preview,
  .count_further = count_further,
  .folder        = &folder,
  .write_command = wf_distance_map_write_command,
  .run           = run,
};

WF_PLUG_IN_MAIN (&procedure, &wf_geodesic_procedure)
