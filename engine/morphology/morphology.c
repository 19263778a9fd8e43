/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is built on reconstruction: the checks that all of it has in common, and the
 * operations that work on holes, borders and given minima.  extrema.c and openings.c
 * have the others.
 *
 *   fill holes      reconstruction by erosion of the image from its border: from an
 *                   image that equals it at its border, and inside has the type's
 *                   greatest value, or +infinity.
 *   clear border    the image, less its reconstruction by dilation from its border;
 *                   0 where both are equal.
 *   impose minima   the image that has the given markers for its minima.  F is the
 *                   type's least value, or −infinity, at the markers and the greatest
 *                   elsewhere; G the lesser of F and the next value above the image's
 *                   (the greatest stays); the result is the reconstruction by erosion
 *                   of G from F.
 *
 * The border of an image is its first and last row and column; that of a stack its
 * six faces.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.6 and 6.3.7.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context.h"
#include "morphology.h"
#include "engine/core/record.h"


/* The result is flags, not levels. */
static gboolean
gives_marks (WfOperation operation)
{
  return operation == WF_OPERATION_REGIONAL_MAXIMA || operation == WF_OPERATION_REGIONAL_MINIMA ||
         operation == WF_OPERATION_EXTENDED_MAXIMA || operation == WF_OPERATION_EXTENDED_MINIMA;
}

static gboolean
check_images (WfOperation     operation,
              const WfImage  *image,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check (image, _("image"), error) &&
         wf_image_check (out, _("result"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_image_check_type (out, gives_marks (operation) ? WF_TYPE_U8 : image->type,
                              _("result"), error) &&
         wf_image_check_size (out, _("result"), image, _("image"), error);
}

static gboolean
check_markers (const WfImage  *image,
               const WfImage  *markers,
               GError        **error)
{
  if (! wf_image_check (markers, _("marker image"), error))
    return FALSE;
  if (markers->type != WF_TYPE_U8 && markers->type != WF_TYPE_U16 &&
      markers->type != WF_TYPE_U32 && markers->type != WF_TYPE_F32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The %s has pixels of type %s; they must be u8, u16, u32 or f32."),
                   _("marker image"), wf_type_name (markers->type));
      return FALSE;
    }
  return wf_image_check_size (markers, _("marker image"), image, _("image"), error) &&
         wf_image_check_marked (markers, error);
}

static gboolean
make_task (WfMorphologyTask           *task,
           WfOperation                 operation,
           const WfImage              *image,
           const WfMorphologyOptions  *options,
           GError                    **error)
{
  if (! wf_option_group_check (wf_operation_get_options (operation), options, error))
    return FALSE;

  *task = (WfMorphologyTask) {
    .operation = operation,
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .height    = options->height,
    .element   = options->element,
    .radius    = options->radius,
    .image     = image,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

/* An option that has no default is one that the caller has to set. */
static gboolean
check_height (WfOperation                 operation,
              const WfMorphologyOptions  *options,
              GError                    **error)
{
  const WfOptionGroup *group = wf_operation_get_options (operation);

  if (! wf_option_group_find (group, "height") || ! isnan (options->height))
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The operation %s needs a height, and none is set."), group->name);
  return FALSE;
}

/* Checks, chooses and runs; @markers are those of imposed minima. */
gboolean
wf_morphology_run (WfOperation                 operation,
                   WfContext                  *context,
                   const WfImage              *image,
                   const WfImage              *markers,
                   WfImage                    *out,
                   const WfMorphologyOptions  *options,
                   GError                    **error)
{
  g_autoptr (WfContext) own = NULL;
  WfMorphologyOptions   defaults;
  WfMorphologyTask      task;
  WfPlan                plan;

  wf_option_group_init (wf_operation_get_options (operation), &defaults);
  if (! options)
    options = &defaults;
  if (! check_images (operation, image, out, error) ||
      ! make_task (&task, operation, image, options, error) ||
      ! check_height (operation, options, error))
    return FALSE;

  task.markers = markers;
  task.out     = out;
  own = wf_context_ensure (context);
  if ((operation == WF_OPERATION_IMPOSE_MINIMA && ! check_markers (image, markers, error)) ||
      ! wf_context_plan (own, operation, options->algorithm, &task, wf_image_n_pixels (image),
                         &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  plan.inputs[1] = (WfInput) { markers, _("marker image") };
  return wf_context_run (own, operation, &plan, &task, error);
}

gboolean
wf_morphology_estimate (WfOperation                 operation,
                        const WfImage              *image,
                        const WfMorphologyOptions  *options,
                        WfEstimate                 *estimate,
                        GError                    **error)
{
  WfMorphologyOptions defaults;
  WfMorphologyTask    task;

  wf_option_group_init (wf_operation_get_options (operation), &defaults);
  if (! options)
    options = &defaults;
  if (! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! make_task (&task, operation, image, options, error))
    return FALSE;

  return wf_context_estimate (operation, options->algorithm, &task, estimate, error);
}


/**
 * wf_fill_holes:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): connectivity (of the paths out of a hole), algorithm
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Raises every pixel that no path from the image's border reaches at a lower level:
 * reconstruction by erosion of @image from its border.  Zeros of f32 leave as +0.
 *
 * Time as wf_reconstruct().  Memory: what that takes, and an image more, unless the
 * context allows partial outputs.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.7.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_fill_holes (WfContext                  *context,
               const WfImage              *image,
               WfImage                    *out,
               const WfMorphologyOptions  *options,
               GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_FILL_HOLES, context, image, NULL, out, options, error);
}

/**
 * wf_clear_border:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Removes what is bright and connected to the image's border: @image less its
 * reconstruction by dilation from its border.  It is 0 where both are equal, for
 * infinities too.
 *
 * Time and memory as wf_fill_holes().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.7.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_clear_border (WfContext                  *context,
                 const WfImage              *image,
                 WfImage                    *out,
                 const WfMorphologyOptions  *options,
                 GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_CLEAR_BORDER, context, image, NULL, out, options, error);
}

/**
 * wf_impose_minima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @markers: u8, u16, u32 or f32, size of @image: not 0 where a minimum shall be, and
 *   somewhere it is not
 * @out: type and size of @image; may be @image itself, or @markers where the type is
 *   the same
 * @options: (nullable): connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Changes @image so that its regional minima are the connected components of
 * @markers, wherever the type has values enough for that: markers get the type's least
 * value, and the image is raised by one value of the type and wherever else it has
 * another minimum.  See the top of morphology.c for the definition.
 *
 * Time as wf_reconstruct().  Memory: what that takes, and two images more, or one if
 * the context allows partial outputs.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.6.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_impose_minima (WfContext                  *context,
                  const WfImage              *image,
                  const WfImage              *markers,
                  WfImage                    *out,
                  const WfMorphologyOptions  *options,
                  GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_IMPOSE_MINIMA, context, image, markers, out, options,
                            error);
}
