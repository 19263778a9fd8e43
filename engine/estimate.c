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
 * output, with the algorithm that these options choose on the CPU; all outputs
 * are counted as wanted, markers as not given.
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
    }
  g_return_val_if_reached (0);
}
