/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation, opening and closing, and what these change.
 *
 *   erosion         the lowest level under the structuring element
 *   dilation        the highest level under it
 *   opening         the dilation of the erosion
 *   closing         the erosion of the dilation
 *   white top-hat   the image less its opening
 *   black top-hat   the closing less the image
 *
 * Pixels outside the image are left out.  Elements, with radius r and the pixel in the middle:
 *
 *   square      (2r + 1)² pixels, in a stack a cube
 *   disc        the pixels with dx² + dy² ≤ r², in a stack dx² + dy² + dz² ≤ r²
 *   line        2r + 1 pixels at an angle a, in a stack within each slice: with k from −r to r,
 *               (k, −round (k tan a)) if |tan a| ≤ 1, else (round (k cot a), −k); halves are
 *               rounded away from 0, and y goes down
 *
 * All of them are symmetric, so none has to be reflected between the two steps.  An opening is
 * nowhere above the image and a closing nowhere below it; a top-hat is 0 where they are equal, for
 * infinities too.  Openings, closings and top-hats by reconstruction are in
 * engine/morphology/openings.c.  Zeros of f32 leave as +0.
 *
 * Source: Soille, Morphological Image Analysis (2003), chapter 3; lines: Soille, Breen and Jones,
 * Recursive implementation of erosions and dilations along discrete lines at arbitrary angles, IEEE
 * Transactions on Pattern Analysis and Machine Intelligence 18 (1996).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/cpu/cpu.h"
#include "filters.h"

/* The largest radius of a square that takes one pass. */
#define SMALL_SQUARE 3


/**
 * wf_erosion:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * The lowest level under the structuring element; see the top of erosion.c for the definition.
 * Zeros of f32 leave as +0.
 *
 * Time: for a square, and lines along x and y, whatever the radius; for a disc and other lines it
 * grows with the radius, for a ball with its square. Memory: the result once more, unless the
 * context allows partial outputs, and some rows for each thread. GPUs have no lines: the CPU does
 * them.
 *
 * Source: Soille, Morphological Image Analysis (2003), chapter 3. For the square, van Herk,
 * Pattern Recognition Letters 13 (1992), and Gil and Werman, IEEE Transactions on Pattern Analysis
 * and Machine Intelligence 15 (1993); for the disc, Urbach and Wilkinson, IEEE Transactions on
 * Image Processing 17 (2008).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_erosion (WfContext              *context,
            const WfImage          *image,
            WfImage                *out,
            const WfFilterOptions  *options,
            GError                **error)
{
  return wf_filter_run (WF_OPERATION_EROSION, context, image, out, options, error);
}

/**
 * wf_dilation:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * The highest level under the structuring element.
 *
 * Time, memory and sources as for wf_erosion().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_dilation (WfContext              *context,
             const WfImage          *image,
             WfImage                *out,
             const WfFilterOptions  *options,
             GError                **error)
{
  return wf_filter_run (WF_OPERATION_DILATION, context, image, out, options, error);
}

/**
 * wf_opening:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * The dilation of the erosion by the structuring element: the highest level that, wherever the
 * element lies around the pixel, is no higher than all under it. Bright parts that hold no element
 * vanish, the others lose what the element does not reach. Zeros of f32 leave as +0.
 *
 * Time: that of an erosion and a dilation. Memory: as wf_erosion(), and for the erosion a band of
 * some megabytes that is at least four times as high as the element; in a stack the image once
 * more.
 *
 * Sources as for wf_erosion().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_opening (WfContext              *context,
            const WfImage          *image,
            WfImage                *out,
            const WfFilterOptions  *options,
            GError                **error)
{
  return wf_filter_run (WF_OPERATION_OPENING, context, image, out, options, error);
}

/**
 * wf_closing:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * The erosion of the dilation by the structuring element: what wf_opening() does to bright parts is
 * done to dark ones.
 *
 * Time, memory and sources as for wf_opening().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_closing (WfContext              *context,
            const WfImage          *image,
            WfImage                *out,
            const WfFilterOptions  *options,
            GError                **error)
{
  return wf_filter_run (WF_OPERATION_CLOSING, context, image, out, options, error);
}

/**
 * wf_white_top_hat:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * What wf_opening() takes away: @image less its opening, and 0 where both are equal, for infinities
 * too. Of bright parts that hold no structuring element all is left, of others what the element
 * does not reach; the background becomes 0, however unevenly lit. f32 may overflow to infinity.
 *
 * Time and memory: as for wf_opening(), and a subtraction. GPUs take the image once more.
 *
 * Source: Meyer, Contrast feature extraction (1977); Soille, Morphological Image Analysis (2003),
 * 4.5.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_white_top_hat (WfContext              *context,
                  const WfImage          *image,
                  WfImage                *out,
                  const WfFilterOptions  *options,
                  GError                **error)
{
  return wf_filter_run (WF_OPERATION_WHITE_TOP_HAT, context, image, out, options, error);
}

/**
 * wf_black_top_hat:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, angle, algorithm
 * @error: as for wf_gaussian()
 *
 * What wf_closing() fills: the closing less @image, and 0 where both are equal, for infinities too.
 * f32 may overflow to infinity.
 *
 * Time, memory and sources as for wf_white_top_hat().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_black_top_hat (WfContext              *context,
                  const WfImage          *image,
                  WfImage                *out,
                  const WfFilterOptions  *options,
                  GError                **error)
{
  return wf_filter_run (WF_OPERATION_BLACK_TOP_HAT, context, image, out, options, error);
}


/*  The records  */

