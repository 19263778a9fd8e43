/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bands of an image in memory that stay on the GPUs which have visited them (blocks-queue.c).
 *
 * After its first visit a GPU keeps a band, its mask and its levels, as far as its memory allows
 * beside what its lanes need.  That band, or parts of it, are then visited where they are: two rows
 * go there at most, the rims, raised to what they touch; nothing is uploaded twice.  What a visit
 * gives is written to the output each time.  So the output has all that is known, and a GPU that
 * fails takes nothing with it: other workers visit its bands from the images in memory.
 *
 * A visit of a part looks at all of its pixels.  Where each GPU has one band, it may also keep what
 * its algorithm knows of the band, and go on from the rims of the whole band, looking only at what
 * these reach.  Where all bands are kept so, they are not divided.
 *
 * Rims go through memory of the host, also from one GPU to another: a row of a hundred thousand
 * pixels takes some microseconds there, less than the launch of a kernel.
 */

#include "config.h"

#include "blocks-queue.h"
#include "engine/core/context-private.h"

/* The part of a device's memory beside its lanes' that bands may take.  The rest is for levels that
 * propagate far, which take more (cuda/reconstruction/reconstruction.cu).
 */
#define SHARE_OF_BANDS 0.5

/* Whether tasks on bands are to go on from their rims: where there are no more of them than
 * devices.  Of many bands, parts are visited sooner than the memory for that is there.
 */
static gboolean
may_go_on (const WfBandQueue *queue)
{
  return queue->n_kept <= (gint64) wf_workers_count (queue->workers) &&
         queue->bands.shape.depth == 1;
}

/* Before the first pass: how much each worker can keep. */
void
wf_queue_begin_keeping (WfBandQueue *queue)
{
  const WfBackend *backend = wf_backend_loaded (NULL);
  const WfBands   *bands   = &queue->bands;
  const guint      n       = wf_workers_count (queue->workers);
  WfImage          block   = wf_image_without_pixels (bands->type, &bands->shape);

  if (! backend || ! backend->release)
    return;
  *(bands->shape.depth > 1 ? &block.depth : &block.height) = bands->length;
  queue->n_kept = bands->n;
  queue->kept   = g_new0 (WfQueuedBand, bands->n);
  queue->spare  = g_new0 (guint64, n);
  queue->needed = g_new0 (guint64, n);
  for (guint i = 0; i < n; i++)
    queue->spare[i] = (guint64) (SHARE_OF_BANDS *
                                 wf_workers_count_spare (queue->workers, i,
                                                         WF_OPERATION_RECONSTRUCT,
                                                         &queue->blocks->options, &block,
                                                         &queue->needed[i]));
  for (guint i = 0; i < n && ! may_go_on (queue); i++)
    queue->needed[i] = MIN (queue->needed[i], 2 * wf_image_n_pixels (&block) *
                                              wf_type_size (block.type));
}

/* After the first pass: whether a visit of any band goes on from its rims. */
gboolean
wf_queue_goes_on (const WfBandQueue *queue)
{
  for (gint64 i = 0; i < queue->n_kept; i++)
    if (! queue->kept[i].on_device || ! queue->kept[i].goes_on)
      return FALSE;
  return queue->n_kept > 0;
}

/* After the image has been divided anew, into parts of each band: which worker keeps each. */
void
wf_queue_find_homes (WfBandQueue *queue)
{
  queue->home = g_new (int, queue->bands.n);
  for (gint64 i = 0; i < queue->bands.n; i++)
    {
      const WfQueuedBand *kept = &queue->kept[i / queue->parts];

      queue->home[i] = kept->on_device ? (int) kept->worker : -1;
    }
  queue->pass.home = queue->home;
}

/* No lane works any more. */
void
wf_queue_release (WfBandQueue *queue)
{
  for (gint64 i = 0; i < queue->n_kept; i++)
    if (queue->kept[i].on_device)
      wf_backend_loaded (NULL)->release (queue->kept[i].on_device);
  g_clear_pointer (&queue->kept, g_free);
  g_clear_pointer (&queue->spare, g_free);
  g_clear_pointer (&queue->needed, g_free);
  g_clear_pointer (&queue->home, g_free);
}

