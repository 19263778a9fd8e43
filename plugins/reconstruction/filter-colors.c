/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters on one component of an image of colors, or on its luminance, for runs and previews.
 */

#include "config.h"

#include "filter-colors.h"
#include "masked-filter.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/swap.h"


static gboolean
filter_in_place (const WfFilterStep  *step,
                 WfImage             *levels,
                 GError             **error)
{
  return wf_masked_filter_run (step->context, step->operation, step->mask, levels, levels,
                               step->options, error);
}

/**
 * wf_filter_step:
 * @component: that @levels are
 * @levels: changed, or replaced
 * @step: a #WfFilterStep
 * @error: as the operation sets it
 *
 * Of #WfColorFilter.  Levels change in place, unless they are needed once more, or are read in
 * blocks while others are written.
 *
 * Returns: success
 */
gboolean
wf_filter_step (WfComponent   component,
                WfImage      *levels,
                gpointer      step,
                GError      **error)
{
  const WfFilterStep *filter = step;
  g_auto (WfImage)    result = { 0 };

  if (! filter->residue && ! wf_swap_is_on ())
    return filter_in_place (filter, levels, error);
  if (! wf_swap_allocate (&result, levels->type, levels->width, levels->height, levels->depth,
                          error) ||
      ! wf_masked_filter_run (filter->context, filter->operation, filter->mask, levels, &result,
                              filter->options, error))
    return FALSE;
  if (filter->residue)
    {
      wf_mask_fill (filter->mask, levels, 0);
      wf_levels_differ (levels, &result, levels);
      wf_swap_clear (&result);
      return TRUE;
    }
  wf_swap_clear (levels);
  *levels = result;
  result  = (WfImage) { 0 };
  return TRUE;
}

/**
 * wf_components_copy:
 * @components: red, green and blue, without gaps between their rows
 * @copy: set to new images, to be cleared by the caller, also after an error
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_components_copy (const WfImage   components[3],
                    WfImage         copy[3],
                    GError        **error)
{
  for (int i = 0; i < 3; i++)
    if (! wf_mask_copy (&components[i], &copy[i], error))
      return FALSE;
  return TRUE;
}

/**
 * wf_components_clear:
 * @components: red, green and blue, which may be empty; emptied
 */
void
wf_components_clear (WfImage components[3])
{
  for (int i = 0; i < 3; i++)
    wf_swap_clear (&components[i]);
}

/**
 * wf_components_count:
 * @way: what becomes of colors
 * @type: of levels
 *
 * Returns: the bytes a pixel that colors take, beside one image of levels and the result
 */
gsize
wf_components_count (WfColorWay way,
                     WfType     type)
{
  switch (way)
    {
    case WF_COLORS_COMPONENTS:
      return 2 * wf_type_size (type);
    case WF_COLORS_LUMINANCE:   /* beside components, before and after */
      return 3 * wf_type_size (type);
    default:
      return 0;
    }
}
