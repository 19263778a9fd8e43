/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "stats.h"


static int
compare (const void *a,
         const void *b)
{
  double first  = *(const double *) a;
  double second = *(const double *) b;

  return (first > second) - (first < second);
}

/**
 * stats_median:
 * @values: numbers, which are sorted
 * @n: how many, at least 1
 *
 * Returns: the median; of an even count, the mean of the middle two.
 */
double
stats_median (double *values,
              guint   n)
{
  g_return_val_if_fail (n > 0, 0);

  qsort (values, n, sizeof *values, compare);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/**
 * stats_peak_memory:
 *
 * On Linux the peak of getrusage() survives exec(), so a small command started by a large
 * program would report that program's size: the high-water mark of this address space is
 * preferred.
 *
 * Returns: the most bytes of main memory that this process had at one time.
 */
guint64
stats_peak_memory (void)
{
  g_autofree char *text = NULL;
  const char      *found;
  guint64          kibibytes;
  struct rusage    usage;

  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL) &&
      (found = strstr (text, "\nVmHWM:")) != NULL &&
      sscanf (found, "\nVmHWM: %" PRIu64 " kB", &kibibytes) == 1)
    return kibibytes * 1024;

  return getrusage (RUSAGE_SELF, &usage) == 0 ? (guint64) usage.ru_maxrss * 1024 : 0;
}

/**
 * stats_append_seconds:
 * @text: JSON
 * @name: of a member, without "_seconds"
 * @seconds: its value
 *
 * Appends a member, with a comma in front of it.
 */
void
stats_append_seconds (GString    *text,
                      const char *name,
                      double      seconds)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.9f", seconds);
  g_string_append_printf (text, ",\"%s_seconds\":%s", name, number);
}

/**
 * stats_format_steps:
 * @report: of an operation
 *
 * Returns: (transfer full): JSON members, each with a comma in front of it: the seconds of the
 *   steps and their rounds, and how many pixels were queued; "" where none of it is known
 */
char *
stats_format_steps (const WfReport *report)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < report->n_steps; i++)
    {
      stats_append_seconds (text, report->steps[i].name, report->steps[i].seconds);
      if (report->steps[i].rounds > 0)
        g_string_append_printf (text, ",\"%s_rounds\":%u", report->steps[i].name,
                                report->steps[i].rounds);
    }
  if (report->queued > 0)
    g_string_append_printf (text, ",\"queued_first\":%" PRIu64 ",\"queued\":%" PRIu64,
                            report->queued_first, report->queued);
  return g_string_free (text, FALSE);
}

/**
 * stats_format_workers:
 * @workers: (nullable): of several devices
 * @n: how many there are
 *
 * Returns: (transfer full) (nullable): a JSON member, with a comma in front of it; %NULL without
 *   workers
 */
char *
stats_format_workers (const WfWorkerReport *workers,
                      guint                 n)
{
  GString *text;

  if (n == 0)
    return NULL;
  text = g_string_new (",\"workers\":[");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s{\"device\":\"%s\",\"blocks\":%" PRId64, i > 0 ? "," : "",
                              workers[i].device, workers[i].blocks);
      stats_append_seconds (text, "busy", workers[i].busy_seconds);
      stats_append_seconds (text, "compute", workers[i].compute_seconds);
      stats_append_seconds (text, "upload", workers[i].upload_seconds);
      stats_append_seconds (text, "download", workers[i].download_seconds);
      stats_append_seconds (text, "file", workers[i].file_seconds);
      g_string_append_printf (text, ",\"failed\":%s}", workers[i].failed ? "true" : "false");
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}
