/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/core/context-private.h"
#include "engine/core/memory.h"
#include "bands.h"
#include "sharing.h"
#include "workers.h"

/* Whether several devices share an operation on an image in memory; @task: of the whole image */
gboolean
wf_is_shared (WfContext     *context,
              WfOperation    operation,
              const char    *algorithm,
              gconstpointer  task,
              const WfImage *image)
{
  WfMemory memory;

  return ! context->in_blocks && wf_image_is_packed (image) &&
         wf_task_find_memory (operation, task, &memory, NULL) && memory == WF_MEMORY_HOST &&
         (context->tile_size > 0 || wf_image_n_pixels (image) >= WF_WORTH_SHARING) &&
         wf_workers_are_several (context, operation, algorithm, task, image);
}

/* @direct: whether no input that is read again lies at @out */
gboolean
wf_shared_result_init (WfSharedResult  *result,
                       WfContext       *context,
                       WfImage         *out,
                       gboolean         direct,
                       GError         **error)
{
  const guint64 bytes = wf_image_n_pixels (out) * wf_type_size (out->type);
  const guint64 limit = wf_context_get_memory (context);

  *result = (WfSharedResult) { .image = out, .context = context,
                               .limit_before = context->memory_limit };
  if (direct && context->partial_outputs && wf_image_is_packed (out))
    return TRUE;
  result->image = &result->own;
  if (limit > 0 && bytes >= limit)
    return wf_bands_refuse_memory (context, bytes, limit, error);
  context->memory_limit = limit > 0 ? limit - bytes : 0;
  return wf_image_allocate (&result->own, out->type, out->width, out->height, out->depth, error);
}

/* Nothing can fail any more. */
void
wf_shared_result_finish (WfSharedResult *result,
                         WfContext      *context,
                         WfImage        *out)
{
  WfRun run;

  if (result->image == out)
    return;
  wf_run_init (&run, NULL, NULL, NULL, 1.0);
  run.n_threads = wf_context_count_threads (context);
  wf_image_unpack (out, result->own.data, &run);
}

void
wf_shared_result_clear (WfSharedResult *result)
{
  wf_image_clear (&result->own);
  if (result->context)
    result->context->memory_limit = result->limit_before;
  result->context = NULL;
}
