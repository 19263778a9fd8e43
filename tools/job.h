/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running an operation, as often as asked, and reporting on it. */

#pragma once

#include "arguments.h"
#include "files/output.h"
#include "wavefront.h"

/**
 * JobFunc:
 * @context: where to compute
 * @task: the operation's images and options
 * @error: the operation's
 *
 * Runs an operation once.
 *
 * Returns: %FALSE with @error set if it fails.
 */
typedef gboolean (* JobFunc) (WfContext  *context,
                              gpointer    task,
                              GError    **error);

/**
 * Job:
 * @context: the context of the operation
 * @n_steps: number of calls of the library in a run; the run calls progress_next_step()
 *   between them
 * @device: the device that did the work
 * @algorithm: the algorithm used
 * @threads: number of threads used
 * @seconds: median time of the operation alone over all runs
 * @device_seconds: time that a GPU worked in the last run
 * @executions: how often the last run did the work, see #WfReport
 * @steps: their times and what was queued, as JSON members, or ""
 * @no_background: whether a distance map had no background
 * @n_blocks: of how many blocks the result was written; 0: as a whole
 * @memory_limit: bytes that the operation may take; 0: what --memory-limit leaves
 * @notice: (nullable): a message for the user, or %NULL
 * @workers: (nullable): what each of several devices did, as a JSON member
 * @reason: (nullable): why this device, or %NULL
 * @is_single: whether one device works, not several that share an image
 * @inputs_on: the memory that an input of a chain's step has stayed in
 * @result_on: the memory that its result stays in
 */
typedef struct
{
  WfContext  *context;
  guint       n_steps;
  char       *device;
  char       *algorithm;
  guint       threads;
  double      seconds;
  double      device_seconds;
  guint       executions;
  char       *steps;
  gboolean    no_background;
  guint       n_blocks;
  guint64     memory_limit;
  char       *notice;
  char       *workers;
  char       *reason;
  gboolean    is_single;
  WfMemory    inputs_on;
  WfMemory    result_on;
  /*< private >*/
  Output      trace;
  JobFunc     conclude;
  guint       n_steps_more;
} Job;

gboolean job_prepare (Job              *job,
                      const Arguments  *arguments,
                      GError          **error);
void     job_set_conclusion
                     (Job              *job,
                      JobFunc           conclude,
                      guint             n_steps);
gboolean job_run     (Job              *job,
                      const Arguments  *arguments,
                      const char       *files,
                      JobFunc           run,
                      gpointer          task,
                      GError          **error);
gboolean job_finish  (Job              *job,
                      const Arguments  *arguments,
                      const WfImage    *image,
                      const char       *more,
                      GError          **error);
gboolean job_finish_counted
                     (Job              *job,
                      const Arguments  *arguments,
                      const WfImage    *image,
                      const char       *what,
                      guint32           n,
                      GError          **error);
void     job_clear   (Job              *job);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)
