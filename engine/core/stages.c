/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Progress and memory of an operation that consists of others, which follow each other and report
 * theirs from 0 to 1.
 */

#include "config.h"

#include "stages.h"


/* Of WfProgressFunc. */
static void
report_stage (double   fraction,
              gpointer data)
{
  const WfStages *stages = data;

  stages->progress (stages->start + stages->share * fraction, stages->data);
}

void
wf_stages_init (WfStages  *stages,
                WfContext *context)
{
  *stages = (WfStages) { context, context->progress, context->progress_data, 0.0, 0.0,
                         context->memory_limit };
  if (stages->progress)
    wf_context_set_progress (context, report_stage, stages);
}

/* Makes sure of memory that is held during the stages that follow, and takes it from their limit,
 * of which something is left: 0 would be none.
 */
gboolean
wf_stages_claim (WfStages  *stages,
                 guint64    bytes,
                 GError   **error)
{
  WfContext *context = stages->context;

  if (! wf_context_allow_memory (context, bytes, error))
    return FALSE;
  if (context->memory_limit > 0)
    context->memory_limit = MAX (context->memory_limit - bytes, 1);
  return TRUE;
}

void
wf_stages_next (WfStages *stages,
                double    share)
{
  stages->start += stages->share;
  stages->share  = share;
}

void
wf_stages_end (WfStages *stages)
{
  wf_context_set_progress (stages->context, stages->progress, stages->data);
  stages->context->memory_limit = stages->memory_limit;
}
