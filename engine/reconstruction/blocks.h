/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images larger than memory: what its ways share. */

#pragma once

#include "engine/blocks/workers.h"
#include "engine/core/tasks.h"
#include "rim.h"

/**
 * WfReconstructBlocks:
 * @marker: what was given, or what has been reconstructed so far
 * @options: of a band, but for the connectivity
 * @connectivity: of the whole image
 * @rim: of every band
 * @rows: of a band, at most; 0 for no limit but memory
 */
typedef struct
{
  WfContext            *context;
  const WfBlockSource  *mask;
  const WfBlockSource  *marker;
  const WfBlockSink    *out;
  WfReconstructOptions  options;
  int                   connectivity;
  WfRim                 rim;
  gint64                rows;
  WfSteps              *steps;
} WfReconstructBlocks;

guint64  wf_reconstruct_band_memory (const WfReconstructBlocks  *blocks,
                                     const WfShape              *band);
WfWorkers *
         wf_reconstruct_find_workers
                                    (const WfReconstructBlocks  *blocks);
gint64   wf_reconstruct_limit_rows  (const WfReconstructBlocks  *blocks,
                                     const WfWorkers            *workers);
gboolean wf_reconstruct_band        (const WfReconstructBlocks  *blocks,
                                     WfContext                  *context,
                                     const WfImage              *mask,
                                     const WfImage              *marker,
                                     WfImage                    *out,
                                     GError                    **error);
gboolean wf_reconstruct_queue_bands (const WfReconstructBlocks  *blocks,
                                     gint64                      most,
                                     gboolean                   *settled,
                                     GError                    **error);
gboolean wf_reconstruct_summary_fits
                                    (const WfReconstructBlocks  *blocks);
gboolean wf_reconstruct_summary_bands
                                    (const WfReconstructBlocks  *blocks,
                                     GError                    **error);
gboolean wf_reconstruct_is_shared   (WfContext                  *context,
                                     const WfReconstructTask    *task,
                                     const char                 *algorithm);
gboolean wf_reconstruct_shared      (WfContext                  *context,
                                     const WfReconstructTask    *task,
                                     const WfReconstructOptions *options,
                                     GError                    **error);

/* What was written to the output, as a marker. */
static inline WfBlockSource
wf_reconstruct_so_far (const WfReconstructBlocks *blocks)
{
  WfBlockSource so_far = *blocks->mask;

  so_far.read  = blocks->out->read;
  so_far.data  = blocks->out->data;
  so_far.image = blocks->out->image;
  return so_far;
}
