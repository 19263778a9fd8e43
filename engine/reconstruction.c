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

#include "context.h"
#include "operations.h"


/* f32 zeros leave as +0, whichever of the two came in. */
#define CLAMP_BODY(type, below) \
  for (gint64 p = 0; p < n; p++) \
    { \
      type m = ((const type *) mask)[p]; \
      type j = ((const type *) marker)[p]; \
\
      ((type *) result)[p] = ((below) ? m < j : m > j) ? m : j; \
    }

static void
clamp_marker (WfType        type,
              WfDirection   by,
              gconstpointer mask,
              gconstpointer marker,
              gpointer      result,
              gint64        n)
{
  gboolean below = by == WF_BY_DILATION;

  switch (type)
    {
    case WF_TYPE_U8:
      CLAMP_BODY (guint8, below)
      break;
    case WF_TYPE_U16:
      CLAMP_BODY (guint16, below)
      break;
    default:
      CLAMP_BODY (float, below)
      break;
    }
}

static void
clear_signs_of_zero (float  *pixels,
                     gint64  n)
{
  for (gint64 p = 0; p < n; p++)
    pixels[p] += 0.0f;
}

static guint64
count_front_memory (const WfImage *mask,
                    const WfImage *marker)
{
  guint64 bytes  = (guint64) wf_image_n_pixels (mask) * wf_type_size (mask->type);
  guint   copies = 1;

  if (! wf_image_is_packed (mask))
    copies++;
  if (marker && ! wf_image_is_packed (marker))
    copies++;
  return copies * bytes;
}

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
         wf_image_check_size (out, _("result"), mask, _("mask"), error) &&
         wf_image_check_nan (mask, _("mask"), error) &&
         wf_image_check_nan (marker, _("marker"), error);
}

static gboolean
make_task (WfReconstructTask           *task,
           const WfImage               *mask,
           const WfReconstructOptions  *options,
           GError                     **error)
{
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_RECONSTRUCT),
                               options, error))
    return FALSE;

  *task = (WfReconstructTask) {
    .shape = wf_image_shape (mask),
    .type  = mask->type,
    .by    = options->by,
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
 * engine/reconstruction.c for the definition.  Zeros of f32 leave as +0.
 *
 * Time: two scans, and a queue that visits a pixel whenever it changes (`hybrid`;
 * many times on masks with long winding corridors).  Memory: an image of the
 * input's type, one more for each input that is not packed, and the queue.
 *
 * Source: Vincent, Morphological grayscale reconstruction in image analysis, IEEE
 * Transactions on Image Processing 2 (1993), section 4.4.
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
  g_autoptr (WfContext)  own         = NULL;
  g_autofree gpointer    mask_copy   = NULL;
  g_autofree gpointer    marker_copy = NULL;
  g_autofree gpointer    result      = NULL;
  gconstpointer          packed_marker;
  WfReconstructOptions   defaults;
  WfReconstructTask      task;
  WfPlan                 plan;
  gint64                 n;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &defaults);
  if (! options)
    options = &defaults;
  if (! check_images (mask, marker, out, error) || ! make_task (&task, mask, options, error))
    return FALSE;

  own = wf_context_ensure (context);
  n   = wf_image_n_pixels (mask);
  if (! wf_context_plan (own, WF_OPERATION_RECONSTRUCT, options->algorithm, &task, n,
                         count_front_memory (mask, marker), &plan, error) ||
      ! wf_image_pack (mask, &task.mask, &mask_copy, error) ||
      ! wf_image_pack (marker, &packed_marker, &marker_copy, error) ||
      ! (result = wf_allocate (n, wf_type_size (mask->type), error)))
    return FALSE;

  task.result = result;
  clamp_marker (task.type, task.by, task.mask, packed_marker, result, n);
  if (! wf_context_run (own, WF_OPERATION_RECONSTRUCT, &plan, &task, error))
    return FALSE;

  if (task.type == WF_TYPE_F32)
    clear_signs_of_zero (result, n);
  wf_image_unpack (out, result);
  return TRUE;
}

gboolean
wf_reconstruct_estimate (const WfImage               *image,
                         const WfReconstructOptions  *options,
                         guint64                     *bytes,
                         GError                     **error)
{
  WfReconstructOptions defaults;
  WfReconstructTask    task;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &defaults);
  if (! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! make_task (&task, image, options ? options : &defaults, error))
    return FALSE;

  return wf_context_estimate (WF_OPERATION_RECONSTRUCT,
                              options ? options->algorithm : NULL, &task,
                              count_front_memory (image, NULL), bytes, error);
}
