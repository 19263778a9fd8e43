/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-distance-map: the distance of each pixel on one side of a threshold to
 * the nearest pixel on the other side; optionally with negative distances of the other pixels.
 * The result is a layer of levels, an image of numbers, a layer of contour lines, or a
 * layer in which each pixel has the colour of its nearest pixel.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "distance-preview.h"
#include "distances.h"
#include "measuring.h"
#include "outputs.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/procedure/plug-in.h"
#include "proposer.h"
#include "resolution.h"
#include "ui/options/unit-box.h"

/* No distance is longer than this, in any unit. */
#define LONGEST 1e9

static const WfChoice sides[] =
{
  { "inside",  WF_DISTANCES_INSIDE,  N_("Inside: of lighter pixels") },
  { "outside", WF_DISTANCES_OUTSIDE, N_("Outside: of other pixels") },
  { NULL,      0,            NULL }
};

static const WfChoice units[] =
{
  { "spacing", WF_DISTANCES_BY_SPACING, N_("Pixels, or the unit of the spacing") },
  { "image",   WF_DISTANCES_BY_RESOLUTION,   N_("The image's unit, by its resolution") },
  { NULL,      0,            NULL }
};

static const WfChoice outputs[] =
{
  { "normalized", WF_DISTANCES_NORMALIZED, N_("Levels: the largest distance becomes white") },
  { "raw",        WF_DISTANCES_RAW,        N_("Levels: the distances themselves") },
  { "clipped",    WF_DISTANCES_CLIPPED,    N_("Levels: a given maximum becomes white") },
  { "image",      WF_DISTANCES_IMAGE,      N_("Distances in a new image (32-bit)") },
  { "contours",   WF_DISTANCES_CONTOURS,   N_("Contour lines") },
  { "nearest",    WF_DISTANCES_NEAREST,    N_("Colors of the nearest pixels") },
  { NULL,         0,                       NULL }
};

static const WfOption own_options[] =
{
  { "automatic-threshold", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfDistanceMapOptions, automatic_threshold),
    N_("_Automatic threshold"),
    N_("Find the threshold that divides the levels best (Otsu)"),
    NULL, 0, 1, FALSE, NULL },
  { "side", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, side),
    N_("S_ide"),
    N_("Which pixels have distances: those lighter than the threshold, to the nearest other "
       "pixel, or the others, to the nearest lighter pixel"),
    "inside|outside", 0, 0, WF_DISTANCES_INSIDE, sides },
  { "unit", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, unit),
    N_("_Unit"),
    N_("The unit of the distances: pixels, which may have a spacing, or the unit of the image, "
       "by its resolution"),
    "spacing|image", 0, 0, WF_DISTANCES_BY_SPACING, units },
  { "output", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceMapOptions, output),
    N_("_Result"),
    N_("The kind of result.  Levels make a new layer in the image's precision; if normalized, the "
       "smallest distance is black"),
    "normalized|raw|clipped|image|contours|nearest", 0, 0, WF_DISTANCES_NORMALIZED, outputs },
  { "maximum", WF_OPTION_REAL, G_STRUCT_OFFSET (WfDistanceMapOptions, maximum),
    N_("Ma_ximum"),
    N_("The distance that, like all larger distances, becomes white, in the unit of the distances"),
    NULL, 0, LONGEST, 100, NULL, .meaning = WF_OPTION_LENGTH },
  { "step", WF_OPTION_REAL, G_STRUCT_OFFSET (WfDistanceMapOptions, step),
    N_("Ste_p"),
    N_("The distance between two contour lines, in the unit of the distances"),
    NULL, 0, LONGEST, 10, NULL, .meaning = WF_OPTION_LENGTH },
};

static const WfOptionGroup own_group =
{
  "plug-in-wavefront-distance-map", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfDistanceMapOptions)
};

static const WfArgumentNote notes[] =
{
  { "threshold", 0.5, N_("Lighter pixels are the foreground") },
  { "signed", 0, N_("Give the pixels of the other side the negative of their distance "
                    "to this side") },
  { "border-background", 0, N_("Count everything outside the layer, or outside the "
                               "selection, as background") },
  { NULL, 0, NULL }
};


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

