/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "operations.h"


/**
 * wf_estimate_memory:
 * @operation: an operation
 * @image: the image that it would work on; its pixels are not read
 * @options: (nullable): the operation's options
 * @error: %WF_ERROR_INVALID for an image or options that the operation refuses
 *
 * Estimates the main memory that the operation takes beyond its input and
 * output, with the algorithm that these options choose on the CPU; nearest pixels
 * are counted as not wanted, markers as not given.
 *
 * Returns: bytes, or 0 with @error set.
 */
guint64
wf_estimate_memory (WfOperation     operation,
                    const WfImage  *image,
                    gconstpointer   options,
                    GError        **error)
{
  guint64 bytes = 0;

  g_return_val_if_fail (image != NULL, 0);

  switch (operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return wf_reconstruct_estimate (image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_DISTANCE:
      return wf_distance_estimate (image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_WATERSHED:
      return wf_watershed_estimate (image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_LABEL:
      return wf_label_estimate (image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_HIERARCHY:
      return wf_hierarchy_estimate (image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_FILL_HOLES:
    case WF_OPERATION_CLEAR_BORDER:
    case WF_OPERATION_H_MAXIMA:
    case WF_OPERATION_H_MINIMA:
    case WF_OPERATION_H_DOME:
    case WF_OPERATION_H_BASIN:
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
    case WF_OPERATION_IMPOSE_MINIMA:
      return wf_morphology_estimate (operation, image, options, &bytes, error) ? bytes : 0;
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
      return wf_filter_estimate (operation, image, options, &bytes, error) ? bytes : 0;
    }
  g_return_val_if_reached (0);
}
