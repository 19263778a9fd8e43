/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in the memory of devices: which a task has, and copies in main memory for what does not
 * find them there.
 */

#pragma once

#include "context.h"

#define WF_MAX_TASK_IMAGES 3

/**
 * WfTaskLayout:
 * @size: of the task
 * @inputs: where in it the pointers to the images are; 0: there is no more
 * @outputs: likewise
 *
 * Which images a kind of task has.
 */
typedef struct
{
  gsize size;
  gsize inputs[WF_MAX_TASK_IMAGES];
  gsize outputs[WF_MAX_TASK_IMAGES];
} WfTaskLayout;

/* The image of a field of a layout, or NULL. */
static inline const WfImage *
wf_task_get_image (gconstpointer task,
                   gsize         offset)
{
  return offset > 0 ? G_STRUCT_MEMBER (const WfImage *, task, offset) : NULL;
}

/**
 * WfStaged:
 * @image: the caller's
 * @out: the same if it is written, or %NULL
 * @copy: in main memory
 */
typedef struct
{
  const WfImage *image;
  WfImage       *out;
  WfImage        copy;
} WfStaged;

/**
 * WfStaging:
 * @context: whose devices the images are on; its memory limit is lower by the copies while they are
 *   there
 * @images: of them @n have copies
 * @memory_limit: that of @context without them
 *
 * Copies in main memory of images of one call:
 *
 *   g_auto (WfStaging) staging = { .context = context };
 *
 *   return wf_staging_take (&staging, &labels, error) &&
 *          wf_staging_give (&staging, &out, error) &&
 *          … work with labels and out … &&
 *          wf_staging_deliver (&staging, error);
 */
typedef struct
{
  WfContext *context;
  guint      n;
  WfStaged   images[2 * WF_MAX_TASK_IMAGES];
  guint64    memory_limit;
} WfStaging;

gboolean        wf_staging_take      (WfStaging        *staging,
                                      const WfImage   **image,
                                      GError          **error);
gboolean        wf_staging_give      (WfStaging        *staging,
                                      WfImage         **out,
                                      GError          **error);
gpointer        wf_staging_take_task (WfStaging        *staging,
                                      WfOperation       operation,
                                      gconstpointer     task,
                                      guint64           memory,
                                      GError          **error);
const WfImage * wf_staging_find      (const WfStaging  *staging,
                                      const WfImage    *image);
gboolean        wf_staging_deliver   (WfStaging        *staging,
                                      GError          **error);
void            wf_staging_clear     (WfStaging        *staging);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfStaging, wf_staging_clear)

gboolean        wf_context_count_levels
                                     (WfContext        *context,
                                      const WfImage    *image,
                                      guint64          *counts,
                                      guint             n_steps,
                                      GError          **error);
gboolean        wf_context_check_marked
                                     (WfContext        *context,
                                      const WfImage    *markers,
                                      GError          **error);


/*  workload.c  */

const WfTaskLayout *
                wf_task_get_layout   (WfOperation       operation);
gboolean        wf_task_find_memory  (WfOperation       operation,
                                      gconstpointer     task,
                                      WfMemory         *memory,
                                      GError          **error);
