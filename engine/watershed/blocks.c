/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed of an image larger than memory, in bands.
 *
 * What a band must know of others is at the seams between bands: the levels of the rows on both
 * sides, which are read with it (its halo), and their L2.  Then its arrows are those of the whole
 * image, and each path ends in a minimum or at a pixel of the halo, its exit.
 *
 *   strips    L2 at each seam from the rows around it alone.  L2 only falls, so this is never too
 *             little, and seldom too much.
 *   summary   Each band is read: L2, its minima, the ends of the paths from its first and its last
 *             row.  Where this lowers L2 at a seam, the band beyond is summarized once more.
 *   solve     Minima that touch across seams are one (engine/blocks/seams.c); paths are followed
 *             from exit to exit, to a minimum or a marker.
 *   finish    Each band is flooded with its minima and exits labelled: read once more, or where a
 *             device keeps it.
 *
 * Bands that devices keep are finished while others are still being summarized (blocks-early.c).
 *
 * In each step the bands are shared by the workers (blocks-workers.c).  What a band tells depends
 * on its image and on L2 in its halo alone, and L2 falls to the same fixpoint in any order.
 *
 * The definition is that of engine/watershed/watershed.c, the steps inside a band are those of
 * `steepest` (engine/watershed/cpu/band.c, cuda/watershed/image/band.inc.cuh).  Where the image is
 * smoothed, or its gradient is flooded, that is done as a band is read (band-relief.c), or by the
 * device that gets it.  From markers and with a tolerance, L1 is reconstructed first
 * (band-levels.c).  With a tolerance the minima are found in it, and get the levels of the relief
 * (engine/watershed/cpu/marker-levels.c).
 *
 * Source: of the division, Barnes, Parallel priority-flood depression filling for trillion cell
 * digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "band-levels.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sharing.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "watershed.h"


/*  Passes  */

static WfPass
begin_pass (WfFloodBlocks *blocks,
            WfBlockFunc    visit,
            gint64         n_later)
{
  memset (blocks->waits, 0, (2 * blocks->bands.n + 1) * sizeof *blocks->waits);
  return (WfPass) { .n = blocks->bands.n, .n_pixels = blocks->bands.length * blocks->rim,
                    .n_later = n_later, .visit = visit, .data = blocks, .waits = blocks->waits };
}

static gboolean
measure_strips (WfFloodBlocks  *blocks,
                WfSteps        *steps,
                GError        **error)
{
  const gint64 n    = blocks->bands.n;
  WfPass       pass = begin_pass (blocks, wf_flood_measure_strip, 2 * n);

  if (n == 0)
    return TRUE;
  pass.n = n + blocks->has_outer;
  for (gint64 i = 0; i < pass.n; i++)
    {
      const gint64 seam = i - blocks->has_outer;

      wf_pass_set_waiting (&pass, i, wf_flood_has_seam (blocks, MAX (seam, 0), seam >= 0));
    }
  return wf_workers_run (blocks->workers, &pass, steps, error);
}

/* Of WfBlockDoneFunc: bands in whose halo L2 was lowered are summarized once more. */
static void
note_lowered (gpointer      data,
              const WfLane *lane,
              gint64        block)
{
  WfFloodBlocks *blocks = data;
  WfFloodSeat   *seat   = &blocks->seats[lane->number];
  WfPass        *pass   = blocks->pass;
  const gint64   number = block - pass->n_second;

  for (int side = 0; side < 2 && number >= 0; side++)
    {
      const gint64 beside = number + 2 * side - 1;

      if (seat->tell[side] && beside >= 0 && beside < blocks->bands.n)
        wf_pass_set_waiting (pass, pass->n_second + beside, TRUE);
      seat->tell[side] = FALSE;
    }
  if (pass->n_second == 0)
    return;
  if (number < 0)
    wf_flood_note_finished (blocks, block);
  else if (blocks->kept[number].on_device)
    blocks->home[number] = lane->worker;
  wf_flood_queue_numbered (blocks);
  pass->n_later = wf_flood_count_later (blocks);
}

