/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work of a context that is no operation with variants: it is always done on the CPU. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "context-private.h"

/**
 * wf_context_work:
 * @context: where
 * @name: of the algorithm, for the report
 * @memory: bytes that it takes beyond its inputs
 * @work: does it
 * @data: for @work
 * @error: those of @work, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Works with the context's threads, progress and cancellable, and reports on it.
 *
 * Returns: success
 */
gboolean
wf_context_work (WfContext          *context,
                 const char         *name,
                 guint64             memory,
                 WfContextWorkFunc   work,
                 gpointer            data,
                 GError            **error)
{
  const gint64 start = g_get_monotonic_time ();
  WfRun        run;

  if (! wf_context_allow_memory (context, memory, error))
    return FALSE;
  wf_context_begin_report (context);
  wf_run_init (&run, context->cancellable, context->progress, context->progress_data, 0.0);
  run.n_threads = wf_context_count_threads (context);
  run.tile_size = context->tile_size;
  if (g_cancellable_is_cancelled (context->cancellable))
    return wf_run_set_cancelled (error);
  if (! work (data, &run, error))
    return FALSE;

  wf_run_finish (&run);
  wf_context_report_devices (context, g_strdup ("cpu"), name);
  if (context->device == DEVICE_CUDA)
    wf_context_add_notice (context,
                           _("Computed on the CPU, because the GPU cannot do this task."));
  context->report.seconds = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  return TRUE;
}
