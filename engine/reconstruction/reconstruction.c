/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Morphological reconstruction.
 *
 * By dilation of a mask I from a marker J: the largest image R ≤ I that repeated
 * geodesic dilations of min (J, I) lead to, where a geodesic dilation replaces
 * each pixel by the largest value among it and its neighbours, then by the mask
 * where that is smaller.  By erosion: the same upside down, the smallest R ≥ I
 * from max (J, I).  R(p) is the highest level at which p can be reached from
 * somewhere in the marker without leaving the mask (Vincent 1993; Soille 2003,
 * chapter 6).
 *
 * Every order of raising single pixels ends at the same R, so the variants may
 * scan, queue, tile and race as they like.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/context.h"
#include "engine/core/record.h"


static gboolean
check_images (const WfImage  *mask,
              const WfImage  *marker,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check (mask, _("mask"), error) &&
         wf_image_check (marker, _("marker"), error) &&
         wf_image_check (out, _("result"), error) &&
         wf_image_check_work_type (mask, _("mask"), error) &&
         wf_image_check_type (marker, mask->type, _("marker"), error) &&
         wf_image_check_type (out, mask->type, _("result"), error) &&
         wf_image_check_size (marker, _("marker"), mask, _("mask"), error) &&
         wf_image_check_size (out, _("result"), mask, _("mask"), error);
}

static gboolean
make_task (WfReconstructTask           *task,
           const WfImage               *mask,
           const WfImage               *marker,
           WfImage                     *out,
           const WfReconstructOptions  *options,
           GError                     **error)
{
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_RECONSTRUCT),
                               options, error))
    return FALSE;

  *task = (WfReconstructTask) {
    .shape  = wf_image_shape (mask),
    .type   = mask->type,
    .by     = options->by,
    .mask   = mask,
    .marker = marker,
    .out    = out,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

/**
 * wf_reconstruct:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @mask: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @marker: type and size of @mask; values beyond @mask count as @mask
 * @out: type and size of @mask; may be @mask or @marker itself
 * @options: (nullable): direction, connectivity, algorithm
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Morphological reconstruction by dilation or by erosion; see the top of
 * reconstruction.c for the definition.  Zeros of f32 leave as +0.
 *
 * Time: `sweeps`, the default for images, visits a tile of 64 × 64 pixels about twice
 * and sweeps it a dozen times, many pixels at once; a long winding corridor costs a
 * visit for each time it crosses a tile.  `tiled`, the default for stacks, makes two
 * scans in each tile and queues a pixel whenever it changes.  `non-tiled` does so with
 * all threads in one whole image.  `sequential`, `queue` and `hybrid` are Vincent's
 * algorithms in one thread; `sequential` takes two scans of the image for every turn
 * of a winding corridor.  Memory: an image of the input's type and a sixteenth more
 * (`sweeps`); or an image, one more for each input that is not packed, and the queue
 * (the others).
 *
 * Source: Vincent, Morphological grayscale reconstruction in image analysis, IEEE
 * Transactions on Image Processing 2 (1993), sections 4.2 to 4.4; Teodoro et al.,
 * Parallel Computing 39 (2013), for tiles that queue their neighbours and for threads
 * that share an image.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_reconstruct (WfContext                   *context,
                const WfImage               *mask,
                const WfImage               *marker,
                WfImage                     *out,
                const WfReconstructOptions  *options,
                GError                     **error)
{
  g_autoptr (WfContext) own = NULL;
  WfReconstructOptions  defaults;
  WfReconstructTask     task;
  WfPlan                plan;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &defaults);
  if (! options)
    options = &defaults;
  if (! check_images (mask, marker, out, error) ||
      ! make_task (&task, mask, marker, out, options, error))
    return FALSE;

  own = wf_context_ensure (context);
  if (! wf_context_plan (own, WF_OPERATION_RECONSTRUCT, options->algorithm, &task,
                         wf_image_n_pixels (mask), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { mask, _("mask") };
  plan.inputs[1] = (WfInput) { marker, _("marker") };
  return wf_context_run (own, WF_OPERATION_RECONSTRUCT, &plan, &task, error);
}

gboolean
wf_reconstruct_estimate (const WfImage               *image,
                         const WfReconstructOptions  *options,
                         WfEstimate                  *estimate,
                         GError                     **error)
{
  WfReconstructOptions defaults;
  WfReconstructTask    task;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &defaults);
  if (! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! make_task (&task, image, image, NULL, options ? options : &defaults, error))
    return FALSE;

  return wf_context_estimate (WF_OPERATION_RECONSTRUCT, options ? options->algorithm : NULL,
                              &task, estimate, error);
}
