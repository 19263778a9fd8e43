/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Extrema of an image f, of whatever height, and those of a height h or more.
 *
 *   h-maxima            the reconstruction by dilation of f from f − h: maxima lose h of
 *                       their height, and those no higher vanish.
 *   h-dome              f less its h-maxima; 0 where both are equal.
 *   regional maxima     the plateaux (connected pixels of one level) without a higher
 *                       neighbour; an image of one level is one.
 *   extended maxima     the regional maxima of the h-maxima.
 *
 * Minima are the same upside down, with reconstruction by erosion from f + h; an h-basin
 * is the h-minima less f.
 *
 * Integers lie a whole number apart, so only the whole part of h counts, and f − h is
 * not less than the type's least value.  With f32, f − h is computed in double precision
 * and rounded once.  Infinities are levels like others: nothing is cut off +infinity.
 *
 * Sources: Vincent, Morphological grayscale reconstruction in image analysis, IEEE
 * Transactions on Image Processing 2 (1993), section 3.2; Soille, Morphological Image
 * Analysis (2003), 6.3.3 to 6.3.5.
 */

#include "config.h"

#include "morphology.h"


/**
 * wf_h_maxima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: the height, which must be set; connectivity, algorithm
 * @error: %WF_ERROR_INVALID, also where no height is set; %WF_ERROR_MEMORY,
 *   %WF_ERROR_DEVICE, %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Cuts the height off all maxima, and removes those no higher: reconstruction by
 * dilation of @image from itself less the height. Zeros of f32 leave as +0.
 *
 * Time and memory as wf_fill_holes().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.4.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_h_maxima (WfContext                  *context,
             const WfImage              *image,
             WfImage                    *out,
             const WfMorphologyOptions  *options,
             GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_H_MAXIMA, context, image, NULL, out, options, error);
}

/**
 * wf_h_minima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: the height, which must be set; connectivity, algorithm
 * @error: as for wf_h_maxima()
 *
 * Fills all minima by the height, and removes those no deeper: reconstruction by erosion
 * of @image from itself plus the height. Zeros of f32 leave as +0.
 *
 * Time and memory as wf_fill_holes().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.4.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_h_minima (WfContext                  *context,
             const WfImage              *image,
             WfImage                    *out,
             const WfMorphologyOptions  *options,
             GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_H_MINIMA, context, image, NULL, out, options, error);
}

/**
 * wf_h_dome:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: the height, which must be set; connectivity, algorithm
 * @error: as for wf_h_maxima()
 *
 * What the h-maxima cut off: @image less them, and 0 where both are equal, for
 * infinities too.
 *
 * Time and memory as wf_fill_holes().
 *
 * Source: Vincent, IEEE Transactions on Image Processing 2 (1993), section 3.2.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_h_dome (WfContext                  *context,
           const WfImage              *image,
           WfImage                    *out,
           const WfMorphologyOptions  *options,
           GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_H_DOME, context, image, NULL, out, options, error);
}

/**
 * wf_h_basin:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: the height, which must be set; connectivity, algorithm
 * @error: as for wf_h_maxima()
 *
 * What the h-minima fill: they less @image, and 0 where both are equal, for infinities
 * too.
 *
 * Time and memory as wf_fill_holes().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_h_basin (WfContext                  *context,
            const WfImage              *image,
            WfImage                    *out,
            const WfMorphologyOptions  *options,
            GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_H_BASIN, context, image, NULL, out, options, error);
}

/**
 * wf_regional_maxima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: u8, size of @image: the result; may be @image itself if that is u8
 * @options: (nullable): connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Marks the regional maxima, plateaux without a higher neighbor, with 255; everything
 * else becomes 0. An image of one level is one maximum, and one minimum too.
 *
 * Time (`plateaux`, the default): some vector operations a pixel, and some nanoseconds
 * more for a pixel of a plateau, whatever its shape.  Memory: a byte a pixel, unless the
 * context allows partial outputs.  With the name of a reconstruction, time and memory are
 * those of wf_fill_holes().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.3.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_regional_maxima (WfContext                  *context,
                    const WfImage              *image,
                    WfImage                    *out,
                    const WfMorphologyOptions  *options,
                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_REGIONAL_MAXIMA, context, image, NULL, out, options,
                            error);
}

/**
 * wf_regional_minima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: u8, size of @image: the result; may be @image itself if that is u8
 * @options: (nullable): connectivity, algorithm
 * @error: as for wf_fill_holes()
 *
 * Marks the regional minima, plateaux without a lower neighbor, with 255; everything
 * else becomes 0.
 *
 * Time and memory as wf_regional_maxima().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.3.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_regional_minima (WfContext                  *context,
                    const WfImage              *image,
                    WfImage                    *out,
                    const WfMorphologyOptions  *options,
                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_REGIONAL_MINIMA, context, image, NULL, out, options,
                            error);
}

/**
 * wf_extended_maxima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: u8, size of @image: the result; may be @image itself if that is u8
 * @options: the height, which must be set; connectivity, algorithm
 * @error: as for wf_h_maxima()
 *
 * Marks the regional maxima of the h-maxima with 255; everything else becomes 0. With a
 * height of 0 these are the regional maxima.
 *
 * Time: that of wf_h_maxima() and of wf_regional_maxima(). Memory: what wf_reconstruct()
 * takes, an image of the type of @image, and a byte a pixel, unless the context allows
 * partial outputs.
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.5.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_extended_maxima (WfContext                  *context,
                    const WfImage              *image,
                    WfImage                    *out,
                    const WfMorphologyOptions  *options,
                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_EXTENDED_MAXIMA, context, image, NULL, out, options,
                            error);
}

/**
 * wf_extended_minima:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: u8, size of @image: the result; may be @image itself if that is u8
 * @options: the height, which must be set; connectivity, algorithm
 * @error: as for wf_h_maxima()
 *
 * Marks the regional minima of the h-minima with 255; everything else becomes 0. With a
 * height of 0 these are the regional minima.
 *
 * Time and memory as wf_extended_maxima().
 *
 * Source: Soille, Morphological Image Analysis (2003), 6.3.5.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_extended_minima (WfContext                  *context,
                    const WfImage              *image,
                    WfImage                    *out,
                    const WfMorphologyOptions  *options,
                    GError                    **error)
{
  return wf_morphology_run (WF_OPERATION_EXTENDED_MINIMA, context, image, NULL, out, options,
                            error);
}


/*  The records  */

