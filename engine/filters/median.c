/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median: the middle one of the levels around a pixel, in their order.
 *
 * The window of radius r is the square of (2r + 1)² pixels with the pixel in the middle, in a
 * stack the cube of (2r + 1)³.  Beyond the ends of an axis the pixel at the end is repeated, as
 * for a Gaussian; so there is an odd number of levels in any window, and one of them is in the
 * middle.  Zeros of f32 leave as +0.
 *
 * Radii end at 127 (in a stack at 15): so a window has less than 2¹⁶ pixels, and counters are
 * u16.
 *
 * cpu/median.c says how it is computed.
 *
 * Source: Tukey, Exploratory Data Analysis (1977).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/cpu/cpu.h"
#include "filters.h"


/**
 * wf_median:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): radius, algorithm
 * @error: as for wf_gaussian()
 *
 * The median of the levels in a square around each pixel, in a stack in a cube, of radius pixels
 * to each side. Beyond the ends of an axis the pixel at the end is repeated. A radius above
 * %WF_MAX_MEDIAN_RADIUS is refused, in a stack one above %WF_MAX_MEDIAN_RADIUS_IN_STACKS. Zeros
 * of f32 leave as +0.
 *
 * Time: of u8 it grows a hundredfold from radius 1 to 12, and no more from there on; of u16 and
 * f32 it grows with the radius, from 10 to 20 on less; in a stack it grows with the radius.
 * Memory: the result once more, unless the context allows partial outputs, and for each thread up
 * to 10 MB.
 *
 * Sources: Perreault and Hébert, Median filtering in constant time, IEEE Transactions on Image
 * Processing 16 (2007); Adams, Fast median filters using separable sorting networks, ACM
 * Transactions on Graphics 40 (2021).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_median (WfContext              *context,
           const WfImage          *image,
           WfImage                *out,
           const WfFilterOptions  *options,
           GError                **error)
{
  return wf_filter_run (WF_OPERATION_MEDIAN, context, image, out, options, error);
}


/*  The record  */

static const WfChoice algorithms[] =
{
  { "auto",    0, N_("Automatic") },
  { "columns", 0, N_("Histograms of columns; in small windows levels are sorted") },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "radius",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfFilterOptions, radius),
    .label         = N_("_Radius"),
    .blurb         = N_("Radius of the square, in pixels; its side is twice that and 1"),
    .placeholder   = "R",
    .maximum       = WF_MAX_MEDIAN_RADIUS,
    .default_value = 1,
  },
  WF_ALGORITHM_OPTION (WfFilterOptions, algorithms, WF_SAME_RESULT),
};

static const WfOperationRecord records[] =
{
  {
    .operation  = WF_OPERATION_MEDIAN,
    .options    = {
      .name      = "median",
      .title     = N_("Median"),
      .blurb     = N_("The median of the levels around each pixel"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfFilterOptions),
    },
    .category   = N_("Filters"),
    .flags      = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE,
    .inputs     = wf_one_image,
    .outputs    = wf_one_result,
    .cpu        = wf_cpu_median_variants,
    .run        = wf_filter_call,
    .run_blocks = wf_filter_blocks,
    .estimate   = wf_filter_estimate,
  },
};

const WfOperationTable wf_median_operations = { records, G_N_ELEMENTS (records) };
