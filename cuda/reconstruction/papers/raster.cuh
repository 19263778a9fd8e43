/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by directional scans; see raster.cu. */

#pragma once

#include "padded.cuh"

/* One scan in each direction.  @changed, on the device, is set to 1 if a pixel was
 * raised, else left alone.
 */
gboolean wf_cuda_raster_pass               (WfCuda                      *cuda,
                                            const WfPaddedImages        *images,
                                            WfType                       type,
                                            int                          connectivity,
                                            guint32                     *changed,
                                            GError                     **error);

gboolean wf_cuda_reconstruct_raster        (WfCuda                      *cuda,
                                            const WfCudaReconstruction  *task,
                                            GError                     **error);

/* Bytes of device memory that it takes beyond the task's images. */
guint64  wf_cuda_reconstruct_raster_memory (const WfCuda                *cuda,
                                            const WfShape               *shape,
                                            WfType                       type,
                                            int                          connectivity);
