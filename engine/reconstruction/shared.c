/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of an image in memory by several devices: its bands go to whichever is free, and
 * are visited again where one has raised the rim of another (blocks-queue.c).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/sharing.h"
#include "engine/core/context-private.h"

/* Whether several devices share the work. */
gboolean
wf_reconstruct_is_shared (WfContext               *context,
                          const WfReconstructTask *task,
                          const char              *algorithm)
{
  return wf_is_shared (context, WF_OPERATION_RECONSTRUCT, algorithm, task, task->mask) &&
         wf_image_is_packed (task->marker);
}

/* As wf_context_run(): if it fails, the output is as it was, unless partial outputs are allowed. */
gboolean
wf_reconstruct_shared (WfContext                   *context,
                       const WfReconstructTask     *task,
                       const WfReconstructOptions  *options,
                       GError                     **error)
{
  const WfImage          *mask    = task->mask;
  const WfImage          *marker  = task->marker;
  const gboolean          direct  = ! wf_image_overlaps (task->out, mask) &&
                                    (! wf_image_overlaps (task->out, marker) ||
                                     wf_image_is_same_view (task->out, marker));
  const WfBlockSource     sources[] = { wf_source_in_memory (mask), wf_source_in_memory (marker) };
  g_auto (WfSharedResult) result  = { 0 };
  const WfBlockOptions    bands   = { .size = sizeof bands, .way = WF_BLOCKS_QUEUE,
                                      .rows = context->tile_size };
  WfBlockSink             sink    = { 0 };

  if (! wf_shared_result_init (&result, context, task->out, direct, error))
    return FALSE;
  sink.image = result.image;
  if (! wf_reconstruct_blocks (context, &sources[0], &sources[1], &sink, options, &bands, error))
    return FALSE;
  wf_shared_result_finish (&result, context, task->out);
  return TRUE;
}
