/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "gaussian-rolling.cuh"

template gboolean gaussian::smooth_by_rolling<guint8> (WfCuda *,
                                                       const WfCudaGaussian *,
                                                       GError **);
