/* SPDX-License-Identifier: GPL-3.0-or-later */

/* While a chain runs, all steps have one context, which keeps its memory and its streams on a GPU.
 * A step that is expected to run there leaves its result there, and the next one finds it; what is
 * on a GPU pins the step that reads it to that GPU, so that a transfer never decides against it.
 * The store (files/store.c) brings an image to main memory when a step of the CPU or a file needs
 * it.
 *
 * A GPU that has too little memory for a step beside the images that it holds gives them up, and
 * the step has its images in main memory, as if it were run apart.
 */

#include "config.h"

#include <string.h>

#include "files/store.h"
#include "residence.h"

/* Memory that a step may take beyond what the forecast says, as a part of that. */
#define SPARE 0.1

/* There is one chain; %NULL: none runs. */
static WfContext *shared;


void
residence_open (void)
{
  shared = wf_context_new ();
}

void
residence_close (void)
{
  g_clear_pointer (&shared, wf_context_unref);
}

/**
 * residence_get_context:
 *
 * Returns: (transfer full): that of the chain, or a new one where none runs
 */
WfContext *
residence_get_context (void)
{
  return shared ? wf_context_ref (shared) : wf_context_new ();
}

/**
 * residence_retreat:
 * @error: (out): %WF_ERROR_MEMORY, taken back if so
 *
 * After a step that has failed for want of memory: brings all images to main memory.
 *
 * Returns: whether there was one on a GPU, so that the step may be tried again
 */
gboolean
residence_retreat (GError **error)
{
  if (! g_error_matches (*error, WF_ERROR, WF_ERROR_MEMORY) ||
      store_count_device_bytes () == 0 || ! store_fetch_all (NULL))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

/* Devices that share an image have it in main memory. */
static gboolean
is_shared (const Job *job)
{
  return ! job->is_single;
}

static gboolean
fetch_inputs (const ResidenceTask  *task,
              GError              **error)
{
  for (guint i = 0; i < task->n_inputs; i++)
    if (! store_fetch_input (task->inputs[i], error))
      return FALSE;
  return TRUE;
}

/* Where the step is expected to run, if there is memory for it and its result. */
static WfMemory
choose_memory (const ResidenceTask *task,
               WfContext           *context)
{
  const WfImage          *image    = &task->inputs[0]->image;
  const guint64           bytes    = (guint64) wf_image_n_pixels (image) *
                                     (task->output ? wf_type_size (task->type) : 0);
  g_autoptr (WfForecast)  forecast = wf_context_forecast (context, task->operation, image,
                                                          task->options, NULL);

  if (! forecast || forecast->memory == WF_MEMORY_HOST)
    return WF_MEMORY_HOST;
  return (double) (forecast->device_needed + bytes) * (1.0 + SPARE) <=
         (double) forecast->device_free
         ? forecast->memory : WF_MEMORY_HOST;
}

/**
 * residence_settle:
 * @task: a step
 * @job: its job; told what stays where
 * @result: set to an image for the result, to be cleared, unless the task has no output
 * @error: as output_allocate() sets it, and wf_image_copy()
 *
 * Decides where the images of the step are.  Views of inputs may change.
 *
 * Returns: success
 */
gboolean
residence_settle (const ResidenceTask  *task,
                  Job                  *job,
                  WfImage              *result,
                  GError              **error)
{
  const WfImage *image  = &task->inputs[0]->image;
  WfMemory       memory = WF_MEMORY_HOST;

  if (shared && ! is_shared (job) && ! task->inputs_here)
    memory = choose_memory (task, job->context);
  if (memory == WF_MEMORY_HOST && ! fetch_inputs (task, error))
    return FALSE;
  for (guint i = 0; i < task->n_inputs; i++)
    if (task->inputs[i]->image.memory != WF_MEMORY_HOST)
      job->inputs_on = task->inputs[i]->image.memory;
  if (! task->output)
    return TRUE;
  if (memory != WF_MEMORY_HOST && task->output->stored && ! task->result_here &&
      wf_image_allocate_on (job->context, result, memory, task->type, image->width, image->height,
                            image->depth, NULL))
    {
      job->result_on = memory;
      return TRUE;
    }
  return output_allocate (task->output, task->content, task->type, image, result, error);
}