static const WfChoice elements[] =
{
  { "square", WF_ELEMENT_SQUARE, N_("Square") },
  { "disc",   WF_ELEMENT_DISC,   N_("Disc") },
  { "line",   WF_ELEMENT_LINE,   N_("Line") },
  { NULL }
};

static const WfChoice algorithms[] =
{
  { "auto",    0, N_("Automatic") },
  { "windows", 0, N_("Maxima and minima of windows") },
  { NULL }
};

static const WfOption erosion_options[] =
{
  WF_ELEMENT_OPTIONS (WfFilterOptions, "square|disc|line", elements),
  {
    .name        = "angle",
    .kind        = WF_OPTION_REAL,
    .meaning     = WF_OPTION_ANGLE,
    .offset      = G_STRUCT_OFFSET (WfFilterOptions, angle),
    .label       = N_("An_gle"),
    .blurb       = N_("Angle of a line, in degrees: 0 is along x, 90 along y, 45 rises to the "
                      "right"),
    .placeholder = "DEGREES",
    .minimum     = -180,
    .maximum     = 180,
  },
  WF_ALGORITHM_OPTION (WfFilterOptions, algorithms, WF_SAME_RESULT),
};

/* Of WfOperationRecord, also for gradients.  A small square takes one pass over the image, another
 * one twice as long or more; a disc takes a third of the small square's time more for each pixel of
 * its radius, as measured from 5 to 20 on a CPU and a GPU alike, and a ball, whose rows are as many
 * as the pixels of a disc, grows by the square.
 */
double
wf_element_effort (gconstpointer data)
{
  const WfFilterTask *task   = data;
  const gint64        most   = MAX (task->shape.width, MAX (task->shape.height, task->shape.depth));
  const double        radius = (double) MIN (task->radius, most);

  if (task->element != WF_ELEMENT_DISC)
    return radius > SMALL_SQUARE ? 2.0 : 1.0;
  return task->shape.depth > 1 ? 1.0 + radius * radius / 2 : 1.0 + radius / 3;
}

/* Of WfOperationRecord. */
static gboolean
is_line (gconstpointer task)
{
  return ((const WfFilterTask *) task)->element == WF_ELEMENT_LINE;
}

#define RECORD(number, group_name, group_title, group_blurb, variants) \
  { \
    .operation = number, \
    .options   = { \
      .name      = group_name, \
      .title     = group_title, \
      .blurb     = group_blurb, \
      .options   = erosion_options, \
      .n_options = G_N_ELEMENTS (erosion_options), \
      .size      = sizeof (WfFilterOptions), \
    }, \
    .category   = N_("Filters"), \
    .flags      = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE, \
    .inputs     = wf_one_image, \
    .outputs    = wf_one_result, \
    .cpu        = variants, \
    .is_of_cpu  = is_line, \
    .effort     = wf_element_effort, \
    .run        = wf_filter_call, \
    .run_blocks = wf_filter_blocks, \
    .estimate   = wf_filter_estimate, \
  }

static const WfOperationRecord records[] =
{
  RECORD (WF_OPERATION_EROSION, "erosion", N_("Erosion"),
          N_("The lowest level around each pixel"), wf_cpu_erosion_variants),
  RECORD (WF_OPERATION_DILATION, "dilation", N_("Dilation"),
          N_("The highest level around each pixel"), wf_cpu_erosion_variants),
  RECORD (WF_OPERATION_OPENING, "opening", N_("Opening"),
          N_("Remove bright parts that hold no structuring element, and what of others it does not "
             "reach"), wf_cpu_opening_variants),
  RECORD (WF_OPERATION_CLOSING, "closing", N_("Closing"),
          N_("Fill dark parts that hold no structuring element, and what of others it does not "
             "reach"), wf_cpu_opening_variants),
  RECORD (WF_OPERATION_WHITE_TOP_HAT, "white-top-hat", N_("White Top-Hat"),
          N_("The parts and corners that the opening removes"), wf_cpu_opening_variants),
  RECORD (WF_OPERATION_BLACK_TOP_HAT, "black-top-hat", N_("Black Top-Hat"),
          N_("The parts and corners that the closing fills"), wf_cpu_opening_variants),
};

const WfOperationTable wf_erosion_operations = { records, G_N_ELEMENTS (records) };
