/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "gaussian-rolling.cuh"

template gboolean gaussian::smooth_by_rolling<guint16> (WfCuda *,
                                                        const WfCudaGaussian *,
                                                        GError **);
