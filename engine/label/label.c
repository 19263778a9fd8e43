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

#include "blocks.h"
#include "engine/blocks/sharing.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"


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

static gboolean
run_on_one (WfContext          *context,
            const WfLabelTask  *task,
            const char         *algorithm,
            GError            **error)
{
  WfPlan plan;

  if (! wf_context_plan (context, WF_OPERATION_LABEL, algorithm, task,
                         wf_image_n_pixels (task->image), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { task->image, _("image") };
  return wf_context_run (context, WF_OPERATION_LABEL, &plan, task, error);
}

/**
 * wf_label:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @labels: u32, size of @image: the result; may share the memory of @image
 * @n_components: (out) (optional): how many components there are
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
  WfLabelOptions        taken;
  WfLabelTask           task;

  if (! wf_operation_take (WF_OPERATION_LABEL, options, &taken, error) ||
      ! wf_image_check_labels (image, labels, error) ||
      ! make_task (&task, image, labels, &taken, error))
    return FALSE;

  task.n_components = &n_found;
  own = wf_context_ensure (context);
  if (wf_is_shared (own, WF_OPERATION_LABEL, taken.algorithm, &task, image))
    {
      if (! wf_label_shared (own, &task, &taken, error))
        return FALSE;
    }
  else if (! run_on_one (own, &task, taken.algorithm, error))
    return FALSE;

  if (n_components)
    *n_components = n_found;
  return TRUE;
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfLabelOptions taken;
  WfLabelTask    task;

  return wf_operation_take (operation, options, &taken, error) &&
         wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         make_task (&task, image, NULL, &taken, error) &&
         wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/*  The record  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_label (call->context, call->inputs[0], call->outputs[0], call->count, call->options,
                   error);
}

static const WfChoice algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "union-find", 0, N_("Runs of pixels, joined by union-find") },
  { NULL }
};

static const WfOption options[] =
{
  WF_THRESHOLD_OPTION (WfLabelOptions),
  WF_CONNECTIVITY_OPTION (WfLabelOptions, wf_connectivities, WF_NEIGHBOURS),
  WF_ALGORITHM_OPTION (WfLabelOptions, algorithms, WF_SAME_RESULT),
};

static const WfOperand outputs[] =
{
  { .name = "labels", .content = WF_CONTENT_LABELS, .types = 1 << WF_TYPE_U32 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_LABEL,
    .options   = {
      .name      = "label",
      .title     = N_("Connected Components"),
      .blurb     = N_("Number the connected components of the foreground"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfLabelOptions),
    },
    .category  = N_("Operations"),
    .flags     = WF_WORKS_ON_STACKS,
    .inputs    = wf_one_image,
    .outputs   = outputs,
    .counts    = "components",
    .cpu       = wf_cpu_label_variants,
    .share_cost = 1.4,
    .run       = run,
    .estimate  = estimate,
  },
};

const WfOperationTable wf_label_operations = { records, G_N_ELEMENTS (records) };
