/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each lane of work did when, for a viewer of traces. */

#pragma once

#include "engine/wavefront.h"

typedef struct _WfTrace WfTrace;

/**
 * WfSpan:
 * @name: what was done, constant
 * @device: that did it, constant while the trace lives
 * @lane: which of the lanes of all devices
 * @block: the number of the block, or −1
 * @begin, @end: by g_get_monotonic_time()
 */
typedef struct
{
  const char *name;
  const char *device;
  guint       lane;
  gint64      block;
  gint64      begin;
  gint64      end;
} WfSpan;

WfTrace * wf_trace_new     (void);
WfTrace * wf_trace_ref     (WfTrace       *trace);
void      wf_trace_unref   (WfTrace       *trace);
void      wf_trace_add     (WfTrace       *trace,
                            const WfSpan  *span);
char *    wf_trace_format  (WfTrace       *trace);
