/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The threshold between foreground and background. */

#include "config.h"

#include "foreground.h"
#include "mask.h"
#include "plugins/common/swap/swap.h"
#include "ui/options/level-fraction.h"


/**
 * wf_foreground_find_threshold:
 * @image: u8, u16 or f32
 * @mask: (nullable): u8, 0 where a pixel of @image does not count; %NULL or empty: all count
 * @automatic: whether to compute the threshold, by Otsu's method
 * @threshold: (inout): a level in the image's own units
 * @fraction: (out): the same as a fraction of the range from black to white
 * @error: as wf_mask_histogram() sets it
 *
 * Returns: whether there is a threshold.
 */
gboolean
wf_foreground_find_threshold (const WfImage  *image,
                              const WfImage  *mask,
                              gboolean        automatic,
                              double         *threshold,
                              double         *fraction,
                              GError        **error)
{
  if (automatic &&
      ! wf_foreground_find_level (image, mask, WF_THRESHOLD_OTSU, 0, threshold, error))
    return FALSE;
  *fraction = *threshold / wf_level_maximum (image->type);
  return TRUE;
}

/**
 * wf_foreground_find_level:
 * @image: u8, u16 or f32
 * @mask: (nullable): as for wf_foreground_find_threshold()
 * @method: as for wf_histogram_find_threshold()
 * @percent: likewise
 * @threshold: (out): the level that divides the levels inside the mask
 * @error: as wf_mask_histogram() sets it
 *
 * Returns: whether there is a threshold.
 */
gboolean
wf_foreground_find_level (const WfImage      *image,
                          const WfImage      *mask,
                          WfThresholdMethod   method,
                          double              percent,
                          double             *threshold,
                          GError            **error)
{
  g_autoptr (WfHistogram) histogram = wf_mask_histogram (mask, image, error);

  if (! histogram)
    return FALSE;
  *threshold = wf_histogram_find_threshold (histogram, method, percent);
  return TRUE;
}

/**
 * wf_foreground_mark_parts:
 * @image: u8, u16, u32 or f32, without gaps between its rows
 * @threshold: as for wf_foreground_mark()
 * @above: likewise
 * @foreground: u8, likewise
 *
 * wf_foreground_mark() of images that may be in the swap.
 */
void
wf_foreground_mark_parts (const WfImage *image,
                          double         threshold,
                          gboolean       above,
                          WfImage       *foreground)
{
  WF_FOR_PARTS (part, image)
    {
      const WfImage levels = wf_swap_view (image, &part);
      WfImage       marks  = wf_swap_view (foreground, &part);

      wf_foreground_mark (&levels, threshold, above, &marks);
    }
}

/**
 * wf_foreground_limit_parts:
 * @foreground: as for wf_foreground_limit(), without gaps between its rows
 * @labels: likewise
 *
 * wf_foreground_limit() of images that may be in the swap.
 *
 * Returns: whether a label is left
 */
gboolean
wf_foreground_limit_parts (const WfImage *foreground,
                           WfImage       *labels)
{
  gboolean any = FALSE;

  WF_FOR_PARTS (part, labels)
    {
      const WfImage inside = wf_swap_view (foreground, &part);
      WfImage       view   = wf_swap_view (labels, &part);

      any |= wf_foreground_limit (&inside, &view);
    }
  return any;
}
