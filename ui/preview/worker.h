/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "job.h"

G_BEGIN_DECLS

typedef struct _WfPreviewWorker WfPreviewWorker;

/**
 * WfPreviewDoneFunc:
 * @result: (nullable): what was computed, or %NULL
 * @error: (nullable): why not; with @result, why that could not be completed, or, if
 *   it has no image, not be computed but for its extra data
 * @user_data: as given
 *
 * Called in the main loop for the last computation that was started: once, or, if the result
 * can be shown before it is complete, a second time with the same result.
 */
typedef void (* WfPreviewDoneFunc) (WfPreviewResult *result,
                                    const GError    *error,
                                    gpointer         user_data);

WfPreviewWorker * wf_preview_worker_new     (WfPreviewDoneFunc           done,
                                             gpointer                    user_data);
void              wf_preview_worker_free    (WfPreviewWorker            *worker);
void              wf_preview_worker_start   (WfPreviewWorker            *worker,
                                             const WfPreviewComputation *computation,
                                             gpointer                    data,
                                             WfPreviewInputs            *inputs);
void              wf_preview_worker_cancel  (WfPreviewWorker            *worker);
gboolean          wf_preview_worker_is_busy (WfPreviewWorker            *worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfPreviewWorker, wf_preview_worker_free)

G_END_DECLS
