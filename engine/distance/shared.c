/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A distance map of an image in memory by several devices: the blocks are bands of the image. */

#include "config.h"

#include "blocks.h"
#include "engine/blocks/sharing.h"
#include "engine/core/context-private.h"
#include "engine/core/memory.h"


/* Whether the CPU does the work, and the image is too tall for the algorithm of its bands. */
static gboolean
is_tall (const WfContext      *context,
         const WfDistanceTask *task,
         const char           *algorithm)
{
  const WfBackend *cpu = wf_backend_cpu ();
  WfDistanceTask   low = *task;

  low.shape.height = MIN (task->shape.height, WF_DISTANCE_MOST_ROWS);
  return ! context->in_blocks && context->partial_outputs && task->shape.depth == 1 &&
         (context->device == DEVICE_CPU || ! wf_backend_loaded (NULL)) &&
         wf_image_is_packed (task->image) && task->out && ! task->nearest &&
         ! wf_image_overlaps (task->out, task->image) &&
         wf_backend_find_variant (cpu, WF_OPERATION_DISTANCE, algorithm, task) !=
         wf_backend_find_variant (cpu, WF_OPERATION_DISTANCE, algorithm, &low);
}

/* Whether several devices share the work, or it is done in bands because the image is tall; @task:
 * of the whole image
 */
gboolean
wf_distance_is_shared (WfContext            *context,
                       const WfDistanceTask *task,
                       const char           *algorithm)
{
  const gboolean       stack = task->shape.depth > 1;
  const WfDistanceBand band  = { .axis   = stack ? 2 : 1,
                                 .length = stack ? task->shape.depth : task->shape.height };
  WfDistanceTask       part  = *task;
  WfMemory             memory;

  if (! wf_task_find_memory (WF_OPERATION_DISTANCE, task, &memory, NULL) ||
      memory != WF_MEMORY_HOST)
    return FALSE;
  part.band = &band;
  *(stack ? &part.shape.depth : &part.shape.height) = 1;
  return wf_is_shared (context, WF_OPERATION_DISTANCE, algorithm, &part, task->image) ||
         is_tall (context, task, algorithm);
}

/* Where @out goes: blocks are read after others have been written, so not to the image itself. */
static gboolean
prepare_result (WfSharedResult        *result,
                WfContext             *context,
                const WfDistanceTask  *task,
                WfImage               *out,
                WfBlockSink           *sink,
                GError               **error)
{
  if (! out)
    return TRUE;
  if (! wf_shared_result_init (result, context, out, ! wf_image_overlaps (out, task->image),
                               error))
    return FALSE;
  sink->image = result->image;
  return TRUE;
}

/* As wf_context_run(): if it fails, the outputs are as they were, unless partial outputs are
 * allowed.
 */
gboolean
wf_distance_shared (WfContext                *context,
                    const WfDistanceTask     *task,
                    const WfDistanceOptions  *options,
                    GError                  **error)
{
  const WfBlockSource     source    = wf_source_in_memory (task->image);
  g_auto (WfSharedResult) distances = { 0 };
  g_auto (WfSharedResult) nearest   = { 0 };    /* cleared first: it has less of the limit left */
  const WfBlockOptions    bands     = { .size = sizeof bands, .rows = context->tile_size };
  WfBlockSink             sinks[2]  = { { 0 }, { 0 } };

  if (! prepare_result (&distances, context, task, task->out, &sinks[0], error) ||
      ! prepare_result (&nearest, context, task, task->nearest, &sinks[1], error) ||
      ! wf_distance_blocks (context, &source, task->out ? &sinks[0] : NULL,
                            task->nearest ? &sinks[1] : NULL, options, &bands, error))
    return FALSE;
  if (task->out)
    wf_shared_result_finish (&distances, context, task->out);
  if (task->nearest)
    wf_shared_result_finish (&nearest, context, task->nearest);
  return TRUE;
}
