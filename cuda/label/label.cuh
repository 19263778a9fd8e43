/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components of an image that is on the device. */

#pragma once

#include "cuda/core/device.cuh"

/**
 * WfCudaLabelling:
 * @type: u8, u16 or f32
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D
 * @threshold: foreground lies above it; NaN: foreground is what is not 0
 * @image: packed pixels on the device
 * @labels: result, on the device; not the memory of @image
 * @n_components: result, on the host: the highest label
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  int            connectivity;
  double         threshold;
  gconstpointer  image;
  guint32       *labels;
  guint32       *n_components;
} WfCudaLabelling;

/* Whether the pixels can be numbered by the keys of 32 bits that it works with. */
gboolean wf_cuda_label_fits   (const WfShape         *shape);

/* Device memory beside the image and the labels. */
guint64  wf_cuda_label_memory (const WfShape         *shape);

gboolean wf_cuda_label        (WfCuda                *cuda,
                               const WfCudaLabelling *task,
                               GError               **error);