static const char *
find_unit (GObject   *config,
           GimpImage *image)
{
  g_autofree char *unit    = NULL;
  g_autofree char *spacing = NULL;

  g_object_get (config, "unit", &unit, "spacing", &spacing, NULL);
  if (g_strcmp0 (unit, "image") == 0)
    return gimp_unit_get_abbreviation (gimp_image_get_unit (image));
  return g_strcmp0 (spacing, "1,1") == 0 || g_strcmp0 (spacing, "1,1,1") == 0
         ? _("pixels") : _("units of the spacing");
}

static void
show_unit (GObject    *config,
           GParamSpec *pspec,
           WfUnitBox  *box)
{
  wf_unit_box_set_unit (box, find_unit (config,
                                        g_object_get_data (G_OBJECT (box), "wavefront-image")));
}

/* Adds a row for a distance in the unit of the distances. */
static GtkWidget *
add_distance (WfDialog     *dialog,
              WfOptionGrid *grid,
              const char   *name)
{
  WfJob     *run    = wf_dialog_get_run (dialog);
  GObject   *config = G_OBJECT (run->config);
  GtkWidget *widget = wf_dialog_add_option (dialog, grid, name);

  g_object_set_data (G_OBJECT (widget), "wavefront-image", run->image);
  show_unit (config, NULL, WF_UNIT_BOX (widget));
  g_signal_connect_object (config, "notify::unit", G_CALLBACK (show_unit), widget, 0);
  g_signal_connect_object (config, "notify::spacing", G_CALLBACK (show_unit), widget, 0);
  return widget;
}

/* The connectivity and the algorithm do not change an exact map, so they
 * are arguments for scripts only.
 */
static void
fill_dialog (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid;
  GtkWidget    *conversion;

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
  wf_dialog_add_option (dialog, grid, "unit");
  wf_condition_show (config, "unit", "spacing", wf_dialog_add_option (dialog, grid, "spacing"));
  wf_dialog_add_option (dialog, grid, "output");
  wf_condition_show (config, "output", "clipped", add_distance (dialog, grid, "maximum"));
  wf_condition_show (config, "output", "contours", add_distance (dialog, grid, "step"));
  wf_condition_show (config, "output", "contours", wf_line_color_add_control (dialog, grid));
  conversion = wf_line_color_add_conversion (dialog, grid);
  if (conversion)
    wf_condition_show (config, "output", "contours", conversion);
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
make_result (WfJob                   *run,
             const WfDistancesShown  *shown,
             GError                 **error)
{
  const WfDistanceMapOptions *own   = run->own;
  GimpLayer        *layer = NULL;

  switch (own->output)
    {
    case WF_DISTANCES_IMAGE:
      g_value_set_object (wf_job_get_value (run, "distance-image"),
                          wf_distances_make_image (run, shown));
      return TRUE;
    case WF_DISTANCES_CONTOURS:
      layer = wf_distances_make_contours (run, shown, error);
      break;
    case WF_DISTANCES_NEAREST:
      layer = wf_distances_make_nearest (run, shown, error);
      break;
    default:
      layer = wf_distances_make_levels (run, shown, own->output);
      break;
    }
  if (layer)
    g_value_set_object (wf_job_get_value (run, "layer"), layer);
  return layer != NULL;
}

static gboolean
run (WfJob   *run,
     GError **error)
{
  const WfDistanceMapOptions *own = run->own;
  WfDistanceOptions  options   = *(const WfDistanceOptions *) run->operation;
  g_auto (WfImage)   distances = { 0 };
  g_auto (WfImage)   nearest   = { 0 };
  WfDistancesShown   shown     = { .distances = &distances, .nearest = &nearest,
                                   .white = own->maximum, .step = own->step };

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
  if (! make_result (run, &shown, error))
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
  .notes         = notes,
  .own           = &own_group,
  .add_arguments = wf_line_color_add_argument,
  .add_values    = add_values,
  .proposer      = &wf_distance_map_proposer,
  .fill_dialog   = fill_dialog,
  .preview       = &wf_distance_map_preview,
  .count_further = count_further,
  .run           = run,
};

WF_PLUG_IN_MAIN (&procedure)
