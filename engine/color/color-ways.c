/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a filter of levels does with an image of colors.
 *
 * Its levels are the luminance, and the result is gray; or red, green and blue are three images,
 * each of which is exactly what the filter says (marginal processing), where new colors appear if
 * they change differently; or the luminance is filtered, and each pixel gets the new one with its
 * own color (pixels.c), where parts that differ from their surroundings in color alone are not
 * seen.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/wavefront.h"

static const WfChoice ways[] =
{
  { "gray",       WF_COLORS_GRAY,       N_("Gray") },
  { "components", WF_COLORS_COMPONENTS, N_("Each component") },
  { "luminance",  WF_COLORS_LUMINANCE,  N_("Luminance, colors kept") },
  { NULL,         0,                    NULL }
};

static const WfOption color_options[] =
{
  { "colors", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfColorOptions, colors),
    N_("Co_lors"),
    N_("What becomes of colors: a gray result; red, green and blue filtered each by itself; or "
       "the luminance filtered, and the colors kept"),
    "WAY", 0, 0, WF_COLORS_GRAY, ways },
};

static const WfOptionGroup group =
{
  "colors", N_("Colors"), N_("What becomes of colors"),
  color_options, G_N_ELEMENTS (color_options), sizeof (WfColorOptions)
};

/**
 * wf_colors_get_options:
 *
 * Gets the description of #WfColorOptions.
 *
 * Returns: (transfer none): the description, constant
 */
const WfOptionGroup *
wf_colors_get_options (void)
{
  return &group;
}

/**
 * wf_operation_takes_colors:
 * @operation: an operation
 *
 * Tells whether an operation is a filter of levels, which can be applied to colors: all that it
 * reads and writes are levels.
 *
 * Returns: whether #WfColorOptions have a meaning
 */
gboolean
wf_operation_takes_colors (WfOperation operation)
{
  const WfOperationInfo *info = wf_operation_describe (operation);

  for (guint i = 0; i < info->n_inputs; i++)
    if (info->inputs[i].content != WF_CONTENT_LEVELS)
      return FALSE;
  return info->n_outputs == 1 && info->outputs[0].content == WF_CONTENT_LEVELS &&
         info->outputs[0].same_type;
}
