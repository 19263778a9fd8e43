/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters of engine/filters/filters.c, of packed images that are on the device. */

#pragma once

#include "cuda/core/device.cuh"

/**
 * WfCudaGaussian:
 * @gaussian: its weights, in the host's memory; not needed when the call returns
 * @image: u8, u16 or f32, packed, no NaN
 * @out: the same, other memory
 */
typedef struct
{
  WfShape           shape;
  WfType            type;
  const WfGaussian *gaussian;
  gconstpointer     image;
  gpointer          out;
} WfCudaGaussian;

/**
 * WfCudaGradient:
 * @element, @radius: what it is taken under
 * @image: u8, u16 or f32, packed, no NaN
 * @out: the same, other memory
 */
typedef struct
{
  WfShape       shape;
  WfType        type;
  WfElement     element;
  gint64        radius;
  gconstpointer image;
  gpointer      out;
} WfCudaGradient;

/* @…_memory: bytes of device memory taken beyond the images, until it returns. */
gboolean wf_cuda_gaussian        (WfCuda                 *cuda,
                                  const WfCudaGaussian   *task,
                                  GError                **error);
guint64  wf_cuda_gaussian_memory (const WfCudaGaussian   *task);
gboolean wf_cuda_gradient        (WfCuda                 *cuda,
                                  const WfCudaGradient   *task,
                                  GError                **error);
guint64  wf_cuda_gradient_memory (const WfCudaGradient   *task);

/* Replaces @image, packed, by the relief that a watershed is to flood. */
gboolean wf_cuda_relief          (WfCuda                 *cuda,
                                  const WfWatershedTask  *task,
                                  WfDeviceArray<guint8>  *image,
                                  GError                **error);
guint64  wf_cuda_relief_memory   (const WfWatershedTask  *task);
