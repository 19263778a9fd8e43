/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the context share: the context itself, and which variant it takes. */

#pragma once

#include "context.h"
#include "device-list.h"
#include "trace.h"

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
  guint            device_index;  /* the GPU that does what is not shared out */
  WfDeviceList     named;         /* the devices as they were named */
  WfDeviceList     devices;       /* those of them that this process takes */
  guint            gpu_sharers;   /* the ranks of this host that take the same GPUs */
  WfFallback       fallback;
  char            *missing;       /* why the device that was named is not there, or NULL */
  guint            threads;
  gint64           tile_size;
  guint64          memory_limit;
  gboolean         partial_outputs;
  gboolean         in_blocks;     /* an operation goes over blocks: none of them is shared again */
  GCancellable    *cancellable;
  WfProgressFunc   progress;
  gpointer         progress_data;
  WfReport         report;
  WfStepReport     steps[WF_MOST_STEPS]; /* the report's */
  GArray          *worker_reports; /* of several devices that have worked together; or NULL */
  GPtrArray       *lanes;         /* kept for the next operation of several devices; or NULL */
  WfTrace         *trace;         /* or NULL */
  WfCommunicator  *ranks;         /* or NULL */
  struct WfJointWork *joint_work; /* of the ranks, that is under way; or NULL */
  guint            lane;          /* whose spans in the trace are this context's */
  double           seconds;       /* of all operations so far */
  double           device_seconds;
  double           download_seconds;
  char            *device_name;
  char            *notice;
  char            *reason;
  WfPlan           opened;        /* the device that @device_state is of, if any */
  gpointer         device_state;
  gpointer         stream;        /* the caller's */
};

gboolean          wf_context_open_device    (WfContext        *context,
                                             const WfBackend  *backend,
                                             guint             device,
                                             GError          **error);
char *            wf_device_name            (const WfBackend  *backend,
                                             guint             index);
gboolean          wf_context_plan_instead   (const WfContext  *context,
                                             WfOperation       operation,
                                             const WfPlan     *plan,
                                             gconstpointer     task,
                                             const GError     *failure,
                                             WfPlan           *instead);
void              wf_context_follow         (WfContext        *context,
                                             const WfContext  *other);
WfContext *       wf_context_new_quiet      (const WfContext  *context);
gboolean          wf_context_may_fall_back  (const WfContext  *context);
void              wf_context_add_notice     (WfContext        *context,
                                             const char       *notice);
void              wf_context_begin_report   (WfContext        *context);
void              wf_context_set_reason     (WfContext        *context,
                                             char             *reason);
void              wf_context_report_devices (WfContext        *context,
                                             char             *names,
                                             const char       *algorithm);
const WfVariant * wf_backend_find_variant   (const WfBackend  *backend,
                                             WfOperation       operation,
                                             const char       *algorithm,
                                             gconstpointer     task);
guint64           wf_plan_count_memory      (const WfPlan     *plan,
                                             gconstpointer     task,
                                             guint             n_threads);
gboolean          wf_context_check_memory   (WfContext        *context,
                                             const WfPlan     *plan,
                                             gconstpointer     task,
                                             GError          **error);
