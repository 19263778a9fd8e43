/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The variants of the tools for labels: regions in a table (label-table.c), and labels grown by a
 * distance map (label-expand.c).
 *
 * Both read the labels again while they write the result, pixel by pixel at the same place.  So
 * the result may be the labels themselves; if it only shares a part of their memory, they are
 * copied before.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/cpu.h"
#include "label-tools.h"


/* Whether the result would overwrite labels before they are read. */
static gboolean
needs_copy (const WfLabelsTask *task)
{
  return task->out && wf_image_overlaps (task->labels, task->out) &&
         ! wf_image_is_same_view (task->labels, task->out);
}

static guint64
copy_memory (const WfLabelsTask *task)
{
  return needs_copy (task)
         ? (guint64) wf_image_n_pixels (task->labels) * wf_type_size (task->labels->type) : 0;
}

static gboolean
copy_labels (const WfImage  *labels,
             WfImage        *copy,
             GError        **error)
{
  if (! wf_image_allocate (copy, labels->type, labels->width, labels->height, labels->depth,
                           error))
    return FALSE;
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    memcpy (wf_image_row (copy, row), wf_image_row (labels, row),
            labels->width * wf_type_size (labels->type));
  return TRUE;
}

typedef gboolean (* LabelsFunc) (const WfLabelsTask  *task,
                                 WfRun               *run,
                                 GError             **error);

static gboolean
run_on_copy (const WfLabelsTask  *task,
             WfRun               *run,
             LabelsFunc           function,
             GError             **error)
{
  WfLabelsTask     apart = *task;
  g_auto (WfImage) copy  = { 0 };

  if (needs_copy (task))
    {
      if (! copy_labels (task->labels, &copy, error))
        return FALSE;
      apart.labels = &copy;
    }
  return function (&apart, run, error);
}


/*  Regions in a table  */

static gboolean
change_labels (const WfLabelsTask  *task,
               WfRun               *run,
               GError             **error)
{
  g_auto (WfLabelTable) table = { .labels = task->labels, .context = task->context, .run = run,
                                  .areas = task->operation != WF_OPERATION_RELABEL };

  return wf_label_table_count (&table, task->out, 0.5, error) &&
         wf_label_table_decide (&table, task, error) &&
         wf_label_table_write (&table, task->out, 0.5, error);
}

static gboolean
run_runs (gconstpointer   task,
          WfRun          *run,
          GError        **error)
{
  return run_on_copy (task, run, change_labels, error);
}

/* In an estimate the result is as packed as the labels. */
static guint64
runs_memory (gconstpointer task,
             guint         n_threads)
{
  const WfLabelsTask *labels = task;

  return wf_label_table_memory (labels->labels, labels->out ? labels->out : labels->labels)
         + copy_memory (labels);
}

const WfVariant wf_cpu_label_tool_variants[] =
{
  { .algorithm = "runs", .memory = runs_memory, .run = run_runs },
  { NULL }
};


/*  Labels grown  */

static gboolean
run_nearest (gconstpointer   task,
             WfRun          *run,
             GError        **error)
{
  return run_on_copy (task, run, wf_cpu_expand_labels, error);
}

static guint64
nearest_memory (gconstpointer task,
                guint         n_threads)
{
  return wf_cpu_expand_labels_memory (task, n_threads) + copy_memory (task);
}

const WfVariant wf_cpu_expand_variants[] =
{
  { .algorithm = "nearest", .memory = nearest_memory, .run = run_nearest },
  { NULL }
};
