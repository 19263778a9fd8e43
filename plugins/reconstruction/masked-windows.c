/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion, dilation, opening, closing, top-hats, the gradient, the median and thresholds on the
 * pixels of a mask, as if the image ended where it ends.
 *
 * Outside the mask an erosion sees the highest level and a dilation the lowest one, which change
 * nothing; between the two steps of an opening the one takes the place of the other.  The median
 * and local thresholds see the level of the nearest pixel of the mask there.
 */

#include "config.h"

#include "masked-filter.h"
#include "masked-windows.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"


static gboolean
make (WfContext              *context,
      WfOperation             operation,
      const WfImage          *image,
      WfImage                *result,
      gconstpointer           options,
      GError                **error)
{
  return wf_swap_allocate (result, wf_operation_get_output_type (operation, 0, image->type, NULL),
                           image->width, image->height, image->depth, error) &&
         wf_swap_run (context, operation, image, result, options, error);
}

static gboolean
erode_or_dilate (WfContext              *context,
                 gboolean                dilation,
                 const WfImage          *mask,
                 WfImage                *image,
                 WfImage                *result,
                 gconstpointer           options,
                 GError                **error)
{
  wf_mask_fill (mask, image, dilation ? wf_mask_lowest (image->type)
                                      : wf_mask_highest (image->type));
  return make (context, dilation ? WF_OPERATION_DILATION : WF_OPERATION_EROSION, image, result,
               options, error);
}

static gboolean
open_or_close (WfContext              *context,
               gboolean                closing,
               const WfImage          *mask,
               WfImage                *image,
               WfImage                *result,
               gconstpointer           options,
               GError                **error)
{
  g_auto (WfImage) between = { 0 };

  return erode_or_dilate (context, closing, mask, image, &between, options, error) &&
         erode_or_dilate (context, ! closing, mask, &between, result, options, error);
}

/* What an opening or a closing changes.  Within the mask the image is still what it was. */
static gboolean
take_top_hat (WfContext              *context,
              gboolean                black,
              const WfImage          *mask,
              WfImage                *image,
              WfImage                *result,
              gconstpointer           options,
              GError                **error)
{
  if (! open_or_close (context, black, mask, image, result, options, error))
    return FALSE;
  wf_levels_differ (image, result, result);
  return TRUE;
}

static gboolean
take_gradient (WfContext              *context,
               const WfImage          *mask,
               WfImage                *image,
               WfImage                *result,
               gconstpointer           options,
               GError                **error)
{
  g_auto (WfImage) lowest = { 0 };

  if (! erode_or_dilate (context, FALSE, mask, image, &lowest, options, error) ||
      ! erode_or_dilate (context, TRUE, mask, image, result, options, error))
    return FALSE;
  wf_levels_differ (result, &lowest, result);
  return TRUE;
}

/**
 * wf_masked_windows_run:
 * @context: of the computation
 * @operation: erosion, dilation, opening, closing, top-hat, gradient, median or threshold
 * @mask: u8, 0 outside
 * @image: u8, u16 or f32, without gaps between its rows; changed outside @mask
 * @result: set to a new image
 * @options: of the operation
 * @error: as the operation sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_windows_run (WfContext              *context,
                       WfOperation             operation,
                       const WfImage          *mask,
                       WfImage                *image,
                       WfImage                *result,
                       gconstpointer           options,
                       GError                **error)
{
  switch (operation)
    {
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
      return erode_or_dilate (context, operation == WF_OPERATION_DILATION, mask, image, result,
                              options, error);
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
      return open_or_close (context, operation == WF_OPERATION_CLOSING, mask, image, result,
                            options, error);
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      return take_top_hat (context, operation == WF_OPERATION_BLACK_TOP_HAT, mask, image, result,
                           options, error);
    case WF_OPERATION_GRADIENT:
      return take_gradient (context, mask, image, result, options, error);
    case WF_OPERATION_THRESHOLD:
      return (((const WfThresholdOptions *) options)->method == WF_LOCAL_NONE ||
              wf_mask_spread (context, mask, image, error)) &&
             make (context, operation, image, result, options, error);
    default:
      return wf_mask_spread (context, mask, image, error) &&
             make (context, operation, image, result, options, error);
    }
}
