/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds, of the whole image or of the surroundings of each pixel.
 *
 * A pixel v is marked if v > T, or with "below" if not.  With the methods
 *
 *   global     T is the threshold; without one, all pixels that are not 0 are above it;
 *   mean       T = m − offset;
 *   gaussian   T = g − offset;
 *   sauvola    T = m (1 + k (s ∕ R − 1)) − offset.
 *
 * m and s are the mean and the standard deviation of the n pixels of the window (2 radius + 1)², of
 * a stack (2 radius + 1)³, around v; pixels outside the image are left out, so that n is smaller
 * at the image's rim.  With S the sum of the pixels and Q that of their squares
 *
 *   m = S ∕ n     s = √(n Q − S²) ∕ n
 *
 * R is the range of s: by default the greatest that s can be, half the range of the levels, which
 * is 127.5, 32767.5, and of f32, from black 0 to white 1, 0.5.  So an image has the same marks in
 * each type, up to rounding.  All of this is computed in 64-bit floating point, each operation
 * rounded, in the order that is written here.
 *
 * Of u8 and u16, S and Q are whole numbers and n Q − S² is rounded once:  S and Q stay below 2⁶³,
 * as a window has fewer than 2³⁰ pixels, and the product takes 128 bits.  So running sums give the
 * same bits wherever they begin, and v > m is exact.
 *
 * Of f32, sums depend on their order: those of each column of the window, slice by slice from
 * above, then those of the columns from the left; each is made anew.  Infinities count as the
 * greatest finite values there, and n Q − S² as 0 where rounding makes it negative.
 *
 * g is the Gaussian of filters.c: of u16 that of the image, rounded to whole levels; of u8 that of
 * the image times 256, as u16, divided by 256, which keeps eight bits behind the point; of f32 that
 * of the image.  Where the image is flat, g is v for integers.
 *
 * Sources: local means, Niblack, An introduction to digital image processing (1986); Sauvola and
 * Pietikäinen, Adaptive document image binarization, Pattern Recognition 33 (2000), with R = 128
 * for levels of 8 bits.
 * Thresholds of the whole image are found by wf_histogram_find_threshold().
 *
 * threshold_local() and threshold_sauvola() of scikit-image mark the same pixels
 * (tests/tools/test-threshold-peers.py) but for these: within the radius of the image's rim, since
 * they mirror the image there; with gaussian, since their weights end at 4σ, not 3σ; of f32 by
 * default, since their levels begin at −1, so that R is 1; and those that are as high as their
 * threshold to within its rounding.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/cpu/cpu.h"
#include "threshold.h"


/* Half the range of the levels. */
static double
find_range (WfType type)
{
  return type == WF_TYPE_U8 ? 127.5 : type == WF_TYPE_U16 ? 32767.5 : 0.5;
}

/* @gaussian: room for the weights, where there are some */
void
wf_threshold_make_task (WfThresholdTask          *task,
                        WfGaussian               *gaussian,
                        const WfImage            *image,
                        WfImage                  *out,
                        const WfThresholdOptions *options)
{
  *task = (WfThresholdTask) {
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .method    = (WfLocalMethod) options->method,
    .threshold = options->threshold,
    .radius    = options->radius,
    .k         = options->k,
    .range     = options->range > 0 ? options->range : find_range (image->type),
    .offset    = options->offset,
    .below     = options->below != FALSE,
    .image     = image,
    .out       = out,
  };
  if (options->method == WF_LOCAL_GAUSSIAN)
    {
      wf_gaussian_init (gaussian, image->type == WF_TYPE_F32 ? WF_TYPE_F32 : WF_TYPE_U16,
                        options->sigma);
      task->gaussian = gaussian;
    }
}

/**
 * wf_threshold:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: u8, size of @image: set to 255 where a pixel is marked, else to 0; may share the memory of
 *   @image
 * @options: (nullable): method, threshold, radius, sigma, k, range, offset, below, algorithm
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Marks the pixels above a threshold, which may be another one for each pixel; see the top of
 * threshold.c for the definitions, and how they differ from those of scikit-image.
 *
 * Time: of u8 and u16 whatever the radius, in a stack in proportion to it; of f32 in proportion to
 * the radius; with gaussian that of wf_gaussian(). Memory: the result once more, unless the context
 * allows partial outputs, some rows for each thread, and with gaussian the smooth image: of u8 4
 * bytes a pixel, of u16 2, of f32 4.
 *
 * Source: Sauvola and Pietikäinen (2000).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_threshold (WfContext                 *context,
              const WfImage             *image,
              WfImage                   *out,
              const WfThresholdOptions  *options,
              GError                   **error)
{
  const WfOperation     operation = WF_OPERATION_THRESHOLD;
  g_autoptr (WfContext) own       = NULL;
  WfThresholdOptions    taken;
  WfGaussian            gaussian;
  WfThresholdTask       task;
  WfPlan                plan;

  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_view (out, _("result"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_image_check_type (out, WF_TYPE_U8, _("result"), error) ||
      ! wf_image_check_size (out, _("result"), image, _("image"), error) ||
      ! wf_operation_take (operation, options, &taken, error))
    return FALSE;

  wf_threshold_make_task (&task, &gaussian, image, out, &taken);
  own = wf_context_ensure (context);
  if (! wf_context_plan (own, operation, taken.algorithm, &task, wf_image_n_pixels (image), &plan,
                         error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  return wf_context_run (own, operation, &plan, &task, error);
}


/*  The record  */

