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

#include "blocks.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"


static gboolean
check_images (const WfImage  *mask,
              const WfImage  *marker,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check_view (mask, _("mask"), error) &&
         wf_image_check_view (marker, _("marker"), error) &&
         wf_image_check_view (out, _("result"), error) &&
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
  *task = (WfReconstructTask) {
    .shape  = wf_image_shape (mask),
    .type   = mask->type,
    .by     = options->by,
    .mask   = mask,
    .marker = marker,
    .out    = out,

    .scans      = options->scans,
    .queue_size = options->queue_size,
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
 * Parallel Computing 39 (2013), for tiles that queue their neighbors and for threads
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
  WfReconstructOptions  taken;
  WfReconstructTask     task;
  WfPlan                plan;

  if (! check_images (mask, marker, out, error) ||
      ! wf_operation_take (WF_OPERATION_RECONSTRUCT, options, &taken, error) ||
      ! make_task (&task, mask, marker, out, &taken, error))
    return FALSE;

  own = wf_context_ensure (context);
  if (wf_reconstruct_is_shared (own, &task, taken.algorithm))
    return wf_reconstruct_shared (own, &task, &taken, error);
  if (! wf_context_plan (own, WF_OPERATION_RECONSTRUCT, taken.algorithm, &task,
                         wf_image_n_pixels (mask), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { mask, _("mask") };
  plan.inputs[1] = (WfInput) { marker, _("marker") };
  return wf_context_run (own, WF_OPERATION_RECONSTRUCT, &plan, &task, error);
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfReconstructOptions taken;
  WfReconstructTask    task;

  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_operation_take (operation, options, &taken, error) &&
         make_task (&task, image, image, NULL, &taken, error) &&
         wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/*  The record  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_reconstruct (call->context, call->inputs[0], call->inputs[1], call->outputs[0],
                         call->options, error);
}

const WfChoice wf_reconstruct_algorithms[] =
{
  { "auto", 0, N_("Automatic") },
  WF_RECONSTRUCTIONS,
  { "basins", 0, N_("The graph of basins of regional maxima or minima (on a GPU)"), TRUE },
  { "raster", 0, N_("Scans in four or six directions until nothing changes (on a GPU)"), TRUE },
  { "queue-prefix", 0, N_("Like the queue, with a prefix sum for each neighbor (on a GPU)"), TRUE },
  { "queue-naive", 0, N_("Like the queue, with an atomic operation for each pixel (on a GPU)"),
    TRUE },
  { NULL }
};

static const WfChoice directions[] =
{
  { "dilation", WF_BY_DILATION, N_("Dilation") },
  { "erosion",  WF_BY_EROSION,  N_("Erosion") },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "by",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfReconstructOptions, by),
    .label         = N_("_By"),
    .blurb         = N_("Dilation raises the marker under the mask, erosion lowers it over the "
                        "mask"),
    .placeholder   = "dilation|erosion",
    .default_value = WF_BY_DILATION,
    .choices       = directions,
  },
  WF_CONNECTIVITY_OPTION (WfReconstructOptions, wf_connectivities, WF_NEIGHBOURS),
  WF_ALGORITHM_OPTION (WfReconstructOptions, wf_reconstruct_algorithms, WF_SAME_RESULT),
  {
    .name          = "scans",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_COMPARISON,
    .offset        = G_STRUCT_OFFSET (WfReconstructOptions, scans),
    .label         = N_("_Scans"),
    .blurb         = N_("Passes of scans before the queues on a GPU; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = 1000,
  },
  {
    .name          = "queue-size",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_COMPARISON,
    .offset        = G_STRUCT_OFFSET (WfReconstructOptions, queue_size),
    .label         = N_("_Queue size"),
    .blurb         = N_("Places in the queue of a block on a GPU; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = 1 << 28,
  },
};

static const WfOperand inputs[] =
{
  { .name = "mask", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { .name = "marker", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS, .same_type = TRUE },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_RECONSTRUCT,
    .options   = {
      .name      = "reconstruct",
      .title     = N_("Morphological Reconstruction"),
      .blurb     = N_("Grow a marker image inside a mask image until nothing changes"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfReconstructOptions),
    },
    .category  = N_("Operations"),
    .flags     = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE,
    .inputs    = inputs,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_reconstruct_variants,
    .share_cost = 1.5,
    .run       = run,
    .estimate  = estimate,
  },
};

const WfOperationTable wf_reconstruct_operations = { records, G_N_ELEMENTS (records) };
