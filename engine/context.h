/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the front of an operation finds a variant and runs it. */

#pragma once

#include "backend.h"

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
  WfInput          inputs[2];
} WfPlan;

WfContext * wf_context_ensure   (WfContext      *context);
guint       wf_context_count_threads
                                (const WfContext *context);
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
gboolean    wf_context_run      (WfContext      *context,
                                 WfOperation     operation,
                                 const WfPlan   *plan,
                                 gconstpointer   task,
                                 GError        **error);
gboolean    wf_context_estimate (WfOperation     operation,
                                 const char     *algorithm,
                                 gconstpointer   task,
                                 guint64        *bytes,
                                 GError        **error);
void        wf_context_set_no_background
                                (WfContext      *context,
                                 const char     *notice);
