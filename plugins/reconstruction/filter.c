/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The common part of the procedures that are one operation from an image to an image:
 * the dialog has the operation's options, the operation works in place, and its
 * result becomes a layer.
 *
 * If a second layer shows the change, the layer's levels are kept, and become their change in the
 * end.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "color-layers.h"
#include "filter.h"
#include "masked-filter.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/swap/swap.h"


/**
 * wf_filter_add_values:
 * @procedure: a procedure under construction
 *
 * Adds the return value of an operation with one result.
 */
void
wf_filter_add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The new layer; for a stack, the new group"),
                                         FALSE, G_PARAM_READWRITE);
}

static void
add_filtered_value (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The filtered layer, if requested"),
                                         TRUE, G_PARAM_READWRITE);
}

/**
 * wf_filter_add_dome_values:
 * @procedure: a procedure under construction
 *
 * Adds the return values of the h-maxima.
 */
void
wf_filter_add_dome_values (GimpProcedure *procedure)
{
  add_filtered_value (procedure);
  gimp_procedure_add_layer_return_value (procedure, "dome-layer", _("Layer with the domes"),
                                         _("The parts that were cut off, if requested"),
                                         TRUE, G_PARAM_READWRITE);
}

/**
 * wf_filter_add_basin_values:
 * @procedure: a procedure under construction
 *
 * Adds the return values of the h-minima.
 */
void
wf_filter_add_basin_values (GimpProcedure *procedure)
{
  add_filtered_value (procedure);
  gimp_procedure_add_layer_return_value (procedure, "basin-layer",
                                         C_("h-minima", "Layer with the basins"),
                                         _("The parts that were filled, if requested"),
                                         TRUE, G_PARAM_READWRITE);
}

static void
add_options (WfDialog            *dialog,
             const char          *title,
             const WfOptionGroup *group)
{
  WfOptionGrid *grid = wf_dialog_add_frame (dialog, title);

  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].meaning != WF_OPTION_ALGORITHM)
      {
        const char *name    = group->options[i].name;
        GtkWidget  *control = wf_dialog_add_option (dialog, grid, name);

        if (strcmp (name, "angle") == 0)
          wf_condition_show (G_OBJECT (wf_dialog_get_run (dialog)->config), "element", "line",
                             control);
      }
}

/**
 * wf_filter_fill_dialog:
 * @dialog: a dialog
 *
 * Adds the operation's options, and the choice of layers if there is one.
 */
void
wf_filter_fill_dialog (WfDialog *dialog)
{
  const WfProcedure *procedure = wf_dialog_get_run (dialog)->procedure;
  const WfFilter    *filter    = procedure->data;

  add_options (dialog, g_dgettext (GETTEXT_PACKAGE, filter->frame),
               wf_operation_get_options (procedure->operation));
  if (filter->residue_name)
    add_options (dialog, _("New Layers"), procedure->own);
}

/**
 * wf_filter_gives_marks:
 * @procedure: a procedure whose data is a #WfFilter
 *
 * Returns: whether its result marks pixels; else it is an image like the layer.
 */
gboolean
wf_filter_gives_marks (const WfProcedure *procedure)
{
  return wf_operation_describe (procedure->operation)->outputs[0].content == WF_CONTENT_MARKS;
}

static const WfResidueOptions *
find_residue_options (WfJob *run)
{
  const WfFilter *filter = run->procedure->data;

  return filter->residue_name ? run->own : NULL;
}

/**
 * wf_filter_wants_residue:
 * @run: a run of a procedure whose data is a #WfFilter
 *
 * Returns: whether a layer with the change is requested
 */
gboolean
wf_filter_wants_residue (WfJob *run)
{
  const WfResidueOptions *own = find_residue_options (run);

  return own && own->residue;
}

/**
 * wf_filter_wants_filtered:
 * @run: a run of a procedure whose data is a #WfFilter
 *
 * Returns: whether a layer with the result is requested
 */
gboolean
wf_filter_wants_filtered (WfJob *run)
{
  const WfResidueOptions *own = find_residue_options (run);

  return ! own || own->filtered;
}

