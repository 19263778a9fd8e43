/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stays on a device between two tasks. */

#pragma once

#include "device.cuh"

/**
 * WfCudaKept:
 * @release: frees it, and its memory by wf_cuda_free_kept()
 * @device: where it is
 * @pooled: whether its memory is from a pool
 *
 * What all that is kept begins with.
 */
struct WfCudaKept
{
  void (* release) (gpointer kept);
  int     device;
  bool    pooled;
};
