/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images larger than memory, in bands (engine/blocks/bands.h): the checks, and
 * what the ways have in common.  reconstruction.c has the definition.
 *
 * A band that is reconstructed by itself, from its marker and from levels that its rims are known
 * to reach, lies nowhere above the result, and is the result once its rims are.  So the ways differ
 * in how they find the levels of the rims:
 *
 *   queue     blocks-queue.c: bands hand their rims to each other until nothing changes.
 *   summary   blocks-summary.c: a problem of the rims alone is solved between two passes.
 *
 * The queue takes little more than one visit of each band where waves are short, and any number of
 * them where they are long; the summary takes about as long as VISITS_OF_A_SUMMARY visits, always.
 * No figure of the first pass tells how long the waves are: many pixels of a rim that change at
 * once may be one short wave.  So the automatic choice begins with the queue.  When that has taken
 * as long after its first pass as the summary takes, without an end, the summary goes on from what
 * was reached.  That is at most twice the time of the better way, and the first pass.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sharing.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"

/* How many visits of each band take the time that the summary takes. */
#define VISITS_OF_A_SUMMARY 4


/* Bytes that the reconstruction of a band takes beyond its images. */
guint64
wf_reconstruct_band_memory (const WfReconstructBlocks *blocks,
                            const WfShape             *band)
{
  WfReconstructOptions options = blocks->options;
  const WfImage        image   = wf_image_without_pixels (blocks->mask->type, band);
  WfEstimate           result  = { .n_threads = wf_context_count_threads (blocks->context) };

  options.connectivity = wf_bands_connectivity (blocks->connectivity, band->depth);
  wf_operation_get_record (WF_OPERATION_RECONSTRUCT)->estimate (WF_OPERATION_RECONSTRUCT, &image,
                                                                &options, &result, NULL);
  return result.bytes;
}

/* The devices that share the bands. */
WfWorkers *
wf_reconstruct_find_workers (const WfReconstructBlocks *blocks)
{
  const WfBlockSource     *mask = blocks->mask;
  const WfReconstructTask  task = { .shape        = { mask->width, mask->height, mask->depth },
                                    .type         = mask->type,
                                    .by           = blocks->options.by,
                                    .connectivity = blocks->connectivity };
  const WfImage            image = wf_source_image (mask);

  return wf_workers_new (blocks->context, WF_OPERATION_RECONSTRUCT, blocks->options.algorithm,
                         &task, &image);
}

/* The most rows (of a stack: slices) of a band; 0 for no limit but memory. */
gint64
wf_reconstruct_limit_rows (const WfReconstructBlocks *blocks,
                           const WfWorkers           *workers)
{
  return wf_workers_limit_rows (workers, WF_OPERATION_RECONSTRUCT, &blocks->options, blocks->mask,
                                blocks->rows);
}

/* Reconstructs a band by itself. */
gboolean
wf_reconstruct_band (const WfReconstructBlocks  *blocks,
                     WfContext                  *context,
                     const WfImage              *mask,
                     const WfImage              *marker,
                     WfImage                    *out,
                     GError                    **error)
{
  WfReconstructOptions options = blocks->options;

  options.connectivity = wf_bands_connectivity (blocks->connectivity, mask->depth);
  return wf_reconstruct (context, mask, marker, out, &options, error);
}

/* Reads, or makes, the marker of a band whose mask has been read. */
gboolean
wf_reconstruct_read_marker (const WfReconstructBlocks  *blocks,
                            const WfBands              *bands,
                            const WfContext            *context,
                            gint64                      number,
                            const WfImage              *mask,
                            WfImage                    *levels,
                            GError                    **error)
{
  if (blocks->marker)
    return wf_bands_read (bands, context, blocks->marker, number, _("marker"), levels, error);
  wf_bands_fit_view (bands, number, levels);
  return blocks->ends->start (blocks->ends->data, wf_bands_first (bands, number), mask, levels,
                              error);
}

static gboolean
check_way (const WfReconstructBlocks  *blocks,
           WfBlocksWay                 way,
           GError                    **error)
{
  if (way != WF_BLOCKS_QUEUE || ! wf_ranks_are_several (blocks->context->ranks))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("Blocks of several ranks are joined by their summary only."));
  return FALSE;
}

static gboolean
prepare (WfReconstructBlocks         *blocks,
         const WfReconstructOptions  *options,
         GError                     **error)
{
  const WfBlockSource *mask  = blocks->mask;
  const WfShape        shape = { mask->width, mask->height, mask->depth };

  if (! wf_source_check (mask, blocks->mask_name, error) ||
      (blocks->marker &&
       ! wf_source_check_as (blocks->marker, mask->type, _("marker"), mask, _("mask"), error)) ||
      ! wf_operation_take (WF_OPERATION_RECONSTRUCT, options, &blocks->options, error) ||
      ! wf_connectivity_resolve (blocks->options.connectivity, &shape, &blocks->connectivity,
                                 error))
    return FALSE;
  blocks->rim = wf_rim_of_image (&shape, mask->type, blocks->options.by, blocks->connectivity);
  return TRUE;
}

/* The summary, which writes each band once: where it goes in the end.  Ranks may do without it. */
static gboolean
finish_by_summary (WfReconstructBlocks  *blocks,
                   WfBlocksWay           way,
                   GError              **error)
{
  if (blocks->ends)
    {
      blocks->ends->is_finished = TRUE;
      blocks->out               = blocks->ends->out;
    }
  return wf_reconstruct_summary_bands (blocks, way == WF_BLOCKS_AUTO, error);
}

