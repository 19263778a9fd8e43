/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed's floods on a GPU: from the minima of an image, or from markers once L1
 * is known.  The definition is at the top of engine/watershed/watershed.c, the way of computing it
 * at the tops of cuda/watershed/image/tile.inc.cuh, -slopes, -growth, -plateaux, -corridors, -arrows,
 * -paths, -labels and -lines.cuh, for stacks at those of watershed-stack-*.cuh.
 */

#pragma once

#include "watershed.cuh"

/* The largest L2, as on the CPU. */
#define WF_DEEPEST 0xfffffffdu

/**
 * WfCudaFlood:
 * @level: L1, of @type, packed
 * @markers: labels of the markers, or %NULL for the minima of @level
 * @minima_only: label nothing but the minima; 0 elsewhere
 * @labels: result; may be @markers
 * @lines: draw lines between basins; needs @basins, of the size of the labels
 * @n_minima: result, where there are no markers
 * @reduction: %WF_REDUCTION_NONE for tiles of bits
 * @reduction_rate, @block_size: how reductions go, 0 where it is left open
 * @coming: how @level comes in, if it is on its way; else %NULL
 * @going: bands in which to send the labels, or %NULL
 *
 * Only tiles of bits take images on their way, and only without markers and lines, and
 * not for minima only.
 *
 * All on the device.
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  int            connectivity;
  gboolean       last_index;
  gboolean       minima_only;
  gboolean       lines;
  gconstpointer  level;
  const guint32 *markers;
  guint32       *basins;
  guint32       *labels;
  guint32       *n_minima;
  WfReduction    reduction;
  int            reduction_rate;
  int            block_size;

  const WfCudaBands *coming;
  const WfCudaBands *going;
} WfCudaFlood;

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

/* Also takes images, as stacks of one slice. */
gboolean wf_cuda_flood_stack    (WfCuda             *cuda,
                                 const WfCudaFlood  *flood,
                                 GError            **error);

/* Whether its voxels can be numbered; the bytes that it takes, with @markers or @lines. */
gboolean wf_cuda_flood_stack_supports
                                (const WfShape      *shape);
guint64  wf_cuda_flood_stack_memory
                                (const WfShape      *shape,
                                 gboolean            markers,
                                 gboolean            lines);