/* Of WfOperationRecord. */
static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfThresholdOptions taken;
  WfGaussian         gaussian;
  WfThresholdTask    task;

  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_operation_take (operation, options, &taken, error))
    return FALSE;

  wf_threshold_make_task (&task, &gaussian, image, NULL, &taken);
  return wf_context_estimate (operation, taken.algorithm, &task, result, error);
}

/* Of WfOperationRecord. */
static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_threshold (call->context, call->inputs[0], call->outputs[0], call->options, error);
}

static const WfChoice methods[] =
{
  { "global",   WF_LOCAL_NONE,     N_("One threshold for all pixels") },
  { "mean",     WF_LOCAL_MEAN,     N_("Mean of the surroundings") },
  { "gaussian", WF_LOCAL_GAUSSIAN, N_("Gaussian mean of the surroundings") },
  { "sauvola",  WF_LOCAL_SAUVOLA,  N_("Mean and deviation of the surroundings (Sauvola)") },
  { NULL }
};

static const WfChoice algorithms[] =
{
  { "auto", 0, N_("Automatic") },
  { "sums", 0, N_("Sums of windows") },
  { NULL }
};

static const WfOption threshold_options[] =
{
  {
    .name          = "method",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, method),
    .label         = N_("_Method"),
    .blurb         = N_("Where the threshold of a pixel comes from"),
    .placeholder   = "global|mean|gaussian|sauvola",
    .default_value = WF_LOCAL_NONE,
    .choices       = methods,
  },
  WF_THRESHOLD_OPTION (WfThresholdOptions),
  {
    .name          = "radius",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, radius),
    .label         = N_("_Radius"),
    .blurb         = N_("Of mean and sauvola: how many pixels the window reaches to each side"),
    .placeholder   = "R",
    .maximum       = WF_MAX_WINDOW_RADIUS,
    .default_value = 15,
  },
  {
    .name          = "sigma",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, sigma),
    .label         = N_("_Sigma"),
    .blurb         = N_("Standard deviation of the Gaussian, in pixels"),
    .placeholder   = "SIGMA",
    .maximum       = WF_MAX_SIGMA,
    .default_value = 5,
  },
  {
    .name          = "k",
    .kind          = WF_OPTION_REAL,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, k),
    .label         = N_("Sauvola's _k"),
    .blurb         = N_("Of sauvola: how much a small deviation lowers the threshold"),
    .placeholder   = "K",
    .minimum       = -1000,
    .maximum       = 1000,
    .default_value = 0.2,
  },
  {
    .name          = "range",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, range),
    .label         = N_("Ra_nge"),
    .blurb         = N_("Of sauvola: the range of the deviation; 0: half that of the levels, 127.5 "
                        "or 32767.5, in floating point 0.5"),
    .placeholder   = "RANGE",
    .maximum       = G_MAXFLOAT,
    .default_value = 0,
  },
  {
    .name          = "offset",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, offset),
    .label         = N_("_Offset"),
    .blurb         = N_("Local thresholds are lower by this"),
    .placeholder   = "LEVELS",
    .minimum       = -G_MAXFLOAT,
    .maximum       = G_MAXFLOAT,
    .default_value = 0,
  },
  {
    .name          = "below",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfThresholdOptions, below),
    .label         = N_("_Below the threshold"),
    .blurb         = N_("Mark the pixels that are not above the threshold"),
    .maximum       = 1,
  },
  WF_ALGORITHM_OPTION (WfThresholdOptions, algorithms, WF_SAME_RESULT),
};

static const WfOperand marks[] =
{
  { .name = "result", .content = WF_CONTENT_MARKS, .types = 1 << WF_TYPE_U8 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation  = WF_OPERATION_THRESHOLD,
    .options    = {
      .name      = "threshold",
      .title     = N_("Threshold"),
      .blurb     = N_("Mark the pixels above a threshold, or above one of their surroundings"),
      .options   = threshold_options,
      .n_options = G_N_ELEMENTS (threshold_options),
      .size      = sizeof (WfThresholdOptions),
    },
    .category   = N_("Filters"),
    .flags      = WF_WORKS_ON_STACKS,
    .inputs     = wf_one_image,
    .outputs    = marks,
    .cpu        = wf_cpu_threshold_variants,
    .run        = run,
    .run_blocks = wf_threshold_blocks,
    .estimate   = estimate,
  },
};

const WfOperationTable wf_threshold_operations = { records, G_N_ELEMENTS (records) };
