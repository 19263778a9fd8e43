/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings by reconstruction, and what they remove.
 *
 *   opening            the image is eroded by the structuring element and then
 *                      reconstructed by dilation under itself: bright parts that hold no
 *                      element vanish, the others stay as they are.
 *   closing            the same upside down.
 *   white top-hat      the image less its opening; 0 where both are equal.
 *   black top-hat      the closing less the image.
 *
 * An erosion gives each pixel the least value under the element there; pixels outside the
 * image are left out.  The square of radius r has (2r + 1)² pixels, in a stack it is a
 * cube; the disc has those with dx² + dy² ≤ r², in a stack dx² + dy² + dz² ≤ r².
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.9.
 */

#include "config.h"

#include "morphology.h"


/**
 * wf_opening_by_reconstruction:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Removes bright parts that hold no structuring element, and keeps the others whole:
 * reconstruction by dilation of @image from its erosion. Zeros of f32 leave as +0.
 *
 * Time: that of wf_reconstruct() and of the erosion, which for a square is a small part
 * of it whatever the radius; for a disc it grows with the radius, for a ball with its
 * square. Memory as wf_fill_holes(), and some rows for each thread.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.9. For the square, van Herk,
 * Pattern Recognition Letters 13 (1992), and Gil and Werman, IEEE Transactions on
 * Pattern Analysis and Machine Intelligence 15 (1993); for the disc, Urbach and
 * Wilkinson, IEEE Transactions on Image Processing 17 (2008).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_opening_by_reconstruction (WfContext                  *context,
                              const WfImage              *image,
                              WfImage                    *out,
                              const WfMorphologyOptions  *options,
                              GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_OPENING_BY_RECONSTRUCTION, context, image, NULL, out,
                            options, error);
}

/**
 * wf_closing_by_reconstruction:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Fills dark parts that hold no structuring element, and keeps the others whole:
 * reconstruction by erosion of @image from its dilation. Zeros of f32 leave as +0.
 *
 * Time and memory as wf_opening_by_reconstruction().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.9.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_closing_by_reconstruction (WfContext                  *context,
                              const WfImage              *image,
                              WfImage                    *out,
                              const WfMorphologyOptions  *options,
                              GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_CLOSING_BY_RECONSTRUCTION, context, image, NULL, out,
                            options, error);
}

/**
 * wf_white_top_hat_by_reconstruction:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * What the opening by reconstruction removes: @image less that, and 0 where both are
 * equal, for infinities too.
 *
 * Time and memory as wf_opening_by_reconstruction().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_white_top_hat_by_reconstruction (WfContext                  *context,
                                    const WfImage              *image,
                                    WfImage                    *out,
                                    const WfMorphologyOptions  *options,
                                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, context, image, NULL, out,
                            options, error);
}

/**
 * wf_black_top_hat_by_reconstruction:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): element and radius, connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * What the closing by reconstruction fills: that less @image, and 0 where both are
 * equal, for infinities too.
 *
 * Time and memory as wf_opening_by_reconstruction().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_black_top_hat_by_reconstruction (WfContext                  *context,
                                    const WfImage              *image,
                                    WfImage                    *out,
                                    const WfMorphologyOptions  *options,
                                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, context, image, NULL, out,
                            options, error);
}


/*  The records  */

static const WfOption options[] =
{
  WF_ELEMENT_OPTIONS (WfMorphologyOptions, "square|disc", wf_elements),
  WF_MORPHOLOGY_OPTIONS (wf_reconstruct_algorithms),
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_OPENING_BY_RECONSTRUCTION,
    WF_MORPHOLOGY_GROUP ("opening-by-reconstruction", N_("Opening by Reconstruction"),
                         N_("Remove bright parts that hold no structuring element, and keep the "
                            "others whole"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_ELEMENT, WF_BY_DILATION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
    WF_MORPHOLOGY_GROUP ("closing-by-reconstruction", N_("Closing by Reconstruction"),
                         N_("Fill dark parts that hold no structuring element, and keep the "
                            "others whole"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_ELEMENT, WF_BY_EROSION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION,
    WF_MORPHOLOGY_GROUP ("white-top-hat-by-reconstruction", N_("White Top-Hat by Reconstruction"),
                         N_("The parts that the opening by reconstruction removes"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_ELEMENT, WF_BY_DILATION, WF_OUTPUT_DIFFERENCE),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
    WF_MORPHOLOGY_GROUP ("black-top-hat-by-reconstruction", N_("Black Top-Hat by Reconstruction"),
                         N_("The parts that the closing by reconstruction fills"),
                         options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_ELEMENT, WF_BY_EROSION, WF_OUTPUT_DIFFERENCE),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Built on reconstruction"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
};

const WfOperationTable wf_opening_operations = { records, G_N_ELEMENTS (records) };
