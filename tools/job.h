/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running an operation, as often as asked, and reporting on it. */

#pragma once

#include "arguments.h"
#include "wavefront.h"

/**
 * JobFunc:
 * @context: where to compute
 * @task: the operation's images and options
 * @error: the operation's
 *
 * One run of an operation.
 *
 * Returns: success.
 */
typedef gboolean (* JobFunc) (WfContext  *context,
                              gpointer    task,
                              GError    **error);

/**
 * Job:
 * @n_steps: how many calls of the library a run consists of, which calls
 *   progress_next_step() between them
 * @device: that did the work
 * @algorithm: that did it
 * @threads: that it took
 * @seconds: the median over all runs of the operation alone
 * @device_seconds: of the last run: how long a GPU worked
 * @executions: of the last run, see #WfReport
 * @no_background: a distance map had no background
 * @notice: what the user should know, or %NULL
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
  gboolean    no_background;
  char       *notice;
  /*< private >*/
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
gboolean job_finish  (const Job        *job,
                      const Arguments  *arguments,
                      const WfImage    *image,
                      const char       *more,
                      GError          **error);
gboolean job_finish_counted
                     (const Job        *job,
                      const Arguments  *arguments,
                      const WfImage    *image,
                      const char       *what,
                      guint32           n,
                      GError          **error);
void     job_clear   (Job              *job);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)
