/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tasks that processes of their own do, some at a time. */

#pragma once

#include <glib.h>

/**
 * WorkerFunc:
 * @data: of workers_run()
 * @task: number of the task
 * @parts: texts that are a result, to be filled with what is to be freed, or left %NULL
 * @error: set on failure
 *
 * Does a task in a process of its own.
 *
 * Returns: success
 */
typedef gboolean (* WorkerFunc) (gpointer   data,
                                 guint      task,
                                 char     **parts,
                                 GError   **error);

/**
 * WorkerResult:
 * @success: whether the task was done
 * @out: what was written to standard output
 * @err: likewise to standard error, with the reason of a failure
 * @parts: what the #WorkerFunc has filled, or empty texts
 */
typedef struct
{
  gboolean   success;
  char      *out;
  char      *err;
  char     **parts;
} WorkerResult;

/**
 * WorkerDoneFunc:
 * @data: of workers_run()
 * @task: number of the task
 * @result: what it gave, to be changed at will, but not freed
 *
 * Is called for each task, as they end, in the first process.
 */
typedef void (* WorkerDoneFunc) (gpointer       data,
                                 guint          task,
                                 WorkerResult  *result);

/* Of processes at a time. */
#define WORKERS_MOST 256

gboolean workers_run (guint            n_tasks,
                      guint            n_workers,
                      guint            n_parts,
                      WorkerFunc       work,
                      WorkerDoneFunc   done,
                      gpointer         data,
                      GError         **error);
