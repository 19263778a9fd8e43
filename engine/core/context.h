/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the front of an operation finds a variant and runs it. */

#pragma once

#include "pace.h"

/**
 * WfInput:
 * @image: which may not hold a NaN
 * @what: its name to the user
 */
typedef struct
{
  const WfImage *image;
  const char    *what;
} WfInput;

/**
 * WfPlan:
 * @variant: what will do the task
 * @backend: whose it is
 * @device: on which of the back end's devices
 * @gpu: the device that was weighed, or chosen by name or by the memory of the images
 * @memory: of a device, where images of the task are there
 * @stands_in: the CPU does what the device that was chosen by name, or by the memory of the images,
 *   cannot
 * @n_pixels: of the image; 0 where there was nothing to choose
 * @expected: how long the CPU and the GPU would take, where automatic choice weighed them;
 *   else zeros
 * @inputs: set by the front: what is looked at before a variant that does not itself
 *   check for NaN; up to the first %NULL
 *
 * A decision, taken before anything is allocated.
 */
typedef struct
{
  const WfVariant *variant;
  const WfBackend *backend;
  guint            device;
  guint            gpu;
  WfMemory         memory;
  gboolean         stands_in;
  gint64           n_pixels;
  WfExpectation    expected[2];
  WfInput          inputs[2];
} WfPlan;

/**
 * WfEstimate:
 * @context: what decides where the task is done; %NULL for the CPU
 * @n_pixels: of the image
 * @n_threads: of the CPU that may work
 * @plan: result: the decision
 * @reason: result, with a @context: why it is so, a sentence for the user; to be freed
 * @bytes: result: main memory beyond the task's images
 * @device_bytes: result, with a @context: memory of the device's own; 0 where it has none,
 *   or it is not known
 *
 * What would be done, and at what cost, without doing it.
 */
typedef struct
{
  WfContext *context;
  gint64     n_pixels;
  guint      n_threads;
  WfPlan     plan;
  char      *reason;
  guint64    bytes;
  guint64    device_bytes;
} WfEstimate;

/**
 * WfContextWorkFunc:
 * @data: that of wf_context_work()
 * @run: threads, progress and cancelling
 * @error: to be set on failure
 *
 * Works on the CPU.
 *
 * Returns: success
 */
typedef gboolean (* WfContextWorkFunc) (gpointer   data,
                                        WfRun     *run,
                                        GError   **error);

WfContext * wf_context_ensure   (WfContext      *context);
guint64     wf_context_get_memory
                                (const WfContext *context);
guint       wf_context_count_threads
                                (const WfContext *context);
GCancellable *
            wf_context_get_cancellable
                                (WfContext      *context);
gboolean    wf_context_plan     (WfContext      *context,
                                 WfOperation     operation,
                                 const char     *algorithm,
                                 gconstpointer   task,
                                 gint64          n_pixels,
                                 WfPlan         *plan,
                                 GError        **error);
gboolean    wf_context_plan_on_cpu
                                (WfContext      *context,
                                 WfOperation     operation,
                                 gconstpointer   task,
                                 WfPlan         *plan,
                                 GError        **error);
gboolean    wf_context_names_gpu
                                (const WfContext *context);
gboolean    wf_context_run      (WfContext      *context,
                                 WfOperation     operation,
                                 const WfPlan   *plan,
                                 gconstpointer   task,
                                 GError        **error);
gboolean    wf_context_estimate (WfOperation     operation,
                                 const char     *algorithm,
                                 gconstpointer   task,
                                 WfEstimate     *estimate,
                                 GError        **error);
gboolean    wf_context_allow_memory
                                (const WfContext *context,
                                 guint64         needed,
                                 GError        **error);
gboolean    wf_context_work     (WfContext      *context,
                                 const char     *name,
                                 guint64         memory,
                                 WfContextWorkFunc work,
                                 gpointer        data,
                                 GError        **error);
char *      wf_plan_get_device  (const WfPlan   *plan);
char *      wf_plan_explain     (const WfContext *context,
                                 const WfPlan   *plan);
void        wf_context_tell_alone
                                (WfContext      *context);
void        wf_context_set_no_background
                                (WfContext      *context,
                                 const char     *notice);
