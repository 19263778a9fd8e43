/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L1 of a watershed in bands from markers or with a tolerance: reconstruction by erosion of the
 * relief from the markers, or from the relief raised by the tolerance
 * (engine/watershed/cpu/marker-levels.c), by wf_reconstruct_blocks() into the caller's scratch.
 * The reconstruction's marker is never stored: it is a source that is made of the relief as it is
 * read.
 */

#include "config.h"

#include "band-levels.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/watershed/cpu/flood.h"

/* Pixels of markers that are read at a time. */
#define MARKERS_AT_ONCE (1 << 16)

/**
 * Start:
 * @markers: some rows, or slices, of the markers
 * @is_marked: whether any marker was read
 */
typedef struct
{
  WfFloodBlocks *blocks;
  WfImage        markers;
  gint64         at_once;
  gboolean       is_marked;
} Start;


static gint64
count_at_once (const WfFloodBlocks *blocks)
{
  return MAX (MARKERS_AT_ONCE / blocks->rim, 1);
}

/* Makes the marker of the reconstruction of packed @levels. */
static gboolean
start_levels (const Start    *start,
              WfImage        *levels,
              const guint32  *markers,
              GError        **error)
{
  const WfFloodBlocks *blocks = start->blocks;
  WfWatershedTask      task   = { .shape = wf_image_shape (levels), .type = levels->type,
                                  .tolerance = blocks->options.tolerance };
  WfRun                run;
  WfFlood              flood  = { .task = &task, .image = levels->data, .run = &run };

  wf_run_init (&run, blocks->context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (blocks->context);
  return wf_flood_start_levels (&flood, markers, levels->data, error);
}

/* Keeps the levels of the markers only. */
static gboolean
keep_marked (Start    *start,
             gint64    at,
             WfImage  *block,
             GError  **error)
{
  const WfBlockSource *markers = start->blocks->markers;
  const gboolean       stack   = markers->depth > 1;
  const gint64         n       = stack ? block->depth : block->height;

  for (gint64 i = 0; i < n; i += start->at_once)
    {
      WfImage  part  = *block;
      gint64  *units = stack ? &part.depth : &part.height;
      gint64   first = at + i;

      part.data = wf_image_row (block, stack ? i * block->height : i);
      *units    = MIN (start->at_once, n - i);
      if (! wf_bands_read_again (&start->blocks->relief.filter.bands, markers, first,
                                 first + *units, &start->markers, error) ||
          ! start_levels (start, &part, start->markers.data, error))
        return FALSE;
      start->is_marked = start->is_marked || wf_image_check_marked (&start->markers, NULL);
    }
  return TRUE;
}

/* Of WfReadBlockFunc. */
static gboolean
read_start (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  Start               *start  = data;
  const WfBlockSource *relief = &start->blocks->relief.filter.source;

  if (! relief->read (relief->data, x, y, z, block, error))
    return FALSE;
  return start->blocks->markers
         ? keep_marked (start, relief->depth > 1 ? z : y, block, error)
         : start_levels (start, block, NULL, error);
}

/* Reconstructs within what the sources leave of the memory. */
static gboolean
reconstruct (WfFloodBlocks        *blocks,
             const WfBlockSource  *marker,
             GError              **error)
{
  WfContext            *context = blocks->context;
  const guint64         before  = context->memory_limit;
  const guint64         limit   = wf_context_get_memory (context);
  const guint64         taken   = wf_band_levels_memory (blocks);
  const WfBlockOptions  bands   = { .size = sizeof bands, .rows = (int) blocks->rows };
  WfBlockSink           scratch = *blocks->scratch;
  WfReconstructOptions  options;
  gboolean              done;

  scratch.image = NULL;     /* the sources are none either */
  if (limit > 0 && limit <= taken)
    return wf_bands_refuse_memory (context, taken, limit, error);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = WF_BY_EROSION;
  options.connectivity = blocks->connectivity;
  wf_context_set_memory_limit (context, limit > 0 ? limit - taken : 0);
  done = wf_reconstruct_blocks (context, &blocks->relief.filter.source, marker, &scratch, &options,
                                &bands, error);
  wf_context_set_memory_limit (context, before);
  return done;
}

/* Fills the scratch. */
gboolean
wf_band_levels_make (WfFloodBlocks  *blocks,
                     GError        **error)
{
  Start          start  = { .blocks = blocks, .at_once = count_at_once (blocks) };
  WfBlockSource  marker = blocks->relief.filter.source;
  const gboolean stack  = marker.depth > 1;
  gboolean       done;

  marker.read  = read_start;
  marker.data  = &start;
  marker.image = NULL;
  if (blocks->markers &&
      ! wf_image_allocate (&start.markers, WF_TYPE_U32, marker.width,
                           stack ? marker.height : MIN (start.at_once, marker.height),
                           stack ? MIN (start.at_once, marker.depth) : 1, error))
    return FALSE;
  /* this also waits until all ranks have filled their parts of the scratch */
  done = reconstruct (blocks, &marker, error) &&
         wf_source_check_marked (blocks->context, start.is_marked || ! blocks->markers, error);
  wf_image_clear (&start.markers);
  return done;
}

/* Bytes that the sources take beside what is reconstructed. */
guint64
wf_band_levels_memory (const WfFloodBlocks *blocks)
{
  return wf_band_relief_memory (&blocks->relief)
         + (blocks->markers ? sizeof (guint32) * count_at_once (blocks) * blocks->rim : 0);
}
