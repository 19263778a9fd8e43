/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Formats of pixels in the encoding (linear, non-linear or perceptual) and the space of
 * another format, with components of one of the engine's types.
 */

#include "config.h"

#include <string.h>

#include "formats.h"


/**
 * wf_format_get_type:
 * @format: of pixels
 *
 * Returns: the engine's type for the components: 8 and 16 bits are kept, all others become
 *   32-bit floating point
 */
WfType
wf_format_get_type (const Babl *format)
{
  const char *name = babl_get_name (babl_format_get_type (format, 0));

  if (strcmp (name, "u8") == 0)
    return WF_TYPE_U8;
  if (strcmp (name, "u16") == 0)
    return WF_TYPE_U16;
  return WF_TYPE_F32;
}

static const char *
type_name (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return "u8";
    case WF_TYPE_U16:
      return "u16";
    default:
      return "float";
    }
}

/**
 * wf_format_is_grey:
 * @format: of pixels
 *
 * Returns: whether they have a luminance and no colors.
 */
gboolean
wf_format_is_grey (const Babl *format)
{
  return (babl_get_model_flags (babl_format_get_model (format)) & BABL_MODEL_FLAG_GRAY) != 0;
}

/* What babl appends to the names of components in the encoding of @format. */
static const char *
encoding_mark (const Babl *format)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));

  if (flags & BABL_MODEL_FLAG_NONLINEAR)
    return "'";
  if (flags & BABL_MODEL_FLAG_PERCEPTUAL)
    return "~";
  return "";
}

/**
 * wf_format_find_grey:
 * @format: of pixels
 * @alpha: whether with alpha
 * @type: of a component
 *
 * Returns: the format of gray pixels in the encoding and the space of @format
 */
const Babl *
wf_format_find_grey (const Babl *format,
                     gboolean    alpha,
                     WfType      type)
{
  g_autofree char *name = g_strdup_printf ("Y%s%s %s", encoding_mark (format),
                                           alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

/**
 * wf_format_find_color:
 * @format: of pixels
 * @alpha: whether with alpha
 * @type: of a component
 *
 * Returns: the format of red, green and blue in the encoding and the space of @format
 */
const Babl *
wf_format_find_color (const Babl *format,
                      gboolean    alpha,
                      WfType      type)
{
  const char      *mark = encoding_mark (format);
  g_autofree char *name = g_strdup_printf ("R%sG%sB%s%s %s", mark, mark, mark,
                                           alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

/**
 * wf_format_find_encoded:
 * @format: of pixels
 * @alpha: whether with alpha
 * @type: of a component
 *
 * Returns: the format of non-linear red, green and blue in the space of @format
 */
const Babl *
wf_format_find_encoded (const Babl *format,
                        gboolean    alpha,
                        WfType      type)
{
  g_autofree char *name = g_strdup_printf ("R'G'B'%s %s", alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

/**
 * wf_format_is_linear:
 * @format: of pixels
 *
 * Returns: whether their components are linear light
 */
gboolean
wf_format_is_linear (const Babl *format)
{
  return encoding_mark (format)[0] == '\0';
}

/**
 * wf_format_find_non_linear:
 * @format: of pixels
 * @alpha: whether with alpha
 * @type: of a component
 *
 * Returns: the format of non-linear gray pixels, if @format is of gray ones, or else of colors, in
 *   the space of @format
 */
const Babl *
wf_format_find_non_linear (const Babl *format,
                           gboolean    alpha,
                           WfType      type)
{
  g_autofree char *name = g_strdup_printf ("Y'%s %s", alpha ? "A" : "", type_name (type));

  return wf_format_is_grey (format)
         ? babl_format_with_space (name, babl_format_get_space (format))
         : wf_format_find_encoded (format, alpha, type);
}

/**
 * wf_format_find:
 * @format: of pixels
 * @alpha: whether with alpha
 * @type: of a component
 *
 * Returns: the format of gray pixels, if @format is one, or else of colors, in the encoding
 *   and the space of @format
 */
const Babl *
wf_format_find (const Babl *format,
                gboolean    alpha,
                WfType      type)
{
  return wf_format_is_grey (format) ? wf_format_find_grey (format, alpha, type)
                                    : wf_format_find_color (format, alpha, type);
}
