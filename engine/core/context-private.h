/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the context share: the context itself, and which variant it takes. */

#pragma once

#include "context.h"

typedef enum
{
  DEVICE_AUTO,
  DEVICE_CPU,
  DEVICE_CUDA,
  DEVICE_ALL
} DeviceChoice;

struct _WfContext
{
  gatomicrefcount  ref_count;
  DeviceChoice     device;
  guint            device_index;
  WfFallback       fallback;
  char            *missing;       /* why the device that was named is not there, or NULL */
  guint            threads;
  gint64           tile_size;
  guint64          memory_limit;
  gboolean         partial_outputs;
  GCancellable    *cancellable;
  WfProgressFunc   progress;
  gpointer         progress_data;
  WfReport         report;
  char            *device_name;
  char            *notice;
  char            *reason;
  WfPlan           opened;        /* the device that @device_state is of, if any */
  gpointer         device_state;
};

char *            wf_device_name            (const WfBackend  *backend,
                                             guint             index);
gboolean          wf_context_plan_instead   (const WfContext  *context,
                                             WfOperation       operation,
                                             const WfPlan     *plan,
                                             gconstpointer     task,
                                             const GError     *failure,
                                             WfPlan           *instead);
gboolean          wf_context_check_memory   (WfContext        *context,
                                             const WfPlan     *plan,
                                             gconstpointer     task,
                                             GError          **error);
