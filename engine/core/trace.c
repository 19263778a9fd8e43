/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Traces in the format of Chrome's viewer, which Perfetto reads, too: JSON with complete events,
 * times in microseconds, one "thread" a lane.
 * Source: Trace Event Format, Google, section "Complete events".
 */

#include "config.h"

#include <inttypes.h>

#include "trace.h"

struct _WfTrace
{
  gatomicrefcount  ref_count;
  GMutex           lock;
  GArray          *spans;
  GPtrArray       *devices;     /* their names */
  gint64           begun_at;
};


WfTrace *
wf_trace_new (void)
{
  WfTrace *trace = g_new0 (WfTrace, 1);

  g_atomic_ref_count_init (&trace->ref_count);
  g_mutex_init (&trace->lock);
  trace->spans    = g_array_new (FALSE, FALSE, sizeof (WfSpan));
  trace->devices  = g_ptr_array_new_with_free_func (g_free);
  trace->begun_at = g_get_monotonic_time ();
  return trace;
}

WfTrace *
wf_trace_ref (WfTrace *trace)
{
  g_atomic_ref_count_inc (&trace->ref_count);
  return trace;
}

void
wf_trace_unref (WfTrace *trace)
{
  if (! g_atomic_ref_count_dec (&trace->ref_count))
    return;
  g_array_unref (trace->spans);
  g_ptr_array_unref (trace->devices);
  g_mutex_clear (&trace->lock);
  g_free (trace);
}

/* The trace's own copy of a name. */
static const char *
keep_name (WfTrace    *trace,
           const char *name)
{
  guint i;

  if (! g_ptr_array_find_with_equal_func (trace->devices, name, g_str_equal, &i))
    {
      i = trace->devices->len;
      g_ptr_array_add (trace->devices, g_strdup (name));
    }
  return trace->devices->pdata[i];
}

/* From any thread. */
void
wf_trace_add (WfTrace      *trace,
              const WfSpan *span)
{
  WfSpan kept = *span;

  g_mutex_lock (&trace->lock);
  kept.device = keep_name (trace, span->device);
  g_array_append_val (trace->spans, kept);
  g_mutex_unlock (&trace->lock);
}

static void
append_span (GString       *text,
             const WfTrace *trace,
             const WfSpan  *span)
{
  g_string_append_printf (text,
                          ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,"
                          "\"tid\":%u,\"ts\":%" PRId64 ",\"dur\":%" PRId64,
                          span->name, span->device, span->lane, span->begin - trace->begun_at,
                          span->end - span->begin);
  if (span->block >= 0)
    g_string_append_printf (text, ",\"args\":{\"block\":%" PRId64 "}", span->block);
  g_string_append_c (text, '}');
}

/* The names of the lanes: that of the device which has worked there. */
static void
append_lanes (GString       *text,
              const WfTrace *trace)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < trace->spans->len; i++)
    {
      const WfSpan *span = &g_array_index (trace->spans, WfSpan, i);

      if (g_hash_table_add (seen, GUINT_TO_POINTER (span->lane)))
        g_string_append_printf (text, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                                "\"tid\":%u,\"args\":{\"name\":\"%s\"}}", span->lane,
                                span->device);
    }
}

/* JSON, to be freed. */
char *
wf_trace_format (WfTrace *trace)
{
  GString *text = g_string_new ("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,"
                                "\"args\":{\"name\":\"wavefront\"}}");

  g_mutex_lock (&trace->lock);
  append_lanes (text, trace);
  for (guint i = 0; i < trace->spans->len; i++)
    append_span (text, trace, &g_array_index (trace->spans, WfSpan, i));
  g_mutex_unlock (&trace->lock);
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}