/* Summarizes the bands that wait, and those that wait in consequence. */
static gboolean
summarize_bands (WfFloodBlocks  *blocks,
                 const gboolean *first,
                 WfSteps        *steps,
                 GError        **error)
{
  const gint64 n    = blocks->bands.n;
  WfPass       pass = begin_pass (blocks, wf_flood_summarize_band, n);
  gboolean     done;

  pass.done    = note_lowered;
  blocks->pass = &pass;
  if (blocks->early.is_open)
    {
      pass.visit    = wf_flood_visit_band;
      pass.n        = 2 * n;
      pass.n_second = n;
      pass.home     = blocks->home;
      for (gint64 i = 0; i < pass.n; i++)
        blocks->home[i] = -1;
    }
  for (gint64 i = 0; i < n; i++)
    wf_pass_set_waiting (&pass, pass.n_second + i, ! first || first[i]);
  done = wf_workers_run (blocks->workers, &pass, steps, error);
  blocks->pass = NULL;
  return done;
}

/* Lowers L2 at the seam with a neighbour, which does the same.  @lowered: whether it was higher */
static gboolean
exchange_seam (WfFloodBlocks  *blocks,
               gint64          seam,
               guint           rank,
               gboolean       *lowered,
               GError        **error)
{
  WfCommunicator     *ranks    = blocks->context->ranks;
  const gint64        n        = 2 * blocks->rim;
  guint32            *distance = blocks->distance + wf_flood_side (blocks, seam, WF_SIDE_BEFORE);
  g_autofree guint32 *theirs   = wf_allocate (n, sizeof (guint32), error);

  if (! theirs ||
      ! wf_ranks_exchange (ranks, rank, distance, theirs, n, sizeof (guint32), error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (theirs[i] < distance[i])
      {
        distance[i] = theirs[i];
        *lowered    = TRUE;
      }
  return TRUE;
}

/* Makes L2 at the seams with other ranks the same in both.  @lowered: results: whether it was
 * higher at those of each band; @any: in any rank
 */
static gboolean
exchange_distances (WfFloodBlocks  *blocks,
                    gboolean       *lowered,
                    gboolean       *any,
                    GError        **error)
{
  WfCommunicator *ranks     = blocks->context->ranks;
  const gint64    n         = blocks->bands.n;
  gint64          n_lowered = 0;

  for (int i = 0; i < 2 && n > 0; i++)
    {
      const guint  own  = wf_communicator_get_rank (ranks);
      const int    k    = wf_ranks_begin_after (ranks) ? 1 - i : i;
      const guint  rank = own + 2 * k - 1;
      const gint64 band = k == 0 ? 0 : n - 1;
      gboolean     here = FALSE;

      if (wf_flood_has_seam (blocks, band, k) &&
          ! exchange_seam (blocks, k == 0 ? -1 : band, rank, &here, error))
        return FALSE;
      lowered[band] |= here;
      n_lowered     += here;
    }
  if (! wf_ranks_sum (ranks, &n_lowered, 1, error))
    return FALSE;
  *any = n_lowered > 0;
  return TRUE;
}

/* Completes L2 and the summaries of all bands, in rounds over the ranks. */
static gboolean
summarize (WfFloodBlocks  *blocks,
           WfSteps        *steps,
           GError        **error)
{
  gboolean any = TRUE;

  if (! summarize_bands (blocks, NULL, steps, error))
    return FALSE;
  while (any && wf_ranks_are_several (blocks->context->ranks))
    {
      g_autofree gboolean *lowered = g_new0 (gboolean, blocks->bands.n + 1);

      if (! exchange_distances (blocks, lowered, &any, error) ||
          (any && ! summarize_bands (blocks, lowered, steps, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
solve (WfFloodBlocks  *blocks,
       GError        **error)
{
  if (! blocks->markers && ! wf_flood_is_numbered (blocks) &&
      ! wf_seams_solve_ranks (&blocks->seams, blocks->context->ranks, error))
    return FALSE;
  if (blocks->seams.n_components > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u minima."), G_MAXUINT32);
      return FALSE;
    }
  return wf_flood_is_done (blocks) ||
         (wf_flood_solve_exits (blocks, error) && wf_flood_check_early (blocks, error));
}

static gboolean
finish (WfFloodBlocks  *blocks,
        WfSteps        *steps,
        GError        **error)
{
  WfPass pass = begin_pass (blocks, wf_flood_finish_band, 0);

  pass.in_order = TRUE;
  pass.home     = blocks->home;
  for (gint64 i = 0; i < pass.n; i++)
    {
      blocks->home[i] = blocks->kept[i].on_device ? (int) blocks->kept[i].worker : -1;
      wf_pass_set_waiting (&pass, i, ! blocks->early.is_done || ! blocks->early.is_done[i]);
    }
  return wf_workers_run (blocks->workers, &pass, steps, error);
}


/*  The whole  */

/* Its order of pixels is one of the whole image. */
static gboolean
refuse_compactness (const WfWatershedOptions  *options,
                    GError                   **error)
{
  if (options->compactness <= 0)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("The compact watershed cannot be computed in blocks."));
  return FALSE;
}

static gboolean
prepare (WfFloodBlocks             *blocks,
         const WfBlockSource       *image,
         const WfWatershedOptions  *options,
         GError                   **error)
{
  const WfShape shape = { image->width, image->height, image->depth };

  if (! wf_source_check (image, _("image"), error) ||
      (blocks->markers && ! wf_source_check_as (blocks->markers, WF_TYPE_U32, _("marker image"),
                                                image, _("image"), error)) ||
      ! wf_operation_take (WF_OPERATION_WATERSHED, options, &blocks->options, error) ||
      ! wf_watershed_check_options (&blocks->options, blocks->markers != NULL, error) ||
      ! refuse_compactness (&blocks->options, error) ||
      ! wf_connectivity_resolve (blocks->options.connectivity, &shape, &blocks->connectivity,
                                 error))
    return FALSE;
  wf_band_relief_init (&blocks->relief, blocks->context, image, &blocks->options);
  blocks->rim       = shape.width * (shape.depth > 1 ? shape.height : 1);
  blocks->source    = &blocks->relief.filter.source;
  blocks->is_made   = blocks->markers || blocks->options.tolerance > 0;
  blocks->has_outer = wf_ranks_are_several (blocks->context->ranks);
  return wf_flood_share (blocks, error) &&
         wf_source_check_nan (blocks->context, image, _("image"), error);
}

/* Makes L1 where it is not the relief, and floods it from there on. */
static gboolean
make_levels (WfFloodBlocks  *blocks,
             WfSteps        *steps,
             GError        **error)
{
  if (! blocks->is_made)
    return TRUE;
  g_return_val_if_fail (blocks->scratch && blocks->scratch->read, FALSE);
  if (! wf_band_levels_make (blocks, error) || ! wf_steps_next (steps, error))
    return FALSE;
  blocks->made      = blocks->relief.filter.source;
  blocks->made.read = blocks->scratch->read;
  blocks->made.data = blocks->scratch->data;
  blocks->source    = &blocks->made;
  return TRUE;
}

static gboolean
flood_bands (WfFloodBlocks  *blocks,
             WfSteps        *steps,
             GError        **error)
{
  wf_flood_begin_keeping (blocks);
  wf_steps_set_left (steps, MAX (3 * blocks->bands.n - 1, 1));
  if (! measure_strips (blocks, steps, error) ||
      ! summarize (blocks, steps, error) ||
      ! solve (blocks, error) ||
      ! finish (blocks, steps, error))
    return FALSE;
  wf_steps_set_left (steps, 0);
  return TRUE;
}

static gboolean
watershed (WfFloodBlocks             *blocks,
           const WfBlockSource       *image,
           const WfWatershedOptions  *options,
           gint64                     rows,
           gint64                    *n_labels,
           GError                   **error)
{
  g_auto (WfSteps) steps = { 0 };

  blocks->rows = rows;
  if (! prepare (blocks, image, options, error))
    return FALSE;
  wf_steps_begin (&steps, blocks->context, 3);
  if (! make_levels (blocks, &steps, error) ||
      ! wf_flood_blocks_allocate (blocks, error) ||
      ! flood_bands (blocks, &steps, error))
    return FALSE;
  *n_labels = blocks->seams.n_components;
  return ! blocks->markers ||
         wf_label_set_count (&blocks->labels, blocks->context->ranks, n_labels, error);
}

/**
 * wf_watershed_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @markers: (nullable): u32, size of @image: labels of the markers, 0 elsewhere; %NULL: the minima
 * @scratch: (nullable): takes an image of the type and size of @image, and reads it back; blocks of
 *   it are written more than once; only @markers and a tolerance need it
 * @labels: takes the labels, u32
 * @n_basins: (out) (optional): how many different labels there are
 * @options: (nullable): tolerance, smoothing, gradient, lines, connectivity, …
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_watershed(), and those of @image, @markers, @scratch and @labels
 *
 * The watershed of an image that need not fit into memory; the labels are those of wf_watershed().
 * @image is read twice, and once more at the borders of the blocks, which are whole rows or slices;
 * a plateau that is wider than some dozens of pixels and lies at such a border costs more readings.
 * Then @labels is written once, in raster order; where it is in memory and devices keep blocks, in
 * any order, and while @image is still read.
 *
 * With smoothing or a gradient, blocks are read with as many rows (of a stack: slices) around them
 * as the filters look at.  With @markers or a tolerance, the levels at which pixels are flooded are
 * first reconstructed in @scratch by wf_reconstruct_blocks(), which reads @image, and @markers, as
 * its mask and its marker; then @scratch is read instead of @image, together with @markers or, for
 * a tolerance, with @image.
 *
 * Time: twice that of wf_watershed(), plus reading and writing.  Memory: within the context's
 * limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @labels may have been written.
 */
gboolean
wf_watershed_blocks (WfContext                 *context,
                     const WfBlockSource       *image,
                     const WfBlockSource       *markers,
                     const WfBlockSink         *scratch,
                     const WfBlockSink         *labels,
                     guint32                   *n_basins,
                     const WfWatershedOptions  *options,
                     const WfBlockOptions      *blocks,
                     GError                   **error)
{
  g_autoptr (WfContext)  own   = wf_context_ensure (context);
  g_auto (WfFloodBlocks) flood = { .context = own, .markers = markers, .scratch = scratch,
                                   .sink = labels };
  gint64                 n     = 0;
  WfBlockOptions         taken;
  WfJointWork            joint;

  g_return_val_if_fail (image != NULL && labels != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  if (! wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                   wf_sink_check_room (scratch, _("scratch image"), error) &&
                                   wf_sink_check_room (labels, _("labels"), error) &&
                                   watershed (&flood, image, options, taken.rows, &n, error),
                           error))
    return FALSE;
  if (n_basins)
    *n_basins = n;
  return TRUE;
}

/* As wf_context_run(), from the minima of an image without a tolerance: if it fails, the output is
 * as it was, unless partial outputs are allowed.
 */
gboolean
wf_watershed_shared (WfContext                 *context,
                     const WfWatershedTask     *task,
                     const WfWatershedOptions  *options,
                     GError                   **error)
{
  const WfBlockSource     source = wf_source_in_memory (task->image);
  const gboolean          direct = ! wf_image_overlaps (task->labels, task->image);
  g_auto (WfSharedResult) result = { 0 };
  const WfBlockOptions    bands  = { .size = sizeof bands, .rows = context->tile_size };
  WfBlockSink             sink   = { 0 };

  if (! wf_shared_result_init (&result, context, task->labels, direct, error))
    return FALSE;
  sink.image = result.image;
  if (! wf_watershed_blocks (context, &source, NULL, NULL, &sink, task->n_basins, options, &bands,
                             error))
    return FALSE;
  wf_shared_result_finish (&result, context, task->labels);
  return TRUE;
}
