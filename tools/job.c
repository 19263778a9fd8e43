/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "command.h"
#include "files/existing.h"
#include "job.h"
#include "json-text.h"
#include "memory.h"
#include "message.h"
#include "progress.h"
#include "rank-stats.h"
#include "ranks.h"
#include "residence.h"
#include "stats.h"


/* Finds out whether the trace can be written. */
static gboolean
prepare_trace (Job              *job,
               const Arguments  *arguments,
               GError          **error)
{
  g_autofree char *result = arguments->output ? existing_resolve (arguments->output) : NULL;
  g_autofree char *trace  = arguments->trace ? existing_resolve (arguments->trace) : NULL;

  wf_context_set_tracing (job->context, arguments->trace != NULL);
  if (! arguments->trace)
    return TRUE;
  if (! output_prepare_text (&job->trace, arguments->trace, error))
    return FALSE;
  if (g_strcmp0 (result, trace) != 0)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The result and the trace cannot both be written to “%s”."), job->trace.name);
  return FALSE;
}

static gboolean
write_trace (Job     *job,
             GError **error)
{
  g_autofree char *text = wf_context_get_trace (job->context);

  if (! ranks_is_first ())
    return TRUE;
  return ! text || (output_write_text (&job->trace, text, error) &&
                    output_commit (&job->trace, error));
}

/**
 * job_prepare:
 * @job: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @error: %WF_ERROR_DEVICE and what else wf_context_configure() says; those of the trace
 *
 * Finds the device, and whether the trace can be written, before anything is read.
 *
 * Returns: success.
 */
gboolean
job_prepare (Job              *job,
             const Arguments  *arguments,
             GError          **error)
{
  WfContextOptions options = arguments->context;

  memset (job, 0, sizeof *job);
  if (options.threads == 0 && ranks_count_on_host () > 1)
    options.threads = (int) MAX (1, g_get_num_processors () / ranks_count_on_host ());
  job->n_steps = 1;
  job->context   = residence_get_context ();
  job->is_single = ! options.device ||
                   (strcmp (options.device, "all") != 0 && ! strchr (options.device, ','));
  /* Nobody sees a result that is not complete: it is not written. */
  wf_context_set_partial_outputs (job->context, TRUE);
  wf_context_set_communicator (job->context, ranks_get ());
  return wf_context_configure (job->context, &options, error) &&
         prepare_trace (job, arguments, error);
}

/**
 * job_set_conclusion:
 * @job: a prepared job
 * @conclude: what is done once after the last run, with the same task, and is no part of
 *   the operation, such as measuring its result
 * @n_steps: of how many calls of the library it consists
 */
void
job_set_conclusion (Job     *job,
                    JobFunc  conclude,
                    guint    n_steps)
{
  job->conclude     = conclude;
  job->n_steps_more = n_steps;
}

static void
keep_report (Job            *job,
             const WfReport *report,
             const char     *files)
{
  job->device         = g_strdup (report->device);
  job->algorithm      = g_strdup (report->algorithm);
  job->threads        = report->threads;
  job->device_seconds = report->device_seconds;
  job->executions     = report->executions;
  job->steps          = stats_format_steps (report);
  job->no_background  = report->no_background;
  job->reason         = g_strdup (report->reason);
  /* This notice speaks of "the image". */
  if (report->notice)
    job->notice = report->no_background ? g_strdup_printf ("%s: %s", files, report->notice)
                                        : g_strdup (report->notice);
}

/* Errors of files name them. */
static gboolean
blame (const char  *files,
       GError     **error)
{
  if (! ranks_are_several () && (! error || (*error)->domain != TOOL_ERROR))
    g_prefix_error (error, "%s: ", files);
  return FALSE;
}

/**
 * job_run:
 * @job: a prepared job
 * @arguments: what the user wants
 * @files: the names of the files that the engine would call "the image"
 * @run: the operation
 * @task: for @run, and for what follows it
 * @error: the operation's, with @files in front
 *
 * Computes as often as asked, shows progress, and keeps what the engine reports of
 * the operation.
 *
 * Returns: success.
 */
gboolean
job_run (Job              *job,
         const Arguments  *arguments,
         const char       *files,
         JobFunc           run,
         gpointer          task,
         GError          **error)
{
  g_autofree double    *seconds = g_new (double, arguments->repeat);
  const WfWorkerReport *workers;
  guint                 n_workers;

  wf_context_set_memory_limit (job->context,
                               job->memory_limit ? job->memory_limit : memory_left ());
  if (arguments->progress)
    {
      progress_begin (command_get_name (arguments->command),
                      arguments->repeat * (int) job->n_steps + (int) job->n_steps_more);
      wf_context_set_progress (job->context, progress_update, NULL);
    }

  for (int i = 0; i < arguments->repeat; i++)
    {
      gint64 start = g_get_monotonic_time ();

      if (! run (job->context, task, error))
        return blame (files, error);
      seconds[i] = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
      progress_next_step ();
    }
  job->seconds = stats_median (seconds, arguments->repeat);
  keep_report (job, wf_context_get_report (job->context), files);
  workers      = wf_context_get_worker_reports (job->context, &n_workers);
  job->workers = stats_format_workers (workers, n_workers);

  if (job->conclude)
    {
      if (! job->conclude (job->context, task, error))
        return blame (files, error);
      progress_next_step ();
    }
  progress_end_line ();
  return TRUE;
}