/* Takes a band's part of what the worker can keep. */
static gboolean
reserve (WfBandQueue *queue,
         guint        worker)
{
  const guint64 bytes = queue->needed[worker];
  gboolean      fits;

  g_mutex_lock (&queue->lock);
  fits = bytes > 0 && queue->spare[worker] >= bytes;
  if (fits)
    queue->spare[worker] -= bytes;
  g_mutex_unlock (&queue->lock);
  return fits;
}

static gboolean
run (const WfBandQueue  *queue,
     const WfLane       *lane,
     WfSeat             *seat,
     const WfImage      *marker,
     WfKeptBand         *kept,
     GError            **error)
{
  const WfReconstructBlocks *blocks = queue->blocks;
  const WfImage             *mask   = &seat->mask;
  const WfReconstructTask    task   =
  {
    .shape = wf_image_shape (mask), .type = mask->type, .by = blocks->options.by,
    .connectivity = wf_bands_connectivity (blocks->connectivity, mask->depth),
    .mask = mask, .marker = marker, .out = &seat->levels, .kept = kept,
  };
  WfPlan                     plan;

  return wf_workers_plan (lane, WF_OPERATION_RECONSTRUCT, blocks->options.algorithm, &task, &plan,
                          error) &&
         wf_context_run (lane->context, WF_OPERATION_RECONSTRUCT, &plan, &task, error);
}

static void
find_risen (WfBandQueue    *queue,
            const WfLane   *lane,
            WfSeat         *seat,
            gint64          number,
            const WfImage  *marker,
            WfKeptBand     *kept)
{
  wf_workers_begin_access (queue->workers, lane);
  wf_queue_find_risen (queue, seat, number, marker, kept->rims);
  wf_workers_end_access (queue->workers, lane, "read");
}

/* The first visit of a band by a GPU, which may keep it. */
static gboolean
visit_first (WfBandQueue    *queue,
             const WfLane   *lane,
             WfSeat         *seat,
             gint64          number,
             const WfImage  *marker,
             GError        **error)
{
  WfQueuedBand *band = &queue->kept[number];
  WfKeptBand    kept = { .unit      = wf_rim_n_pixels (&queue->blocks->rim),
                         .may_keep  = reserve (queue, lane->worker),
                         .may_go_on = may_go_on (queue) };

  find_risen (queue, lane, seat, number, marker, &kept);
  if (! run (queue, lane, seat, marker, &kept, error))
    return FALSE;
  band->on_device = kept.on_device;
  band->goes_on   = kept.goes_on;
  band->worker    = lane->worker;
  return TRUE;
}

/* Whether the worker keeps band @number, which is visited again; where another does, what that one
 * keeps is of no use any more.
 */
static gboolean
is_kept_by (WfBandQueue  *queue,
            const WfLane *lane,
            gint64        number)
{
  WfQueuedBand *band = &queue->kept[number / queue->parts];
  gboolean      is_kept;

  g_mutex_lock (&queue->lock);
  band->stale |= band->on_device && band->worker != lane->worker;
  is_kept      = band->on_device && ! band->stale;
  g_mutex_unlock (&queue->lock);
  return is_kept;
}

/* Visits a band on a GPU with what that keeps.  @marker: a view of the band; @done: result: FALSE
 * if it is to be visited otherwise
 */
gboolean
wf_queue_visit_kept (WfBandQueue    *queue,
                     const WfLane   *lane,
                     WfSeat         *seat,
                     gint64          number,
                     const WfImage  *marker,
                     gboolean       *done,
                     GError        **error)
{
  WfKeptBand kept = { .unit      = wf_rim_n_pixels (&queue->blocks->rim),
                      .may_go_on = may_go_on (queue) };

  *done = FALSE;
  if (! queue->kept)
    return TRUE;
  if (queue->first_pass && lane->context->device == DEVICE_CUDA)
    {
      *done = TRUE;
      return visit_first (queue, lane, seat, number, marker, error);
    }
  if (queue->first_pass || ! is_kept_by (queue, lane, number))
    return TRUE;
  *done          = TRUE;
  kept.on_device = queue->kept[number / queue->parts].on_device;
  kept.first     = number % queue->parts * queue->bands.length;
  find_risen (queue, lane, seat, number, marker, &kept);
  if (! run (queue, lane, seat, marker, &kept, error))
    return FALSE;
  seat->anew = queue->parts == 1 && ! kept.goes_on;
  return TRUE;
}
