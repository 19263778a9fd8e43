/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the sums over labelled regions are found, for tables of regions and of basins: on the CPU,
 * by the scan of region-scan.c, or on a device that finds #WfRegionTotals.  Whoever makes the table
 * reads a #WfRegionScan in both cases, so its formulas stand once.
 */

#include "config.h"

#include "engine/cpu/cpu.h"
#include "region-task.h"


/* Fills @scan, for WfMeasureTask.work: from @totals, or else from the pixels. */
gboolean
wf_measure_scan (const WfMeasureTask   *task,
                 WfRun                 *run,
                 const WfRegionTotals  *totals,
                 WfRegionScan          *scan,
                 GError               **error)
{
  *scan = (WfRegionScan) { .run          = run,
                           .labels       = task->labels,
                           .image        = task->image,
                           .parts        = task->parts,
                           .connectivity = task->connectivity };
  run->n_threads = task->threads;
  if (! totals)
    return wf_region_scan (scan, WF_MEASURE_SHARE_OF_SCAN, error);
  wf_region_scan_take (scan, totals);
  return TRUE;
}

/* Of WfVariant. */
static gboolean
run_runs (gconstpointer   data,
          WfRun          *run,
          GError        **error)
{
  const WfMeasureTask *task = data;

  return task->work (task, run, NULL, error);
}

static guint64
runs_memory (gconstpointer data,
             guint         n_threads)
{
  const WfMeasureTask *task = data;

  return task->memory + wf_region_scan_memory (task->labels, n_threads);
}

const WfVariant wf_cpu_measure_variants[] =
{
  { "runs", NULL, NULL, runs_memory, run_runs, TRUE, NULL },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

/* Does @task, whose shape and threads are set here.  No driver is started for what only the CPU
 * does.
 */
gboolean
wf_measure_run (WfContext      *context,
                WfMeasureTask  *task,
                GError        **error)
{
  WfPlan plan;

  task->shape   = wf_image_shape (task->labels);
  task->threads = wf_context_count_threads (context);
  if (wf_measure_is_by_totals (task))
    {
      if (! wf_context_plan (context, WF_TASK_MEASURE, NULL, task,
                             wf_shape_n_pixels (&task->shape), &plan, error))
        return FALSE;
    }
  else
    {
      if (! wf_context_plan_on_cpu (context, WF_TASK_MEASURE, task, &plan, error))
        return FALSE;
      plan.stands_in = wf_context_names_gpu (context);
    }
  return wf_context_run (context, WF_TASK_MEASURE, &plan, task, error);
}
