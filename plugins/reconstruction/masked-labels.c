/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for labels within a mask: what lies outside is background, before and after.  So the
 * area of a region is that of its pixels inside.  Regions grow by distances that do not depend on
 * the mask, as through what lies outside, and then keep what is inside.
 *
 * Takes no memory beside that of the operation.
 */

#include "config.h"

#include "masked-labels.h"
#include "plugins/common/input/mask.h"


/**
 * wf_masked_labels_run:
 * @context: of the computation
 * @operation: a tool for labels
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count
 * @labels: u8 or u16, without gaps between its rows; set to the result, which is 0 outside @mask
 * @n_regions: (out) (optional): how many regions there are afterwards
 * @options: of the operation
 * @error: as the operation sets it; @labels may have changed then
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_labels_run (WfContext      *context,
                      WfOperation     operation,
                      const WfImage  *mask,
                      WfImage        *labels,
                      guint32        *n_regions,
                      gconstpointer   options,
                      GError        **error)
{
  const WfImage *inputs[WF_MAX_OPERANDS]  = { labels };
  WfImage       *outputs[WF_MAX_OPERANDS] = { labels };

  wf_mask_fill (mask, labels, 0);
  if (! wf_operation_run (context, operation, inputs, outputs, n_regions, options, error))
    return FALSE;
  wf_mask_fill (mask, labels, 0);
  return TRUE;
}
