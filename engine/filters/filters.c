/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters: what an image is often prepared by before it is flooded.
 *
 *   Gaussian   each pixel becomes a weighted sum of those around it, along z, then y,
 *              then x; beyond the ends of an axis the pixel at the end is repeated.  The
 *              window reaches 3σ to either side, rounded up to whole pixels; the weights
 *              are those of gaussian.c.  If only the weight of the pixel itself is not 0,
 *              as for σ = 0, the result is the image, bit for bit.
 *
 *              Of u8: the sum of weights along an axis is 2¹⁶, all sums are exact, and the
 *              last one is divided by 2³², in a stack by 2⁴⁸, and rounded once, halves
 *              upward.  They stay below 2⁸ · 2⁴⁸ = 2⁵⁶.  After one axis sums are below 2²⁴,
 *              after two below 2⁴⁰.  In any order they are the same.
 *
 *              Of u16: the sum of weights along an axis is 2³¹.  The sum along each axis but
 *              the last is rounded, halves upward, to a multiple of 2⁻¹⁵ levels; the last one
 *              is divided by 2⁴⁶ and rounded, halves upward.  Axes of one pixel are left out,
 *              which changes nothing.  The bits:
 *
 *                along the first axis   2¹⁶ levels · 2³¹             below 2⁴⁷
 *                stored                 2¹⁶ levels · 2¹⁵             below 2³¹
 *                of two of them         one 32-bit factor            below 2³²
 *                along a further axis   2³¹ · 2³¹                    below 2⁶²
 *
 *              and the half that is added for rounding is at most 2⁴⁵, so that 64 bits
 *              suffice.  A stored sum is wrong by 2⁻¹⁶ of a level at most.  A weight is
 *              wrong by less than 2⁻³¹, and with it a sum over n pixels by less than n / 2¹⁶
 *              levels, since the errors of the weights add up to 0: at σ = 1 by 0.0001 along
 *              each axis, at the largest σ by 0.024.  So the result differs from the exact
 *              one by half a level and this little.  (Of u8 the same is n / 2⁹: 0.014 and 3.)
 *
 *              Of floats: infinities count as the greatest finite value.  With weights
 *              w[k], the sum for the pixel a[0] is, each operation rounded to a float,
 *
 *                s = w[0] a[0]
 *                s = s + (w[k] a[−k] + w[k] a[k])   for k = 1, 2, … radius
 *
 *              then what exceeds the greatest finite value becomes that, and −0 becomes
 *              +0.  So it is done along each axis that is longer than one pixel, and
 *              along x always.
 *
 *   gradient   the highest less the lowest level under the structuring element, 0 where
 *              both are equal, for infinities too; pixels outside the image are left
 *              out.  Elements are those of engine/morphology/openings.c.
 *
 * Erosion, dilation, opening, closing and top-hats are in erosion.c, the median is in median.c.
 *
 * Sources: for the gradient Beucher, Segmentation d'images et morphologie mathématique
 * (1990), and Rivest, Soille and Beucher, Morphological gradients, Journal of Electronic
 * Imaging 2 (1993).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "blocks.h"
#include "filters.h"
#include "gaussian.h"


static gboolean
check_images (const WfImage  *image,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_view (out, _("result"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_image_check_type (out, image->type, _("result"), error) &&
         wf_image_check_size (out, _("result"), image, _("image"), error);
}

/* Takes the options of a filter of an image that is so deep. */
gboolean
wf_filter_take (WfOperation       operation,
                gint64            depth,
                gconstpointer     options,
                WfFilterOptions  *taken,
                GError          **error)
{
  if (! wf_operation_take (operation, options, taken, error))
    return FALSE;
  if (operation == WF_OPERATION_MEDIAN && depth > 1 &&
      taken->radius > WF_MAX_MEDIAN_RADIUS_IN_STACKS)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The radius of a median in a stack is %d at most, not %d."),
                   WF_MAX_MEDIAN_RADIUS_IN_STACKS, taken->radius);
      return FALSE;
    }
  return TRUE;
}

/* @gaussian: room for the weights, where there are some */
static void
make_task (WfFilterTask          *task,
           WfGaussian            *gaussian,
           WfOperation            operation,
           const WfImage         *image,
           WfImage               *out,
           const WfFilterOptions *options)
{
  *task = (WfFilterTask) {
    .operation = operation,
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .element   = options->element,
    .radius    = options->radius,
    .angle     = options->angle,
    .image     = image,
    .out       = out,
  };
  if (operation == WF_OPERATION_GAUSSIAN)
    {
      wf_gaussian_init (gaussian, image->type, options->sigma);
      task->gaussian = gaussian;
    }
}

