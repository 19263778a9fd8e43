/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images larger than memory: what its ways share. */

#pragma once

#include "engine/blocks/sources.h"
#include "engine/blocks/workers.h"
#include "engine/core/tasks.h"
#include "rim.h"

/**
 * WfReconstructEnds:
 * @start: makes the marker of a band of the mask, which begins at row, or slice, @first
 * @finish: makes the result of a band of the mask and of its reconstruction, in its place; may be
 *   %NULL where they are the same
 * @data: for both
 * @out: takes the result where it is known at once: of the summary
 * @is_finished: result: whether @out was written, or else what was reconstructed is in the sink of
 *   the reconstruction
 *
 * What stands at both ends of a reconstruction that another operation is built on.  No image of the
 * marker is stored or read.
 */
typedef struct
{
  gboolean           (* start)  (gpointer        data,
                                 gint64          first,
                                 const WfImage  *mask,
                                 WfImage        *marker,
                                 GError        **error);
  gboolean           (* finish) (gpointer        data,
                                 const WfImage  *mask,
                                 WfImage        *levels,
                                 GError        **error);
  gpointer              data;
  const WfBlockSink    *out;
  gboolean              is_finished;
} WfReconstructEnds;

/**
 * WfReconstructBlocks:
 * @marker: what was given, or what has been reconstructed so far; %NULL where @ends make it
 * @ends: of an operation built on this, or %NULL
 * @mask_name: what @mask is to the user
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
  WfReconstructEnds    *ends;
  const char           *mask_name;
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
gboolean wf_reconstruct_read_marker (const WfReconstructBlocks  *blocks,
                                     const WfBands              *bands,
                                     const WfContext            *context,
                                     gint64                      number,
                                     const WfImage              *mask,
                                     WfImage                    *levels,
                                     GError                    **error);
gboolean wf_reconstruct_between     (WfContext                  *context,
                                     const WfBlockSource        *mask,
                                     WfReconstructEnds          *ends,
                                     const WfBlockSink          *store,
                                     const WfReconstructOptions *options,
                                     WfBlocksWay                 way,
                                     gint64                      rows,
                                     GError                    **error);
gboolean wf_reconstruct_queue_bands (const WfReconstructBlocks  *blocks,
                                     gint64                      most,
                                     gboolean                   *settled,
                                     GError                    **error);
gboolean wf_reconstruct_summary_fits
                                    (const WfReconstructBlocks  *blocks);
gboolean wf_reconstruct_summary_bands
                                    (const WfReconstructBlocks  *blocks,
                                     gboolean                    may_go_rounds,
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
  return wf_source_of_sink (blocks->out, blocks->mask);
}
