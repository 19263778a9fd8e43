/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-reconstruct: the layer is the mask; the marker is another
 * layer, the selection, or this layer lowered (by dilation) or raised (by erosion)
 * by a height, which makes the result the h-maxima or h-minima transform of the layer.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "by-reconstruction-preview.h"
#include "color-layers.h"
#include "command.h"
#include "filter-colors.h"
#include "filter.h"
#include "masked-filter.h"
#include "notes.h"
#include "plugins/common/marker/marker-chooser.h"
#include "plugins/common/marker/marker.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/swap/swap.h"
#include "reconstruct-marker.h"
#include "reconstruct.h"

static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The reconstruction"),
                                         FALSE, G_PARAM_READWRITE);
}

static void
fill_dialog (WfDialog *dialog)
{
  WfOptionGrid *grid   = wf_dialog_add_frame (dialog, _("Marker"));
  GtkWidget    *marker = wf_marker_chooser_new (wf_dialog_get_run (dialog),
                                               _("This layer, changed by the height"));
  GtkWidget    *height;

  wf_dialog_add_argument (dialog, grid, "marker", marker);
  height = wf_dialog_add_option (dialog, grid, "height");
  wf_marker_chooser_make_alternative (marker, height);

  grid = wf_dialog_add_frame (dialog, _("Reconstruction"));
  wf_dialog_add_option (dialog, grid, "by");
  wf_dialog_add_option (dialog, grid, "connectivity");
}

/**
 * Step:
 * @mask: of what is selected, or empty
 *
 * A reconstruction of one component, or of the luminance.
 */
typedef struct
{
  WfJob         *run;
  const WfImage *mask;
} Step;

/* Of WfColorFilter. */
static gboolean
reconstruct (WfComponent   component,
             WfImage      *levels,
             gpointer      data,
             GError      **error)
{
  const Step                    *step    = data;
  const WfReconstructOptions    *options = step->run->operation;
  const WfReconstructOwnOptions *own     = step->run->own;
  g_auto (WfImage)               marker  = { 0 };

  if (! wf_reconstruct_marker_read (step->run, levels, component, options->by, own->height,
                                    &marker, error) ||
      ! wf_masked_reconstruct (step->run->context, step->mask, levels, &marker, options, error))
    return FALSE;
  wf_swap_clear (levels);
  *levels = marker;
  marker  = (WfImage) { 0 };
  return TRUE;
}

static gboolean
run_colors (WfJob          *run,
            const WfImage  *mask,
            GError        **error)
{
  WfImage  components[3] = { 0 };
  Step     step          = { run, mask };
  gboolean success;

  wf_job_set_stage (run, 0.0, 0.9);
  success = wf_job_read_components (run, components, error) &&
            wf_colors_filter (run->colors, wf_job_get_format (run), components, reconstruct, &step,
                              error);
  if (success)
    {
      wf_job_set_stage (run, 0.9, 1.0);
      wf_color_layer_add (run, N_("Reconstruction of %s"), "layer", TRUE, components);
    }
  wf_components_clear (components);
  return success;
}

static gboolean
run (WfJob   *run,
     GError **error)
{
  const WfReconstructOptions    *options = run->operation;
  const WfReconstructOwnOptions *own     = run->own;
  g_auto (WfImage)               levels  = { 0 };
  g_auto (WfImage)               mask    = { 0 };
  g_auto (WfImage)               marker  = { 0 };
  GimpLayer                     *layer;

  if (! wf_job_read_mask (run, &mask, error))
    return FALSE;
  if (wf_job_keeps_colors (run))
    return run_colors (run, &mask, error);
  if (! wf_job_read (run, &levels, error) ||
      ! wf_reconstruct_marker_read (run, &levels, WF_COMPONENT_LUMINANCE, options->by,
                                    own->height, &marker, error))
    return FALSE;

  wf_job_set_stage (run, 0.0, 0.9);
  if (! wf_masked_reconstruct (run->context, &mask, &levels, &marker, options, error))
    return FALSE;
  wf_swap_clear (&levels);

  wf_job_set_stage (run, 0.9, 1.0);
  layer = wf_result_layer_new (run, _("Reconstruction of %s"), FALSE);
  wf_result_layer_set_image (run, layer, &marker);
  wf_result_layer_set_next (run, layer);
  g_value_set_object (wf_job_get_value (run, "layer"), layer);
  return TRUE;
}

/* The coverage by a selection that is the marker. */
static gsize
count_further (WfJob          *run,
               const WfSource *source)
{
  const gsize coverage = wf_marker_takes_selection (run) ? sizeof (float) : 0;
  const gsize level    = wf_type_size (source->type);
  gsize       marker   = 0;

  if (! wf_job_keeps_colors (run))
    return coverage;
  /* the marker's, and its components while they are read */
  if (run->colors == WF_COLORS_LUMINANCE)
    marker = wf_marker_is_given (run) && ! wf_marker_takes_selection (run) ? 4 * level : level;
  return coverage + wf_components_count (run->colors, source->type) + marker;
}

static gboolean
check_folder (WfJob      *run,
              GPtrArray  *left_out,
              GError    **error)
{
  if (! wf_marker_is_given (run))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The marker is one of this image: in a folder each image is its own "
                         "marker, changed by the height."));
  return FALSE;
}

static const WfFolderKind folder =
{
  .check = check_folder,
};

const WfProcedure wf_reconstruct_procedure =
{
  .name             = "plug-in-wavefront-reconstruct",
  .menu_label       = N_("_Reconstruction..."),
  .menu_place       = 3,
  .operation        = WF_OPERATION_RECONSTRUCT,
  .help             = N_("Makes a new layer with the morphological reconstruction of the layer, "
                         "the mask, from a marker: another layer or channel, the selection, or "
                         "without one the layer itself lowered or raised by a height.  By "
                         "dilation it is the largest image below the mask to which the marker "
                         "can grow; by erosion the smallest one above it."),
  .notes            = wf_reconstruct_notes,
  .own              = &wf_reconstruct_own_group,
  .offer_algorithms = TRUE,
  .add_arguments    = wf_marker_add_arguments,
  .add_values       = add_values,
  .recall           = wf_marker_recall,
  .remember         = wf_marker_remember,
  .takes_selection  = wf_marker_takes_selection,
  .fill_dialog      = fill_dialog,
  .preview          = &wf_reconstruct_preview,
  .count_further    = count_further,
  .folder           = &folder,
  .write_command    = wf_reconstruct_write_command,
  .run              = run,
};