gboolean
wf_filter_run (WfOperation             operation,
               WfContext              *context,
               const WfImage          *image,
               WfImage                *out,
               const WfFilterOptions  *options,
               GError                **error)
{
  g_autoptr (WfContext) own = NULL;
  WfFilterOptions       taken;
  WfGaussian            gaussian;
  WfFilterTask          task;
  WfPlan                plan;

  if (! check_images (image, out, error) ||
      ! wf_filter_take (operation, image->depth, options, &taken, error))
    return FALSE;

  make_task (&task, &gaussian, operation, image, out, &taken);
  own = wf_context_ensure (context);
  if (! wf_context_plan (own, operation, taken.algorithm, &task, wf_image_n_pixels (image),
                         &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  return wf_context_run (own, operation, &plan, &task, error);
}

/* Of WfOperationRecord. */
gboolean
wf_filter_estimate (WfOperation     operation,
                    const WfImage  *image,
                    gconstpointer   options,
                    WfEstimate     *result,
                    GError        **error)
{
  WfFilterOptions taken;
  WfGaussian      gaussian;
  WfFilterTask    task;

  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_filter_take (operation, image->depth, options, &taken, error))
    return FALSE;

  make_task (&task, &gaussian, operation, image, NULL, &taken);
  return wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/**
 * wf_gaussian:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity counts as the greatest
 *   finite value unless sigma is 0, NaN is refused
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): sigma, algorithm
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Smooths @image by a Gaussian of standard deviation sigma along each axis, within a
 * window of 3 sigma on either side, rounded up to whole pixels; see the top of filters.c
 * for the definition. u8 and u16 are rounded to the nearest level: they differ from the
 * exact result by half a level and, along each axis, by less than 1/512 (u8) or 1/32768
 * (u16) for each pixel of the window. Sigma 0 leaves the image as it is, infinities
 * included. A sigma above %WF_MAX_SIGMA is refused.
 *
 * Time: grows with sigma. Memory: the result once more, unless the context allows
 * partial outputs, and some rows for each thread.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_gaussian (WfContext              *context,
             const WfImage          *image,
             WfImage                *out,
             const WfFilterOptions  *options,
             GError                **error)
{
  return wf_filter_run (WF_OPERATION_GAUSSIAN, context, image, out, options, error);
}

/**
 * wf_gradient:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, algorithm
 * @error: as for wf_gaussian()
 *
 * The morphological gradient: the highest less the lowest level under the structuring
 * element, 0 where both are equal. f32 may overflow to infinity.
 *
 * Time: for a square whatever the radius; for a disc it grows with the radius, for a
 * ball with its square. Memory: two images of @image's type, of which one is not needed
 * where the context allows partial outputs, and some rows for each thread.
 *
 * Source: Beucher (1990); Rivest, Soille and Beucher (1993).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_gradient (WfContext              *context,
             const WfImage          *image,
             WfImage                *out,
             const WfFilterOptions  *options,
             GError                **error)
{
  return wf_filter_run (WF_OPERATION_GRADIENT, context, image, out, options, error);
}


/*  The records  */

/* Of WfOperationRecord. */
gboolean
wf_filter_call (const WfCall  *call,
                GError       **error)
{
  return wf_filter_run (call->operation, call->context, call->inputs[0], call->outputs[0],
                        call->options, error);
}

static const WfChoice gaussian_algorithms[] =
{
  { "auto",      0, N_("Automatic") },
  { "separable", 0, N_("Slices, columns, rows: one axis after the other") },
  { NULL }
};

static const WfChoice gradient_algorithms[] =
{
  { "auto",    0, N_("Automatic") },
  { "windows", 0, N_("Maxima and minima of windows") },
  { NULL }
};

static const WfOption gaussian_options[] =
{
  {
    .name          = "sigma",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfFilterOptions, sigma),
    .label         = N_("_Sigma"),
    .blurb         = N_("Standard deviation of the Gaussian, in pixels"),
    .placeholder   = "SIGMA",
    .maximum       = WF_MAX_SIGMA,
    .default_value = 1,
  },
  WF_ALGORITHM_OPTION (WfFilterOptions, gaussian_algorithms, WF_SAME_RESULT),
};

static const WfOption gradient_options[] =
{
  WF_ELEMENT_OPTIONS (WfFilterOptions, "square|disc", wf_elements),
  WF_ALGORITHM_OPTION (WfFilterOptions, gradient_algorithms, WF_SAME_RESULT),
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_GAUSSIAN,
    .options   = {
      .name      = "gaussian",
      .title     = N_("Gaussian"),
      .blurb     = N_("Smooth an image by a Gaussian"),
      .options   = gaussian_options,
      .n_options = G_N_ELEMENTS (gaussian_options),
      .size      = sizeof (WfFilterOptions),
    },
    .category  = N_("Filters"),
    .flags     = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE,
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_gaussian_variants,
    .run        = wf_filter_call,
    .run_blocks = wf_filter_blocks,
    .estimate   = wf_filter_estimate,
  },
  {
    .operation = WF_OPERATION_GRADIENT,
    .options   = {
      .name      = "gradient",
      .title     = N_("Gradient"),
      .blurb     = N_("The highest minus the lowest level around each pixel"),
      .options   = gradient_options,
      .n_options = G_N_ELEMENTS (gradient_options),
      .size      = sizeof (WfFilterOptions),
    },
    .category  = N_("Filters"),
    .flags     = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE,
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_gradient_variants,
    .effort    = wf_element_effort,
    .run        = wf_filter_call,
    .run_blocks = wf_filter_blocks,
    .estimate   = wf_filter_estimate,
  },
};

const WfOperationTable wf_filter_operations = { records, G_N_ELEMENTS (records) };
