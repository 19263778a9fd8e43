/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thresholds of engine/threshold/threshold.c, of packed images that are on the device. */

#pragma once

#include "cuda/core/device.cuh"

namespace threshold
{

/* What a pixel is set to. */
__device__ __forceinline__ guint8
mark (bool above,
      bool below)
{
  return above == below ? 0 : 255;
}

/* With %WF_LOCAL_MEAN and _SAUVOLA; @image: packed, no NaN; @out: other memory.  windows_memory():
 * bytes of device memory taken beyond the images, until it returns.  It advances the run by all
 * pixels.
 */
gboolean mark_by_windows (WfCuda                 *cuda,
                          const WfThresholdTask  *task,
                          gconstpointer           image,
                          guint8                 *out,
                          GError                **error);
guint64  windows_memory  (const WfThresholdTask  *task);

} // namespace threshold
