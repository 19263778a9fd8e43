/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps of images that are on the device already. */

#pragma once

#include "cuda/core/device.cuh"

/**
 * WfCudaDistance:
 * @task: the task; of its images only the types matter here, and which of them are given
 * @image: packed, of the type of the task's image
 * @out: packed, of the type of the task's output, or %NULL
 * @nearest: packed, or %NULL
 * @no_background: result, known when the algorithm has run
 * @share: this algorithm's share of the run's progress, or 0 if it reports none
 * @before, @after: of the task's band, for each kind of sites; or %NULL
 *
 * All on the device but for @task and @no_background.  The outputs must not share memory
 * with the image or with each other.
 */
typedef struct
{
  const WfDistanceTask *task;
  gconstpointer         image;
  gpointer              out;
  guint64              *nearest;
  gboolean             *no_background;
  double                share;
  const gint32         *before[2];
  const gint32         *after[2];
} WfCudaDistance;

/* Lines along the axis that a band divides, in other tasks along the last axis. */
static inline gint64
wf_cuda_distance_count_columns (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;

  return wf_distance_count_axes (task) == 3 ? shape->width * shape->height : shape->width;
}


/*  The algorithms.  Each queues its work on memory that it allocates, and stores there, at
 *  @absent, whether there is no background at all.
 */

gboolean wf_cuda_distance_local_supports  (const WfDistanceTask   *task);
guint64  wf_cuda_distance_local_memory    (const WfDistanceTask   *task);
gboolean wf_cuda_distance_local           (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);

gboolean wf_cuda_distance_envelope_supports
                                          (const WfDistanceTask   *task);
guint64  wf_cuda_distance_envelope_memory (const WfDistanceTask   *task);
gboolean wf_cuda_distance_envelope        (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);


/* Queues the copy of a window's part of the distances, and the look at them. */
gboolean wf_cuda_distance_cut_out         (WfCuda                 *cuda,
                                           const WfDistanceTask   *task,
                                           const float            *whole,
                                           float                  *out,
                                           int                    *exceeded,
                                           GError                **error);

/* Queues a band's summary: for each kind its first sites, then its last ones. */
guint64  wf_cuda_distance_summary_memory  (const WfDistanceTask   *task);
gboolean wf_cuda_distance_summary         (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           gint32                 *positions,
                                           GError                **error);

/**
 * WfFarGroups:
 * @groups: for each slice, four rows and 32 columns of a stack whether the envelope is wanted
 *   there
 * @rows: for each slice and four rows whether there is such a group
 */
typedef struct
{
  guint8 *groups;
  guint8 *rows;
} WfFarGroups;

/* Only for some groups of a stack, unless @far is %NULL. */
gboolean wf_cuda_distance_envelope_far    (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           const WfFarGroups      *far,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);

gboolean wf_cuda_distance_propagation_supports
                                          (const WfDistanceTask   *task);
guint64  wf_cuda_distance_propagation_memory
                                          (const WfDistanceTask   *task);
gboolean wf_cuda_distance_propagation     (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);

gboolean wf_cuda_distance_proximate_supports
                                          (const WfDistanceTask   *task);
guint64  wf_cuda_distance_proximate_memory
                                          (const WfDistanceTask   *task);
gboolean wf_cuda_distance_proximate       (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);
gboolean wf_cuda_distance_proximate_strided
                                          (WfCuda                 *cuda,
                                           const WfCudaDistance   *distance,
                                           WfDeviceArray<guint8>  *memory,
                                           int                   **absent,
                                           GError                **error);
