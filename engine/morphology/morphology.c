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
 * Holes are dark parts, and what encloses them is bright.  Bright parts of 8 neighbours, which
 * wf_label() finds by default, enclose a hole where only corners would lead out of it; so the
 * paths out of a hole have the dual connectivity, 4, or in a stack 6, unless another one is
 * asked for (Kong and Rosenfeld, Digital topology: introduction and survey, Computer Vision,
 * Graphics, and Image Processing 48, 1989).
 *
 * The border of an image is its first and last row and column; that of a stack its
 * six faces.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.6 and 6.3.7.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/memory.h"
#include "morphology.h"


static gboolean
check_images (WfOperation     operation,
              const WfImage  *image,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_view (out, _("result"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_image_check_type (out, wf_operation_get_output_type (operation, 0, image->type, NULL),
                              _("result"), error) &&
         wf_image_check_size (out, _("result"), image, _("image"), error);
}

/* Checks the type and the size of a marker image; its pixels are not read. */
gboolean
wf_morphology_check_markers (const WfImage  *image,
                             const WfImage  *markers,
                             GError        **error)
{
  return wf_image_check_view (markers, _("marker image"), error) &&
         wf_image_check_marker_type (markers, error) &&
         wf_image_check_size (markers, _("marker image"), image, _("image"), error);
}

static gboolean
check_markers (WfContext      *context,
               const WfImage  *image,
               const WfImage  *markers,
               GError        **error)
{
  return wf_morphology_check_markers (image, markers, error) &&
         wf_context_check_marked (context, markers, error);
}

/* The connectivity that is asked for, or that 0 stands for if it is not that of all neighbours. */
static int
find_connectivity (WfOperation                 operation,
                   const WfMorphologyOptions  *options,
                   const WfImage              *image)
{
  const WfOption *option = wf_option_group_find (wf_operation_get_options (operation),
                                                 "connectivity");

  if (options->connectivity != 0 || option->choices != wf_dual_connectivities)
    return options->connectivity;
  return image->depth > 1 ? 6 : 4;
}

static gboolean
make_task (WfMorphologyTask           *task,
           WfOperation                 operation,
           const WfImage              *image,
           const WfMorphologyOptions  *options,
           GError                    **error)
{
  *task = (WfMorphologyTask) {
    .recipe  = wf_operation_get_record (operation)->recipe,
    .shape   = wf_image_shape (image),
    .type    = image->type,
    .height  = options->height,
    .element = options->element,
    .radius  = options->radius,
    .image   = image,
  };
  return wf_connectivity_resolve (find_connectivity (operation, options, image), &task->shape,
                                  &task->connectivity, error);
}

/* Checks the options, and describes what is to be done with @image, whose pixels are not read. */
gboolean
wf_morphology_prepare (WfOperation                 operation,
                       const WfImage              *image,
                       const WfMorphologyOptions  *options,
                       WfMorphologyOptions        *taken,
                       WfMorphologyTask           *task,
                       GError                    **error)
{
  return wf_operation_take (operation, options, taken, error) &&
         make_task (task, operation, image, taken, error) &&
         wf_operation_check_required (operation, taken, error);
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
  WfMorphologyOptions   taken;
  WfMorphologyTask      task;
  WfPlan                plan;

  if (! check_images (operation, image, out, error) ||
      ! wf_morphology_prepare (operation, image, options, &taken, &task, error))
    return FALSE;

  task.markers = markers;
  task.out     = out;
  own = wf_context_ensure (context);
  if ((operation == WF_OPERATION_IMPOSE_MINIMA && ! check_markers (own, image, markers, error)) ||
      ! wf_context_plan (own, operation, taken.algorithm, &task, wf_image_n_pixels (image),
                         &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  plan.inputs[1] = (WfInput) { markers, _("marker image") };
  return wf_context_run (own, operation, &plan, &task, error);
}

gboolean
wf_morphology_call (const WfCall  *call,
                    GError       **error)
{
  const gboolean has_markers = wf_operation_describe (call->operation)->n_inputs > 1;

  return wf_morphology_run (call->operation, call->context, call->inputs[0],
                            has_markers ? call->inputs[1] : NULL, call->outputs[0],
                            call->options, error);
}

gboolean
wf_morphology_estimate (WfOperation     operation,
                        const WfImage  *image,
                        gconstpointer   options,
                        WfEstimate     *estimate,
                        GError        **error)
{
  WfMorphologyOptions taken;
  WfMorphologyTask    task;

  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_operation_take (operation, options, &taken, error) &&
         make_task (&task, operation, image, &taken, error) &&
         wf_context_estimate (operation, taken.algorithm, &task, estimate, error);
}


/**
 * wf_fill_holes:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): connectivity (of the paths out of a hole; 0 for 4, or 6 in a stack),
 *   algorithm
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


/*  The records  */

static const WfOption hole_options[] =
{
  WF_CONNECTIVITY_OPTION (WfMorphologyOptions, wf_dual_connectivities,
                          N_("Which dark pixels are neighbors, on paths out of a hole: 4 or 8 in "
                             "an image, 6 or 26 in a stack")),
  WF_ALGORITHM_OPTION (WfMorphologyOptions, wf_reconstruct_algorithms, WF_SAME_RESULT),
};

static const WfOption options[] = { WF_MORPHOLOGY_OPTIONS (wf_reconstruct_algorithms) };

static const WfOperand marked_image[] =
{
  { .name = "image", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { .name = "markers", .content = WF_CONTENT_MARKS, .types = WF_LEVELS | 1 << WF_TYPE_U32 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_FILL_HOLES,
    WF_MORPHOLOGY_GROUP ("fill-holes", N_("Fill Holes"),
                         N_("Raise pixels that no path from the image's border reaches at a lower "
                            "level"),
                         hole_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_BORDER, WF_BY_EROSION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_CLEAR_BORDER,
    WF_MORPHOLOGY_GROUP ("clear-border", N_("Clear Border"),
                         N_("Remove bright parts that are connected to the image's border"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_BORDER, WF_BY_DILATION, WF_OUTPUT_DIFFERENCE),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_IMPOSE_MINIMA,
    WF_MORPHOLOGY_GROUP ("impose-minima", N_("Impose Minima"),
                         N_("Change an image so that given markers are its only minima"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_IMPOSED, WF_BY_EROSION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = marked_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
};

const WfOperationTable wf_morphology_operations = { records, G_N_ELEMENTS (records) };
