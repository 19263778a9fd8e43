/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in the memory of devices, for #WfBackend. */

#pragma once

#include "device.cuh"

/* Whether @address is in the memory of a device, by its CUDA number; managed memory is in that of
 * every one.
 */
gboolean wf_cuda_owns           (int              device,
                                 gconstpointer    address);

gboolean wf_cuda_allocate_image (WfRun           *run,
                                 guint64          bytes,
                                 gpointer        *data,
                                 gpointer        *owner,
                                 GError         **error);

gboolean wf_cuda_copy_image     (WfRun           *run,
                                 const WfImage   *from,
                                 const WfImage   *to,
                                 GError         **error);
