/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components.
 *
 * Two foreground pixels are connected if a path from neighbour to neighbour leads
 * from one to the other through the foreground.  The sets of connected pixels, the
 * components, are numbered from 1 in raster order of their first pixels; the
 * background gets 0.  Foreground is what is not 0, or what lies above a threshold.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/context.h"
#include "engine/core/record.h"


static gboolean
make_task (WfLabelTask           *task,
           const WfImage         *image,
           WfImage               *labels,
           const WfLabelOptions  *options,
           GError               **error)
{
  *task = (WfLabelTask) {
    .shape     = wf_image_shape (image),
    .threshold = options->threshold,
    .image     = image,
    .labels    = labels,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

/**
 * wf_label:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @labels: u32, size of @image: the result; may share the memory of @image
 * @n_components: (out) (nullable): how many components there are
 * @options: (nullable): threshold, connectivity, …
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %WF_ERROR_LABELS,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Numbers the connected components of the foreground; see the top of label.c
 * for the definition.
 *
 * Time: linear in the pixels, most of it for writing the labels, and nearly linear
 * in the runs of foreground in all rows.  Memory (`union-find`): an eighth of a byte
 * a pixel, 4 bytes a run, and with several threads 4 bytes a component.
 *
 * Source: He, Chao and Suzuki, A run-based two-scan labeling algorithm, IEEE
 * Transactions on Image Processing 17 (2008).
 *
 * Returns: %FALSE with @error set; then @labels is as it was, unless
 *   wf_context_set_partial_outputs() allows otherwise.
 */
gboolean
wf_label (WfContext             *context,
          const WfImage         *image,
          WfImage               *labels,
          guint32               *n_components,
          const WfLabelOptions  *options,
          GError               **error)
{
  g_autoptr (WfContext) own     = NULL;
  guint32               n_found = 0;
  WfLabelOptions        defaults;
  WfLabelTask           task;
  WfPlan                plan;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &defaults);
  if (! options)
    options = &defaults;
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_LABEL), options, error) ||
      ! wf_image_check_labels (image, labels, error) ||
      ! make_task (&task, image, labels, options, error))
    return FALSE;

  task.n_components = &n_found;
  own = wf_context_ensure (context);
  if (! wf_context_plan (own, WF_OPERATION_LABEL, options->algorithm, &task,
                         wf_image_n_pixels (image), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  if (! wf_context_run (own, WF_OPERATION_LABEL, &plan, &task, error))
    return FALSE;

  if (n_components)
    *n_components = n_found;
  return TRUE;
}

gboolean
wf_label_estimate (const WfImage         *image,
                   const WfLabelOptions  *options,
                   WfEstimate            *estimate,
                   GError               **error)
{
  WfLabelOptions defaults;
  WfLabelTask    task;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &defaults);
  if (! options)
    options = &defaults;
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_LABEL), options, error) ||
      ! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! make_task (&task, image, NULL, options, error))
    return FALSE;

  return wf_context_estimate (WF_OPERATION_LABEL, options->algorithm, &task, estimate, error);
}
