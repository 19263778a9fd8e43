/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The floods of the path-reducing watershed on a GPU; see reduction.cu. */

#pragma once

#include "cuda/watershed/flood.cuh"

/* @flood's reduction is any but %WF_REDUCTION_NONE. */
gboolean wf_cuda_flood_by_reduction          (WfCuda             *cuda,
                                              const WfCudaFlood  *flood,
                                              GError            **error);

/* Return whether @n pixels can be numbered, and the device memory that they need. */
gboolean wf_cuda_flood_by_reduction_supports (gint64              n);
guint64  wf_cuda_flood_by_reduction_memory   (WfReduction         reduction,
                                              gint64              n);