static void
make_layer (WfJob         *run,
            const WfImage *result)
{
  const WfFilter *filter = run->procedure->data;
  GimpLayer      *layer  = wf_result_layer_new (run,
                                                g_dgettext (GETTEXT_PACKAGE, filter->layer_name),
                                                FALSE);

  if (wf_filter_gives_marks (run->procedure))
    wf_result_layer_set_marks (run, layer, result);
  else
    wf_result_layer_set_image (run, layer, result);
  if (! wf_filter_gives_marks (run->procedure) || filter->next)
    wf_result_layer_set_next (run, layer);
  g_value_set_object (wf_job_get_value (run, "layer"), layer);
}

/* @levels: those of the layer, which become their change */
static void
make_residue_layer (WfJob         *run,
                    WfImage       *levels,
                    const WfImage *result)
{
  const WfFilter *filter = run->procedure->data;
  GimpLayer      *layer  = wf_result_layer_new (run,
                                                g_dgettext (GETTEXT_PACKAGE, filter->residue_name),
                                                FALSE);

  wf_levels_differ (levels, result, levels);
  wf_result_layer_set_image (run, layer, levels);
  if (! wf_filter_wants_filtered (run))
    wf_result_layer_set_next (run, layer);
  g_value_set_object (wf_job_get_value (run, filter->residue_value), layer);
}

/* Marks need an image of their own, of one byte per pixel; levels change in place unless they
 * are kept, or read in blocks while others are written.
 */
static gboolean
prepare_result (WfJob          *run,
                const WfImage  *image,
                WfImage        *result,
                GError        **error)
{
  WfType type = wf_operation_get_output_type (run->procedure->operation, 0, image->type, NULL);

  if (type == image->type && ! wf_filter_wants_residue (run) && ! wf_swap_is_on ())
    {
      *result           = *image;
      result->allocated = NULL;
      return TRUE;
    }
  return wf_swap_allocate (result, type, image->width, image->height, image->depth, error);
}

static gboolean
adapt (WfJob          *run,
       const WfImage  *image,
       const WfImage  *mask,
       GError        **error)
{
  const WfFilter *filter = run->procedure->data;

  if (filter->adapt && ! filter->adapt (run->own, image, mask, run->operation, error))
    return FALSE;
  if (filter->report)
    filter->report (run);
  return TRUE;
}

static gboolean
check_requests (WfJob   *run,
                GError **error)
{
  if (wf_filter_wants_filtered (run) || wf_filter_wants_residue (run))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("Neither the filtered layer nor the layer with the removed parts is "
                 "requested."));
  return FALSE;
}

/**
 * wf_filter_run:
 * @run: the run of a procedure whose data is a #WfFilter
 * @error: as the operation sets it; %WF_ERROR_INVALID if no layer is requested
 *
 * The filtered layer, which the preview shows, lies above that of the removed parts.
 *
 * Returns: whether there are results
 */
gboolean
wf_filter_run (WfJob   *run,
               GError **error)
{
  g_auto (WfImage) image  = { 0 };
  g_auto (WfImage) mask   = { 0 };
  g_auto (WfImage) result = { 0 };

  if (! check_requests (run, error))
    return FALSE;
  if (wf_job_keeps_colors (run))
    return wf_color_layers_run (run, error);
  if (! wf_job_read (run, &image, error) ||
      ! wf_job_read_mask (run, &mask, error) ||
      ! adapt (run, &image, &mask, error) ||
      ! prepare_result (run, &image, &result, error))
    return FALSE;

  wf_job_set_stage (run, 0.0, 0.8);
  if (! wf_masked_filter_run (run->context, run->procedure->operation, &mask, &image, &result,
                              run->operation, error))
    return FALSE;
  wf_mask_fill (&mask, &image, 0);

  wf_job_set_stage (run, 0.8, wf_filter_wants_filtered (run) ? 0.9 : 1.0);
  if (wf_filter_wants_residue (run))
    make_residue_layer (run, &image, &result);
  if (wf_filter_wants_filtered (run))
    {
      wf_job_set_stage (run, wf_filter_wants_residue (run) ? 0.9 : 0.8, 1.0);
      make_layer (run, &result);
    }
  return TRUE;
}
