/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation of an image that is on the device. */

#pragma once

#include "cuda/core/device.cuh"

/**
 * WfCudaElement:
 * @element, @radius: 0 leaves the image as it is
 * @dilation: not an erosion
 * @image: u8, u16 or f32, packed, no NaN
 * @out: the same, other memory: zeros of f32 may have either sign
 *
 * What lies outside the image is left out.
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  WfElement      element;
  gint64         radius;
  gboolean       dilation;
  gconstpointer  image;
  gpointer       out;
} WfCudaElement;

gboolean wf_cuda_element        (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);

/* Bytes of device memory that it takes beyond the task's images, until it returns. */
guint64  wf_cuda_element_memory (const WfCudaElement *task);

/*  The two shapes  */

gboolean wf_cuda_square         (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
guint64  wf_cuda_square_memory  (const WfCudaElement *task);
gboolean wf_cuda_disc           (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
guint64  wf_cuda_disc_memory    (const WfCudaElement *task);
