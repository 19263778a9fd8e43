/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels that go into a preview's computation and the result that comes out: both are
 * made in one thread and used in another, so their references are counted atomically.
 */

#include "config.h"

#include "job.h"


static void
inputs_clear (gpointer data)
{
  WfPreviewInputs *inputs = data;

  for (guint i = 0; i < WF_PREVIEW_N_INPUTS; i++)
    wf_image_clear (&inputs->images[i]);
}

/**
 * wf_preview_inputs_new:
 * @source: where the pixels come from
 * @data: for the functions of @source
 * @region: what to read
 * @error: as the source sets it
 *
 * Returns: (transfer full) (nullable): the pixels, or %NULL with @error set.
 */
WfPreviewInputs *
wf_preview_inputs_new (const WfPreviewSource  *source,
                       gpointer                data,
                       const WfPreviewRegion  *region,
                       GError                **error)
{
  g_autoptr (WfPreviewInputs) inputs = g_atomic_rc_box_new0 (WfPreviewInputs);

  inputs->region = *region;
  if (! source->read_inputs (region, inputs->images, data, error))
    return NULL;
  return g_steal_pointer (&inputs);
}

/**
 * wf_preview_inputs_new_empty:
 * @region: what is to be read
 *
 * Returns: (transfer full): pixels whose images are all zero, to be allocated and filled
 */
WfPreviewInputs *
wf_preview_inputs_new_empty (const WfPreviewRegion *region)
{
  WfPreviewInputs *inputs = g_atomic_rc_box_new0 (WfPreviewInputs);

  inputs->region = *region;
  return inputs;
}

/**
 * wf_preview_inputs_ref:
 * @inputs: pixels
 *
 * Returns: (transfer full): @inputs
 */
WfPreviewInputs *
wf_preview_inputs_ref (WfPreviewInputs *inputs)
{
  return g_atomic_rc_box_acquire (inputs);
}

/**
 * wf_preview_inputs_unref:
 * @inputs: (transfer full): pixels
 */
void
wf_preview_inputs_unref (WfPreviewInputs *inputs)
{
  g_atomic_rc_box_release_full (inputs, inputs_clear);
}

static void
result_clear (gpointer data)
{
  WfPreviewResult *result = data;

  wf_image_clear (&result->image);
  wf_image_clear (&result->mask);
  wf_image_clear (&result->values);
  g_clear_pointer (&result->label_lines, wf_label_lines_free);
  if (result->free_extra)
    result->free_extra (result->extra);
}

/**
 * wf_preview_result_new:
 * @region: that it is computed from
 *
 * Returns: (transfer full): a result without pixels.
 */
WfPreviewResult *
wf_preview_result_new (const WfPreviewRegion *region)
{
  WfPreviewResult *result = g_atomic_rc_box_new0 (WfPreviewResult);

  result->region = *region;
  result->white  = 1;
  return result;
}

/**
 * wf_preview_result_ref:
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
WfPreviewResult *
wf_preview_result_ref (WfPreviewResult *result)
{
  return g_atomic_rc_box_acquire (result);
}

/**
 * wf_preview_result_unref:
 * @result: (transfer full): a result
 */
void
wf_preview_result_unref (WfPreviewResult *result)
{
  g_atomic_rc_box_release_full (result, result_clear);
}
