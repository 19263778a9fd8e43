/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Histograms of images in the memory of devices, for #WfBackend. */

#pragma once

#include "device.cuh"

gboolean wf_cuda_count_levels (WfRun          *run,
                               const WfImage  *image,
                               guint64        *counts,
                               guint           n_steps,
                               GError        **error);
