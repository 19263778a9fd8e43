/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed of images that are on the device, for the operations built on it. */

#pragma once

#include "cuda/core/transfer.cuh"

/* Which of the path-reducing watershed's systems does the floods, if any. */
typedef enum
{
  WF_REDUCTION_NONE,
  WF_REDUCTION_SYNC,
  WF_REDUCTION_ASYNC,
  WF_REDUCTION_BALANCED
} WfReduction;

/**
 * WfCudaWatershed:
 * @task: what is wanted; its images' pixels are not looked at, its @n_basins is set
 * @image: of the task's type, packed, no NaN
 * @markers: packed, not all 0, or %NULL where the task has none
 * @labels: result, packed; may be @markers
 * @reduction: %WF_REDUCTION_NONE for the default
 * @coming: how @image comes in, if it is on its way; else %NULL
 * @going: bands in which to send the labels, or %NULL; see wf_cuda_watershed_streams()
 *
 * All on the device but for @task.
 */
typedef struct
{
  const WfWatershedTask *task;
  gconstpointer          image;
  const guint32         *markers;
  guint32               *labels;
  WfReduction            reduction;
  const WfCudaBands     *coming;
  const WfCudaBands     *going;
} WfCudaWatershed;

/* Queued on the stream; returns when the labels are, and n_basins is known. */
gboolean wf_cuda_watershed          (WfCuda                 *cuda,
                                     const WfCudaWatershed  *watershed,
                                     GError                **error);

/* Whether it can work on images while they come and go. */
gboolean wf_cuda_watershed_streams  (const WfWatershedTask  *task,
                                     WfReduction             reduction);

/* Whether its tiles can be numbered; the bytes that it takes beyond @image, @markers and
 * @labels.
 */
gboolean wf_cuda_watershed_supports (const WfWatershedTask  *task);
guint64  wf_cuda_watershed_memory   (const WfWatershedTask  *task);
