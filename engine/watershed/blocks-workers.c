/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who works on the bands of a watershed (blocks.c), and what stays on their devices between the
 * summary and the finish: all but the image, so that a band is uploaded once and its labels are
 * downloaded once.  A device that fails takes nothing with it: others make what it kept again.
 */

#include "config.h"

#include "blocks.h"
#include "engine/core/context-private.h"

/* The part of a device's memory beside its lanes' that bands may take. */
#define SHARE_OF_BANDS 0.9

/* A band of @rows rows, or slices, with others around it, or the whole if that is 0. */
static WfWatershedTask
imagine_band (const WfFloodBlocks *blocks,
              WfFloodBand         *band,
              WfImage             *image,
              gint64               rows)
{
  const WfBandFilter *filter = &blocks->relief.filter;

  *image = wf_source_view (blocks->source);
  *band  = (WfFloodBand) { .step = WF_FLOOD_SUMMARY, .unit = blocks->rim };
  if (rows > 0)
    {
      *(image->depth > 1 ? &image->depth : &image->height) = rows + 2;
      band->halo[0] = band->halo[1] = 1;
    }
  return (WfWatershedTask) {
    .shape        = wf_image_shape (image),
    .type         = image->type,
    .connectivity = blocks->connectivity,
    .tolerance    = blocks->options.tolerance,
    .lines        = blocks->options.lines,
    .last_index   = blocks->options.last_index,
    .smoothing    = ! blocks->is_made && blocks->relief.is_smoothed ? &blocks->relief.smoothing
                                                                   : NULL,
    .gradient     = ! blocks->is_made && filter->apply ? blocks->relief.gradient : 0,
    .image        = image,
    .markers      = blocks->markers ? image : NULL,
    .band         = band,
  };
}

/* @rows: of a band; 0 for one band of all */
static void
begin_workers (WfFloodBlocks *blocks,
               gint64         rows)
{
  const WfImage    whole = wf_source_image (blocks->relief.filter.image);
  WfFloodBand      band;
  WfImage          image;
  WfWatershedTask  task  = imagine_band (blocks, &band, &image, rows);

  g_clear_pointer (&blocks->workers, wf_workers_free);
  blocks->workers = wf_workers_new (blocks->context, WF_OPERATION_WATERSHED,
                                    blocks->options.algorithm, &task, &whole);
  blocks->n_seats = wf_workers_count_lanes (blocks->workers);
}

/* Whether the GPUs can do bands of @rows rows. */
static gboolean
suits_gpus (const WfFloodBlocks *blocks,
            gint64               rows)
{
  const WfBackend *backend = wf_backend_loaded (NULL);
  WfFloodBand      band;
  WfImage          image;
  WfWatershedTask  task    = imagine_band (blocks, &band, &image, rows);

  return backend && wf_backend_find_variant (backend, WF_OPERATION_WATERSHED,
                                             blocks->options.algorithm, &task);
}

/* Whether the workers can do the bands as they are. */
static gboolean
suits (const WfFloodBlocks *blocks)
{
  return ! wf_workers_have_gpu (blocks->workers) || blocks->bands.n < 2 ||
         suits_gpus (blocks, blocks->bands.length);
}

/* Finds the workers and divides the image between them, so that GPUs can do the bands; if they can
 * do none, the CPU works alone.
 */
gboolean
wf_flood_share (WfFloodBlocks  *blocks,
                GError        **error)
{
  const gint64 wanted = blocks->rows;

  begin_workers (blocks, 0);
  blocks->rows = wf_workers_limit_rows (blocks->workers, WF_OPERATION_WATERSHED, &blocks->options,
                                        blocks->source, wanted);
  if (wanted == 0 && wf_workers_have_gpu (blocks->workers) && ! suits_gpus (blocks, blocks->rows))
    blocks->rows = (blocks->rows + WF_FLOOD_ROWS - 1) / WF_FLOOD_ROWS * WF_FLOOD_ROWS;
  if (! wf_flood_blocks_divide (blocks, error))
    return FALSE;
  if (suits (blocks))
    return TRUE;

  blocks->rows = blocks->bands.length - blocks->bands.length % WF_FLOOD_ROWS;
  if (blocks->rows > 0)
    {
      if (! wf_flood_blocks_divide (blocks, error))
        return FALSE;
      if (suits (blocks))
        return TRUE;
    }
  begin_workers (blocks, blocks->bands.length);
  blocks->rows = wanted;
  return wf_flood_blocks_divide (blocks, error);
}

/* Before the first pass: how much each worker can keep. */
void
wf_flood_begin_keeping (WfFloodBlocks *blocks)
{
  const WfBackend *backend = wf_backend_loaded (NULL);
  const WfBands   *bands   = &blocks->bands;
  const guint      n       = wf_workers_count (blocks->workers);
  WfImage          block   = wf_image_without_pixels (bands->type, &bands->shape);

  if (! wf_workers_have_gpu (blocks->workers) || ! backend->release)
    return;
  *(bands->shape.depth > 1 ? &block.depth : &block.height) = bands->length;
  blocks->spare = g_new0 (guint64, n);
  for (guint i = 0; i < n; i++)
    blocks->spare[i] = (guint64) (SHARE_OF_BANDS *
                                  wf_workers_count_spare (blocks->workers, i,
                                                          WF_OPERATION_WATERSHED,
                                                          &blocks->options, &block, NULL));
}

/* Bytes of a band where it stays, about. */
static guint64
count_kept (const WfFloodBlocks *blocks)
{
  return WF_FLOOD_KEPT_BYTES * (guint64) blocks->bands.length * blocks->rim;
}

/* Whether @worker can keep one more band. */
gboolean
wf_flood_reserve (WfFloodBlocks *blocks,
                  guint          worker)
{
  const guint64 bytes = count_kept (blocks);
  gboolean      fits;

  if (! blocks->spare)
    return FALSE;
  g_mutex_lock (&blocks->lock);
  fits = blocks->spare[worker] >= bytes;
  if (fits)
    blocks->spare[worker] -= bytes;
  g_mutex_unlock (&blocks->lock);
  return fits;
}

/* It does not, or no longer. */
void
wf_flood_give_back (WfFloodBlocks *blocks,
                    guint          worker)
{
  g_mutex_lock (&blocks->lock);
  blocks->spare[worker] += count_kept (blocks);
  g_mutex_unlock (&blocks->lock);
}

/* Releases what is kept of a band, if it is, when no lane visits it. */
void
wf_flood_release (WfFloodBlocks *blocks,
                  gint64         band)
{
  WfFloodKept *kept = &blocks->kept[band];

  if (! kept->on_device)
    return;
  wf_backend_loaded (NULL)->release (kept->on_device);
  kept->on_device = NULL;
  wf_flood_give_back (blocks, kept->worker);
}