static const WfChoice regional_algorithms[] =
{
  { "auto",     0, N_("Automatic") },
  { "plateaux", 0, N_("Plateaux that no neighbor exceeds") },
  WF_RECONSTRUCTIONS,
  { NULL }
};

static const WfOption regional_options[] = { WF_MORPHOLOGY_OPTIONS (regional_algorithms) };

static const WfOption height_options[] =
{
  {
    .name          = "height",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfMorphologyOptions, height),
    .label         = N_("H_eight"),
    .blurb         = N_("Height of the extrema"),
    .placeholder   = "H",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  WF_MORPHOLOGY_OPTIONS (wf_reconstruct_algorithms),
};

static const WfOperand marks[] =
{
  { .name = "result", .content = WF_CONTENT_MARKS, .types = 1 << WF_TYPE_U8 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_H_MAXIMA,
    WF_MORPHOLOGY_GROUP ("h-maxima", N_("H-Maxima"),
                         N_("Lower maxima by a height, and remove those that are not higher"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_DILATION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_H_MINIMA,
    WF_MORPHOLOGY_GROUP ("h-minima", N_("H-Minima"),
                         N_("Fill minima by a height, and remove those that are not deeper"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_EROSION, WF_OUTPUT_RECONSTRUCTED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_H_DOME,
    WF_MORPHOLOGY_GROUP ("h-dome", N_("H-Domes"),
                         N_("The parts that the h-maxima remove: bright domes up to a height"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_DILATION, WF_OUTPUT_DIFFERENCE),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_H_BASIN,
    WF_MORPHOLOGY_GROUP ("h-basin", N_("H-Basins"),
                         N_("The parts that the h-minima fill: dark basins up to a height"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_EROSION, WF_OUTPUT_DIFFERENCE),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = wf_one_result,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_REGIONAL_MAXIMA,
    WF_MORPHOLOGY_GROUP ("regional-maxima", N_("Regional Maxima"),
                         N_("Mark the plateaux without a higher neighbor"),
                         regional_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_STEPPED, WF_BY_DILATION, WF_OUTPUT_CHANGED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = marks,
    .cpu       = wf_cpu_extrema_variants,
  },
  {
    .operation = WF_OPERATION_REGIONAL_MINIMA,
    WF_MORPHOLOGY_GROUP ("regional-minima", N_("Regional Minima"),
                         N_("Mark the plateaux without a lower neighbor"),
                         regional_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_STEPPED, WF_BY_EROSION, WF_OUTPUT_CHANGED),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = marks,
    .cpu       = wf_cpu_extrema_variants,
  },
  {
    .operation = WF_OPERATION_EXTENDED_MAXIMA,
    WF_MORPHOLOGY_GROUP ("extended-maxima", N_("Extended Maxima"),
                         N_("Mark the regional maxima of the h-maxima"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_DILATION, WF_OUTPUT_EXTREMA),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = marks,
    .cpu       = wf_cpu_morphology_variants,
  },
  {
    .operation = WF_OPERATION_EXTENDED_MINIMA,
    WF_MORPHOLOGY_GROUP ("extended-minima", N_("Extended Minima"),
                         N_("Mark the regional minima of the h-minima"),
                         height_options),
    WF_MORPHOLOGY_RECIPE (WF_MARKER_MOVED, WF_BY_EROSION, WF_OUTPUT_EXTREMA),
    WF_MORPHOLOGY_CALLS,
    .category  = N_("Minima and maxima"),
    .inputs    = wf_one_image,
    .outputs   = marks,
    .cpu       = wf_cpu_morphology_variants,
  },
};

const WfOperationTable wf_extrema_operations = { records, G_N_ELEMENTS (records) };
