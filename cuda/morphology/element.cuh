/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation of an image that is on the device. */

#pragma once

#include "cuda/core/device.cuh"

/**
 * WfCudaElement:
 * @element, @radius: a square, cube, disc or ball; 0 leaves the image as it is
 * @dilation: not an erosion
 * @image: u8, u16 or f32, packed, no NaN
 * @out: the same, other memory: zeros of f32 are +0
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

/*  The two shapes, and small ones in an image, which take no memory  */

gboolean wf_cuda_square         (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
guint64  wf_cuda_square_memory  (const WfCudaElement *task);
gboolean wf_cuda_disc           (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
guint64  wf_cuda_disc_memory    (const WfCudaElement *task);
gboolean wf_cuda_is_rolling_square
                                (const WfCudaElement *task);
gboolean wf_cuda_rolling_square (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
gboolean wf_cuda_is_small_square
                                (const WfCudaElement *task);
gboolean wf_cuda_small_square   (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
gboolean wf_cuda_is_small_disc  (const WfCudaElement *task);
gboolean wf_cuda_small_disc     (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);

/* The dilation less the erosion by a small square. */
gboolean wf_cuda_rolling_gradient
                                (WfCuda              *cuda,
                                 const WfCudaElement *task,
                                 GError             **error);