/* Whether another call may go on from what this one has finished: the queue would spoil it. */
static gboolean
may_be_resumed (const WfReconstructBlocks *blocks)
{
  const WfBlockSink *out = blocks->ends ? blocks->ends->out : blocks->out;

  return out->are_finished || out->finish;
}

/* The queue, and the summary where that is better and fits. */
static gboolean
choose_way (WfReconstructBlocks  *blocks,
            WfBlocksWay           way,
            GError              **error)
{
  const gboolean changes = way == WF_BLOCKS_AUTO && wf_reconstruct_summary_fits (blocks);
  gboolean       settled = FALSE;
  WfBlockSource  so_far;

  if (way == WF_BLOCKS_SUMMARY || wf_ranks_are_several (blocks->context->ranks) ||
      (way == WF_BLOCKS_AUTO && may_be_resumed (blocks)))
    return finish_by_summary (blocks, way, error);
  if (! wf_reconstruct_queue_bands (blocks, changes ? 1 + VISITS_OF_A_SUMMARY : 0, &settled, error))
    return FALSE;
  if (settled)
    return TRUE;
  so_far         = wf_reconstruct_so_far (blocks);
  blocks->marker = &so_far;
  return finish_by_summary (blocks, way, error);
}

static gboolean
reconstruct (WfReconstructBlocks         *blocks,
             const WfReconstructOptions  *options,
             WfBlocksWay                  way,
             GError                     **error)
{
  g_auto (WfSteps) steps = { 0 };

  if (! check_way (blocks, way, error) ||
      ! prepare (blocks, options, error) ||
      ! wf_source_check_nan (blocks->context, blocks->mask, blocks->mask_name, error) ||
      (blocks->marker &&
       ! wf_source_check_nan (blocks->context, blocks->marker, _("marker"), error)))
    return FALSE;
  blocks->steps = &steps;
  wf_steps_begin (&steps, blocks->context, 1);
  return choose_way (blocks, way, error);
}

/* Takes the caller's options; only the summary does without reading the result back. */
static gboolean
reconstruct_as (WfReconstructBlocks         *work,
                const WfReconstructOptions  *options,
                const WfBlockOptions        *blocks,
                GError                     **error)
{
  WfBlockOptions taken;

  if (! wf_block_options_take (blocks, &taken, error) ||
      ! wf_sink_check_room (work->out, _("result"), error))
    return FALSE;
  g_return_val_if_fail (taken.way == WF_BLOCKS_SUMMARY || work->out->read || work->out->image,
                        FALSE);
  work->rows = taken.rows;
  return reconstruct (work, options, (WfBlocksWay) taken.way, error);
}

/**
 * wf_reconstruct_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @mask: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @marker: type and size of @mask; values beyond @mask count as @mask
 * @out: takes the result, type and size of @mask, and reads it back, except for
 *   %WF_BLOCKS_SUMMARY
 * @options: (nullable): direction, connectivity, algorithm
 * @blocks: (nullable): how the bands are joined, and how many rows a band has at most
 * @error: as for wf_reconstruct(), and those of @mask, @marker and @out
 *
 * Morphological reconstruction of an image that need not fit into memory; the result is that of
 * wf_reconstruct().
 *
 * Time: %WF_BLOCKS_QUEUE reads both images and writes the output once, and then again those parts
 * of blocks that others change, once for each time that a wave crosses them: about as much again on
 * natural images with markers near the mask, three times as much where holes are filled.
 * %WF_BLOCKS_SUMMARY takes two to five times as long as wf_reconstruct(), whatever the image is; it
 * reads @mask and @marker twice and writes @out once, in raster order.  %WF_BLOCKS_AUTO takes at
 * most twice as long as the better of the two, and one pass more.
 *
 * Memory: within the context's limit, blocks included.  %WF_BLOCKS_SUMMARY keeps up to 56 bytes for
 * each pixel of the blocks' first and last rows (of a stack: slices) as well; where that does not
 * fit, %WF_BLOCKS_AUTO does without.
 *
 * Returns: %FALSE with @error set; then part of @out may have been written.
 */
gboolean
wf_reconstruct_blocks (WfContext                   *context,
                       const WfBlockSource         *mask,
                       const WfBlockSource         *marker,
                       const WfBlockSink           *out,
                       const WfReconstructOptions  *options,
                       const WfBlockOptions        *blocks,
                       GError                     **error)
{
  g_autoptr (WfContext) own  = wf_context_ensure (context);
  WfReconstructBlocks   work = { .context = own, .mask = mask, .marker = marker, .out = out,
                                 .mask_name = _("mask") };
  WfJointWork           joint;

  g_return_val_if_fail (mask != NULL && marker != NULL && out != NULL, FALSE);
  g_return_val_if_fail (! out->image || (mask->image && marker->image), FALSE);

  wf_joint_work_begin (&joint, own);
  return wf_joint_work_end (&joint, reconstruct_as (&work, options, blocks, error), error);
}

/* The same for an operation built on reconstruction, which is joint work itself.  @store: of the
 * queue: what is reconstructed is written to it and read back; not an image in memory, and not
 * needed with the summary
 */
gboolean
wf_reconstruct_between (WfContext                   *context,
                        const WfBlockSource         *mask,
                        WfReconstructEnds           *ends,
                        const WfBlockSink           *store,
                        const WfReconstructOptions  *options,
                        WfBlocksWay                  way,
                        gint64                       rows,
                        GError                     **error)
{
  WfReconstructBlocks blocks = { .context = context, .mask = mask, .ends = ends, .out = store,
                                 .mask_name = _("image"), .rows = rows };

  ends->is_finished = FALSE;
  return reconstruct (&blocks, options, way, error);
}
