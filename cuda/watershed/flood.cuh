/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed's floods on a GPU: from the minima of an image, or from markers once L1 is
 * known.  engine/watershed/watershed.c has the definition.  The steps are described at the tops
 * of the chapters, in this order:
 *
 *   images  image/tile, level-planes, lowest-neighbours, plateau-distance, plateaux, tile-plateaux,
 *           chain-contraction, arrows, minima-arrows, paths, minima, labels, lines, band
 *   stacks  stack/tile, classes, shallow-plateaux, plateau-distance, chain-contraction, keys,
 *           arrows, paths, minima, labels
 */

#pragma once

#include "cuda/core/transfer.cuh"

/* The largest L2, as on the CPU. */
#define WF_DEEPEST 0xfffffffdu

/* Which of the path-reducing watershed's systems floods, if any. */
typedef enum
{
  WF_REDUCTION_NONE,
  WF_REDUCTION_SYNC,
  WF_REDUCTION_ASYNC,
  WF_REDUCTION_BALANCED
} WfReduction;

/**
 * WfCudaFlood:
 * @task: what is wanted; its images are on the host, and not used
 * @reduction: %WF_REDUCTION_NONE for the default
 * @level: L1, of the task's type, packed
 * @markers: labels of the markers, or %NULL for the minima of @level
 * @minima_only: label only the minima, 0 elsewhere, and draw no lines
 * @labels: result; may be @markers
 * @basins: memory of the size of the labels, for lines
 * @n_minima: result, where there are no markers
 * @coming: how @level arrives, if it is in transfer; else %NULL
 * @going: bands in which to send the labels, or %NULL
 *
 * Only the default takes images in transfer and sends bands, and only without markers, lines
 * and @minima_only.
 *
 * All on the device but for @task and @n_minima.
 */
struct WfCudaFlood
{
  const WfWatershedTask *task;
  WfReduction            reduction;
  gconstpointer          level;
  const guint32         *markers;
  gboolean               minima_only;
  guint32               *labels;
  guint32               *basins;
  guint32               *n_minima;
  const WfCudaBands     *coming;
  const WfCudaBands     *going;

  gboolean
  draws_lines () const
  {
    return task->lines && ! minima_only;
  }
};

/* Why a flood has no result. */
typedef enum
{
  WF_FLOOD_TOO_DEEP,
  WF_FLOOD_TOO_MANY
} WfFloodFailure;

/* Sets the error, and returns FALSE. */
gboolean wf_cuda_flood_fail     (WfFloodFailure      failure,
                                 GError            **error);

gboolean wf_cuda_flood          (WfCuda             *cuda,
                                 const WfCudaFlood  *flood,
                                 GError            **error);
gboolean wf_cuda_flood_image    (WfCuda             *cuda,
                                 const WfCudaFlood  *flood,
                                 GError            **error);

/* A step of a band of an image (#WfFloodBand): @level begins with its halo, and @labels are those
 * of the band itself; NULL but for a finish.  @rows: six rows of values, of which the first four
 * are uploaded by wf_cuda_upload_flood_rows(), before anything large
 */
gboolean wf_cuda_upload_flood_rows
                                (WfCuda                 *cuda,
                                 const WfWatershedTask  *task,
                                 guint32                *rows,
                                 GError                **error);
gboolean wf_cuda_flood_band     (WfCuda             *cuda,
                                 const WfCudaFlood  *flood,
                                 guint32            *rows,
                                 GError            **error);

/* Takes images, too, as stacks of one slice. */
gboolean wf_cuda_flood_stack    (WfCuda             *cuda,
                                 const WfCudaFlood  *flood,
                                 GError            **error);

/* Whether its voxels can be numbered; the device memory needed, with @markers or @lines. */
gboolean wf_cuda_flood_stack_supports
                                (const WfShape      *shape);
guint64  wf_cuda_flood_stack_memory
                                (const WfShape      *shape,
                                 gboolean            markers,
                                 gboolean            lines);