/* @text as a member of JSON, to be freed; "" where there is none. */
static char *
format_member (const char *name,
               const char *text)
{
  GString *member;

  if (! text)
    return g_strdup ("");
  member = g_string_new (NULL);
  g_string_append_printf (member, ",\"%s\":", name);
  json_text_append_string (member, text);
  return g_string_free (member, FALSE);
}

/* Which images of a chain's step stay on the GPU that has worked: members of JSON, to be freed. */
static char *
format_residence (const Job *job)
{
  GString *members = g_string_new (NULL);

  if (job->inputs_on != WF_MEMORY_HOST && g_str_has_prefix (job->device, "cuda:"))
    g_string_append_printf (members, ",\"inputs_on\":\"cuda:%d\"", job->inputs_on - 1);
  if (job->result_on != WF_MEMORY_HOST)
    g_string_append_printf (members, ",\"result_on\":\"cuda:%d\"", job->result_on - 1);
  return g_string_free (members, FALSE);
}

/**
 * job_finish:
 * @job: a job whose result is written
 * @arguments: what the user wants
 * @image: that was worked on
 * @more: what the operation adds to the line of --stats: JSON members, or ""
 * @error: %TOOL_ERROR_FILE
 *
 * Prints the engine's notice and the line of --stats, once everything has succeeded.
 *
 * Returns: success.
 */
gboolean
job_finish (Job              *job,
            const Arguments  *arguments,
            const WfImage    *image,
            const char       *more,
            GError          **error)
{
  g_autofree char *reason = NULL;
  g_autofree char *ranks  = NULL;
  g_autofree char *shown  = NULL;
  g_autofree char *file   = NULL;
  g_autofree char *stays  = NULL;
  char             seconds[G_ASCII_DTOSTR_BUF_SIZE];
  char             device_seconds[G_ASCII_DTOSTR_BUF_SIZE];
  char             blocks[32] = "";

  if (! write_trace (job, error))
    return FALSE;
  if (job->notice)
    message_print (job->notice);
  if (! arguments->stats)
    return TRUE;

  g_ascii_formatd (seconds, sizeof seconds, "%.9f", job->seconds);
  g_ascii_formatd (device_seconds, sizeof device_seconds, "%.9f", job->device_seconds);
  reason = format_member ("reason", job->reason);
  shown  = arguments->shown ? g_filename_display_name (arguments->shown) : NULL;
  file   = format_member ("file", shown);
  stays  = format_residence (job);
  ranks = rank_stats_format (job->seconds, error);
  if (! ranks)
    return FALSE;
  if (job->n_blocks > 0)
    g_snprintf (blocks, sizeof blocks, ",\"blocks\":%u", job->n_blocks);
  fprintf (stdout_for_reports (),
          "{\"operation\":\"%s\",\"algorithm\":\"%s\",\"device\":\"%s\",\"threads\":%u,"
          "\"pixels\":%" PRId64 ",\"seconds\":%s,\"device_seconds\":%s,\"executions\":%u%s%s%s"
          ",\"peak_rss_bytes\":%" PRIu64
          ",\"width\":%" PRId64 ",\"height\":%" PRId64 ",\"depth\":%"
          PRId64 ",\"type\":\"%s\",\"repeat\":%d%s%s%s%s%s}\n",
          command_get_name (arguments->command), job->algorithm, job->device, job->threads,
          wf_image_n_pixels (image), seconds, device_seconds, job->executions,
          job->steps ? job->steps : "", reason, job->workers ? job->workers : "", stats_peak_memory (),
          image->width, image->height, image->depth, wf_type_name (image->type),
          arguments->repeat, stays, blocks, ranks, more, file);
  return stdout_finish (error);
}

/* Of several inputs, with the name. */
static void
print_number (const Arguments *arguments,
              guint32          n)
{
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;

  if (! arguments->shown)
    {
      fprintf (stdout_for_reports (), "%u\n", n);
      return;
    }
  name = g_filename_display_name (arguments->shown);
  line = g_strdup_printf ("%u\t%s\n", n, name);
  text_print (stdout_for_reports (), line);
}

/**
 * job_finish_counted:
 * @job: a job whose result is written
 * @arguments: what the user wants
 * @image: that was worked on
 * @what: the name of what was counted, as a JSON member
 * @n: how many there are
 * @error: %TOOL_ERROR_FILE
 *
 * As job_finish(), for an operation whose number is a result of its own: it is
 * printed alone, or stands in the line of --stats.
 *
 * Returns: success.
 */
gboolean
job_finish_counted (Job              *job,
                    const Arguments  *arguments,
                    const WfImage    *image,
                    const char       *what,
                    guint32           n,
                    GError          **error)
{
  g_autofree char *member = g_strdup_printf (",\"%s\":%u", what, n);

  if (! arguments->stats && ! arguments->quiet)
    print_number (arguments, n);
  return job_finish (job, arguments, image, member, error) && stdout_finish (error);
}

void
job_clear (Job *job)
{
  g_clear_pointer (&job->context, wf_context_unref);
  g_free (job->device);
  g_free (job->algorithm);
  g_free (job->notice);
  g_free (job->steps);
  g_free (job->workers);
  output_clear (&job->trace);
  g_free (job->reason);
  memset (job, 0, sizeof *job);
}
